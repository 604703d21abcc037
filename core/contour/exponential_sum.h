#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/contour/turning_sum.h"
#include "core/math/complex_functions.h"

namespace honest_epsilon::contour {

/// sum_j p_j (e^{u_j} - 1 - u_j),   u_j = w a_j,   for complex w, Im w >= 0 and Im a_j >= 0.
///
/// With s_j >= |u_j|, the sum of its parts' moduli, a term has the sizes
///   of first order:    |p_j| (|e^{u_j}| + 1),             at most 1.72 |p_j| s_j where s_j <= 1,
///   of second order:   |p_j| (|e^{u_j}| + 1 + s_j),       at most |p_j| s_j^2 where s_j <= 1.
/// It is off by its own `units`, and 24 s_j, of the second, and by |w| `slope_units` of the first
/// and of `excess`.
class ExponentialSum {
 public:
  struct ExponentialTerm {
    Complex slope;           ///< a
    Complex phase;           ///< p / |p|
    double log_weight = 0;   ///< log |p|
    double units = 0;        ///< error of the term but for a's, and of the sum, in units
    double slope_units = 0;  ///< error of a, absolute, in units
    double excess = 0;       ///< what else of the caller's depends on a
  };
  /// Terms that are summed before their sum joins the total.
  static constexpr std::size_t kBlock = 16;

  /// sum_error: of adding up n terms, by blocks, in units of the sum of moduli.
  static double sum_error(std::size_t n) {
    const std::size_t additions = kBlock + n / kBlock + 2;
    return static_cast<double>(additions);
  }

  explicit ExponentialSum(std::size_t count);
  void set(std::size_t j, const ExponentialTerm& term);
  std::size_t count() const { return weight_.size(); }

  struct Value {
    Complex sum;
    double units = 0;  ///< of rounding
  };
  Value at(Complex w) const;

 private:
  friend class ClimbingSum;
  std::vector<double> slope_re_, slope_im_, phase_re_, phase_im_;
  std::vector<double> log_weight_, weight_, units_, slope_units_, excess_;
};

/// The same sum at w = x, x + ih, x + 2ih, ..., one after the other.
///
/// **Small terms**, s_j <= 1 up to a height Y, are one polynomial in y together: with u = u_j at x,
///   e^{u + iya} - 1 - u - iya = (e^u - 1 - u) + (e^u - 1) iya + e^u sum_{n >= 2} (iya)^n / n!.
/// - With t = y |a|, by parts too, |u| + t <= s <= 1 and |u| < 1/2; the three parts are at most
///   0.6 |u|^2, 1.3 |u| t and 0.98 t^2, together less than s^2.
/// - By parts a complex product rounds by 2 units. A summand of the third rounds by 9n + 12 (a
/// power
///   by 4 n, its a, its y and Horner's rule by 4 n), hence the part by e^|u| (9 t (e^t - 1) +
///   12 (e^t - 1 - t)) < 32 t^2; the second by 16 |u| t, and the first by 24 |u|^3 and 3 |u|^2:
///   less than 48 s^2 together.
/// - What follows n = 20 is below e t^21 / 21! < 1e-19 s^2, less than a thousandth of a unit.
/// - s = |u| + y |a| makes the charge a polynomial in y as well.
/// **Other terms** are turned from one height to the next by e^{iha}, and computed anew after
/// kTurns. A turn rounds by 3 units, and its factor is off by 10 (an exponential, a cosine, a
/// product) and 2 |ha|, with the phase 3 more. A modulus falls with the height, so the one that a
/// term had at the first of kTurns heights, and s at the last, charge all of them. Their parts -1 -
/// u are one linear function of y.
/// **Lost terms**, below kLost of the first sum's rounding each, are left out and charged by that.
class ClimbingSum {
 public:
  /// first: the height to begin with, in spacings.
  ClimbingSum(const ExponentialSum& sum, double x, double spacing, std::size_t first = 0);

  /// At the next height.
  ExponentialSum::Value next();

 private:
  static constexpr std::size_t kAlone = 8;  ///< heights that are summed term by term
  static constexpr std::size_t kTurns = 16, kPowers = 20;

  /// Of the powers of y / top.
  using PowerCoefficients = std::array<Complex, kPowers + 1>;

  void gather(double top);
  void add_small(std::size_t j, double size, PowerCoefficients& block);
  void start(double bottom);
  Complex small(double y) const;

  const ExponentialSum* terms_;
  double x_, spacing_;
  std::size_t next_, alone_;
  double log_lost_ = 0;
  struct Start {
    double re = 0, im = 0, size = 0;  ///< u at x, and its parts' sum
    Complex turn = 0;                 ///< by a spacing; none yet where 0
  };
  std::vector<Start> starts_;

  double top_ = 0;                             ///< small terms are small up to there
  PowerCoefficients coefficients_{};           ///< of their polynomial
  std::array<double, 3> small_units_{};        ///< of 1, y and y^2
  std::array<double, 2> small_slope_units_{};  ///< the same, times |w|
  std::vector<std::size_t> others_;
  std::size_t other_count_ = 0;
  Complex others_sum_ = 0, others_slope_ = 0;  ///< of their p (1 + u)

  std::size_t turns_left_ = 0;
  TurningSum turning_;
  double units_ = 0, slope_units_ = 0;  ///< at all heights until they are computed anew
};

}  // namespace honest_epsilon::contour
