#pragma once

#include <optional>

#include "core/accounts/account.h"

/// What it costs to try several runs and to publish the best one.
namespace honest_epsilon::accounts {

/// A programme that is tried a fixed number of times, as one that is as many times as long.
Programme repeated(const Programme& programme);

/// A random number of runs: tradeoff::Selection of one run's sampled curve. The lower end holds for
/// the worst score.
Finding account_search(const Programme& programme, Asked asked, double given, const Effort& effort);

/// What an answer says of the search, where there is one.
std::optional<wire::TuningCost> tuning_out(const Programme& programme, Asked asked, double given,
                                           const Effort& effort);

}  // namespace honest_epsilon::accounts
