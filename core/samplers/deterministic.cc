#include "core/samplers/deterministic.h"

#include <algorithm>
#include <cmath>

namespace honest_epsilon::deterministic {
namespace {

// Covers erfc (a few ulp) and the rounding of its argument: d^2 ulp for arguments up to 38, beyond
// which the tail underflows.
constexpr double kMargin = 1e-11;
constexpr double kTiny = 1e-300;

double upper_tail(double x) {
  return 0.5 * std::erfc(x * 0.70710678118654752440);
}

Interval profile(double mu, double epsilon) {
  const double near = epsilon / mu - mu / 2;
  const double first = upper_tail(near);
  const double second = epsilon < 600 ? std::exp(epsilon) * upper_tail(near + mu) : 0;
  const double margin = kMargin * first + kTiny;
  const double lower = epsilon < 600 ? std::max(0.0, first - second - margin) : 0.0;
  return {lower, std::min(1.0, std::max(lower, first - second + margin)), IntervalKind::certified};
}

Interval invert(double mu, double target) {
  double low = 0, high = 1;
  if (profile(mu, 0).upper <= target) return {0, 0, IntervalKind::certified};
  while (profile(mu, high).upper > target && high < 1e300) high *= 2;
  const double top = high;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (profile(mu, middle).upper <= target ? high : low) = middle;
  }
  const double upper = high;
  low = 0;
  high = top;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (profile(mu, middle).lower > target ? low : high) = middle;
  }
  return {std::min(low, upper), upper, IntervalKind::certified};
}

Finding both(const Interval& value) {
  Finding finding;
  finding.directions = {value, value};
  finding.method = "gaussian closed form";
  return finding;
}

double shift(const Run& run) {
  return std::sqrt(static_cast<double>(run.epochs)) / run.noise_multiplier;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort&) {
  return both(profile(shift(run), epsilon));
}

Finding epsilon(const Run& run, double delta, const Effort&) {
  return both(invert(shift(run), delta));
}

}  // namespace honest_epsilon::deterministic
