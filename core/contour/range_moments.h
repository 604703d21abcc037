#pragma once

#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// The pair that dominates every release of bounded range eta [DDR20], whose curve is
///   delta(epsilon) = (e^{epsilon/2} - e^{eta/2})^2 / (e^eta - 1),   |epsilon| <= eta.
/// Twice differentiated it is the law of the loss: in both directions, the density e^{t/2} /
/// (4 sinh(eta/2)) on [-eta, eta] under P. So with w = (z + 1/2) eta
///   K(z) = (sinh(w) / w) / (sinh(eta/2) / (eta/2)),
/// whose modulus on a vertical line is at most that on the real one, and falls as 1/|w|.
/// Domain: eta > 0, exact.
class RangeMoments : public Moments {
 public:
  explicit RangeMoments(double range) : range_(range) {}
  std::unique_ptr<const Column> column(Direction, double x, double) const override;
  double log_moment_estimate(Direction, double x) const override;
  double total_variation() const override;
  double largest_loss(Direction) const override { return range_; }

 private:
  double range_;
};

}  // namespace honest_epsilon::contour
