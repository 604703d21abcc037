#pragma once

#include <vector>

#include "core/runs/parts.h"
#include "core/samplers/shuffle_shape.h"

/// An attack on epochs that are each permuted afresh.
namespace honest_epsilon::shuffle {

/// The attack's steps over all epochs; none where no attack is tried.
///   replaced: the record, rather than zeroed
///   epsilon: what the rule of an adaptive attack is made for, in one epoch
std::vector<Steps> epochs_attack(const Shape& shape, bool replaced = false, double epsilon = 0);

}  // namespace honest_epsilon::shuffle
