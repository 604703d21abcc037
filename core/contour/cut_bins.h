#pragma once

#include <memory>
#include <vector>

#include "core/contour/moments.h"
#include "core/math/complex_functions.h"
#include "core/math/log_gamma.h"

namespace honest_epsilon::contour {

/// High moments of one epoch of balls-and-bins without its largest ratios, for direction remove.
///
/// As in BinsMoments, X_i = e^{mu t_i - mu^2/2} with t_i ~ N(0, 1) and U = (X_1 + ... + X_T) / T.
/// A high moment E U^w is that of a single huge X_i, which decides nothing: a power of 1,000 asks
/// for an event of probability e^-100,000. So the event A that every t_i <= t_c is kept, and
///   K(z) = E[U^{1+z}; A]
/// is the moment function of P on A alone. Of P's mass that leaves out
///   E[U; not A] <= sum_i E[U; t_i > t_c] = (T-1) Pr[N > t_c] + Pr[N > t_c - mu],
/// which is charged to delta (left_out()).
///
/// **Inversion in s.** With w = p + iy and any sigma > 0, by Hankel's integral for U^w,
///   E[U^w; A] = Gamma(w+1) / (2 pi i) integral_{Re s = sigma} N(s) s^{-w-1} ds,
///   N(s) = E[e^{sU}; A] = nu(s/T)^T,   nu(s) = E[e^{sX}; t <= t_c].
/// At the place sigma where r^{-p-1} N(r) is least along r > 0 nothing cancels, for any y.
///
/// **Aliases.** The trapezoid rule of step h in Im s, V = 2 pi / h, sums over them exactly:
///   sum_m E[(U + mV)_+^w; A] e^{-sigma m V}.
/// x_+^p <= (p / (e r))^p e^{rx} for any r > 0, with r < sigma for m > 0 and r > sigma for m < 0:
/// what m != 0 adds is at most (p / (e r))^p N(r) / (e^{|sigma - r| V} - 1) on either side.
///
/// **Its end.** With s = sigma (1 + i tan psi) and |N(s)| <= N(sigma), the terms beyond psi_J are
/// at most N(sigma) sigma^{-p} times the integral of cos(psi)^{p-1} e^{y psi} beyond it, whose
/// logarithm is concave: cos(psi_J)^{p-1} e^{y psi_J} / ((p-1) tan(psi_J) - y).
///
/// **nu(s/T)** is 1 - Pr[N > t_c] + (s/T) Pr[N <= t_c - mu] + E[e^{sX/T} - 1 - sX/T; t <= t_c], the
/// last by Gauss's
/// rule on panels of t. On the ellipse around a panel, within A of its middle along the real line
/// and B of that line, |e^w - 1 - w| <= |w|^2/2 e^{max(0, Re w)} with |w| <= |s| X(middle + A) / T
/// and Re w <= (Re s + |Im s| min(1, mu B)) X(middle + A) / T.
///
/// **Decay.** Let g be the mean of all t_i, r_i = t_i - g, independent of g ~ N(0, 1/T), and A' the
/// event that every r_i <= t_c - a. U is e^{mu g} times a function of the r_i, and so
///   |E[U^w; A']| <= e^{-mu^2 y^2 / (2T)} E[U^p; A'].
/// On A' without A, g > a; on A' with g <= a, A holds; under U^p, g ~ N(p mu/T, 1/T): with rho the
/// probability that this exceeds a,
///   E[U^p; A' - A] <= rho / (1 - rho) E[U^p; A].
/// On A without A' some t_i > t_c - 2a, or g < -a. By x^p <= (p / (e r))^p e^{rx}, and for the
/// latter by e^{-aT (g + a)}, a shift of t by a under which X falls,
///   E[U^p; A - A'] <= (p / (e r))^p (T nu(r/T)^{T-1} e^{r X_c / T} Pr[N > t_c - 2a]
///                                    + e^{-a^2 T / 2} (nu(r/T) + e^{r X_c / T} Pr[N > t_c])^T).
class CutBins {
 public:
  /// Domain: T >= 2 bins, mu > 0.   left_out: about the mass of P to leave out; taken as 1e-260
  /// to .3.
  CutBins(double bins, double mu, double left_out = kUsuallyLeftOut);

  /// For plans.
  static constexpr double kUsuallyLeftOut = 1e-22;
  /// The least power of U that has columns.
  static constexpr double kLeastPower = 12;

  /// The columns of E[U^{1+x}; A], with A as large as the reach asks; none where that is low.
  /// planned: serves where it leaves out about as much.
  static std::shared_ptr<const Rule> rule(std::shared_ptr<const CutBins> planned,
                                          const Reach& reach);
  /// log E[U^power; A], roughly; +inf where it is beyond use.
  double log_moment_estimate(double power) const;
  /// Of P's mass, at most.
  double left_out() const { return left_out_; }

  double bins() const { return bins_; }
  double mu() const { return mu_; }
  double cut() const { return cut_; }

  /// log N(s) for Re s > 0.
  ComplexEstimate log_transform(Complex s) const;
  /// The same for real s, roughly.
  double log_transform_estimate(double s) const { return real_transform(s).log; }
  /// Where r^{-p-1} N(r) is least, roughly; 0 where that is out of reach.
  double saddle(double power) const;
  /// X_c / T.
  double largest() const { return largest_; }

 private:
  struct QuadratureNode {
    double place;   ///< X / T
    double weight;  ///< of the rule, times the density of t
    double units;   ///< by which its term rounds
  };
  struct Panel {
    double log_error;  ///< of the rule, against |s|^2 and the growth of e^w
    double place;      ///< the largest |X| / T on its ellipse
    double turn;       ///< the sine of X's largest angle there, or 1
  };
  /// log N(r) and its first two derivatives, roughly.
  struct RealTransform {
    double log, slope, bend;
  };
  RealTransform real_transform(double r) const;

  double bins_, mu_, cut_ = 0, left_out_ = 0, largest_ = 0, lowest_ = 0;
  std::vector<QuadratureNode> nodes_;
  std::vector<Panel> panels_;
};

}  // namespace honest_epsilon::contour
