#pragma once

#include <vector>

#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// One step of Poisson-subsampled Gaussian noise, ((1-q) N(0) + q N(mu), N(0)) in units of the
/// noise. With t ~ N(0, 1) under Q, v(t) = q e^{mu t - mu^2/2} and R = 1 - q + v the likelihood
/// ratio,
///   remove: K(z) = E_Q R^{z+1},   add: K(z) = E_Q R^{-z}.
/// Cite: [HP24, sec. 3], [AP24, Prop 9]. Domain: 0 < q < 1, a double taken as it is; mu > 0, known
/// to one unit in its last place.
///
/// **No cancellation.** E_Q R = 1, so E_Q R^w = 1 + E_Q[R^w - 1 - w (R - 1)], whose terms are of
/// second order where R is near 1: a run of 1e8 steps keeps its digits.
///
/// **Quadrature.** The integrand f(t) = n(t) (R^w - 1 - w) is analytic for |Im t| < pi/mu
/// (R vanishes only where Im mu t = pi). The trapezoid rule takes t_j + i eta, and its strip
/// reaches from the real line to Im t = 2 eta. With M(s) the integral of |f| along Im t = s,
///   |h sum_j f(t_j + i eta) - integral| <= (M(0) + M(2 eta)) / (e^{2 pi eta / h} - 1)
/// [TW14, Thm 5.1]. For Im w >= 0 nothing grows with Im w: |R^w| = |R|^{Re w} e^{-Im w arg R}, and
/// arg R lies in [0, pi). By |1 - q + v e^{i theta}| <= 1 - q + v where Re w >= 0, and >=
/// cos(theta/2) (1 - q + v) where Re w < 0, for theta = mu s:
///   M(s) <= e^{s^2/2} (max(1, cos(theta/2)^{Re w}) E_Q R^{Re w} + 1 + 2 q |w|).
/// Add takes w = -conj(z), so that Im w >= 0 too, and the conjugate of what comes out.
///
/// **Ends.** What the sum leaves out to the left and to the right is bounded by the normal tail
/// times the largest |R|^{Re w}, and by a geometric series.
///
/// **Decay.** On a column, |K| is at most what log_bound_beyond says: see decay.h.
class SubsampledGaussianMoments : public Moments {
 public:
  SubsampledGaussianMoments(double q, double mu);
  std::shared_ptr<const Rule> rule(Direction direction, const Reach& reach) const override;
  double log_moment_estimate(Direction direction, double x) const override;
  double largest_loss(Direction direction) const override;

 private:
  double q_;
  double mu_;
  double step_;                              ///< of the estimate's nodes
  std::vector<double> log_r_;                ///< log R at the estimate's nodes
  std::vector<double> log_weight_, weight_;  ///< their normal weights
  double second_order_ = 0;                  ///< E_Q[log R - (R - 1)]
};

}  // namespace honest_epsilon::contour
