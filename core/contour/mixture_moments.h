#pragma once

#include <memory>
#include <vector>

#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// A step whose kind is drawn first, by the same law for both datasets, and revealed to the
/// adversary. Its loss is that of the kind drawn, and so
///   K(z) = sum_i w_i K_i(z).
///
/// Domain: weights w_i > 0 whose sum is exactly 1.
class MixtureMoments : public Moments {
 public:
  struct WeightedMoments {
    double weight;
    std::shared_ptr<const Moments> moments;  ///< none: it reveals nothing, K_i = 1
  };

  explicit MixtureMoments(std::vector<WeightedMoments> kinds) : kinds_(std::move(kinds)) {}
  std::unique_ptr<const Column> column(Direction direction, double x,
                                       double log_precision) const override;
  double log_moment_estimate(Direction direction, double x) const override;
  double total_variation() const override;
  double largest_loss(Direction direction) const override;
  double lowest_place(Direction direction) const override;
  bool reaches_far(Direction direction) const override;

 private:
  std::vector<WeightedMoments> kinds_;
};

}  // namespace honest_epsilon::contour
