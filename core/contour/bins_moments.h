#pragma once

#include <memory>
#include <vector>

#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// One epoch of balls-and-bins with Gaussian noise, direction add, by its gamma integral.
///
/// In units of the noise, t_i ~ N(0, 1) under Q and X_i = e^{mu t_i - mu^2/2}; the likelihood ratio
/// is U = (X_1 + ... + X_T) / T [BB25, Thm 3.1]. With phi(s) = E e^{-s X} and any |psi| < pi/2,
///   K(z) = E U^{-z} = (1/Gamma(z)) integral_R e^{z (v + i psi)} phi(e^{v + i psi} / T)^T dv,
/// Re z > 0: on the ray arg s = psi the integral of s^{z-1} e^{-sU} is Gamma(z) U^{-z}.
/// Direction remove would need E U^{1+z}, beyond phi's reach: it is asked through direction add,
/// see Inversion. Domain: T >= 2 bins; mu > 0, known to one unit in its last place.
///
/// **The outer rule** is the trapezoid rule in v of step h, with samples on arg s = psi and a strip
/// of half-width b around it, |psi| + b < pi/2. By |phi(s/T)|^T <= E e^{-Re(s) U} the integrand's
/// modulus along arg s = psi' integrates to at most
///   m(psi') = e^{-y psi'} cos(psi')^{-c} Gamma(c) K(c),   z = c + iy,
/// so the rule is off by at most (m(psi - b) + m(psi + b)) / (e^{2 pi b / h} - 1) [TW14, Thm 5.1].
/// m is least at psi = arg z, where it is K(c) |Gamma(z)| times about sqrt(|z| / c): nothing
/// cancels there, and a column takes its rays near the arguments of its z. The same bound weighs
/// what the samples' own errors do.
/// **Its ends.** Left, |phi| <= 1. Right, by U >= e^{mu mean(t) - mu^2/2} (means) and
/// x^p <= (p/e)^p e^x,   E e^{-rU} <= (p/(e r))^p E U^{-p} <= (p/(e r))^p e^{p mu^2/2 + p^2
/// mu^2/(2T)}.
///
/// **phi** is 1 - s/T + E[e^{-w} - 1 + w], w = sX/T, as E X = 1; the expectation is a trapezoid sum
/// over t, shifted to t - i eta, eta = theta/mu, so that arg w = psi - theta. For Re w >= 0,
/// |e^{-w} - 1 + w| <= min(|w|^2 / 2, 2|w|): on a strip of half-width a, |psi - theta| + mu a <=
/// pi/2, the rule is off by at most
///   min(|s/T|^2 e^{mu^2} / 2, 2 |s/T|) (e^{(eta-a)^2/2} + e^{(eta+a)^2/2}) / (e^{2 pi a/h_t} - 1).
/// What the sum leaves out at its ends, and its rounding, are such multiples, too. Both rules'
/// places are on one grid of log |w|, so that a sample of phi is a scalar product with one table.
///
/// **Decay.** t_i = g + (t_i - g), g the mean of all t, is independent of the differences: U is
/// e^{mu g} times a factor independent of it, g ~ N(0, 1/T), and
///   |K(c + iy)| <= K(c) e^{-mu^2 y^2 / (2T)}   for every y.
class BinsMoments : public Moments {
 public:
  BinsMoments(double bins, double mu);
  std::shared_ptr<const Rule> rule(Direction direction, const Reach& reach) const override;
  double log_moment_estimate(Direction direction, double x) const override;
  double largest_loss(Direction) const override;
  double lowest_place(Direction direction) const override;

 private:
  /// log phi(s/T)^T for real s and its slope along log s, roughly.
  struct Power {
    double value, slope;
  };
  Power power_estimate(double log_share) const;

  double bins_;
  double mu_;
  std::vector<Power> estimate_;  ///< of log(-log phi), along log(s/T)
};

}  // namespace honest_epsilon::contour
