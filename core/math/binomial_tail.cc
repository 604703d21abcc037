#include "core/math/binomial_tail.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/math/binomial.h"

namespace honest_epsilon::binomial {
double upper_tail_upper(double trials, double p, double k) {
  if (k >= trials) return 0;
  if (k < 0 || p >= 1 || k + 1 <= trials * p) return 1;
  const Probability first =
      pmf(static_cast<std::int64_t>(trials), p, static_cast<std::int64_t>(k) + 1);
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
  return std::min(1.0, (first.value + first.error) * sum * (1 + 1e-10));
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
