#pragma once

#include <cstddef>
#include <vector>

#include "core/base/rounding.h"
#include "core/contour/shift_ratio.h"
#include "core/math/complex_functions.h"

namespace honest_epsilon::contour {

/// A soft cut above which a step counts as a *jump*: a step at t does with probability
/// Phi((t - b) / s), by a coin of its own, under P and under Q alike.
///
/// High moments of few but large losses are those of a single huge one, which decides nothing; no
/// line has a good place then. With J the event that some step of a run is a jump, S the run's
/// loss,
///   delta = E_P[(1 - e^{eps-S})_+; not J] + P(J) - e^eps Q(J) + E_P[(e^{eps-S} - 1)_+; J],
/// since (1 - x)_+ = 1 - x + (x - 1)_+ and E_P[e^{-S}; J] = Q(J).
/// 1. The first term is a line's (line.h): the moment function of steps that are no jumps,
///    K(z) = E_Q[kept R^{1+z}], kept(t) = Phi((b - t) / s), is as smooth as that of all steps.
/// 2. Of one step, P and Q have jumps of masses sum_j p_j Phi((j mu - b) / sqrt(1 + s^2)) and
///    Phi(-b / sqrt(1 + s^2)): t + s N > b.
/// 3. The last term, the shortfall, is next to nothing where a jump exceeds eps by more than the
///    other steps may lack. As (e^x - 1)_+ <= C(a) e^{(1+a) x} for any a > 0, C(a) as in Line, it
///    is at most C(a) e^{(1+a) eps} sum_i E_Q[R_i^-a; i jumps] prod_k E_Q R_k^-a, where the jump's
///    own factor may stay, E_Q R^-a >= 1 [Jensen].
class JumpCut {
 public:
  /// log_leak: log of the share of losses of size `loss` that are taken for jumps, roughly.
  JumpCut(const ShiftRatio& ratio, double loss, double log_leak);

  double place() const { return place_; }        ///< b
  double softness() const { return softness_; }  ///< s

  /// log kept(t) on the real line, give or take kLogError.
  double log_kept(double t) const;
  static constexpr double kLogError = 1e-11;

  /// log |kept(t + is)| for every t >= low, s <= height there, from above. It is at most
  /// kept(low) e^{(height / softness)^2 / 2}, and 1 and as much of what is not kept up to `high`.
  double log_kept_upper(double low, double high, double height) const;

  /// The jumps' mass in one step under P and under Q.
  Charged mass_under_p(const ShiftRatio& ratio) const;
  Charged mass_under_q() const;

  /// log E_Q[R^-a; jump], at most.
  double log_shortfall(const ShiftRatio& ratio, double a) const;

  /// kept(t + i eta) at t = first + j step, and how far off it may be.
  ///   |kept(t + i eta)| <= e^{eta^2 / (2 s^2)} kept(t), as n(x + iy) has modulus n(x) e^{y^2/2}.
  /// Far to the left it is 1; from the right it is the integral of n over panels no longer than 1,
  /// by Gauss's rule (quadrature.h): on the ellipse rho = 8, which lies within 2.1 of the panel,
  /// |n| <= e^{(eta/s + 2.1)^2 / 2}. Places are multiples of a number of few bits.
  struct KeptShare {
    Complex value;
    double error;
  };
  std::vector<KeptShare> kept(double first, double step, std::size_t count, double eta) const;

 private:
  double spread() const;
  double place_, softness_;
};

}  // namespace honest_epsilon::contour
