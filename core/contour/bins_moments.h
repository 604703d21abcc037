#pragma once

#include <memory>

#include "core/contour/cut_bins.h"
#include "core/contour/epoch_powers.h"
#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// One epoch of balls-and-bins with Gaussian noise, by gamma integrals.
///
/// In units of the noise, t_i ~ N(0, 1) under Q and X_i = e^{mu t_i - mu^2/2}; the likelihood ratio
/// is U = (X_1 + ... + X_T) / T [BB25, Thm 3.1]. Remove is K(z) = E U^{1+z}, add K(z) = E U^{-z}.
/// For any whole n >= 0 and |psi| < pi/2, with a of positive real part,
///   E U^{n-a} = (1/Gamma(a)) integral_R e^{a (v + i psi)} M(e^{v + i psi}) dv,
///   M(s) = E[U^n e^{-sU}],
/// as on the ray arg s = psi the integral of s^{a-1} e^{-sU} is Gamma(a) U^{-a}. With n = 0 that is
/// phi(s/T)^T, phi(s) = E e^{-sX}; with n > 0 it is n! times the coefficient of x^n of
///   (sum_j E[X^j e^{-sX/T}] x^j / (T^j j!))^T,
/// whose square is taken time and again. Add needs n = 0 unless Re z is small, remove n > 1 + Re z;
/// beyond some forty (three hundred of few bins), or where a single X decides over U^n, columns
/// leave the largest ratios out (CutBins), or are out of reach, and Inversion asks the other
/// direction.
///
/// Domain: T >= 2 bins; B >= 0 blank ones, T + B a double; mu > 0, known to one unit in its last
/// place.
///
/// **The outer rule** is the trapezoid rule in v of step h, with samples on arg s = psi and a strip
/// of half-width b around it, |psi| + b < pi/2. By |M(s)| <= M(Re s) the integrand's modulus along
/// arg s = psi' integrates to at most
///   m(psi') = e^{-y psi'} cos(psi')^{-c} Gamma(c) E U^{n-c},   a = c + iy,
/// so the rule is off by at most (m(psi - b) + m(psi + b)) / (e^{2 pi b / h} - 1) [TW14, Thm 5.1].
/// m is least at psi = arg a, where it is E U^{n-c} |Gamma(a)| times about sqrt(|a| / c): nothing
/// cancels there, and a column takes its rays near the arguments of its a. The same bound weighs
/// what the samples' own errors do.
///
/// **Its ends.** Left, with n = 0, M(s) = 1 - s but for at most min(2 |s|, |s|^2 E U^2 / 2), as E U
/// = 1: the sums of 1 and of -s are geometric, and what is left out falls as e^{(c+2) v}, not e^{c
/// v}. With n > 0, |M| <= E U^n. Right, by x^p <= (p/e)^p e^x and by U >= e^{mu g - mu^2/2}, g the
/// mean of all t (arithmetic and geometric means), with q = p - n >= 0:
///   E[U^n e^{-rU}] <= (p/(e r))^p E U^{-q} <= (p/(e r))^p e^{q mu^2/2 + q^2 mu^2/(2T)}.
///
/// **E[X^j e^{-w}]**, w = sX/T, phi among them, is a trapezoid sum over t, shifted to t - i eta,
/// eta = theta/mu, so that arg w = psi - theta. Its strip is where |arg w| is at most some angle
/// from psi up, `widest`, and |e^{-w}| at most e^{-|w| cos(widest)}: what it costs is a share of
/// the same moment at |s| cos(widest), of each of T factors, see log_strip_share. What the sum
/// leaves out at its ends, and its rounding, are charged to each sample. Both rules' places are on
/// one grid of log |w|, so that a sample is a scalar product with one table.
///
/// **Decay.** t_i = g + (t_i - g), g the mean of all t, is independent of the differences: U is
/// e^{mu g} times a factor independent of it, g ~ N(0, 1/T), and
///   |K(c + iy)| <= K(c) e^{-mu^2 y^2 / (2T)}   for every y.
///
/// **A run that stopped** before B more bins has U = (X_1 + ... + X_T + B) / (T + B), as the blank
/// bins' ratios are 1: M(s) is e^{-s B / (T + B)} phi(s / (T + B))^T. The right end is as it were
/// with T + B bins, U >= e^{(T mu g - T mu^2/2) / (T + B)}: 1 is the mean of ones, too. U is no
/// product any more, and K may fall slowly: |K(c + iy)| <= K(c) is all that is used, so that other
/// steps must fall beside it.
class BinsMoments : public Moments {
 public:
  BinsMoments(double bins, double mu, double blank = 0);
  std::unique_ptr<const Column> column(Direction direction, double x,
                                       double log_precision) const override;
  double log_moment_upper(Direction direction, double x, double log_precision) const override;
  double log_moment_estimate(Direction direction, double x) const override;
  double log_delta_estimate(Direction direction, double epsilon) const override;
  std::shared_ptr<const Moments> without_jumps(Direction direction,
                                               const CutRequest& request) const override;
  std::optional<Jumps> jumps(Direction direction) const override;
  double largest_loss(Direction) const override;
  double lowest_place(Direction direction) const override;
  bool reaches_far(Direction direction) const override { return direction == Direction::add; }

 private:
  /// What an epoch's jumps weigh, their shortfall to the power a.
  Jumps jumps_beyond(double place, double a) const;
  /// Whether some of its ratios may count as jumps.
  bool has_jumps(Direction direction) const;
  double log_power_moment_estimate(double w) const;

  double bins_;
  double mu_;
  double blank_;
  std::shared_ptr<const CutBins> cut_;  ///< without jumps, in direction remove; none: with them
  std::shared_ptr<const TransformEstimate> estimate_;
  std::shared_ptr<EpochPowers> powers_;  ///< shared by copies, made when they are first asked
};

}  // namespace honest_epsilon::contour
