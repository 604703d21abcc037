#pragma once

#include <algorithm>
#include <limits>

#include "core/base/interval.h"

/// How round-off is charged.
///
/// WebAssembly has no rounding modes: fesetround reports success and changes nothing. So nothing is
/// computed twice with directed rounding; every bound carries an error term of its own, and is
/// widened by it. The model is the usual one, without underflow:
///   fl(a op b) = (a op b)(1 + d),  |d| <= kUnit,   and |d| <= kFunctionError kUnit for exp and
///   log.
/// Products are never contracted to a b + c (-ffp-contract=off), so that every operation rounds.
///
/// A single inexact number carries its error bound as a Charged. Hot loops keep value and error
/// apart, next to the derivation:
/// 1. Products and quotients: n of them are off by at most n kUnit / (1 - n kUnit). The code counts
///    them, rounds the count up to a power of two, and widens: upper * (1 + 8 * kUnit). A constant
///    called kRounding is such a count for a whole formula. Relative errors add up.
/// 2. An argument that is off by e moves a function by at most e times its largest slope nearby:
///    delta falls in epsilon and rises in the shift mu, so that each is moved to its worse side
///    before the call, and the call's own ends are taken.
/// 3. Sums of positive terms keep relative errors and add a unit per level of summation. Sums with
///    both signs are charged by the sum of moduli: every term |t| brings its own error and a unit
///    of the largest partial sum.
/// 4. Differences are written so that they do not cancel: expm1 and log1p, tails from the side on
///    which they are small, E[F(R - 1)] in place of E[R^a] - 1. Where they must cancel (P - e^eps
///    Q) the charge is a part of P + e^eps Q, and the result may be wide.
/// 5. The transform's error is a norm's: fft::relative_error times the Euclidean norm, for a power
///    n times that (core/pld/compose.cc). Exponential tilting keeps masses near the answer large
///    beside it; the error is charged to each point that is read.
/// 6. What is left out (a tail, an alias, the rest of a series) is no round-off and is bounded by a
///    theorem, named where it is charged; its bound is computed, and widened, like anything else.
/// 7. Underflow: a product that may have underflowed is off by kTiny at most, absolutely.
/// 8. Ends that crossed by more than their errors would refute a proof. intersect and guarded
///    (core/wire/guard.h) then fall back to the wider reading; nothing is NaN.
///
/// Held by: tests/core/base/functions_test.cc (the platform's functions against 30 digits),
/// tests/core/math/fft_test.cc and tests/core/pld/compose_test.cc (longer arithmetic), and
/// tests/agreement (native ends against those as WebAssembly, whose functions differ).
namespace honest_epsilon {

/// Half the spacing of doubles at 1: the relative error of one operation.
inline constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

/// Relative error of the platform's exp, expm1, log, log1p, sin, cos and atan2, in units of kUnit.
/// tests/core/base/functions_test.cc holds them to half of it against 30-digit values.
inline constexpr double kFunctionError = 4;

/// A computed number and its error bound: the exact number is at most `error` away.
struct Charged {
  double value = 0;
  double error = 0;

  constexpr double lower() const { return value - error; }
  constexpr double upper() const { return value + error; }
};

/// A value too small for the arithmetic to resolve; added where a product may have underflowed.
inline constexpr double kTiny = 1e-300;

/// offset + scale * x for every x in `of`, all >= 0; the result is widened by `units` roundings.
inline Interval affine(double offset, double scale, const Interval& of, double units = 4) {
  return {(offset + scale * of.lower) * (1 - units * kUnit),
          (offset + scale * of.upper) * (1 + units * kUnit)};
}

/// The interval clamped to [0, 1], for a probability.
inline Interval within_unit(const Interval& value) {
  return {std::clamp(value.lower, 0.0, 1.0), std::clamp(value.upper, 0.0, 1.0)};
}

/// [value (1 - error), value (1 + error)] for value >= 0, clamped to [0, 1]: a probability.
inline Interval probability(double value, double relative_error) {
  const double slack = value * relative_error + kTiny;
  return within_unit({value - slack, value + slack});
}

}  // namespace honest_epsilon
