#pragma once

#include <cmath>

namespace honest_epsilon::pld {

/// The payoff of a privacy profile on a sum, as a function of the distance x = sum - strike > 0.
///   loss:  1 - e^-x, on a sum of losses with strike eps, under P      (privacy loss distributions)
///   ratio: x, on a sum of likelihood ratios, under Q         (calls and puts on an average)
enum class PayoffKind { loss, ratio };

struct Payoff {
  PayoffKind kind;

  bool is_loss() const { return kind == PayoffKind::loss; }

  double operator()(double x) const { return is_loss() ? -std::expm1(-x) : x; }

  /// log of the integral of payoff(x) e^{-s x}: 1/(s (s+1)) or 1/s^2.
  double log_transform(double s) const {
    return is_loss() ? -std::log(s) - std::log1p(s) : -2 * std::log(s);
  }

  /// log of the largest value of payoff(x) e^{-s x}: s^s/(1+s)^(1+s) [CKS20, Prop 12], or 1/(e s).
  double log_cap(double s) const {
    return is_loss() ? s * std::log(s) - (1 + s) * std::log1p(s) : -1 - std::log(s);
  }

  /// Twice the change of log E[payoff] for each unit of variance spread into the sum.
  double curvature(double s) const { return is_loss() ? s * (s + 1) : s * s; }

  /// How far the saddle point's sum lies above the strike, and the variance of the payoff's own
  /// law.
  double overshoot(double s) const { return is_loss() ? 1 / s + 1 / (s + 1) : 2 / s; }
  double overshoot_variance(double s) const {
    return is_loss() ? 1 / (s * s) + 1 / ((s + 1) * (s + 1)) : 2 / (s * s);
  }

  /// payoff(x) <= limit e^{s (x - far)} for all x >= far, given s >= least_rate(far).
  double limit(double far) const { return is_loss() ? 1 : far; }
  double least_rate(double far) const { return is_loss() ? 0 : 1 / far; }
};

}  // namespace honest_epsilon::pld
