#pragma once

#include "core/base/rounding.h"
#include "core/contour/ratio_laplace.h"

namespace honest_epsilon::contour {

/// F, whose integral is delta of one epoch of balls-and-bins in direction remove.
///
/// With U = (X_1 + ... + X_T + B) / (T + B) and k = e^eps >= 1, delta is E (U - k)+, a call on the
/// sum of all X at the strike K = (T + B) k - B >= T. With phi as in RatioLaplace,
///   delta = integral_R F(v) dv,   F(v) = -Im[phi(e^{v + i pi})^T] e^{-K e^v - v} / (pi (T + B)).
/// Proof. E (K - sum)+ = 1/(2 pi i) integral_{Re s = c} phi(s)^T e^{sK} s^-2 ds for c > 0. Both
/// halves of the line are turned about 0 onto the two sides of the negative axis, where phi is
/// bounded and e^{sK} falls; on the small circle around 0 the integrand is
/// s^-2 + (K - T) s^-1 + O(1), which leaves K - T. So the integral is E (K - sum)+ - (K - T), which
/// is E (sum - K)+. Its two sides are conjugates. QED.
///
/// With both sides F is entire:
///   F(v) = -(phi(e^{v + i pi})^T - phi(e^{v - i pi})^T) e^{-K e^v - v} / (2 pi i (T + B)).
///
/// **Bounds.** On log rho in [a_0, a_1] and |Im v| = b, with one turn t_1,
///   |F| <= |phi_+ - phi_-| max(|phi_+|, |phi_-|)^{T-1} T e^{-K rho cos b} / (2 pi (T + B) rho),
///   |phi_+ - phi_-| <= H_+ + H_-,   |phi_+-| <= L(rho cos b) + max(H_+, H_-),
/// H_+- what follows the turn (RatioLaplace::log_right_upper). L is a mean of exponentials of rho:
/// (T-1) log(L + H) - K rho cos b is convex in rho cos b, and largest at an end of its range.
class CallIntegrand {
 public:
  /// Domain: T >= 2 bins and B >= 0 blank ones, T + B a double; mu > 0.
  CallIntegrand(double bins, double blank, double mu) : bins_(bins), blank_(blank), ratio_(mu) {}

  /// K, what it is off by, and its slope in epsilon.
  struct CallStrike {
    double value, error, slope;
  };
  CallStrike strike(double epsilon) const;

  /// F at a real v, without what the strike adds, as e^log_size sine.
  struct CallNode {
    double rho, log_size;
    double sine;         ///< -sin(T arg phi)
    double size_error;   ///< relative
    double angle_error;  ///< absolute
  };
  CallNode at(double v) const;

  struct CallTerm {
    double modulus, value, error;
  };
  /// F itself; modulus: without the sine.
  static CallTerm term(const CallNode& sample, const CallStrike& strike);

  /// The logarithm of a bound on |F|, without what the strike adds.
  struct Bound {
    double log_front;
    double log_power_low, rho_low;  ///< (T-1) log(L + H), and rho cos b, where the latter is least
    double log_power_high, rho_high;
    double at(double strike) const;
  };
  /// For Re v in [low, high] and |Im v| in [b_low, b_high], 0 <= b_low <= b_high < pi / 2.
  Bound bound(double low, double high, double b_low, double b_high) const;

  /// log of the integral of |F(a + ib)| over a < from, at most, whatever the strike.
  ///
  /// The turn moves right with falling rho, so that w stays as it is: H falls at least like
  /// e^{t_1 (a - from) / mu}, L is at most L(rho) + Pr[t > t_1] e^w at `from`, and the integral is
  /// at most the bound there, without e^{-K rho cos b}, over t_1 / mu - 1.
  double log_left(double from, double b) const;

  /// log of |integral of F over v > from|, at most.
  ///
  /// From -rho + i0 the path turns up, along Re s = -rho. There, as on the axis, |phi| <= L(rho) +
  /// H with the same turn (RatioLaplace): what follows adds at most
  ///   (L(rho) + H)^T e^{-K rho} / (2 rho (T + B)).
  double log_beyond(double from, const CallStrike& strike) const;

  /// Where F is about largest if a few ratios decide.
  double likely_top(const CallStrike& strike) const;

  double mu() const { return ratio_.mu(); }

 private:
  double bins_, blank_;
  RatioLaplace ratio_;
};

}  // namespace honest_epsilon::contour
