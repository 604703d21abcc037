#include "core/math/binomial_tail.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/rounding.h"
#include "core/math/binomial.h"

namespace honest_epsilon::binomial {

Interval upper_tail(double trials, double p, double k) {
  if (k >= trials) return {0, 0};
  if (k < 0 || p >= 1) return {1, 1};
  if (k + 1 <= trials * p) {
    // 1 - Pr[Bin(trials, 1 - p) > trials - k - 1], and 1 - p rounds either way.
    const double most = upper_tail(trials, std::nextafter(1 - p, 1), trials - k - 1).upper;
    const double least = upper_tail(trials, std::nextafter(1 - p, 0), trials - k - 1).lower;
    return {(1 - most) * (1 - kUnit), std::min(1.0, (1 - least) * (1 + kUnit))};
  }
  const Probability first =
      pmf(static_cast<std::int64_t>(trials), p, static_cast<std::int64_t>(k) + 1);
  const double odds = p / (1 - p);
  // After this many terms the remainder is charged as a geometric series, however large.
  constexpr int kMostTerms = 200000;
  double sum = 1, rest = 0;
  double term = 1;
  for (int i = 1; i < kMostTerms; ++i) {
    const double ratio = (trials - k - i) / (k + 1 + i) * odds;
    if (!(ratio > 0)) {
      rest = 0;
      break;
    }
    rest = term * ratio / (1 - ratio * (1 + 8 * kUnit));
    if (rest < 1e-12 * sum) break;
    term *= ratio;
    sum += term;
  }
  // kMostTerms ratios of 5 units each: 1.2e-10; and their sum, which is of positive terms.
  constexpr double kRounding = 2e-10;
  return {std::max(0.0, first.lower()) * sum * (1 - kRounding),
          std::min(1.0, first.upper() * (sum + rest) * (1 + kRounding))};
}

double cumulative_upper(double trials, double p, double k) {
  return upper_tail_upper(trials, 1 - p, trials - k - 1);
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
