#include "core/rdp/excess.h"

#include <cmath>

#include "core/base/rounding.h"
#include "core/math/log_domain.h"

namespace honest_epsilon::rdp {
namespace {

/// Relative error of the few operations in a term, before cancellation.
constexpr double kTermError = 64 * kUnit;

/// sum_{k >= 2} C(a, k) w^k over its first term. Successive terms shrink by at least
/// max(a, 1) |w| <= 1/4, so the rest is a third of the last one at most.
double series(double order, double w) {
  double term = 1;
  double sum = 1;
  for (int k = 2; std::abs(term) > 1e-18; ++k) {
    term *= (order - k) / (k + 1) * w;
    sum += term;
  }
  return sum;
}

double above_one(double order, const Ratio& ratio) {
  // F = g (g^(a-1) - 1) (1 - rho): 1 - rho >= 1/20 where a w >= 1/4.
  const double log_growth = log_expm1((order - 1) * ratio.log);
  const double rho = (order - 1) * -std::expm1(-ratio.log) * std::exp(-log_growth);
  const double value = ratio.log + log_growth + std::log1p(-rho);
  return value + 4 * kUnit * std::abs(value) + (kTermError + order * ratio.error) / (1 - rho);
}

double below_one(double order, const Ratio& ratio) {
  // F = (a-1) |w| (1 - rho): 1 - rho >= 1/20 where a |w| >= 1/4.
  const double linear = (order - 1) * -ratio.excess;
  const double rho = -std::exp(ratio.log) * std::expm1((order - 1) * ratio.log) / linear;
  return std::log(linear) + std::log1p(-rho) +
         (kTermError + order * ratio.error * rho) / (1 - rho) +
         4 * kUnit * std::abs(std::log(linear));
}

}  // namespace

Ratio mixture_ratio(double q, double x) {
  const double w = q * std::expm1(x);
  if (std::abs(w) <= 0.5) {
    const double log = std::log1p(w);
    return {w, log, 16 * kUnit * std::abs(log)};
  }
  if (x > 0)
    return {w, x + std::log(q + (1 - q) * std::exp(-x)), 8 * kUnit * (1 + x - std::log(q))};
  const double log = std::log((1 - q) + q * std::exp(x));
  return {w, log, 8 * kUnit * (1 + std::abs(log))};
}

double log_excess_upper(double order, const Ratio& ratio) {
  const double w = ratio.excess;
  if (w == 0) return -kInfinity;
  if (order * std::abs(w) < 0.25) {
    const double value =
        std::log(0.5 * order * (order - 1) * series(order, w)) + 2 * std::log(std::abs(w));
    return value + kTermError + 4 * kUnit * std::abs(value);
  }
  return w > 0 ? above_one(order, ratio) : below_one(order, ratio);
}

double divergence_upper(double order, double log_excess) {
  return log1p_exp(log_excess) / (order - 1) * (1 + 16 * kUnit) + kTiny;
}

}  // namespace honest_epsilon::rdp
