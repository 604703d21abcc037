#pragma once

#include <cstdint>
#include <vector>

#include "core/pairs/pair.h"

namespace honest_epsilon::pairs {

/// One epoch of balls-and-bins with randomised response: each of T steps answers whether its batch
/// holds the record, truthfully with probability e^eps0 / (1 + e^eps0). The number N of ones among
/// the answers seen tells all that they do:
///   Q:  N ~ Bin(seen, 1 / (1 + e^eps0)),
///   P / Q = 1 - r + r (N e^eps0 + (seen - N) e^-eps0) / seen,   r = seen / (seen + missing),
/// which rises with N. The coordinate spreads the count n over (n, n + 1). Exact but for rounding.
/// Domain: 1 <= seen <= kMostSeen, missing >= 0, 0 < eps0 <= kMostEpsilon.
class ResponseCount : public Pair {
 public:
  static constexpr std::int64_t kMostSeen = std::int64_t{1} << 16;
  static constexpr double kMostEpsilon = 300;

  ResponseCount(std::int64_t seen, std::int64_t missing, double epsilon0);
  Cell cell(double low, double high) const override;
  double loss(double z) const override { return loss_[at(z)].value; }
  double slope(double) const override { return 0; }
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double lowest_loss() const override { return loss_.front().value; }
  double highest_loss() const override { return loss_.back().value; }
  double reach() const override { return static_cast<double>(loss_.size()); }
  double feature() const override { return 1; }
  double misplacement(double z, double) const override { return loss_[at(z)].error; }
  std::vector<double> atoms() const override { return {lowest_loss(), highest_loss()}; }
  std::vector<double> kinks() const override;

 private:
  std::size_t at(double z) const;

  std::vector<Mass> p_, q_;
  std::vector<Charged> loss_;  ///< rising
};

}  // namespace honest_epsilon::pairs
