#include "core/accounts/privacy_curve.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/accounts/account.h"
#include "core/accounts/answer.h"
#include "core/accounts/limits.h"
#include "core/accounts/programme.h"
#include "core/accounts/remarks.h"
#include "core/base/rounding.h"
#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/math/order.h"
#include "core/wire/check.h"

namespace honest_epsilon::accounts {
namespace {

std::optional<Issue> find_curve_issue(const PrivacyCurveQuery& query) {
  if (auto issue = wire::check_all(query)) return issue;
  if (auto issue = wire::require_question(query.question.value_or("delta"), "delta")) return issue;
  if (query.epsilon)
    return wire::contradiction(&wire::Query::epsilon, query, "be absent beside epsilons");
  if (query.epsilons.empty())
    return wire::missing("epsilons",
                         "a list of 1 to " + std::to_string(wire::kMostNumbers) + " numbers");
  return std::nullopt;
}

/// Whether all points may share one privacy_curve.
bool shares_work(const Programme& programme, const wire::Query& query) {
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
  return only.sampler->uses_epochs && only.run.epochs > 1 && !only.run.shares_draw() &&
         only.run.mechanism == Mechanism::gaussian;
}

/// The points of one curve, asked in any order.
class CurvePoints {
 public:
  CurvePoints(const Programme& programme, const wire::Query& query)
      : programme_(programme), query_(query), width_(query.width.value_or(kDefaultCurveWidth)) {
    if (!shares_work(programme, query)) return;
    shared_ = privacy_curve(programme, Effort{width_}, kSmall);
    // Where theory leaves a gap, a question of its own proves more than a curve without swaps.
    if (open_by_theory(programme) && !shared_->by_swaps) shared_.reset();
  }

  bool share_work() const { return shared_.has_value(); }

  /// The order in which points cost least: work done for a small delta serves larger ones; but
  /// where swaps lower upper ends, each holds for every larger epsilon, too.
  bool from_the_largest() const { return !(shared_ && shared_->by_swaps); }

  /// None where delta is so small that it is left to vanishing().
  std::optional<DeltaPoint> at(double epsilon) {
    if (!shared_) return alone(epsilon);
    auto point = point_of(*shared_, epsilon);
    if (point && (point->delta.is_narrow(width_) || shared_->by_swaps)) return point;
    if (point && point->delta.upper <= kSmall) {
      if (composes_epochs(programme_)) return std::nullopt;
      const auto fine = point_of(lines(), epsilon);
      if (fine && fine->delta.is_narrow(width_)) return fine;
    }
    return alone(epsilon);
  }

  /// Whether some point rests on a theorem of our own.
  bool own_proofs() const { return alone_by_own_ || (shared_ && *shared_->own_proofs); }

  /// At falling epsilons: by lines as far as they reach, beyond by tables of an epoch, which serve
  /// all of them.
  std::vector<DeltaPoint> vanishing(const wire::Numbers& falling) {
    const auto point_at = [&](const PrivacyCurve& curve, double epsilon) {
      const auto point = point_of(curve, epsilon);
      return point ? *point : alone(epsilon);
    };
    std::vector<DeltaPoint> points(falling.size());
    // Where an epsilon is beyond what lines serve, so are larger ones.
    for (std::size_t i = points.size(); i-- > 0;) points[i] = point_at(lines(), falling[i]);
    const PrivacyCurve tables = privacy_curve(programme_, {width_, kLog2Grid}, kLeast);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].delta.is_narrow(width_)) continue;
      DeltaPoint point = point_at(tables, falling[i]);
      point.delta = intersect(point.delta, points[i].delta);
      points[i] = std::move(point);
    }
    // Delta falls with epsilon.
    for (std::size_t i = 1; i < points.size(); ++i) {
      Interval& delta = points[i].delta;
      delta.lower = std::max(delta.lower, std::min(delta.upper, points[i - 1].delta.lower));
    }
    for (std::size_t i = points.size(); i-- > 1;) {
      Interval& delta = points[i - 1].delta;
      delta.upper = std::min(delta.upper, std::max(delta.lower, points[i].delta.upper));
    }
    return points;
  }

 private:
  /// A delta that comes out wide below this is asked again, by lines alone.
  static constexpr double kSmall = 1e-12;
  /// Of the work that is left, for a point asked by itself.
  static constexpr double kPointShare = 0.2;
  /// The least delta that is then told from 0.
  static constexpr double kLeast = 1e-300;
  /// Tables leave more open than larger transforms would gain.
  static constexpr int kLog2Grid = 14;

  /// The same curve down to the smallest deltas, by lines alone.
  const PrivacyCurve& lines() {
    if (!lines_) lines_ = privacy_curve(programme_, {width_, kLog2Grid, false}, kLeast);
    return *lines_;
  }

  DeltaPoint alone(double epsilon) {
    Question question{.asks_epsilon = false, .given = epsilon, .width = width_};
    // A point shows no other accountant's figures.
    question.compares = false;
    const work::Limit limit(work::part(kPointShare));
    const wire::Answer alone = answer_for(programme_, query_, question);
    alone_by_own_ |= alone.published.has_value();
    return {epsilon, alone.delta, alone.method, alone.method_code};
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
  wire::Query query_;
  double width_;
  std::optional<PrivacyCurve> shared_, lines_;
  bool alone_by_own_ = false;  ///< whether a point asked by itself rests on a theorem of our own
};

/// Lowers upper ends to their lower convex hull over e^epsilon, as delta is convex in it, but never
/// below the lower end, which equals the upper one for an estimate.
///   order: by rising epsilon
void make_convex(std::vector<DeltaPoint>& points, const std::vector<std::size_t>& order) {
  const auto chord = [&](std::size_t before, double epsilon, std::size_t after) {
    const DeltaPoint &a = points[before], &b = points[after];
    const double part = std::expm1(epsilon - a.epsilon) / std::expm1(b.epsilon - a.epsilon);
    return (a.delta.upper * (1 - part) + b.delta.upper * part) * (1 + 16 * kUnit);
  };
  std::vector<std::size_t> hull;
  for (const std::size_t i : order) {
    while (hull.size() >= 2 && points[hull.back()].delta.upper >
                                   chord(hull[hull.size() - 2], points[hull.back()].epsilon, i))
      hull.pop_back();
    if (hull.empty() || points[i].epsilon > points[hull.back()].epsilon) hull.push_back(i);
  }
  auto after = hull.begin();
  for (const std::size_t i : order) {
    Interval& delta = points[i].delta;
    while (after != hull.end() && points[*after].epsilon < points[i].epsilon) ++after;
    if (after == hull.begin() || after == hull.end() || *after == i) continue;
    const double upper = chord(*std::prev(after), points[i].epsilon, *after);
    delta.upper = std::clamp(upper, delta.lower, delta.upper);
  }
}

}  // namespace

std::variant<PrivacyCurveAnswer, Issue> privacy_curve_at(const PrivacyCurveQuery& query) {
  if (auto issue = find_curve_issue(query)) return *issue;
  wire::Query one = query;
  one.question = "delta";
  one.epsilon = query.epsilons.front();
  const auto read = read_asking(one, "delta");
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;

  const work::Limit limit(kSearchWork);
  CurvePoints points(std::get<Programme>(read), one);
  PrivacyCurveAnswer answer;
  answer.shares_work = points.share_work();
  if (!answer.shares_work && query.shared_only.value_or(false)) return answer;
  answer.points.resize(query.epsilons.size());
  const std::vector<std::size_t> rising = rising_order(query.epsilons);
  std::vector<std::size_t> order = rising, left;
  if (points.from_the_largest()) std::reverse(order.begin(), order.end());
  wire::Numbers falling;
  for (const std::size_t i : order) {
    if (auto point = points.at(query.epsilons[i])) {
      answer.points[i] = *std::move(point);
    } else {
      left.push_back(i);
      falling.push_back(query.epsilons[i]);
    }
  }
  if (!left.empty()) {
    std::vector<DeltaPoint> vanishing = points.vanishing(falling);
    for (std::size_t i = 0; i < left.size(); ++i) answer.points[left[i]] = std::move(vanishing[i]);
  }
  make_convex(answer.points, rising);
  answer.own_proofs = points.own_proofs();
  return answer;
}

}  // namespace honest_epsilon::accounts
