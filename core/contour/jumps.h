#pragma once

#include <functional>

#include "core/base/rounding.h"

namespace honest_epsilon::contour {

/// A bin of an epoch whose t exceeds a place b counts as a *jump*.
///
/// High moments of few but large losses are those of a single huge one, which decides nothing; no
/// line has a good place then. With J the event that some bin of a run is a jump, S the run's loss,
///   delta = E_P[(1 - e^{eps-S})_+; not J] + P(J) - e^eps Q(J) + E_P[(e^{eps-S} - 1)_+; J],
/// since (1 - x)_+ = 1 - x + (x - 1)_+ and E_P[e^{-S}; J] = Q(J).
/// 1. The first term is a line's (line.h), with the moment function of steps without jumps,
///    K(z) = E_Q[R^{1+z}; no jump], R = dP/dQ.
/// 2. P(J) and Q(J) follow from normal tails.
/// 3. The last term, the shortfall, is e^eps E_Q[(1 - e^{S-eps})_+; J]: what J adds to delta of Q
///    against P at -eps. It is next to nothing if jumps exceed eps by more than the other steps may
///    lack: by Chernoff's bound with K_J(a) <= sum_i T_i B_i(a) / K_i(a) prod_k K_k(a)^{T_k},
///    K_i = E_Q R_i^-z, B_i = E_Q[R_i^-z; jump].

/// Pr[t > place] for t ~ N(shift, 1).
Charged jump_mass(double place, double shift);

/// log E[f(t); t > place] for t ~ N(0, 1), at most, f > 0 falling.
double log_jump_expectation(double place, const std::function<double(double)>& log_f);

/// The mass of an event that none of the steps avoids, from its masses in each of them.
class AnyStep {
 public:
  void add(double copies, const Charged& each);
  Charged mass() const;

 private:
  double log_none_low_ = 0, log_none_high_ = 0;
};

}  // namespace honest_epsilon::contour
