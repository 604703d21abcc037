#pragma once

#include <cstddef>
#include <vector>

#include "core/base/ball.h"
#include "core/pairs/shift_mixture.h"

namespace honest_epsilon::contour {

/// The likelihood ratio of Gaussian noise on a random shift against noise alone, in units of the
/// noise: each of a person's records is in the batch or not, and shifts it by mu if it is,
///   R(t) = sum_j p_j e^{j mu t - (j mu)^2 / 2},   p_j = Bin(count, q)(j),   j <= most.
/// log R is convex and rises in t, with a slope below most mu.
///
/// **A cone.** At t + is the terms' angles are j theta, theta = mu s, all between 0 and most
/// theta =: angle. While angle < pi,
///   0 <= arg R <= angle   and   cos(angle / 2) R(t) <= |R(t + is)| <= R(t),
/// since every term's part along the direction angle / 2 is at least cos(angle / 2) of it.
///
/// Domain: 0 < q < 1, a double taken as it is; mu > 0, known to one unit in its last place.
class ShiftRatio {
 public:
  ShiftRatio(const pairs::Records& records, double mu);

  double shift() const { return mu_; }
  /// The largest shift, most mu.
  double farthest() const { return mu_ * static_cast<double>(weight_.size() - 1); }
  /// log p_0, roughly; where bounds need it they are widened.
  double log_none() const { return log_weight_.front().value.real(); }
  /// 1 - p_0, rounded up.
  double any() const { return any_; }
  std::size_t terms() const { return weight_.size(); }
  const Ball& weight(std::size_t j) const { return weight_[j]; }

  /// log R and R - 1 at a complex t.
  struct RatioValue {
    Ball log, excess;
  };
  RatioValue at(Complex t) const;
  Ball log(Complex t) const { return at(t).log; }

 private:
  double mu_, any_;
  std::vector<Ball> weight_, log_weight_;
};

}  // namespace honest_epsilon::contour
