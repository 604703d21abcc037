#pragma once

#include <cstddef>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/complex_functions.h"
#include "core/pairs/shift_mixture.h"

namespace honest_epsilon::contour {

/// The likelihood ratio of Gaussian noise on a random shift against noise alone, in units of the
/// noise: each of a person's records is in the batch or not, and shifts it by mu if it is,
///   R(t) = sum_j p_j e^{j mu t - (j mu)^2 / 2},   p_j = Bin(count, q)(j),   j <= most.
/// log R is convex in t, and its slope is mu times the mean of j by the weights p_j e^{...}.
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
  double farthest() const { return farthest_; }
  /// log p_0 and 1 - p_0, roughly; where bounds need them they are widened.
  double log_none() const { return log_weight_.front(); }
  double any() const { return any_; }
  std::size_t terms() const { return log_weight_.size(); }
  Charged weight(std::size_t j) const { return {weight_[j], weight_error_ * kUnit * weight_[j]}; }

  /// On the real line.
  struct RealValue {
    double log;         ///< log R
    double log_moving;  ///< log of its terms but the one of j = 0
    double mean;        ///< of j by the terms' sizes
    double variance;
    double blur;  ///< how far `log` may be off
  };
  RealValue real(double t) const;

  /// At nodes t + i eta, against a weight known by its logarithm: what a sum over them needs.
  struct NodeValue {
    Complex log;            ///< log R
    Complex rest;           ///< weight (log R - (R - 1))
    double rest_error;      ///< rounding error of `rest`, in units
    Complex excess;         ///< weight (R - 1)
    double excess_size;     ///< its modulus, or more
    double excess_error;    ///< rounding error of `excess` without that of R, in units
    double relative_error;  ///< of R, in units
  };
  class NodeRow {
   public:
    NodeRow(const ShiftRatio& ratio, double eta);
    NodeValue at(double t, double log_weight) const;

   private:
    const ShiftRatio* ratio_;
    double angle_;  ///< of one record
    /// cos(j theta), sin(j theta) and 2 sin(j theta / 2)^2.
    std::vector<double> cosine_, sine_, versine_;
  };

 private:
  double exponent(std::size_t j, double t) const;

  double mu_, farthest_, any_;
  std::vector<double> weight_, log_weight_;
  double weight_error_ = 0;  ///< of any of them, relative, in units
};

}  // namespace honest_epsilon::contour
