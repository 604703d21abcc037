#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rounding.h"

namespace honest_epsilon::monte_carlo {

/// So many ratios are asked for at a time.
constexpr std::size_t kTile = 256;

/// The size of the next tile, where `left` values are still to come.
inline std::size_t tile_of(std::int64_t left) {
  return static_cast<std::size_t>(std::min<std::int64_t>(left, kTile));
}

/// Relative error of the sum of so many positive numbers, added tile by tile.
inline double adding_error(double count) {
  return (count / kTile + kTile / 8.0 + 20) * kUnit;
}

/// U(z) = exp(mu z - mu^2/2) as a function of the upper-tail probability p of z: seventh-degree
/// interpolation on 32 intervals an octave of p, and of 1 - p above 1/2. So a uniform p becomes a
/// ratio in a quarter of the time that the quantile and its exponential take, which serve where the
/// table does not: p below 2^-54, mu above 20.
class RatioTable {
 public:
  using Coefficients = std::array<double, 8>;  ///< of one interval's polynomial

  explicit RatioTable(double mu);

  /// Relative error. With s the largest |d log U / d log p| = mu Mills(z) <= 1.2534 mu, the
  /// interpolation is off by (s + 7 choose 8) 64^-8 / 128: 2e-14 at mu = 4, 3e-10 at mu = 20.
  double error() const;

  /// ratio[i] = U at p[i]; 0 < p[i] < 1. The two do not overlap.
  void operator()(std::span<const double> p, std::span<double> ratio) const;

 private:
  double direct(double p) const;  ///< by quantile and exponential
  void add_intervals(bool upper_half);

  double mu_;
  std::vector<Coefficients> interval_;  ///< by p <= 1/2, then by 1 - p < 1/2; or none
};

}  // namespace honest_epsilon::monte_carlo
