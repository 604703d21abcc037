#include "core/runs/charge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/interval.h"
#include "core/math/root.h"

namespace honest_epsilon {
namespace {

/// An exponential of kFunctionError units and fewer than ten products: 900 units cover them.
constexpr double kRounding = 1e-13;

/// The uppers of the least eps with  eps(target(eps)) <= eps, as far as a few steps find it; target
/// falls. Each direction's own upper there is as valid: it is no larger, and so its target no
/// smaller.
Directions settled(const Ask& ask, const std::function<double(double)>& target, double start) {
  // Where so many steps do not settle there is no such epsilon.
  constexpr int kMostSteps = 20;
  constexpr double kClose = 1e-6, kFirstSlope = 0.17, kMostSlope = 0.9, kMostGrowth = 1.5;
  Directions settled_at = {{0, kInfinity}, {0, kInfinity}};
  double low = 0, high = kInfinity;  // it lies between
  double epsilon = start, last = 0, last_next = 0;
  for (int i = 0; i < kMostSteps && !(high - low <= kClose * low); ++i) {
    const double left = target(epsilon);
    if (!(left > 0)) break;
    const Directions found =
        ask(Asked::epsilon, std::min(left, 1 - 1e-15), Wanted::upper).directions;
    const double next = found.upper();
    if (!(next < kInfinity)) break;
    if (next > epsilon) {
      low = epsilon;
    } else {
      settled_at = found;
      high = epsilon;
      if (epsilon - next <= kClose * epsilon) break;
    }
    // A chord of eps(target(.)) tells where it meets the diagonal; a little beyond, it is settled.
    // Mostly the map bends down, and a long step would lead far beyond.
    const double slope =
        i > 0 ? std::clamp((next - last_next) / (epsilon - last), 0.0, kMostSlope) : kFirstSlope;
    last = epsilon;
    last_next = next;
    const double ahead = epsilon + (next - epsilon) / (1 - slope) + 0.5 * kClose * next;
    epsilon = std::min(ahead, kMostGrowth * next);
    if (!(epsilon > low && epsilon < high)) epsilon = halfway(low, high);
  }
  return settled_at;
}

}  // namespace

double charge_of(double variation, double epsilon) {
  if (variation == 0) return 0;
  return (1 + std::exp(epsilon)) * variation * (1 + 16 * kUnit);
}

Finding beside_failure(const Ask& ask, const Failure& failure, Adjacency adjacency, Asked asked,
                       double given) {
  Finding finding = ask(asked, given, Wanted::both);
  if (failure.announced == 0 && failure.hidden == 0) return finding;
  Directions& d = finding.directions;
  const auto above = [&](double epsilon) {
    return (failure.announced + charge_of(failure.hidden, epsilon)) * (1 + kRounding);
  };
  const auto below = [&](double epsilon, bool remove) {
    const bool one_law = remove && adjacency != Adjacency::substitution;
    const double any = failure.announced + failure.hidden;
    return (one_law ? any : charge_of(any, epsilon)) * (1 + kRounding);
  };
  if (asked != Asked::epsilon) {
    for (const bool remove : {true, false}) {
      Interval& value = remove ? d.remove : d.add;
      value.lower = std::max(0.0, value.lower - below(given, remove)) * (1 - kRounding);
      value.upper = std::min(1.0, (value.upper + above(given)) * (1 + kRounding));
    }
    return finding;
  }
  const auto target = [&](double epsilon) { return (given - above(epsilon)) * (1 - kRounding); };
  const Directions upper = settled(ask, target, d.upper());
  // The lower ends lie below those known so far, where the price is no larger. Mostly both
  // directions pay the same.
  const double lifted_remove = (given + below(d.remove.upper, true)) * (1 + kRounding);
  const double lifted_add = (given + below(d.add.upper, false)) * (1 + kRounding);
  const auto lower_at = [&](double target_delta) {
    return target_delta < 1 ? ask(Asked::epsilon, target_delta, Wanted::lower).directions
                            : Directions{{0, 0}, {0, 0}};
  };
  const bool close = lifted_add < lifted_remove * (1 + 1e-4) && lifted_add >= lifted_remove;
  const Directions at_add = lower_at(lifted_add);
  const Directions at_remove = close ? at_add : lower_at(lifted_remove);
  d.remove = {std::min(at_remove.remove.lower, upper.remove.upper), upper.remove.upper};
  d.add = {std::min(at_add.add.lower, upper.add.upper), upper.add.upper};
  return finding;
}

double group_factor(double records, double epsilon) {
  if (records == 1) return 1;
  const auto log_of_rest = [](double e) {  // log of e^e - 1
    return e > 30 ? e + std::log1p(-std::exp(-e)) : std::log(std::expm1(e));
  };
  const double log = epsilon < 1e-12 ? std::log(records) + records * epsilon
                                     : log_of_rest(records * epsilon) - log_of_rest(epsilon);
  return std::exp(log) * (1 + 1e-9);
}

Finding for_group(const Ask& ask, double records, Asked asked, double given, Wanted wanted) {
  if (records == 1) return ask(asked, given, wanted);
  // Of delta the upper end first, which needs the work: a single record's may be tiny at `given`.
  const bool at_share = asked != Asked::epsilon && wanted != Wanted::lower;
  const Asked of_share = given == 0 ? Asked::total_variation : Asked::delta;
  Finding finding =
      at_share ? ask(of_share, given / records, Wanted::upper) : ask(asked, given, wanted);
  finding.method = Method::group_privacy;
  Directions& d = finding.directions;
  const double most = trivial_interval(asked).upper;
  if (wanted == Wanted::lower) {
    d.remove.upper = d.add.upper = most;
    return finding;
  }
  const auto target = [&](double e) { return given / group_factor(records, e) * (1 - kRounding); };
  const Directions upper = at_share ? d : settled(ask, target, d.upper());
  const double factor =
      at_share ? group_factor(records, given / records) : records * (1 + kRounding);
  d.remove.upper = std::min(most, upper.remove.upper * factor);
  d.add.upper = std::min(most, upper.add.upper * factor);
  if (at_share) {
    const bool both = wanted == Wanted::both;
    d.replace_lowers(both ? ask(asked, given, Wanted::lower).directions : Directions{{0}, {0}});
  }
  return finding;
}

double through_left_out(const Ask& ask, const Ask& rough, Asked asked, double given, int tries) {
  if (asked == Asked::epsilon) {
    const double a = ask(Asked::epsilon, 0.5 * given, Wanted::upper).directions.remove.upper;
    const double rest = 0.5 * given * std::exp(-a) * (1 - 1e-12);
    // Smaller numbers may be rounded up by any share.
    if (!(rest > std::numeric_limits<double>::min())) return kInfinity;
    return (a + ask(Asked::epsilon, rest, Wanted::upper).directions.add.upper) * (1 + 4 * kUnit);
  }
  const auto terms = [&](const Ask& which, double a) {
    const double first = which(Asked::delta, a, Wanted::upper).directions.remove.upper;
    const double second = which(Asked::delta, given - a, Wanted::upper).directions.add.upper;
    return std::pair{first, second > 0 ? std::exp(a + std::log(second)) : 0};
  };
  // The exponent is a rounded sum of numbers below 1e4.
  const auto sum = [](const std::pair<double, double>& both) {
    return std::min(1.0, (both.first + both.second) * (1 + 1e-11));
  };
  // Nobody needs a smaller delta than that.
  constexpr double kSmallest = 1e-60;
  // Where they are equal, as they are for epsilon at a delta; their sum is within twice its least
  // value there.
  constexpr double kEqual = 5e-3, kLargestLog = 700;
  constexpr int kChords = 4;
  double a = 0.5 * given, best = 1, last = 0, last_excess = 0, last_width = given;
  Bracket equal{0, given};
  for (int i = 0; i < tries; ++i) {
    const auto both = terms(rough, a);
    best = std::min(best, sum(both));
    if (best < kSmallest) return best;
    const double log_first = std::log(std::max(both.first, kTiny));
    const double excess =
        std::clamp(log_first - std::log(std::max(both.second, kTiny)), -kLargestLog, kLargestLog);
    (excess > 0 ? equal.low : equal.high) = a;
    // Both deltas fall about as a Gaussian tail does, at first.
    const double slope =
        i > 0 ? (last_excess - excess) / (a - last) : 1 - 8 * std::min(log_first, -1.0) / given;
    // Deltas of pure noise end at a largest loss, where chords are of no use: then halves are.
    const double width = equal.high - equal.low;
    const bool shrinks = i < kChords || width <= 0.5 * last_width;
    last_width = width;
    last = std::exchange(a, shrinks ? a + excess / slope : halfway(equal.low, equal.high));
    last_excess = excess;
    if (!(a > equal.low && a < equal.high)) a = halfway(equal.low, equal.high);
    if (std::abs(excess) < kEqual) break;
  }
  return std::min(best, sum(terms(ask, a)));
}

}  // namespace honest_epsilon
