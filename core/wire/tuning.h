#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/tradeoff/selection.h"
#include "core/wire/schema.h"

/// How many runs are tried, of which the best is published.
namespace honest_epsilon::wire {

/// The number of runs: random, or fixed.
struct Tuning {
  std::optional<tradeoff::NumberOfRuns> random;
  std::int64_t times = 1;  ///< where it is fixed
  Number gamma;            ///< of a truncated negative binomial
  Number eta;
};

/// What is wrong with a query's tuning, each field being in its domain.
std::optional<Issue> check_tuning(const Query& query);

/// The tuning of a valid query.
Tuning tuning_of(const Query& query);

/// What the cost of a search rests on.
std::vector<Assumption> tuning_assumptions(const Tuning& tuning);

}  // namespace honest_epsilon::wire
