#pragma once

#include <cstddef>
#include <vector>

#include "core/base/ball.h"
#include "core/contour/turning_sum.h"

namespace honest_epsilon::contour {

/// sum_j p_j (e^{u_j} - 1),   u_j = w a_j.   Where the p_j add up to 1 it is sum_j p_j e^{u_j} - 1,
/// without the rounding of 1: each term is off by no more than a share of |u_j|.
class PowerSum {
 public:
  struct PowerTerm {
    Ball log_weight;  ///< log p
    Ball slope;       ///< a, Im a >= 0
  };

  explicit PowerSum(std::vector<PowerTerm> terms);
  Ball at(Complex w) const;

 private:
  friend class PowerClimb;
  /// A term, and |p e^u| + |p| from above.
  struct PowerValue {
    Ball value;
    double size;
  };
  PowerValue value(std::size_t j, Complex w) const;

  std::vector<PowerTerm> terms_;
  std::vector<Ball> weights_;  ///< p
};

/// The same on the heights w = x, x + ih, x + 2ih, ... one after the other.
///
/// A term T = p (e^u - 1) becomes T t + p (t - 1) at the next height, t = e^{iha}. As Im a >= 0,
/// |t| <= 1; no term of n heights is larger than S = min(|T| + n |p e^u| |t - 1|, |p e^u| + |p|), T
/// and u those of the first of them. A turn adds what t - 1 and p (t - 1) are off by, and 6 units
/// of S. Terms are computed anew before turns have added more than is asked. Those that have become
/// less than kLost of all are left out, and charged by |p e^u| + |p|, which falls with the height.
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

  /// t - 1 and p (t - 1) of a term.
  struct Turn {
    Ball turn, more;
  };
  const PowerSum* sum_;
  double x_, spacing_, most_error_;
  std::size_t next_, turns_left_ = 0;
  std::vector<Turn> turns_;
  std::vector<std::size_t> alive_;
  TurningSum turning_;
  double scale_ = 0;  ///< of the first height's moduli, at least 1
  double lost_ = 0;   ///< what terms left out may add
  double error_ = 0;  ///< of the sum at all heights until terms are computed anew
};

}  // namespace honest_epsilon::contour
