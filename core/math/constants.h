#pragma once

#include <numbers>

/// Mathematical constants, each rounded to the nearest double.
namespace honest_epsilon {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kTwoPi = 2 * kPi;
inline constexpr double kLogTwo = std::numbers::ln2;
inline constexpr double kSqrtTwoPi = 2.50662827463100050242;
inline constexpr double kInverseSqrtTwoPi = 0.39894228040143267794;
inline constexpr double kHalfLogTwoPi = 0.91893853320467274178;

}  // namespace honest_epsilon
