#pragma once

#include <functional>

#include "core/base/interval.h"

namespace honest_epsilon {

/// The smallest eps >= 0 at which a certified decreasing curve is at most `target`, as an interval:
///   curve(upper).upper <= target,   curve(lower).lower >= target or lower = 0.
/// The curve need not be smooth: bisection on each side's own predicate, to about 1e-10 relative.
///   `highest`: the curve is 0 from there on; may be +inf, and is then searched for by doubling.
Interval invert_decreasing(const std::function<Interval(double)>& curve, double target,
                           double highest = kInfinity);

}  // namespace honest_epsilon
