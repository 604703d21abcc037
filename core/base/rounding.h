#pragma once

#include <algorithm>
#include <limits>

#include "core/base/interval.h"

/// Explicit widening. WebAssembly has no rounding modes (fesetround reports success and changes
/// nothing), so every bound carries its own error term and is widened by these functions.
namespace honest_epsilon {

/// Half the spacing of doubles at 1: the relative error of one operation.
inline constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

/// Relative error of the platform's exp, expm1, log, log1p, sin, cos and atan2, in units of kUnit.
/// tests/core/base/functions_test.cc holds them to half of it against 30-digit values.
inline constexpr double kFunctionError = 4;

/// A value too small for the arithmetic to resolve; added where a product may have underflowed.
inline constexpr double kTiny = 1e-300;

/// [value (1 - error), value (1 + error)] for value >= 0, clamped to [0, 1]: a probability.
inline Interval probability(double value, double relative_error) {
  const double slack = value * relative_error + kTiny;
  return {std::clamp(value - slack, 0.0, 1.0), std::clamp(value + slack, 0.0, 1.0)};
}

}  // namespace honest_epsilon
