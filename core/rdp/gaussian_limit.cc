#include "core/rdp/gaussian_limit.h"

#include <cmath>

namespace honest_epsilon::rdp {

double mu_estimate(double q, double mu, double steps) {
  // e^{mu^2} - 1 = e^{mu^2} (1 - e^{-mu^2}); the root is taken first, which doubles the range.
  return q * std::sqrt(steps) * std::exp(0.5 * mu * mu) * std::sqrt(-std::expm1(-mu * mu));
}

}  // namespace honest_epsilon::rdp
