#pragma once

#include <memory>

#include "core/monte_carlo/request.h"
#include "core/monte_carlo/summands.h"

namespace honest_epsilon::monte_carlo {

/// E[(1 - e^(epsilon - loss))+], the loss a sum over independent epochs. The summands lie in [0, 1]
/// by themselves. A bound on each epoch's loss bounds the sum, and the summand is increasing in it.
/// Cite: [BB25, Alg 4, 6, 11], [AP24, App. B.2].
std::unique_ptr<Summands> plain_summands(const SampleRequest& request);

}  // namespace honest_epsilon::monte_carlo
