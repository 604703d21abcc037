#pragma once

#include <memory>
#include <vector>

#include "core/contour/moments.h"
#include "core/contour/shift_ratio.h"

namespace honest_epsilon::contour {

/// One step of Poisson-subsampled Gaussian noise, in units of the noise. With t ~ N(0, 1), R(t) the
/// likelihood ratio of a person's records (shift_ratio.h; of one record, R = 1 - q + q e^{mu t -
/// mu^2/2}) and w = z + 1,
///   records taken out or put back, (R N(0), N(0)):  remove: K(z) = E R^w,   add: K(z) = E R^{-z};
///   replaced by their opposites, (R N(0), R' N(0)) with R'(t) = R(-t):  K(z) = E R^w R'^{1-w},
/// the same in both directions.
/// Cite: [HP24, sec. 3], [AP24, Props 9 and 13], [GA24]. Domain: 0 < q < 1, a double taken as it
/// is; mu > 0, known to one unit in its last place.
///
/// In what follows w is the power of R and u that of R': 1 - w where records are replaced, else 0.
///
/// **No cancellation.** As E R = E R' = E 1 = 1, K - 1 is
///   remove, replaced:  E[R (e^{za} - 1 - za)] + z E[R a - (R - 1) + (R' - 1)],
///   add:               E[e^{-za} - 1 + za] - z E[a - (R - 1)],
/// a = log R, or log R - log R', without R' where there is none: terms of second order where losses
/// are small, or z is. A run of 1e8 steps keeps its digits. It is E of a bracket
///   R^w R'^u - R (or 1) - z (R - 1) + z (R' - 1), whose a's cancel.
///
/// **Quadrature.** The integrand, f(t) = n(t) times that bracket, is analytic while angle = most
/// mu Im t is below pi. The trapezoid rule takes t_j + i eta, and its strip reaches from the real
/// line to Im t = 2 eta. With M(s) the integral of |f| along Im t = s,
///   |h sum_j f(t_j + i eta) - integral| <= (M(0) + M(2 eta)) / (e^{2 pi eta / h} - 1)
/// [TW14, Thm 5.1]. For Im w >= 0 nothing grows with Im w: |R^w| = |R|^{Re w} e^{-Im w arg R} with
/// 0 <= arg R < pi, and R' has angles below 0 where its power's imaginary part is. By the cone of
/// shift_ratio.h, with n the size of the negative power among Re w and Re u, if there is one,
///   M(s) <= e^{s^2/2} (cos(angle / 2)^{-n} E R^{Re w} R'^{Re u} + 1 + 2 (1 - p_0) |z|),
/// twice the last where there is R'.
/// Up to an angle of pi / 2 no term of R has a negative real part: |R| >= p_0. Without R' the first
/// expectation, with its factor, is at most p_0^{-n} there, which add's far columns need.
/// Add takes w = -conj(z), so that Im w >= 0 too, and the conjugate of what comes out.
///
/// **Ends.** To the right of t > 0 the bracket is at most R(t)^{Re w} e^{max(Re w, 0) m (t' - t)}
/// or (with cos(angle / 2)) R(t)^{Re w} at t' > t, m = most mu, times p_0^{Re u} where Re u < 0;
/// and R(t), or 1, and |z| |R - 1|. Under n(t') that is a geometric series. Left of -t R and R'
/// change places.
///
/// **Total variation.** P and Q are mixtures by the same law of j, and so no further apart than
/// sum_j p_j delta(N(j mu) || N(0)) at epsilon 0, with twice the shift where records are replaced.
///
/// **Decay.** The loss log R - log R' rises with t; its density under R^{Re w} R'^{Re u} n is
/// bounded from below on short cells, and decay.h makes of that a bound on |K| along a column.
class SubsampledGaussianMoments : public Moments {
 public:
  SubsampledGaussianMoments(double q, double mu) : SubsampledGaussianMoments({q}, mu, false) {}
  SubsampledGaussianMoments(const pairs::Records& records, double mu, bool replaced);
  std::unique_ptr<const Column> column(Direction direction, double x,
                                       double log_precision) const override;
  double log_moment_estimate(Direction direction, double x) const override;
  double total_variation() const override;
  double largest_loss(Direction direction) const override;

 private:
  ShiftRatio ratio_;
  bool replaced_;
  double step_, first_, last_;                ///< of the estimate's nodes
  std::vector<double> log_r_, log_mirrored_;  ///< log R and log R' there
};

}  // namespace honest_epsilon::contour
