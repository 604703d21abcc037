#include "core/monte_carlo/confidence.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/root.h"

namespace honest_epsilon::monte_carlo {
namespace {

/// Relative slack that covers the few roundings below.
constexpr double kRounding = 64 * kUnit;

/// log(1 / error), rounded up.
double evidence(double error) {
  return -std::log(error) * (1 + kRounding) + kTiny;
}

bool vacuous(const Observed& seen, double error) {
  return !(seen.samples > 0) || !(error > 0);
}

/// Whether samples KL(q || p) >= wanted for certain: each term's error is relative to that term.
bool far_enough(const Observed& seen, double p, double wanted) {
  const double q = seen.mean;
  const double first = q > 0 ? q * std::log(q / p) : 0;
  const double second = q < 1 ? (1 - q) * std::log1p((p - q) / (1 - p)) : 0;
  const double error = kRounding * (std::abs(first) + std::abs(second));
  return seen.samples * (first + second - error) >= wanted;
}

/// The p nearest to the average that is far enough; `end`, which needs no proof, if there is none.
double kl_end(const Observed& seen, double error, double end) {
  const double wanted = evidence(error);
  double near = seen.mean;
  double far = end;
  // To 2^-60 of the gap. The predicate is decreasing up to round-off, `far` always satisfies it.
  for (int i = 0; i < 60; ++i) {
    const double low = std::max(std::min(near, far), kTiny);
    const double high = std::max(near, far);
    const double middle = halfway_in_size(low, high);
    if (middle <= low || middle >= high) break;
    (far_enough(seen, middle, wanted) ? far : near) = middle;
  }
  return far;
}

double bernstein_width(const Observed& seen, double error) {
  if (!(seen.samples > 1)) return 1;
  const double wanted = evidence(error / 2);
  // The average square is rounded down to multiples of 2^-62, the average too; V at most shrinks by
  // as much, which the second term covers 2^-62 samples^2 times over for fewer than 2^31 of them.
  const double difference = seen.mean_square - seen.mean * seen.mean;
  const double noise = kRounding * seen.mean_square + 0x1p-61;
  const double variance = (std::max(difference, 0.0) + noise) * (seen.samples / (seen.samples - 1));
  return (std::sqrt(2 * variance * wanted / seen.samples) + 7 * wanted / (3 * (seen.samples - 1))) *
         (1 + kRounding);
}

Interval around(double mean, double width) {
  return {std::max(0.0, mean - width - kRounding * mean),
          std::min(1.0, (mean + width) * (1 + kRounding))};
}

}  // namespace

Interval chernoff(const Observed& seen, double error) {
  if (vacuous(seen, error)) return {0, 1};
  return {seen.mean <= 0 ? 0 : kl_end(seen, error, 0), seen.mean >= 1 ? 1 : kl_end(seen, error, 1)};
}

Interval hoeffding(const Observed& seen, double error) {
  if (vacuous(seen, error)) return {0, 1};
  return around(seen.mean, std::sqrt(evidence(error) / (2 * seen.samples)) * (1 + kRounding));
}

Interval bernstein(const Observed& seen, double error) {
  if (vacuous(seen, error)) return {0, 1};
  return around(seen.mean, bernstein_width(seen, error));
}

}  // namespace honest_epsilon::monte_carlo
