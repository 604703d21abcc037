#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/contour/jump_cut.h"
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
/// **No cancellation.** E R = E R' = 1, so K = 1 + E[R^w R'^u - 1 - w (R - 1) - u (R' - 1)], whose
/// terms are of second order where R is near 1: a run of 1e8 steps keeps its digits. They are
/// summed around z = 0, where K = 1 as well: with a = log R, or log R - log R',
///   remove, replaced:  R (e^{za} - 1 - za) + z (R a - (R - 1) + (R' - 1)),   R' = 1 without it;
///   add:               e^{wa} - 1 - wa + w (a - (R - 1)),   w = -z:
/// of second order in R - 1 and of first order in z, which is small where losses are in the
/// thousands.
///
/// **Quadrature.** The integrand, f(t) = n(t) times that bracket, is analytic while angle = most
/// mu Im t is below pi. The trapezoid rule takes t_j + i eta, and its strip reaches from the real
/// line to Im t = 2 eta. With M(s) the integral of |f| along Im t = s,
///   |h sum_j f(t_j + i eta) - integral| <= (M(0) + M(2 eta)) / (e^{2 pi eta / h} - 1)
/// [TW14, Thm 5.1]. For Im w >= 0 nothing grows with Im w: |R^w| = |R|^{Re w} e^{-Im w arg R} with
/// 0 <= arg R < pi, and R' has angles below 0 where its power's imaginary part is. By the cone of
/// shift_ratio.h, with n the size of the negative power among Re w and Re u, if there is one,
///   M(s) <= e^{s^2/2} (cos(angle / 2)^{-n} E R^{Re w} R'^{Re u} + 1 + 2 (1 - p_0) (|w| + |u|)).
/// Up to an angle of pi / 2 no term of R has a negative real part: |R| >= p_0. Without R' the first
/// expectation, with its factor, is at most p_0^{-n} there, which add's far columns need.
/// Add takes w = -conj(z), so that Im w >= 0 too, and the conjugate of what comes out.
///
/// **Ends.** To the right of t > 0 the bracket is at most R(t)^{Re w} e^{max(Re w, 0) m (t' - t)}
/// or (with cos(angle / 2)) R(t)^{Re w} at t' > t, m = most mu, times p_0^{Re u} where Re u < 0;
/// and 1 + |w| |R - 1| + |u| |R' - 1|. Under n(t') that is a geometric series. Left of -t R and R'
/// change places.
///
/// **Without jumps** (jump_cut.h; remove) every expectation has the factor kept(t). With kept R =
/// R - (its part in jumps), of masses p and q under P and Q,
///   K = 1 - p + z (q - p) + E[kept (R^w R'^u - 1 - w (R - 1) - u (R' - 1))]:
/// with the jumps' mass m under N(0) the linear terms are 1 - m + w (m - p) + u (m - q), u = -z,
/// where records are replaced, and q = m, u = 0 where they are not. On a strip kept grows by
/// e^{s^2 / (2 softness^2)} at most, which M(s) gains. Right of the last node t, what the sum
/// leaves out is bounded term by term until log R, whose slope is at most most mu, can no longer
/// make the terms grow, and as a geometric series from there on; or up to the cut's end, where kept
/// may count as 0; R'^u, u < 0, multiplies that by p_0^u at most. The integral then ends at a place
/// t halfway between two nodes. There e^{2 pi i (z - eta i) / h} is negative, so that rule and
/// integral differ by at most the integral of |f| from t to t + 2 i eta more, and by the one from t
/// to t + i eta between the line of nodes and the real one: by 3 eta of its largest value.
///
/// **The jumps alone.** E[jump R^w R'^u] is a plain sum, and not the same in both directions; M(s)
/// <= e^{s^2/2 + s^2 / (2 softness^2)} cos(angle / 2)^{-n} E[jump R^{Re w} R'^{Re u}], which that
/// sum bounds itself, as a geometric series does what is left out at either end: log jump, whose
/// slope is at least (b - t) / softness^2 left of b, is concave, and so is log R^{Re w} for Re w <
/// 0; what R'^{Re u} adds is bounded where it is used. Of those within another cut, the cap, there
/// is nothing behind its end, where rule and integral differ as they do with a cut.
///
/// **High powers.** Where R is hardly more than 1 and n large the cosine says little. With c =
/// cos(angle), for angles up to pi / 2,
///   |R(t + is)| >= p_0 + c (R - p_0) >= R^c p_0^{1-c},
/// by the terms' real parts and the means' inequality. Let F be what is kept, or jump, and the
/// ratio with the positive power; then, by Hoelder's, with B >= E F,
///   M(s) <= e^{s^2/2 + s^2 / (2 softness^2)} (p_0^{-n} B)^{1-c} E[F R^{-n}]^c,
/// and likewise with R'^{-n} in place of R^{-n}. The rule's sum and such an M(s) bound the
/// expectation by its own power c: from p_0^{-n} B on, each bound leads to a smaller one.
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
  std::shared_ptr<const Rule> rule(Direction direction, const Reach& reach) const override;
  double log_moment_estimate(Direction direction, double x) const override;
  double log_delta_estimate(Direction direction, double epsilon) const override;
  std::shared_ptr<const Moments> leaving_out(Direction direction,
                                             const Omission& omission) const override;
  MomentsApart apart() const override;
  std::shared_ptr<const Moments> jumping(Direction direction,
                                         const Omission& omission) const override;
  double total_variation() const override;
  double largest_loss(Direction direction) const override;
  double lowest_place(Direction direction) const override;

 private:
  void tabulate();
  /// None where a cut is of no use. It is to be tabulated.
  std::shared_ptr<SubsampledGaussianMoments> with_cut(Direction direction,
                                                      const Omission& omission) const;

  ShiftRatio ratio_;
  bool replaced_;
  std::shared_ptr<const CutJumps> cut_;       ///< left out in direction remove; null: nothing is
  bool jumps_alone_ = false;                  ///< it is what the cut leaves out, in any direction
  std::shared_ptr<const CutJumps> cap_;       ///< without what this one does; else null
  std::shared_ptr<const Moments> whole_;      ///< before anything was left out
  double step_, first_, last_;                ///< of the estimate's nodes
  std::vector<double> log_r_, log_mirrored_;  ///< log R and log R' at the estimate's nodes
  std::vector<double> log_weight_, weight_;   ///< their normal weights
  double second_order_ = 0;                   ///< E[log R - (R - 1)]
  double mirrored_second_order_ = 0;          ///< the same of R'
};

}  // namespace honest_epsilon::contour
