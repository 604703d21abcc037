#pragma once

#include "core/rdp/renyi.h"
#include "core/runs/parts.h"
#include "core/runs/run.h"

/// Poisson sampling: each record joins each batch with probability q, independently.
/// Dominating pair ((1-q) N(0, s^2) + q N(1, s^2), N(0, s^2)), composed over all steps; tight.
/// Cite: [HP24, sec. 3], [AP24, Prop 9]; substitution [AP24, Prop 13]; people of up to g records
/// [GA24]. Laplace noise and randomised response likewise (core/runs/step_pair).
///
/// One step, q = 1 and randomised response have closed forms; otherwise the privacy loss
/// distribution is composed under an exponential tilt (core/pld). Below sigma = 1/26, where nothing
/// is private, a mixture bound serves.
namespace honest_epsilon::poisson {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);
Parts parts(const Run& run, const Demand& demand);

/// Whether the bounds leave a gap that no amount of computation closes.
bool has_gap(const Run& run);

/// Rényi divergence of the whole run, at most; +inf where no bound is known (substitution, or
/// several records a person, with q < 1).
rdp::RenyiCurve renyi(const Run& run);

}  // namespace honest_epsilon::poisson
