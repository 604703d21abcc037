#pragma once

#include <complex>
#include <memory>

#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// One epoch of balls-and-bins with so much noise that it is nearly a Gaussian pair.
///
/// As in bins_moments.h, t_i ~ N(0, 1) under Q, U = (X_1 + ... + X_T) / T with X_i = e^{mu t_i -
/// mu^2/2}, and K(z) is E U^w, w = 1 + z in direction remove and -z in direction add. The mean g of
/// all t is independent of x_i = t_i - g, a standard Gaussian in the T - 1 dimensions where they
/// sum to 0. So U = e^{mu g - mu^2/(2T)} W, where L = log W is log(e^{mu x_1} + ... + e^{mu x_T})
/// and a constant, and E U = 1 makes E W = 1:
///   K(z) = e^{z (z+1) mu^2 / (2T)} M(w),   M(w) = E W^w,   M(0) = M(1) = 1,
/// as w (w-1) is z (z+1) either way. The first factor is the pair's, with the shift mu / sqrt(T).
///
/// **M is nearly 1.** For real a let E_a be the mean under the density proportional to W^a: E_a L
/// and Var_a L are the first two derivatives of log M. With p_i = e^{mu x_i} / (e^{mu x_1} + ...),
///   grad L = mu (p - 1/T),   grad p_i = mu p_i (e_i - p),   S = p_1^2 + ... + p_T^2,
/// and the curvature of L lies between 0 and mu^2 / 2, as the variance under p of the components of
/// a unit vector does. The density's logarithm is thus bent down by k = 1 - max(0, a) mu^2 / 2 at
/// least, and while k > 0 a variance is at most the mean square of a gradient over k [BL76, Thm
/// 4.1]. By symmetry E_a p_i = 1/T, so that all p_i together vary by d = E_a S - 1/T. Their
/// gradients' squares add up to mu^2 (S - 2 sum_i p_i^3 + S^2) <= mu^2 S (1 - S), as sum_i p_i^3 >=
/// S^2, and E_a S (1 - S) <= E_a S (1 - 1/T):
///   d <= (mu^2 / k) (1 - 1/T) (d + 1/T),
///   0 <= (log M)''(a) = Var_a L <= (mu^2 / k) d <= mu^4 (1 - 1/T) / (k (k - mu^2 (1 - 1/T)) T) =
///   v.
/// As log M is 0 at 0 and 1, |log M(a)| <= v |a (a-1)| / 2 and |E_a L| <= v (|a| + 1); with
/// M(a + iy) = M(a) E_a e^{iyL}, |M - 1| <= e^{v |a (a-1)| / 2 + |y| v (|a| + 1) + y^2 v / 2} - 1.
/// On |w| <= r, with k at r,
///   |M(w) - 1| <= e^{v r (r + 5/4)} - 1,   |log M(w)| <= -log(2 - e^{v r (r + 5/4)}) = F(r).
///
/// **Its logarithm** is interpolated at 0, 1, 2, or at 3 as well, where E U^w is elementary. The
/// remainder is w (w-1) ... (w-n) times a divided difference, and with Cauchy's integral along
/// |zeta| = r > n it is at most
///   F(r) |w (w-1) ... (w-n)| / ((r-1) ... (r-n) (r - |w|)).
/// Without any node, it is F(|w|). Roughly, what is left is x^2 mu^2, x^3 mu^3, x^4 mu^4 where
/// delta is a Gaussian's tail at x.
///
/// **Decay.** |K(c + iy)| <= K(c) e^{-mu^2 y^2 / (2T)}, as g is independent of W.
///
/// Domain: T >= 2 bins; mu >= 1e-100, known to one unit in its last place.
class QuietBins {
 public:
  QuietBins(double bins, double mu);

  /// log E U^w. Its error is infinite where v is unbounded.
  LogMoment log_moment(std::complex<double> w) const;

  std::shared_ptr<const Rule> rule(Direction direction) const;

  /// mu^2 y^2 / (2T), from below.
  double decay(double y) const;

 private:
  /// F(r).
  double largest_log(double r) const;

  double square_;         ///< mu^2
  double bins_;           ///< T
  double squared_shift_;  ///< mu^2 / T
  double at_two_;         ///< log M(2)
  double at_three_;       ///< log M(3)
  double radius_ = 0;     ///< r of Cauchy's integral; 0 where there is none
  double largest_ = 0;    ///< F(r)
};

}  // namespace honest_epsilon::contour
