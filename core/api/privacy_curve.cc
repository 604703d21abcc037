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

/// Whether small deltas come from laws of epochs on lattices, where lines do not reach them: their
/// tables take longest, and no question of its own finds a narrower one.
bool composes_epochs(const Programme& programme) {
  if (programme.phases.size() != 1 || !programme.releases.empty()) return false;
  const PhaseRun& only = programme.phases.front();
  return only.sampler->uses_epochs && only.run.mechanism == Mechanism::gaussian;
}

/// The points of one curve, asked in any order.
class CurvePoints {
 public:
  CurvePoints(const Programme& programme, const Query& query)
      : programme_(programme), query_(query), width_(query.width.value_or(kDefaultWidth)) {
    // A point shows no other accountant's figures.
    if (query_.accountant.value_or("best") == "best") query_.accountant = "pld";
    if (!shares_work(programme, query)) return;
    shared_ = privacy_curve(programme, Effort{width_}, kSmall);
    // Where theory leaves a gap, a question of its own proves more than a curve without variation.
    if (open_by_theory(programme) && !shared_->is_varied) shared_.reset();
  }

  bool share_work() const { return shared_.has_value(); }

  /// The order in which points cost least: work done for a small delta serves larger ones; but
  /// where a variation lowers upper ends, each holds for every larger epsilon, too.
  bool from_the_largest() const { return !(shared_ && shared_->is_varied); }

  DeltaPoint at(double epsilon) {
    if (!shared_) return alone(epsilon);
    auto point = point_of(*shared_, epsilon);
    if (point && (is_narrow(*point) || shared_->is_varied)) return *std::move(point);
    if (point && point->delta.upper <= kSmall && composes_epochs(programme_))
      return further_at(epsilon);
    return alone(epsilon);
  }

 private:
  /// A delta that comes out wide below this is asked of a curve that is followed further, to that.
  static constexpr double kSmall = 1e-12, kLeast = 1e-300;
  /// There the tables of epochs leave more open than larger transforms would gain.
  static constexpr int kLog2Grid = 14;

  /// By a curve that is followed further.
  DeltaPoint further_at(double epsilon) {
    if (!further_) further_ = privacy_curve(programme_, Effort{width_, kLog2Grid}, kLeast);
    auto point = point_of(*further_, epsilon);
    return point ? *std::move(point) : alone(epsilon);
  }

  DeltaPoint alone(double epsilon) const {
    const Answer alone = answer_for(programme_, query_, {false, epsilon, width_});
    return {epsilon, alone.delta, alone.method, alone.method_code};
  }

  bool is_narrow(const DeltaPoint& point) const {
    return point.delta.upper - point.delta.lower <= width_ * point.delta.upper;
  }

  static std::optional<DeltaPoint> point_of(const PrivacyCurve& curve, double epsilon) {
    const Finding finding = curve.delta(epsilon);
    bool widened = false;
    const Interval delta = guarded_larger(finding.directions, 1, widened);
    if (widened) return std::nullopt;
    return DeltaPoint{epsilon, delta, std::string(info_of(finding.method).sentence),
                      std::string(info_of(finding.method).code)};
  }

  const Programme& programme_;
  Query query_;
  double width_;
  std::optional<PrivacyCurve> shared_;
  std::optional<PrivacyCurve> further_;  ///< made when it is first asked
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
