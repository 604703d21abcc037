#pragma once

#include <memory>

#include "core/base/ball.h"
#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// A step whose loss is bounded by b and has the same law in both directions, so that
///   K(z) = f(w) / f(b/2),   w = (z + 1/2) b,   f even,
/// whose modulus on a vertical line is at most that on the real one. Domain: b > 0, exact.
class EvenMoments : public Moments {
 public:
  std::unique_ptr<const Column> column(Direction, double x, double) const override;
  double log_moment_estimate(Direction, double x) const override;
  double total_variation() const override;
  double largest_loss(Direction) const override { return bound_; }

  /// f, and whether it falls as 1/|w| along a line: |f(w)| <= cosh(Re w) / |w|.
  struct EvenFunction {
    LogMoment (*log)(const Ball& w);  ///< Domain: Re w >= 0
    bool falls;
  };

 protected:
  /// variation: tanh(variation b) is the total variation between P and Q
  EvenMoments(double bound, const EvenFunction& function, double variation)
      : bound_(bound), function_(function), variation_(variation) {}

 private:
  double bound_;
  EvenFunction function_;
  double variation_;
};

/// Randomized response between two answers, the pair that dominates every (epsilon, 0)-private
/// release [KOV15, Thm 3.3]: the loss is epsilon with probability p = e^epsilon / (1 + e^epsilon)
/// under P and -epsilon else, in both directions:
///   K(z) = p e^{z epsilon} + (1-p) e^{-z epsilon} = cosh(w) / cosh(epsilon / 2),
/// whose modulus recurs along a line: other steps must fall beside it.
class ResponseMoments : public EvenMoments {
 public:
  explicit ResponseMoments(double epsilon);
};

/// The pair that dominates every release of bounded range eta [DDR20], whose curve is
///   delta(epsilon) = (e^{epsilon/2} - e^{eta/2})^2 / (e^eta - 1),   |epsilon| <= eta.
/// Twice differentiated it is the law of the loss: in both directions, the density e^{t/2} /
/// (4 sinh(eta/2)) on [-eta, eta] under P. So
///   K(z) = (sinh(w) / w) / (sinh(eta/2) / (eta/2)).
class RangeMoments : public EvenMoments {
 public:
  explicit RangeMoments(double range);
};

}  // namespace honest_epsilon::contour
