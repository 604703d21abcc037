#include "core/samplers/deterministic.h"

#include "core/samplers/poisson.h"

namespace honest_epsilon::deterministic {
namespace {

/// One known step an epoch. Randomised response turns on one bit, however many records move it.
Run every_epoch(Run run) {
  run.sampling_probability = 1;
  run.steps = run.epochs;
  return run;
}

Finding named(Finding finding, const Run& run) {
  if (run.mechanism == Mechanism::gaussian) finding.method = Method::gaussian_closed_form;
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  return named(poisson::delta(every_epoch(run), epsilon, effort), run);
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return named(poisson::epsilon(every_epoch(run), delta, effort), run);
}

Parts parts(const Run& run, const Demand& demand) {
  return poisson::parts(every_epoch(run), demand);
}

rdp::RenyiCurve renyi(const Run& run) {
  return poisson::renyi(every_epoch(run));
}

}  // namespace honest_epsilon::deterministic
