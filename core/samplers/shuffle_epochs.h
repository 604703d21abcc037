#pragma once

#include <vector>

#include "core/runs/parts.h"
#include "core/samplers/shuffle_shape.h"

/// Epochs that are each permuted afresh, as an attack sees them.
namespace honest_epsilon::shuffle {

/// What all epochs show, with every largest coordinate told.
///   in_brief: told only that there was one that decides. Where such are very rare, a plan of
///   transforms made for them fails the rest.
struct ShownByAll {
  std::vector<Steps> in_full, in_brief;
};
ShownByAll shown(const Shape& shape);

}  // namespace honest_epsilon::shuffle
