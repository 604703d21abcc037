#pragma once

#include <functional>

#include "core/base/rounding.h"
#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// A soft cut above which a bin of an epoch counts as a *jump*: one at t does with probability
/// Phi((t - b) / s), by a coin of its own, under P and under Q alike.
///
/// High moments of few but large losses are those of a single huge one, which decides nothing; no
/// line has a good place then. With J the event that some bin of a run is a jump, S the run's loss,
///   delta = E_P[(1 - e^{eps-S})_+; not J] + P(J) - e^eps Q(J) + E_P[(e^{eps-S} - 1)_+; J],
/// since (1 - x)_+ = 1 - x + (x - 1)_+ and E_P[e^{-S}; J] = Q(J).
/// 1. The first term is a line's (line.h): the moment function of steps that are no jumps,
///    K(z) = E_Q[kept (dP/dQ)^{1+z}], kept(t) = Phi((b - t) / s), is as smooth as that of all
///    steps.
/// 2. A bin of shift m jumps with probability Phi((m - b) / sqrt(1 + s^2)): t + s N > b.
/// 3. The last term, the shortfall, is e^eps E_Q[(1 - e^{S-eps})_+; J]: what J adds to delta of Q
///    against P at -eps. It is next to nothing if jumps exceed eps by more than the other steps may
///    lack: by Chernoff's bound with K_J(a) <= sum_i T_i B_i(a) / K_i(a) prod_k K_k(a)^{T_k},
///    K_i = E_Q R_i^-z, B_i = E_Q[R_i^-z; jump], R_i = dP/dQ.
class JumpCut {
 public:
  /// Over a softness in units of 1 / mu the ratio grows by e to that power. The harder the cut, the
  /// more nodes; the softer, the larger the losses that are kept, and the fewer the digits.
  static constexpr double kSoftness = 0.05;
  /// With a lot of noise: a softer one would call steps jumps that are hardly unusual.
  static constexpr double kLargestSoftness = 0.5;

  /// shift: mu.   last: the t of which half the steps are jumps, but for so many softnesses more.
  /// softness: in units of 1 / mu, at most.
  JumpCut(double shift, double last, double more = 0, double softness = kSoftness);
  double place() const { return place_; }        ///< b
  double softness() const { return softness_; }  ///< s
  /// Beyond kEnd softnesses the normal tail underflows.
  static constexpr double kEnd = 38;

  /// log kept(t) on the real line, give or take 1e-11.
  double log_kept(double t) const;

  /// log jump(t), likewise.
  double log_jump(double t) const { return log_kept(2 * place_ - t); }

  /// log |kept(t + is)| for low <= t <= high, s <= height there, from above: at most
  /// kept(low) e^{(height / softness)^2 / 2}, and at most 1 and as much of jump(high).
  double log_kept_upper(double low, double high, double height) const {
    return log_upper(log_kept(low), log_jump(high), height);
  }
  /// The jumps' mass where t ~ N(shift, 1).
  Charged mass(double shift) const;
  /// log E[f(t); jump] for t ~ N(0, 1), at most, f > 0 falling from e^log_greatest.
  double log_expectation(double log_greatest, const std::function<double(double)>& log_f) const;

 private:
  double spread() const;
  double log_upper(double log_share, double log_rest, double height) const;
  double place_, softness_;
};

/// A cut between a step's jumps and what it keeps, and what the jumps weigh.
struct CutJumps {
  JumpCut cut;
  Jumps jumps;
};

/// The mass of an event that none of the steps avoids, from its masses in each of them.
class AnyStep {
 public:
  void add(double copies, const Charged& each);
  Charged mass() const;

 private:
  double log_none_low_ = 0, log_none_high_ = 0;
};

}  // namespace honest_epsilon::contour
