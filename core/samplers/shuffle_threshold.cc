#include "core/samplers/shuffle_threshold.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/rounding.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/math/root.h"

namespace honest_epsilon::shuffle {
namespace {

/// Logarithms of probabilities below this are taken for it where that is safe.
constexpr double kLeastLog = -680;

/// log Pr[N(0, 1) < x], from the tail that keeps its digits.
double log_below(double x) {
  return x < 0 ? std::log(normal::upper_tail(-x)) : std::log1p(-normal::upper_tail(x));
}

/// What an event costs, from above, as a logarithm.
struct LogCost {
  double value;
  double error;
};

/// log Q(max >= z) where that is a far tail: at most the sum of all coordinates' tails.
LogCost far_cost(double batches, double mu, double used, double z) {
  return {log_add(std::log(used) + normal::log_upper_tail(z - mu),
                  std::log(batches) + normal::log_upper_tail(z)),
          4 * tail_error(z, 2 * mu) + 64 * kUnit};
}

bool is_far(double mu, bool remove, double z) {
  return remove && z - mu > normal::kFarTail;
}

/// The best real C is sought there; it may lie below 0: for small eps and large sigma it does.
double best_threshold(double mu, const std::function<double(double)>& worth) {
  return worth(largest_on(worth, -8, 2 * mu + 10));
}

}  // namespace

double tail_error(double z, double shift) {
  const double far = std::abs(z) + shift + 1;
  return 2 * (normal::kRelativeError + 2 * kUnit * far * far);
}

double log_all_below(double batches, double z, double shift, double used) {
  const double shifted = log_below(z - shift);
  const double unshifted = log_below(z);
  if (used == 1) return shifted + (batches - 1) * unshifted;
  return batches * unshifted + std::log1p(used * std::expm1(shifted - unshifted));
}

double used_error(double batches, double z, double shift, double used) {
  if (used == 1) return 0;
  const double unshifted = log_below(z);
  const double seen = used * -std::expm1(log_below(z - shift) - unshifted);
  return 4 * kUnit * seen * std::exp(batches * unshifted);
}

EventBounds threshold_event(double batches, double mu, bool remove, double used, double z) {
  const double log_p = log_all_below(batches, z, 2 * mu, used);
  const double log_q = log_all_below(batches, z, mu, used);
  const double error = tail_error(z, 2 * mu) * 4;
  if (remove) return {-std::expm1(log_p) * (1 - error), -std::expm1(log_q) * (1 + error) + kTiny};
  // Pr[max < z] = e^log: the error of the log is relative to itself, at most.
  const double least = std::max(log_p, kLeastLog);
  const double p = log_q > kLeastLog ? std::exp(log_q) * (1 - error * (1 - log_q)) : 0;
  return {p - used_error(batches, z, mu, used),
          std::exp(least) * (1 + error * (1 - least)) + used_error(batches, z, 2 * mu, used)};
}

double threshold_lower(double batches, double mu, double epsilon, bool remove, double used) {
  // Beside costs of at least e^kLeastLog no larger epsilon leaves a gain.
  const double scale = std::exp(std::min(epsilon, -kLeastLog)) * (1 + 4 * kUnit);
  const auto value = [&](double z) {
    const EventBounds event = threshold_event(batches, mu, remove, used, z);
    if (!is_far(mu, remove, z)) return event.p_lower - scale * event.q_upper;
    const LogCost cost = far_cost(batches, mu, used, z);
    return event.p_lower - std::exp(epsilon + cost.value + cost.error + 4 * kUnit * epsilon);
  };
  const double best = best_threshold(mu, value);
  return best > 0 ? std::min(best, 1.0) : 0;
}

double threshold_epsilon(double batches, double mu, double delta, bool remove, double used) {
  constexpr double kProvesNothing = -1e4;
  const auto value = [&](double z) {
    const EventBounds event = threshold_event(batches, mu, remove, used, z);
    const double gain = event.p_lower - delta;
    if (!(gain > 0)) return kProvesNothing;
    const LogCost cost = is_far(mu, remove, z) ? far_cost(batches, mu, used, z)
                                               : LogCost{std::log(event.q_upper), 0};
    // The difference rounds, and so do two logarithms and their difference.
    const double log_gain = std::log(gain);
    const double rounding = 8 * kUnit * (1 + std::abs(log_gain) + std::abs(cost.value));
    return log_gain - cost.value - cost.error - rounding;
  };
  return std::max(0.0, best_threshold(mu, value));
}

}  // namespace honest_epsilon::shuffle
