#pragma once

#include <vector>

#include "core/runs/parts.h"
#include "core/samplers/shuffle_shape.h"

/// An attack on epochs that are each permuted afresh.
namespace honest_epsilon::shuffle {

/// The attack's steps over all epochs. A largest coordinate that decides alone is resolved into
/// cells, or all such values are merged into one event: where they are very rare, a transform
/// planned for their losses would serve the others badly.
struct AttackSteps {
  std::vector<Steps> resolved, merged;
};
AttackSteps attack_steps(const Shape& shape);

}  // namespace honest_epsilon::shuffle
