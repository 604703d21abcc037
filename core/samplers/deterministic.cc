#include "core/samplers/deterministic.h"

#include <cmath>

#include "core/base/rounding.h"
#include "core/samplers/correlated.h"
#include "core/samplers/poisson.h"

namespace honest_epsilon::deterministic {
namespace {

/// One known step an epoch, and one alone where the noise is correlated. Randomised response turns
/// on one bit, however many records move it.
Run every_epoch(Run run) {
  run.sampling_probability = 1;
  run.steps = run.epochs;
  if (run.correlation) {
    run.noise_multiplier *= (1 - 8 * kUnit) / std::sqrt(run.correlation->known().upper);
    run.steps = 1;
    run.correlation = nullptr;
  }
  return run;
}

/// The same from below.
Run least(Run run) {
  const double shift = std::sqrt(run.correlation->known().lower);
  run.correlation = nullptr;
  run.epochs = 1;
  run.noise_multiplier *= (1 + 8 * kUnit) / shift;
  return every_epoch(run);
}

template <class AskPoisson>
Finding named(const Run& run, AskPoisson ask) {
  Finding finding = ask(every_epoch(run));
  if (run.correlation) finding.directions.replace_lowers(ask(least(run)).directions);
  if (run.mechanism == Mechanism::gaussian) finding.method = Method::gaussian_closed_form;
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  return named(run, [&](const Run& known) { return poisson::delta(known, epsilon, effort); });
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return named(run, [&](const Run& known) { return poisson::epsilon(known, delta, effort); });
}

Parts parts(const Run& run, const Demand& demand) {
  const Parts known = poisson::parts(every_epoch(run), demand);
  return run.correlation ? between(known, poisson::parts(least(run), demand)) : known;
}

rdp::RenyiCurve renyi(const Run& run) {
  return poisson::renyi(every_epoch(run));
}

}  // namespace honest_epsilon::deterministic
