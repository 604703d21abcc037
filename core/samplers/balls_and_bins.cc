#include "core/samplers/balls_and_bins.h"

#include "core/samplers/deterministic.h"

namespace honest_epsilon::balls_and_bins {
namespace {

// A mixture over which batch holds the record is dominated by the case of a known batch.
Run dominating(Run run) {
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

}  // namespace honest_epsilon::balls_and_bins
