#pragma once

#include <cstddef>
#include <vector>

#include "core/math/wide.h"

namespace honest_epsilon::rdp {

/// Moments of S, the average of T independent lognormals U of mean one, log U ~ N(-mu^2/2, mu^2):
/// the likelihood ratio of one epoch of balls-and-bins. All sums have positive terms.
///
///   c_j = E[(U - 1)^j] >= 0:  c_0 = 1, c_1 = 0, and with r = e^{mu^2}, since E[U f(U)] = E[f(r U)]
///   and r U - 1 = r (U - 1) + (r - 1),
///     c_j = sum_{i <= j-2} C(j-1, i) r^i (r-1)^{j-1-i} c_i + (r^{j-1} - 1) c_{j-1}
///   E[(S - 1)^n] = n! T^-n [x^n] (sum_j c_j x^j / j!)^T
///   E[S^a] - 1 = sum_{n >= 2} C(a, n) E[(S - 1)^n]
class BinMoments {
 public:
  /// Orders above this one are not computed: the work grows with the square of the order.
  static constexpr std::size_t kMostOrder = 2048;

  /// Domain: a whole number of bins >= 1, mu > 0.
  BinMoments(double bins, double mu) : bins_(bins), mu_(mu) {}

  /// log(E[S^order] - 1), rounded up. Domain: 2 <= order <= kMostOrder.
  double log_excess_upper(std::size_t order);

 private:
  void prepare(std::size_t order);
  std::vector<Wide> single(std::size_t order) const;
  std::vector<Wide> recurrence(const std::vector<Wide>& base) const;
  std::vector<Wide> power(const std::vector<Wide>& base);

  double bins_;
  double mu_;
  double multiplications_ = 0;
  std::vector<Wide> moments_;  ///< E[(S - 1)^n] / n!
};

}  // namespace honest_epsilon::rdp
