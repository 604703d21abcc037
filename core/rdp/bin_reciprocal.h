#pragma once

#include <map>

namespace honest_epsilon::rdp {

/// Reciprocal moments of S, the average of T independent lognormals U of mean one,
/// log U ~ N(-mu^2/2, mu^2). The smaller of two bounds:
///
/// (i) S is at least the geometric mean of the U's: E[S^-b] <= e^{b (1 + b/T) mu^2/2}.
///
/// (ii) With E[e^{-l S}] = (E e^{-l U/T})^T and S of mean one,
///   E[S^-b] - 1 = 1/Gamma(b) int l^{b-1} (E[e^{-l S}] - e^-l) dl,
///   E[e^{-l S}] - e^-l = e^-l (e^{xi(l)} - 1),
///   xi(l) = T log(1 + eta(l/T)),   eta(s) = E[psi(-s (U - 1))],   psi(x) = e^x - 1 - x,
/// all terms positive, by the trapezoidal rule in log l and in z, to 1e-10.
/// Tried for 1e-50 <= mu <= 4: beyond, direction remove is much the larger.
class BinReciprocal {
 public:
  /// Domain: a whole number of bins >= 1, mu > 0.
  BinReciprocal(double bins, double mu) : bins_(bins), mu_(mu) {}

  /// log(E[S^-b] - 1), rounded up, for any real b > 0.
  double log_excess_upper(double b);

 private:
  double transform(double v);
  double log_integral_upper(double b);

  double bins_;
  double mu_;
  std::map<double, double> transforms_;  ///< by log l, for all orders
};

}  // namespace honest_epsilon::rdp
