#pragma once

#include <cstddef>
#include <vector>

#include "core/base/ball.h"
#include "core/contour/turning_sum.h"

namespace honest_epsilon::contour {

/// sum_j p_j (e^{u_j} - 1 - u_j) + w L,   u_j = w a_j.   Where the p_j add up to 1 and the p_j a_j
/// to L it is sum_j p_j e^{u_j} - 1; each term is off by no more than a share of |u_j|^2.
class PowerSum {
 public:
  struct PowerTerm {
    Ball log_weight;  ///< log p
    Ball slope;       ///< a, Im a >= 0
  };

  PowerSum(std::vector<PowerTerm> terms, const Ball& linear);
  Ball at(Complex w) const;

 private:
  friend class PowerClimb;
  /// A term, and |p e^u| + |p| from above.
  struct PowerValue {
    Ball value;
    double size;
  };
  PowerValue value(std::size_t j, const Ball& u) const;

  std::vector<PowerTerm> terms_;
  std::vector<Ball> weights_;  ///< p
  Ball linear_;                ///< L
};

/// The same on the heights w = x, x + ih, x + 2ih, ... one after the other.
///
/// **Small terms**, |u| < 1 for n heights: T = p (e^u - 1 - u) becomes T t + m at the next height,
/// with d = iha, t = e^d and
///   m = p (t - 1 - d) + p u (t - 1),
/// which grows by p d (t - 1). As Im a >= 0, |t| <= 1: within n heights no m is larger than
/// M = |m| + n |p d (t - 1)|, and no term than S = |T| + n M, by those of the first height. A turn
/// adds what t and m are off by, and 7 units of S.
/// **Other terms** are p e^u, which t turns; their -p (1 + u) are one linear function of w.
/// All are computed anew before turns have added more than is asked. Those with |p e^u| + |p| below
/// kLost are left out, and charged by that, which falls with the height, and by |p u|.
class PowerClimb {
 public:
  /// The sum must outlive its climbs.   spacing: h, of so few bits that its multiples are exact;
  /// most_error: what turns may add, against the first height's moduli; first: the height to begin
  /// with, in spacings
  PowerClimb(const PowerSum& sum, double x, double spacing, double most_error,
             std::size_t first = 0);
  Ball next();

 private:
  static constexpr std::size_t kMostTurns = 64;

  void compute_at(double y);

  /// d, t - 1, p (t - 1 - d), p (t - 1) and p d (t - 1) of a term.
  struct Turn {
    Ball angle, turn, rest, more, step;
  };

  const PowerSum* sum_;
  double x_, spacing_, most_error_;
  std::size_t next_, turns_left_ = 0;
  std::vector<Turn> turns_;
  std::vector<std::size_t> alive_;
  TurningSum turning_;
  Ball constant_, linear_;            ///< of w, in addition to what turns
  double scale_ = 0;                  ///< of the first height's moduli, at least 1
  double lost_ = 0, lost_slope_ = 0;  ///< what terms left out may add, and times |w|
  double error_ = 0;                  ///< of the sum at all heights until terms are computed anew
};

}  // namespace honest_epsilon::contour
