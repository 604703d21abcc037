#include "core/math/invert.h"

#include <algorithm>
#include <cmath>

namespace honest_epsilon {
namespace {

/// Bisects (low, high] on a predicate that holds at high and not at low; returns the pair.
Interval bisect(const std::function<bool(double)>& holds, double low, double high) {
  for (int i = 0; i < 200 && high - low > 1e-10 * high + 1e-300; ++i) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? high : low) = middle;
  }
  return {low, high};
}

}  // namespace

Interval invert_decreasing(const std::function<Interval(double)>& curve, double target,
                           double highest) {
  const auto enough = [&](double e) { return curve(e).upper <= target; };
  const auto refuted = [&](double e) { return !(curve(e).lower >= target); };
  if (enough(0)) return {0, 0};
  double high = std::min(highest, 1.0);
  double low = 0;
  while (high < highest && !enough(high)) {
    low = high;
    high = std::min(2 * high, highest);
    if (high > 1e15) return {refuted(low) ? 0 : low, kInfinity};
  }
  const double upper = bisect(enough, low, high).upper;
  if (refuted(0)) return {0, upper};
  return {bisect(refuted, 0, upper).lower, upper};
}

}  // namespace honest_epsilon
