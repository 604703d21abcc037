#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/rdp/excess.h"
#include "core/rdp/renyi.h"

namespace honest_epsilon::rdp {
namespace {

/// log(e^x - 1 - x). Error: 64 kUnit (1 + |value|) absolute.
double log_exponential_excess(double x) {
  if (x > 40) return x + std::log1p(-(1 + x) * std::exp(-x));
  if (std::abs(x) > 0.25) return std::log(std::expm1(x) - x);
  double term = 1;
  double sum = 1;
  for (int k = 3; k < 20; ++k) {
    term *= x / k;
    sum += term;
  }
  return 2 * std::log(std::abs(x)) + std::log(0.5 * sum);
}

/// An upper bound on log E[F_{1-a}(w); w > 0], w = q (U - 1), U = e^{mu z - mu^2/2}, z ~ N(0, 1):
/// F_{1-a}(w) is below (a-1) w and below a (a-1)/2 w^2, and
///   E[U - 1; U > 1] <= 1,
///   E[(U - 1)^2; U > 1] = e^{mu^2} Phi(3 mu/2) - 2 + 3 Phi(-mu/2) <= e^{mu^2} - 1.
double log_reversed_upper(double order, double q, double mu) {
  double log_square = log_expm1(mu * mu);
  if (mu < 20) {
    const double grown = std::exp(mu * mu);
    const double above = std::expm1(mu * mu) - grown * normal::upper_tail(1.5 * mu) +
                         3 * normal::upper_tail(0.5 * mu) - 1;
    const double above_error = 8 * normal::kRelativeError * (1 + grown);
    log_square = std::min(log_square, std::log(above + above_error));
  }
  const double log_linear = std::log(order - 1) + std::log(q);
  log_square += log_linear + std::log(0.5 * order) + std::log(q);
  const double smaller = std::min(log_linear, log_square);
  return smaller + 64 * kUnit * (1 + std::abs(smaller) - std::log(q));
}

}  // namespace

double gaussian(double order, double mu) {
  return 0.5 * order * mu * mu * (1 + 8 * kUnit) + kTiny;
}

double laplace(double order, double mu) {
  // E[R^a] - 1 = (a psi((a-1) mu) + (a-1) psi(-a mu)) / (2a - 1), psi(x) = e^x - 1 - x: what is
  // left of [Mir17, Prop 6] when its first-order terms, which cancel, are taken out.
  const double high = std::log(order) + log_exponential_excess((order - 1) * mu);
  const double low = std::log(order - 1) + log_exponential_excess(-order * mu);
  const double log_excess = log_add(high, low) - std::log(2 * order - 1);
  const double error = 128 * kUnit * (1 + std::max(std::abs(high), std::abs(low)));
  return std::min(mu * (1 + kUnit), divergence_upper(order, log_excess + error));
}

double randomized_response(double order, double q, double epsilon0) {
  const double log_likely = -std::log1p(std::exp(-epsilon0));
  LogSum sum;
  sum.add(log_excess_upper(order, mixture_ratio(q, -epsilon0)) + log_likely);
  sum.add(log_excess_upper(order, mixture_ratio(q, epsilon0)) + log_likely - epsilon0);
  return divergence_upper(order, sum.log_upper() + 8 * kUnit * (1 + epsilon0));
}

double without_replacement_substitution(double order, double q, double mu) {
  const double without = gaussian(order, mu);
  if (q >= 1) return without;
  const double sampled = log_subsampled_excess_upper(order, q, mu);
  const double reversed = std::min(sampled, log_reversed_upper(order, q, mu));
  return std::min(without, divergence_upper(order, log_add(sampled, reversed) + 8 * kUnit));
}

}  // namespace honest_epsilon::rdp
