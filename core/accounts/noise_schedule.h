#pragma once

#include <variant>
#include <vector>

#include "core/accounts/catalog.h"
#include "core/wire/schema.h"

namespace honest_epsilon::accounts {

/// A phase epoch by epoch, where its noise changes from one to the next, or the phase alone. Of E
/// epochs i = 0, 1, ... with multipliers from a to b, epoch i has, as doubles round,
///   a (b / a)^(i / (E - 1))   (geometric)   or   a + (b - a) i / (E - 1)   (linear),
/// and a single one min(a, b), so that longer runs reveal more. Samplers that draw each step afresh
/// have as many steps in all as without a schedule.
std::variant<std::vector<wire::Phase>, Issue> epochs_of(const wire::Phase& phase,
                                                        const Sampler& sampler);

}  // namespace honest_epsilon::accounts
