#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

#include "core/base/rounding.h"
#include "core/contour/moments.h"
#include "core/math/quadrature.h"

namespace honest_epsilon::contour {

/// phi(s) = E e^{-sX} of one lognormal ratio, in the upper half-plane and on the negative axis.
///
/// X(t) = e^{mu t - mu^2/2} with t ~ N(0, 1). For every eta with |Im v - mu eta| <= pi/2
///   phi(e^v) = integral of n(t - i eta) exp(-e^v X(t - i eta)) dt:
/// phi is an entire function of v = log s. On the upper side of the axis, Im v = pi, -e^v = rho >
/// 0.
///
/// **The turn.** Let z = -s = r e^{-i psi} with 0 <= psi <= pi; psi = 0 is the negative axis. The
/// path follows the real line up to a t_1, turns down to t_1 - i (pi - psi)/mu, where zX < 0, and
/// runs off to the right. With w = r X(t_1), phi = L + R,
///   L = integral up to t_1 of n(t) e^{zX(t)} dt,
///   R = n(t_1) [-i integral_0^{(pi - psi)/mu} e^{y^2/2 + w cos(psi + mu y)}
///                                             e^{i (t_1 y - w sin(psi + mu y))} dy
///       + e^{(pi - psi)^2/(2 mu^2)} integral_0^inf e^{-t_1 u - u^2/2 - w e^{mu u}}
///                                                  e^{i (pi - psi) (t_1 + u)/mu} du].
/// On the axis L is real, and Im phi = Im R keeps every digit, however small it is, where t_1 is
/// near the saddle of n(t) e^{rho X}: the t = mu rho X that is least along the real line and
/// largest across it.
///
/// **Left of the turn**, L - 1 = z + E[e^W - 1 - W; t < t_1] - Pr[t > t_1] - z Pr[t > t_1 - mu],
/// W = zX, as E X = 1. Gauss's rule on panels computes the expectation, those where |W| <= 1/2 by
/// one polynomial in z; |e^W - 1 - W| <= |W|^2/2 e^max(0, Re W) on their ellipses, and to their
/// left E[X^2; t < t_0] = e^{mu^2} Pr[t > 2 mu - t_0]. Where Re z is well below 0, L is small and
/// L - 1 has few of its digits: then panels where |W| > 1/2 have e^W itself, at most e^(Re W) on
/// their ellipses, and what lies before t_0 adds Pr[t < t_0] + z Pr[t < t_0 - mu].
class RatioLaplace {
 public:
  /// Domain: mu > 0, known to one unit in its last place.
  explicit RatioLaplace(double mu);

  /// log phi on the axis' upper side: log |phi| and arg phi.
  struct AxisValue {
    Charged log_modulus, phase;
  };
  /// At log rho; errors may be infinite.
  AxisValue on_axis(double log_rho) const;

  /// The saddle's t, or else where n(t) e^{rho X} is nearest to have one.
  double saddle(double log_rho) const;

  /// Where paths leave the real line for all s with Re s = -rho, Im s >= 0.
  struct Turn {
    double at;
    double log_rest;  ///< log |R|, at most, on that line; and on Re s = -rho of the real rho < 0
    bool negligible;  ///< whether R is left out
  };
  Turn turn(double rho) const;

  /// log phi(-z), Im z <= 0; the error may be infinite.
  LogMoment at(std::complex<double> z, const Turn& turn) const;

  /// L - 1 at s = -rho, of either sign, for a path that turns at t_1.
  Charged left_less_one(double rho, double turn) const;
  /// log E[e^{rho X}; t > t_1] for rho <= 0, at most: what is left of a path that does not turn.
  double log_beyond(double rho, double turn) const;
  /// log(L + e^log_rest) at s = -rho, at most.
  double log_upper(double rho, double turn, double log_rest) const;

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
    double lean;       ///< the largest |arg X| on it
  };
  struct RatioPanel {
    double right, place;  ///< its right end; the largest |t| + mu
    double rise;          ///< of X over it, a factor, at most
    std::array<double, kNodes> ratio, weight;
    std::array<PanelEllipse, kEllipses> ellipses;
  };
  /// Of all panels up to one: E[X^n] / n! by the rule, and what |z|^2 times that is off by, for all
  /// |z| X <= 1/2 there.
  struct LeftMoments {
    std::array<double, kPowers> coefficients{};
    double error = 0;  ///< against |z|^2
  };
  /// A number, and what it is off by.
  struct LaplacePart {
    std::complex<double> value;
    double error;
  };
  RatioPanel panel(double left, double right) const;
  /// What is summed before the turn.
  enum class LeftForm { less_one, whole };
  /// log of what the rule is off by, w the largest |W| on the panel, whose arguments there are all
  /// -lean. On an ellipse |W| is at most `growth` times that, and at least w over what X rises by
  /// on the panel and once more beside it, which bounds Re W where that is below 0.
  double log_rule_error(const RatioPanel& panel, double w, double lean, LeftForm form) const;
  void extend(double turn) const;
  LaplacePart left(std::complex<double> z, double log_size, double lean, double turn,
                   LeftForm form) const;
  /// R / (n(t_1) e^{w cos psi}), with the same error for both parts.
  ///   w_units: by which w is off, relative to it
  LaplacePart right(double turn, double w, double lean, double w_units) const;

  double mu_, length_, start_;
  std::array<quadrature::Node, kNodes> rule_;
  std::array<quadrature::Ellipse, kEllipses> tried_{
      {quadrature::ellipse(1.6), quadrature::ellipse(2.2), quadrature::ellipse(3),
       quadrature::ellipse(4)}};
  mutable std::vector<RatioPanel> panels_;
  mutable std::vector<LeftMoments>
      moments_;  ///< of no panel, one, two, ..., while ratios are small enough
};

}  // namespace honest_epsilon::contour
