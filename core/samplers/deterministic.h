#pragma once

#include "core/rdp/renyi.h"
#include "core/runs/parts.h"
#include "core/runs/run.h"

/// Batches in a known order: each record is used once an epoch, in a batch the adversary knows.
/// One Gaussian pair, k epochs of shift d / sigma make one of shift d sqrt(k) / sigma; Laplace
/// noise and randomised response compose epoch by epoch. d = 1, 2 under substitution, times the
/// records a person has: they may all sit in one batch. Cite: [HP24, Prop 3.1].
namespace honest_epsilon::deterministic {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);
Parts parts(const Run& run, const Demand& demand);

/// Rényi divergence of the whole run, at most.
rdp::RenyiCurve renyi(const Run& run);

}  // namespace honest_epsilon::deterministic
