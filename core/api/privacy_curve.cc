#include "core/api/privacy_curve.h"

#include <algorithm>
#include <optional>

#include "core/api/account.h"
#include "core/api/answer.h"
#include "core/api/check.h"
#include "core/api/programme.h"
#include "core/api/remarks.h"
#include "core/api/validate.h"
#include "core/base/spelling.h"
#include "core/math/order.h"

namespace honest_epsilon::api {
namespace {

std::optional<Issue> find_curve_issue(const PrivacyCurveQuery& query) {
  if (auto issue = check_all(query)) return issue;
  if (auto issue = require_question(query.question.value_or("delta"), "delta")) return issue;
  if (query.epsilon)
    return contradiction("epsilon", "be absent beside epsilons", spell(*query.epsilon));
  if (query.epsilons.empty())
    return missing("epsilons", "a list of 1 to " + std::to_string(kMostNumbers) + " numbers");
  return std::nullopt;
}

/// Whether all points may share one privacy_curve.
bool shares_work(const Programme& programme, const Query& query) {
  const std::string accountant = query.accountant.value_or("best");
  const bool by_laws = accountant == "best" || accountant == "pld";
  const bool capped = std::any_of(programme.phases.begin(), programme.phases.end(),
                                  [](const PhaseRun& phase) { return phase.run.cap.has_value(); });
  return by_laws && !capped && !programme.tuning.random && programme.tuning.times <= 1;
}

/// The points of one curve, asked in any order.
class CurvePoints {
 public:
  CurvePoints(const Programme& programme, const Query& query)
      : programme_(programme), query_(query), width_(query.width.value_or(kDefaultWidth)) {
    // A point shows no other accountant's figures.
    if (query_.accountant.value_or("best") == "best") query_.accountant = "pld";
    if (!shares_work(programme, query)) return;
    // A smaller delta that comes out wide is computed by itself.
    constexpr double kNegligible = 1e-12;
    shared_ = privacy_curve(programme, Effort{width_}, kNegligible);
    // Where theory leaves a gap, a question of its own proves more than a curve without variation.
    if (open_by_theory(programme) && !shared_->is_varied) shared_.reset();
  }

  bool share_work() const { return shared_.has_value(); }

  /// The order in which points cost least: work done for a small delta serves larger ones; but
  /// where a variation lowers upper ends, each holds for every larger epsilon, too.
  bool from_the_largest() const { return !(shared_ && shared_->is_varied); }

  DeltaPoint at(double epsilon) {
    if (shared_) {
      const Finding finding = shared_->delta(epsilon);
      bool widened = false;
      const Interval delta = guarded_larger(finding.directions, 1, widened);
      const bool narrow = delta.upper - delta.lower <= width_ * delta.upper;
      if (!widened && (narrow || shared_->is_varied))
        return {epsilon, delta, std::string(info_of(finding.method).sentence),
                std::string(info_of(finding.method).code)};
    }
    const Answer alone = answer_for(programme_, query_, {false, epsilon, width_});
    return {epsilon, alone.delta, alone.method, alone.method_code};
  }

 private:
  const Programme& programme_;
  Query query_;
  double width_;
  std::optional<PrivacyCurve> shared_;
};

}  // namespace

std::variant<PrivacyCurveAnswer, Issue> privacy_curve_at(const PrivacyCurveQuery& query) {
  if (auto issue = find_curve_issue(query)) return *issue;
  Query one = query;
  one.question = "delta";
  one.epsilon = query.epsilons.front();
  if (auto issue = find_issue(one)) return *issue;
  const auto read = read_programme(one);
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;

  CurvePoints points(std::get<Programme>(read), one);
  PrivacyCurveAnswer answer;
  answer.shares_work = points.share_work();
  answer.points.resize(query.epsilons.size());
  std::vector<std::size_t> order = rising_order(query.epsilons);
  if (points.from_the_largest()) std::reverse(order.begin(), order.end());
  for (const std::size_t i : order) answer.points[i] = points.at(query.epsilons[i]);
  return answer;
}

}  // namespace honest_epsilon::api
