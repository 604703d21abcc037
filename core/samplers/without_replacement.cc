#include "core/samplers/without_replacement.h"

#include "core/samplers/poisson.h"

namespace honest_epsilon::without_replacement {
namespace {

Run at_distance_two(Run run) {
  run.noise_multiplier /= 2;
  return run;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  return poisson::delta(at_distance_two(run), epsilon, effort);
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return poisson::epsilon(at_distance_two(run), delta, effort);
}

}  // namespace honest_epsilon::without_replacement
