#pragma once

#include <vector>

#include "core/runs/parts.h"
#include "core/samplers/shuffle_shape.h"

/// An attack on epochs that are each permuted afresh.
namespace honest_epsilon::shuffle {

/// The attack's steps over all epochs; none where no attack is tried. An output that decides alone
/// is resolved into cells, or all such are merged into one event: where they are very rare, a
/// transform planned for their losses would serve the others badly.
struct AttackSteps {
  std::vector<Steps> resolved, merged;
};
///   replaced: the record, rather than zeroed
///   epsilon: what the rule of an adaptive attack is made for, in one epoch
AttackSteps attack_steps(const Shape& shape, bool replaced = false, double epsilon = 0);

}  // namespace honest_epsilon::shuffle
