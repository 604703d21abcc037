#pragma once

#include "core/samplers/run.h"

/// Deterministic batches: every record is in exactly one, known, batch of every epoch.
/// k epochs are one Gaussian release at noise multiplier sigma / sqrt(k). Cite: [HP24, Prop 3.1].
namespace honest_epsilon::deterministic {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);

}  // namespace honest_epsilon::deterministic
