#pragma once

#include "core/samplers/run.h"

/// Poisson sampling: each record joins each batch with probability q, independently.
/// Dominating pair ((1-q) N(0, s^2) + q N(1, s^2), N(0, s^2)), composed over all steps; tight.
/// Cite: [HP24, sec. 3], [AP24, Prop 9].
///
/// One step and q = 1 have closed forms; otherwise the privacy loss distribution is composed under
/// an exponential tilt (core/pld). Below sigma = 1/26, where nothing is private, a mixture bound
/// serves.
namespace honest_epsilon::poisson {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);

}  // namespace honest_epsilon::poisson
