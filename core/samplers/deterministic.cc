#include "core/samplers/deterministic.h"

#include <cmath>

#include "core/base/rounding.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::deterministic {
namespace {

// mu = sqrt(k) / sigma and its widening round three times; delta rises with mu, so each end is
// taken at the mu on its side.
constexpr double kShiftError = 4 * kUnit;

double shift(const Run& run) {
  return std::sqrt(static_cast<double>(run.epochs)) / run.noise_multiplier;
}

Finding in_both_directions(const Interval& value) {
  Finding finding;
  finding.directions = {value, value};
  finding.method = "Gaussian closed form";
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort&) {
  const double mu = shift(run);
  return in_both_directions({gaussian::delta(mu * (1 - kShiftError), epsilon).lower,
                             gaussian::delta(mu * (1 + kShiftError), epsilon).upper});
}

Finding epsilon(const Run& run, double delta, const Effort&) {
  const double mu = shift(run);
  return in_both_directions({gaussian::epsilon(mu * (1 - kShiftError), delta).lower,
                             gaussian::epsilon(mu * (1 + kShiftError), delta).upper});
}

}  // namespace honest_epsilon::deterministic
