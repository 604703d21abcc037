#include "core/samplers/without_replacement.h"

#include "core/samplers/deterministic.h"

namespace honest_epsilon::without_replacement {
namespace {

// A subsampled step is dominated by the full one; two batches of fixed size differ by up to 2.
Run dominating(Run run) {
  run.noise_multiplier /= 2;
  run.epochs = run.steps;
  return run;
}

Finding only_upper(Finding finding) {
  finding.directions.remove.lower = finding.directions.add.lower = 0;
  finding.directions.remove.kind = finding.directions.add.kind = IntervalKind::bound;
  finding.method = "deterministic bound";
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  return only_upper(deterministic::delta(dominating(run), epsilon, effort));
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return only_upper(deterministic::epsilon(dominating(run), delta, effort));
}

}  // namespace honest_epsilon::without_replacement
