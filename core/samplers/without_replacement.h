#pragma once

#include "core/samplers/run.h"

/// Fixed-size batches: each step draws its own uniform subset of b records, under add/remove.
/// Leaving the record out makes room for another one, so the two sums differ by up to twice the
/// clipping norm: the pair is the Poisson one at distance 2, that is at sigma / 2 with q = b / n.
/// Cite: [AP24, Prop 9.2].
namespace honest_epsilon::without_replacement {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);

}  // namespace honest_epsilon::without_replacement
