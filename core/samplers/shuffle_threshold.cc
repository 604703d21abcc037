#include "core/samplers/shuffle_threshold.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/math/root.h"

namespace honest_epsilon::shuffle {

double tail_error(double z, double shift) {
  const double far = std::abs(z) + shift + 1;
  return 2 * (normal::kRelativeError + 2 * kUnit * far * far);
}

double log_all_below(double batches, double z, double shift, double used) {
  const double shifted = std::log1p(-normal::upper_tail(z - shift));
  const double unshifted = std::log1p(-normal::upper_tail(z));
  if (used == 1) return shifted + (batches - 1) * unshifted;
  return batches * unshifted + std::log1p(used * std::expm1(shifted - unshifted));
}

Odds threshold_odds(double batches, double mu, bool remove, double used, double z) {
  const double log_p = log_all_below(batches, z, 2 * mu, used);
  const double log_q = log_all_below(batches, z, mu, used);
  const double error = tail_error(z, 2 * mu) * 4;
  if (remove) return {-std::expm1(log_p) * (1 - error), -std::expm1(log_q) * (1 + error)};
  // Pr[max < z] = e^log: the error of the log is relative to itself, at most.
  return {std::exp(log_q) * (1 - error * (1 - log_q)), std::exp(log_p) * (1 + error * (1 - log_p))};
}

double threshold_lower(double batches, double mu, double epsilon, bool remove, double used) {
  const double scale = std::exp(std::min(epsilon, 700.0));
  const auto value = [&](double z) {
    const Odds odds = threshold_odds(batches, mu, remove, used, z);
    return odds.gain - scale * odds.cost;
  };
  // C may lie below 0: for small eps and large sigma the best threshold does.
  const double best = value(largest_on(value, -8, 2 * mu + 10));
  return best > 0 ? std::min(best, 1.0) : 0;
}

}  // namespace honest_epsilon::shuffle
