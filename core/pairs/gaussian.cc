#include "core/pairs/gaussian.h"

#include <cmath>

#include "core/base/rounding.h"
#include "core/math/invert.h"
#include "core/math/normal.h"

namespace honest_epsilon::gaussian {

Interval delta(double mu, double epsilon) {
  const double a = epsilon / mu - mu / 2;
  const double b = epsilon / mu + mu / 2;
  // delta <= Phi(-a), which is below 1e-315 here; further out b - a would round to 0.
  if (a > 38) return {0, kTiny};
  // Rounding of a and b: half a unit for each quotient and sum; the density turns it into a
  // relative error |a| times as large.
  const double shift = 2 * kUnit * (std::abs(epsilon) / mu + mu / 2);
  const double argument = (std::abs(a) + 1) * shift;
  if (b < 0) {
    // eps < 0 far out: delta = 1 - e^eps (1 - delta'), with delta' the add direction at -eps.
    return within_unit(affine(-std::expm1(epsilon), std::exp(epsilon), delta(mu, -epsilon), 8));
  }
  if (a >= 0) {
    const double difference = normal::mills_difference(a, b);
    // mills_difference: five-point rule on close arguments, a true difference on distant ones.
    const double relative =
        (b - a > normal::kDistant ? normal::kRelativeError * 2 * normal::mills(a) / difference
                                  : 4 * normal::kRelativeError) +
        2 * shift / (b - a) + argument + 2 * normal::kRelativeError;
    return probability(normal::pdf(a) * difference, relative);
  }
  // a < 0 <= b: e^eps Phi(-b) = pdf(a) R(b), and the first term is at least 1/2.
  const double first = normal::upper_tail(a);
  const double second = normal::pdf(a) * normal::mills(b);
  const double slack = (first + second) * (2 * normal::kRelativeError) +
                       normal::pdf(a) * 3 * shift + argument * second;
  const double value = std::max(0.0, first - second);
  return within_unit({value - slack, value + slack});
}

Interval epsilon(double mu, double target) {
  if (!(mu > 0)) return {0, 0};
  return invert_decreasing([mu](double e) { return delta(mu, e); }, target);
}

}  // namespace honest_epsilon::gaussian
