#pragma once

#include "core/base/direction.h"
#include "core/base/rounding.h"
#include "core/contour/ratio_laplace.h"

namespace honest_epsilon::contour {

/// What delta of one epoch of balls-and-bins is the integral of, along a path of s.
///
/// With U = (X_1 + ... + X_T + B) / (T + B), delta in direction remove is the call E (U - e^eps)+,
/// in direction add the put E (1 - e^eps U)+. Both are f / (T + B) times an option on the sum of
/// all X at a strike K: for removal K = (T + B) e^eps - B >= T and f = 1, for addition
/// K = (T + B) e^-eps - B and f = e^eps. With phi as in RatioLaplace and
///   G(s) = f phi(s)^T e^{sK} s^-2 / (pi (T + B)):
///
/// **Addition**: delta is the integral of Re G(c + iy) over y > 0, for every c > 0.
/// **Removal**: for every rho > 0, delta is the integral of Re G(-rho + iy) over y > 0 and that of
/// F over v < log rho,
///   F(v) = -Im G(-e^v) e^v = -Im[phi(e^{v + i pi})^T] e^{-K e^v - v} / (pi (T + B)).
/// Proof. E (K - sum)+ = 1/(2 pi i) integral_{Re s = c} phi(s)^T e^{sK} s^-2 ds for c > 0. For
/// removal both halves of the line are moved to Re s = -rho, and reach it along the two sides of
/// the negative axis; on the small circle around 0 the integrand is s^-2 + (K - T) s^-1 + O(1),
/// which leaves K - T. So the integral is E (K - sum)+ - (K - T), which is E (sum - K)+. Its two
/// halves are conjugates. QED.
///
/// **Bounds.** phi is bounded by L(rho) = E[e^{rho X}; t < t_1] and H, what follows the turn at
/// t_1 (RatioLaplace::log_right_upper), at most.
/// - Upright, with the path moved by any eta, 0 <= mu eta <= pi/2, for all y >= Y >= 0
///     |phi(-rho + iy)| <= e^{eta^2/2} (L(rho cos(mu eta) - Y sin(mu eta)) + H),
///   and T log of it, less K rho, is convex in rho, so largest at an end of its range. H is what
///   follows the turn, one number for the whole range. Where the argument m of L is at most 0 for
///   all of the range, all of the path may be moved, as e^{m X} is at most 1, and nothing turns: H
///   is then E[e^{m X}; t > t_1] <= Pr[t > t_1] e^{m X(t_1)}, which keeps the sum convex.
/// - On the axis and beside it, with log rho in [a_0, a_1] and |Im v| = b, F has both sides,
///     F(v) = -(phi(e^{v + i pi})^T - phi(e^{v - i pi})^T) e^{-K e^v - v} / (2 pi i (T + B)),
///     |F| <= |phi_+ - phi_-| max(|phi_+|, |phi_-|)^{T-1} T e^{-K rho cos b} / (2 pi (T + B) rho),
///     |phi_+ - phi_-| <= H_+ + H_-,   |phi_+-| <= L(rho cos b) + max(H_+, H_-).
class OneEpochIntegrand {
 public:
  /// Domain: T >= 2 bins and B >= 0 blank ones, T + B a double; mu > 0.
  OneEpochIntegrand(double bins, double blank, double mu, Direction direction)
      : bins_(bins), blank_(blank), ratio_(mu), direction_(direction) {}

  /// K, what it is off by, its slope in epsilon, and log f, which is 0 or epsilon.
  struct EpochStrike {
    double value, error, slope, log_front;
  };
  EpochStrike strike(double epsilon) const;

  /// A place of the path, s = -rho + iy, and the integrand there without what the strike adds: on
  /// the axis, where y = 0, e^log_size factor; else the real part of e^{log_size + i angle}.
  struct PathNode {
    double rho, y;
    double log_size, angle;
    double factor;       ///< -sin(T arg phi)
    double size_error;   ///< relative
    double angle_error;  ///< absolute
  };
  /// Everything of it. slope: d value / d epsilon.
  struct NodeTerm {
    double modulus, value, slope, error;
  };
  static NodeTerm term(const PathNode& node, const EpochStrike& strike);

  /// The logarithm of a bound on the integrand, without what the strike adds.
  struct PathBound {
    double log_front;
    double log_power_low, rho_low;  ///< that of powers of phi, at two values of rho
    double log_power_high, rho_high;
    double at(const EpochStrike& strike) const;
  };

  /// F at a real v.
  PathNode on_axis(double v) const;
  /// On |F|, for Re v in [low, high] and |Im v| in [b_low, b_high], 0 <= b_low <= b_high < pi / 2.
  PathBound axis_bound(double low, double high, double b_low, double b_high) const;
  /// On the integral of |F| over v < from.
  ///
  /// The turn moves right with falling rho, so that w stays as it is: H falls at least like
  /// e^{t_1 (v - from) / mu}, and L is at most L(rho) + Pr[t > t_1] e^w, with the t_1 at `from`. So
  /// the integral is at most the bound there over t_1 / mu - 1, with what is larger of
  /// (L + H)^{T-1} e^{-K rho} at `from` and at 0: its logarithm is convex.
  PathBound axis_left(double from) const;
  /// Where F is about largest if a few ratios decide.
  double likely_top(const EpochStrike& strike) const;

  /// Re s = -rho, Im s >= 0, for a rho of either sign.
  struct Upright {
    double rho;
    RatioLaplace::Turn turn;
  };
  Upright upright(double rho) const { return {rho, ratio_.turn(rho)}; }
  PathNode on_upright(const Upright& line, double y) const;
  /// On |G| and its continuation, for |Re s + rho| <= sideways and Im s in [low, high]; sideways <
  /// |rho| unless low > 0 and rho > 0.
  PathBound upright_bound(const Upright& line, double low, double high, double sideways) const;
  /// On the integral of |G| over y > 0: (L + H)^T e^{-K rho} / (2 |rho| (T + B)).
  PathBound upright_total(double rho) const;
  /// On the integral of |G| over y > from.
  PathBound upright_end(const Upright& line, double from) const;

  double bins() const { return bins_; }
  double mu() const { return ratio_.mu(); }

 private:
  /// By which angle mu eta the path is best moved upright, about.
  double best_angle(double rho, double from, double turn, double log_rest) const;
  /// log |phi| at Re s = -rho, Im s >= from, at most, by a path moved so.
  ///   farthest: the largest rho of the range that the bound is for
  double log_moved(double rho, double farthest, double from, double angle, double turn,
                   double log_rest) const;

  double bins_, blank_;
  RatioLaplace ratio_;
  Direction direction_;
};

}  // namespace honest_epsilon::contour
