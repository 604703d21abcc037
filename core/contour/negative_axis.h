#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/quadrature.h"

namespace honest_epsilon::contour {

/// phi(s) = E e^{-sX} of one lognormal ratio beside and on the negative axis.
///
/// X(t) = e^{mu t - mu^2/2} with t ~ N(0, 1). For every eta with |Im v - mu eta| <= pi/2
///   phi(e^v) = integral of n(t - i eta) exp(-e^v X(t - i eta)) dt:
/// phi is an entire function of v = log s. On the upper side of the axis, Im v = pi, -e^v = rho >
/// 0.
///
/// **The turn.** n(t) e^{rho X(t)} has a saddle where t = mu rho X(t), least along the real line
/// and largest across it. The path follows the line up to a t_1 near the saddle, turns down to t_1
/// - i pi/mu, where rho X < 0, and runs off to the right. With w = rho X(t_1), phi = L + R,
///   L = integral up to t_1 of n(t) e^{rho X(t)} dt, which is real,
///   R = n(t_1) [-i integral_0^{pi/mu} e^{y^2/2 + w cos(mu y)} e^{i (t_1 y - w sin(mu y))} dy
///       + e^{pi^2/(2 mu^2)} integral_0^inf e^{-t_1 u - u^2/2 - w e^{mu u}} e^{i pi (t_1 + u)/mu}
///       du].
/// So Im phi = Im R keeps every digit, however small it is.
///
/// **Left of the turn**, L - 1 = rho + E[e^w - 1 - w; t < t_1] - Pr[t > t_1] - rho Pr[t > t_1 -
/// mu], w = rho X, as E X = 1. Gauss's rule on panels computes the expectation, those where w <=
/// 1/2 by one polynomial in rho; |e^w - 1 - w| <= |w|^2/2 e^|w| on their ellipses, and to their
/// left E[X^2; t < t_0] = e^{mu^2} Pr[t > 2 mu - t_0].
class NegativeAxis {
 public:
  /// Domain: mu > 0, known to one unit in its last place.
  explicit NegativeAxis(double mu);

  /// log phi on the axis' upper side: log |phi| and arg phi.
  struct AxisValue {
    Charged log_modulus, phase;
  };
  /// At log rho; errors may be infinite.
  AxisValue at(double log_rho) const;

  /// t_1.
  double turn(double log_rho) const;

  /// L - 1 for a path that turns at t_1.
  Charged left_less_one(double log_rho, double turn) const;

  /// log of the integral of |n(t) e^{-sX}| over what follows the turn, at most, for every s = e^v
  /// with log |s| in [low, high] and Im v between pi + b_low and pi + b_high, which is below 2 pi:
  /// on a path that turns by pi + b_high.
  /// On the line Re s = -e^low, Im s > 0, it is at most as large as at -e^low: with b = 0, the real
  /// part of -s X e^{-i mu y} is rho X cos(mu y) - Im s X sin(mu y).
  double log_right_upper(double low, double high, double turn, double b_low, double b_high) const;

  double mu() const { return mu_; }

 private:
  static constexpr std::size_t kNodes = 30, kPowers = 18, kEllipses = 4;
  struct PanelEllipse {
    double log_error;  ///< of the rule, for a factor of n(t) that is at most 1 on it
    double growth;     ///< the largest |X| on it, against the one at the panel's right end
  };
  struct AxisPanel {
    double right, place;  ///< its right end; the largest |t| + mu
    std::array<double, kNodes> ratio, weight;
    std::array<PanelEllipse, kEllipses> ellipses;
  };
  /// Of all panels up to one: E[X^n] / n! by the rule, and what rho^2 times that is off by, for all
  /// rho X <= 1/2 there.
  struct LeftMoments {
    std::array<double, kPowers> coefficients{};
    double error = 0;  ///< against rho^2
  };
  AxisPanel panel(double left, double right) const;
  double log_rule_error(const AxisPanel& panel, double w) const;
  void extend(double turn) const;
  /// Of R / (n(t_1) e^w), with the same error for both parts.
  struct Right {
    double re, im, error;
  };
  Right right(double turn, double w, double w_units) const;

  double mu_, length_, start_;
  std::array<quadrature::Node, kNodes> rule_;
  mutable std::vector<AxisPanel> panels_;
  mutable std::vector<LeftMoments>
      moments_;  ///< of no panel, one, two, ..., while ratios are small enough
};

}  // namespace honest_epsilon::contour
