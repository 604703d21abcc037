#include "core/samplers/clones.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/binomial_tail.h"

namespace honest_epsilon::shuffle {
namespace {

/// The largest w <= `at_most` whose complement is a double.
double with_exact_complement(double at_most) {
  double rest = 1 - at_most;
  if (1 - rest > at_most) rest = std::nextafter(rest, 2);
  return 1 - rest;
}

/// Pr[M <= m], at most: M - 1 ~ Bin(others, w).
double cumulative(double others, double w, double m) {
  return m < 1 ? 0 : binomial::cumulative_upper(others, w, m - 1);
}

/// The largest m with Pr[M < m] <= probability.
double lowest_rung(double others, double w, double probability) {
  double low = 1, high = std::max(1.0, std::floor(others * w));
  while (high - low > 0.5) {
    const double middle = std::ceil(0.5 * (low + high));
    if (cumulative(others, w, middle - 1) <= probability) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

PureClones pure_clones(double batches, double epsilon_0, double failure) {
  const double others = batches - 1;
  // epsilon_0 is a rounded quotient: e^-epsilon_0 is off by as many units more.
  const double units = 2 * (kFunctionError + epsilon_0);
  const double w = with_exact_complement(std::exp(-epsilon_0) * (1 - units * kUnit));
  const double bins = lowest_rung(others, w, failure);
  return {bins, cumulative(others, w, bins - 1)};
}

}  // namespace honest_epsilon::shuffle
