#pragma once

#include <vector>

#include "core/runs/parts.h"

/// Lower ends that events of an attack prove.
namespace honest_epsilon {

/// The steps of an attack that sees one of finitely many events in each epoch, given by its masses
/// under P and under Q, in so many independent epochs.
Steps attack_steps(const std::vector<pairs::Cell>& events, std::int64_t epochs);

/// What such steps prove together, in one direction: a lower bound of epsilon at a delta or of
/// delta at an epsilon; 0 where they prove nothing.
double attack_lower(const std::vector<Steps>& steps, Asked asked, double given, Effort effort,
                    Direction direction);

}  // namespace honest_epsilon
