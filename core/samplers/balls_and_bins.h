#pragma once

#include "core/samplers/run.h"

namespace honest_epsilon::balls_and_bins {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);

}  // namespace honest_epsilon::balls_and_bins
