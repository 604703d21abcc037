#pragma once

/// The convex function behind every moment of a likelihood ratio R = 1 + w with mean one:
///   F_a(w) = (1 + w)^a - 1 - a w >= 0,     E[R^a] - 1 = E[F_a(R - 1)],
/// whose terms are positive, so that no digits are lost where E[R^a] is close to one.
namespace honest_epsilon::rdp {

/// A likelihood ratio 1 + w, with its logarithm.
struct Ratio {
  double excess;  ///< w > -1, to 8 kUnit relative
  double log;     ///< log(1 + w)
  double error;   ///< absolute, of `log`
};

/// 1 - q + q e^x, x known to 2 kUnit relative. Domain: 0 < q <= 1, x < inf; x = -inf for q < 1.
Ratio mixture_ratio(double q, double x);

/// log F_a(w), rounded up; -inf for w = 0. Domain: a > 1.
double log_excess_upper(double order, const Ratio& ratio);

/// log(E[R^a] - 1) of the subsampled Gaussian, rounded up; +inf where it was not computed.
/// Domain: 0 < q < 1.
double log_subsampled_excess_upper(double order, double q, double mu);

/// Beyond this shift sampling hides almost nothing, lattices would need millions of points, and the
/// exponent of a moment, up to the square of order times shift, would exceed 64 bits.
constexpr double kLargestShift = 1e3;

/// Below this shift or sampling rate squares may underflow; the bound without sampling is returned.
constexpr double kSmallestShift = 1e-100;

/// Remainders below e^-42 (6e-19) of the sum so far are charged instead of summed.
constexpr double kNegligibleNats = 42;

/// D_a from log(E[R^a] - 1), rounded up: log(1 + e^log_excess) / (a - 1).
double divergence_upper(double order, double log_excess);

}  // namespace honest_epsilon::rdp
