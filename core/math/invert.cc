#include "core/math/invert.h"

#include <algorithm>

#include "core/math/root.h"

namespace honest_epsilon {

Interval invert_decreasing(const std::function<Interval(double)>& curve, double target,
                           double highest) {
  const auto too_much = [&](double e) { return !(curve(e).upper <= target); };
  const auto needed = [&](double e) { return curve(e).lower >= target; };
  if (!too_much(0)) return {0, 0};
  double high = std::min(highest, 1.0);
  double low = 0;
  while (high < highest && too_much(high)) {
    low = high;
    high = std::min(2 * high, highest);
    if (high > 1e15) return {needed(low) ? low : 0, kInfinity};
  }
  constexpr Halvings kNarrow{200, 1e-10, 1e-300};
  const double upper = bisect({low, high}, kNarrow, too_much).high;
  return {needed(0) ? bisect({0, upper}, kNarrow, needed).low : 0, upper};
}

}  // namespace honest_epsilon
