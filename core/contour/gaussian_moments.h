#pragma once

#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// The Gaussian pair N(mu) against N(0): L ~ N(mu^2/2, mu^2) in both directions,
///   K(z) = e^{mu^2 z (z+1) / 2},   |K(x + iy)| = e^{mu^2 (x (x+1) - y^2) / 2},
/// which falls with |y|. Any number of steps, and every mu-GDP release, is one such pair: their
/// squared shifts add up.
/// Domain: squared_shift = mu^2 >= 0. Error: that of three products and what mu^2 carries.
class GaussianMoments : public Moments {
 public:
  /// relative_error: of squared_shift.
  explicit GaussianMoments(double squared_shift, double relative_error = 0)
      : squared_shift_(squared_shift), relative_error_(relative_error) {}
  std::unique_ptr<const Column> column(Direction, double x, double) const override;
  double log_moment_estimate(Direction, double z) const override {
    return 0.5 * squared_shift_ * z * (z + 1);
  }
  double total_variation() const override;
  double largest_loss(Direction) const override;

 private:
  double squared_shift_;
  double relative_error_;
};

}  // namespace honest_epsilon::contour
