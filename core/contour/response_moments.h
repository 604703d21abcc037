#pragma once

#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// Randomized response between two answers, the pair that dominates every (epsilon, 0)-private
/// release [KOV15, Thm 3.3]: the loss is epsilon with probability p = e^epsilon / (1 + e^epsilon)
/// under P and -epsilon else, in both directions:
///   K(z) = p e^{z epsilon} + (1-p) e^{-z epsilon} = cosh((z + 1/2) epsilon) / cosh(epsilon / 2),
/// whose modulus on a vertical line is at most that on the real one, and recurs: other steps must
/// fall beside it.
/// Domain: epsilon > 0, exact.
class ResponseMoments : public Moments {
 public:
  explicit ResponseMoments(double epsilon) : epsilon_(epsilon) {}
  std::unique_ptr<const Column> column(Direction, double x, double) const override;
  double log_moment_estimate(Direction, double x) const override;
  double total_variation() const override;
  double largest_loss(Direction) const override { return epsilon_; }

 private:
  double epsilon_;
};

}  // namespace honest_epsilon::contour
