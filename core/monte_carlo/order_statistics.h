#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/math/variates.h"

namespace honest_epsilon::monte_carlo {

/// Ranks for `count` coordinates: 1 to 128, then ever wider gaps, each about 1/48 of its rank.
std::vector<std::int64_t> automatic_orders(std::int64_t count);

/// Some of the order statistics of `count` independent uniforms on (0, 1), smallest first: the
/// k-th smallest is the upper-tail probability of the k-th largest of `count` coordinates.
///
/// With G_k a sum of k standard exponentials, the k-th smallest are jointly G_k / G_(count + 1), so
/// one gamma variate is drawn for every gap between ranks. By the ratios of neighbours this is
/// [BB25, Alg 6] with beta parameters R - k_i + 1 and k_i - k_(i-1), R = count: what the induction
/// in the proof of its Theorem B.5 needs, where the print there has R - k_(i-1) + 1.
class OrderStatistics {
 public:
  /// `orders`: increasing, from 1 on; those beyond `count` are left out.
  OrderStatistics(std::int64_t count, std::span<const std::int64_t> orders);

  /// The probabilities, valid until the next call.
  std::span<const double> draw(variates::Generator& source);

  /// For decreasing y^(1) >= ... >= y^(count) >= 0 and y_i = y^(k_i):
  ///   sum_i above[i] y_i >= sum_k y^(k) >= sum_i below[i] y_i,
  ///   above[i] = k_(i+1) - k_i, with k_(r+1) = count + 1;   below[i] = k_i - k_(i-1), with k_0 =
  ///   0.
  /// The first holds when k_1 = 1. Cite: [BB25, (4), (5)]; (4) is printed with k_(r+1) = count,
  /// which leaves the last coordinate out.
  std::span<const double> above() const { return above_; }
  std::span<const double> below() const { return below_; }

 private:
  std::vector<double> above_;
  std::vector<double> below_;
  variates::GammaBatch gaps_;
  std::vector<double> value_;
};

}  // namespace honest_epsilon::monte_carlo
