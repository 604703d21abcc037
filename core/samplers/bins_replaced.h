#pragma once

#include "core/base/interval.h"
#include "core/runs/parts.h"

/// One epoch of balls-and-bins in which a record is replaced.
///
/// P = (1/T) sum_t N(mu e_t), Q = (1/T) sum_t N(-mu e_t), the same in both directions, is a tight
/// dominating pair. With m of the T bins seen, z ~ N(-c), c = eps / (2 mu),
///   delta(eps) = (2/T) e^{(eps - mu^2) / 2} E(S - k)+,   S = sum_{t<=m} sinh(mu z_t),
///   k = (T - m) e^{mu^2 / 2} sinh(eps / 2).
/// F(w) = E e^{w sinh(mu z)} exists on the imaginary axis alone, but continues into the quadrant
/// 0 <= arg w <= pi/2 where z's path turns up on its right. There
///   E(S - k)+ = (1/pi) Im int F(w)^m e^{-wk} / w^2 dw
/// along the real axis from 0 to l, where only single large terms give F an imaginary part, and
/// from there to l + i inf. Both integrals are Gauss-Legendre sums, proved by bounds on ellipses.
namespace honest_epsilon::balls_and_bins {

struct ReplacedEpoch {
  double bins;   ///< that were seen
  double blank;  ///< and that were not
  double mu;     ///< 1 / noise multiplier
  /// How little each approximation leaves out, relative, as a logarithm.
  double log_left_out = -25;
};

/// delta and epsilon, the same in both directions.
Interval replaced_delta(const ReplacedEpoch& epoch, double epsilon);
Interval replaced_epsilon(const ReplacedEpoch& epoch, double delta);

/// The epoch as a step to be composed, from its certified curve, followed until log delta has
/// fallen to `log_floor`.
Steps replaced_steps(const ReplacedEpoch& epoch, double log_floor);

}  // namespace honest_epsilon::balls_and_bins
