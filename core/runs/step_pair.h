#pragma once

#include <memory>

#include "core/pairs/pair.h"
#include "core/pairs/records.h"
#include "core/runs/run.h"

namespace honest_epsilon {

/// The pair that dominates one step in which each record takes part with probability q:
///   zero-out, add/remove:  ((1-q) M(0) + q M(1), M(0))           [AP24, Prop 9]
///   substitution:          ((1-q) M(0) + q M(1), (1-q) M(0) + q M(-1))   [AP24, Prop 13]
/// and with up to g records a person, M moves by each of those that are in the batch [GA24].
/// The noise multiplier, mechanism and relation are the run's; q is its sampling probability, or 1
/// where the batch is known.
std::shared_ptr<const pairs::Pair> step_pair(const Run& run, const pairs::Records& records);

/// A person's records in a step of the run.
pairs::Records records_of(const Run& run);

}  // namespace honest_epsilon
