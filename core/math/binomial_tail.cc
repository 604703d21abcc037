#include "core/math/binomial_tail.h"

#include <algorithm>
#include <cmath>

namespace honest_epsilon::binomial {
namespace {

constexpr double kTwoPi = 6.283185307179586;

/// log n! - log(sqrt(2 pi n) (n/e)^n), to 1e-15: Stirling's series, or the gamma function.
double stirling_error(double n) {
  if (n < 16) return std::lgamma(n + 1) - (n + 0.5) * std::log(n) + n - 0.5 * std::log(kTwoPi);
  const double s = 1 / (n * n);
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - s / 1188) * s) * s) * s) / n;
}

/// x log(x / m) + m - x without cancellation near x = m.
double deviance(double x, double m) {
  const double d = x - m;
  if (std::abs(d) > 0.1 * (x + m)) return x * std::log(x / m) - d;
  const double v = d / (x + m);
  double sum = d * v;
  double term = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    term *= v * v;
    const double next = sum + term / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

double log_mass(double n, double p, double k) {
  if (k == n) return n * std::log(p);
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
         deviance(n - k, n * (1 - p)) - 0.5 * std::log(kTwoPi * k * ((n - k) / n));
}

}  // namespace

double upper_tail_upper(double trials, double p, double k) {
  if (k >= trials) return 0;
  if (k < 0 || p >= 1 || k + 1 <= trials * p) return 1;
  const double log_first = log_mass(trials, p, k + 1);
  const double odds = p / (1 - p);
  constexpr int kMostTerms = 200000;
  double sum = 1;
  double term = 1;
  for (int i = 1; i < kMostTerms; ++i) {
    const double ratio = (trials - k - i) / (k + 1 + i) * odds;
    if (!(ratio > 0)) break;
    const double rest = term * ratio / (1 - ratio);
    if (rest < 1e-12 * sum || i + 1 == kMostTerms) {
      sum += rest;
      break;
    }
    term *= ratio;
    sum += term;
  }
  // Each deviance rounds by a few units of itself and of its terms' size.
  const double rounding = 1e-13 * (1 + std::abs(log_first)) + 1e-10;
  return std::min(1.0, std::exp(log_first + rounding) * sum * (1 + 1e-10));
}

double quantile_upper(double trials, double p, double tail) {
  double low = -1;  // the tail is too large there
  double high = trials;
  while (high - low > 1) {
    const double middle = std::floor(0.5 * (low + high));
    (upper_tail_upper(trials, p, middle) > tail ? low : high) = middle;
  }
  return high;
}

}  // namespace honest_epsilon::binomial
