#pragma once

#include <vector>

#include "core/runs/parts.h"
#include "core/samplers/shuffle_shape.h"

/// What an attack uses of epochs that are each permuted afresh.
namespace honest_epsilon::shuffle {

/// The attack's steps over all epochs, with the largest coordinate of each resolved.
///   in_brief: all decisive largest coordinates count as one event. Where they are very rare, a
///   transform planned for their losses would serve the others badly.
struct ShownByAll {
  std::vector<Steps> in_full, in_brief;
};
ShownByAll shown(const Shape& shape);

}  // namespace honest_epsilon::shuffle
