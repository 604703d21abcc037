#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/ball.h"
#include "core/contour/hankel_decay.h"
#include "core/contour/moments.h"
#include "core/contour/power_sum.h"
#include "core/math/log_gamma.h"

namespace honest_epsilon::contour {

/// log (p / (e r))^p, rounded up: x^p <= (p / (e r))^p e^{rx} for x >= 0, p > 0 and r > 0.
double log_power_bound(double p, double r);

/// N(r) = E[e^{rU}; A] of an epoch for real r of either sign, by the masses of cells of X / (T +
/// B). It serves plans and enters no bound.
class TransformEstimate {
 public:
  struct RatioCell {
    double place, mass;
  };
  /// cells: of what A has; missing_q, missing_p: 1 - E[1; A] and 1 - E[X; A] of a bin
  TransformEstimate(double bins, double blank, std::vector<RatioCell> cells, double missing_q = 0,
                    double missing_p = 0);
  /// log N(r) and its first two derivatives.
  struct RealTransform {
    double log, slope, bend;
  };
  RealTransform at(double r) const;
  /// The r of this sign where r N'(r) / N(r), which rises with |r|, has the modulus `order`; 0
  /// where that is out of reach.
  double saddle(double order, double sign) const;
  const std::vector<RatioCell>& cells() const { return cells_; }

 private:
  double bins_, blank_;
  std::vector<RatioCell> cells_;
  double missing_q_;
  double lost_;  ///< of E X / (T + B), between cells
  mutable double last_saddle_ = 0;
};

/// Moments of one epoch of balls-and-bins without jumps, for direction remove.
///
/// As in BinsMoments, X_i = e^{mu t_i - mu^2/2} with t_i ~ N(0, 1) and U = (X_1 + ... + X_T) / T.
/// A high moment E U^w is that of a single huge X_i, which decides nothing: a power of 1,000 asks
/// for an event of probability e^-100,000. A bin beyond a place b is a jump (jumps.h), and
///   K(z) = E[U^{1+z}; every t_i <= b]
/// is the moment function without. In what follows E stands for E[...; t <= b].
///
/// **Jumps** of an epoch have the mass 1 - (E 1)^T under Q and 1 - E X (E 1)^{T-1} under P. Given
/// one of X/T = x, by Minkowski's inequality for the other bins' share V of U,
///   E_Q (x + V)^-a <= (x + m)^-a,   m = (E_Q V^-a)^{-1/a},
/// and their shortfall is at most that of T jumps, T E_Q[(X/T + m)^-a; t > b].
///
/// **Inversion in s.** With w = p + iy and any sigma > 0, by Hankel's integral for U^w,
///   E U^w = Gamma(w+1) / (2 pi i) integral_{Re s = sigma} N(s) s^{-w-1} ds,
///   N(s) = E e^{sU} = nu(s/T)^T,   nu(s) = E e^{sX}.
/// At the place sigma where r^{-p-1} N(r) is least along r > 0 nothing cancels, for any y.
///
/// **Aliases.** The trapezoid rule of step h in Im s, V = 2 pi / h, sums over them exactly:
///   sum_m E (U + mV)_+^w e^{-sigma m V}.
/// x_+^p <= (p / (e r))^p e^{rx} for any r > 0, with r < sigma for m > 0 and r > sigma for m < 0:
/// what m != 0 adds is at most (p / (e r))^p N(r) / (e^{|sigma - r| V} - 1) on either side.
///
/// **Its end.** With s = sigma (1 + i tan psi) and |N(s)| <= N(sigma), the terms beyond psi_J are
/// at most N(sigma) sigma^{-p} times the integral of cos(psi)^{p-1} e^{y psi} beyond it, whose
/// logarithm is concave: cos(psi_J)^{p-1} e^{y psi_J} / ((p-1) tan(psi_J) - y).
///
/// **nu(s/T)** is E 1 + (s/T) E X + E[e^w - 1 - w], w = sX/T, the last by Gauss's rule on panels
/// from the left to b, which become shorter with |s| (N(conj s) = conj N(s)). By |e^w - 1 - w|
/// <= |w|^2 / 2 e^{max(0, Re w)},
/// - on the ellipse around a panel, which reaches to t_b on the right and eta from the real line,
///   |w| <= |s| X(t_b) / T, Re w <= (Re s + |Im s| sin(min(mu eta, pi/2))) X(t_b) / T,
///   |n(t)| <= e^{eta^2/2 - (Re t)^2/2} / sqrt(2 pi),
/// - to the left of the path, Re w <= Re s X / T and E X^2 <= e^{mu^2}.
///
/// **A run that stopped** before B more bins has U = (X_1 + ... + X_T + B) / (T + B), as in
/// BinsMoments: T + B takes the place of T wherever X is divided by it, and N(s) is
/// e^{s B / (T + B)} nu(s / (T + B))^T, whose first factor is as large all along a line.
///
/// **Decay** is that of N along the line, see HankelDecay. In x = X/T, nu(sigma + iv) is the
/// integral of e^{ivx} against f(x) = e^{sigma x} T n(t) / (mu X).
/// 1. What oscillation cancels of it is that of f's unimodal parts (decay.h).
/// 2. Besides, |nu| <= V/v with V the total variation of f. Along t, log f has the slope sigma mu
/// X/T
///    - t - mu, which is convex: f rises, falls and rises at most, and ends at b. With m its first
///    maximum, V <= 2 m + 2 f(X(b)/T). Its first factor rises and the others are at most T e^{mu^2}
///    / (mu sqrt(2 pi)), so that m <= e^{sigma X(t)/T} times that for any t at which that slope is
///    negative, or at b.
class CutBins {
 public:
  /// Domain: T >= 2 bins, mu > 0.   end: b, a multiple of kGrain; jumps: what they weigh in an
  /// epoch; blank: B
  CutBins(double bins, double mu, double end, const Jumps& jumps, double blank = 0);

  /// Panels begin and end at multiples of this, which are exact.
  static constexpr double kGrain = 0x1p-20;

  /// About the t beyond which P has this mass, which is taken as 1e-260 to .3.
  static double place_beyond(double bins, double mu, double mass);

  /// The least power of U that has columns.
  static constexpr double kLeastPower = 3;

  /// K on Re z = x; none of smaller powers.
  static std::unique_ptr<const Column> column(std::shared_ptr<const CutBins> bins, double x,
                                              double log_precision);
  /// log E U^power, roughly; +inf where it is beyond use.
  double log_moment_estimate(double power) const;
  const Jumps& jumps() const { return jumps_; }

  /// log N(s) for Re s > 0.
  LogMoment log_transform(Complex s) const;
  /// The same for real s, roughly.
  double log_transform_estimate(double s) const { return estimate_.at(s).log; }
  /// Where r^{-p-1} N(r) is least, roughly; 0 where that is out of reach.
  double saddle(double power) const { return estimate_.saddle(power + 1, 1); }
  /// log N at sigma, sigma + i spacing, sigma + 2 i spacing, ..., one after the other.
  class TransformClimb;
  /// How |N| falls along Re s = sigma.   log_first: of N(sigma), to an error
  TransformFall fall(double sigma, double log_first, double error) const;

 private:
  struct QuadratureNode {
    double t;
    double place;   ///< X / T
    double weight;  ///< of the rule, times the density of t
  };
  /// An ellipse around a panel.
  struct CutEllipse {
    double log_error;  ///< of the rule, against |s|^2 and the growth of e^w
    double place;      ///< the largest |X| / T on it
    double turn;       ///< the sine of X's largest angle there, or 1
    double log_error_at(Complex s) const {
      return log_error + (s.real() + s.imag() * turn) * place;
    }
  };
  static constexpr std::size_t kEllipses = 8;
  using Panel = std::array<CutEllipse, kEllipses>;
  /// Panels for all s up to some size.
  struct Path {
    double highest;                     ///< |s|
    double left;                        ///< its left end
    std::vector<QuadratureNode> nodes;  ///< places fall
    std::vector<Panel> panels;
    PowerSum terms;  ///< of E[e^w - 1 - w] + s E X / T, w = s X / T
  };
  const Path& path_for(double size) const;
  /// log N from that on a path.   Domain: Im s >= 0. ellipses: any, one of each panel
  LogMoment from_sum(const Path& path, const std::vector<CutEllipse>& ellipses, Complex s,
                     const Ball& sum) const;
  /// Of every panel that with the smallest error.
  static std::vector<CutEllipse> ellipses(const Path& path, Complex s);
  Path path(double highest) const;
  void add_panel(Path& path, double length) const;

  double x_at(double t) const;  ///< X / (T + B)
  std::vector<TransformEstimate::RatioCell> estimate_cells() const;

  double bins_, mu_, blank_;
  double all_;                     ///< T + B
  double end_;                     ///< b
  double largest_;                 ///< X/T there
  Jumps jumps_;                    ///< of an epoch
  Charged missing_q_, missing_p_;  ///< 1 - E 1, and 1 - E X
  TransformEstimate estimate_;
  /// Each for twice as large s as the one before, where they were asked.
  mutable std::deque<Path> paths_;
};

class CutBins::TransformClimb {
 public:
  TransformClimb(const CutBins& bins, double sigma, double spacing)
      : bins_(&bins), sigma_(sigma), spacing_(spacing) {}
  LogMoment next();

 private:
  const CutBins* bins_;
  double sigma_, spacing_;
  std::size_t next_ = 0;
  const Path* path_ = nullptr;        ///< for the last height
  std::vector<CutEllipse> ellipses_;  ///< for the largest s of the path
  std::optional<PowerClimb> sum_;     ///< over it
};

}  // namespace honest_epsilon::contour
