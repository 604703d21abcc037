#include "core/contour/even_moments.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/constants.h"

namespace honest_epsilon::contour {
namespace {

/// w + log(1 + sign e^{-2w}) - log_rest; near a zero the error has no end.
LogMoment log_of_two(const Ball& w, double sign, const Ball& log_rest) {
  const Ball other = sign * exp(Ball(-2.0) * w);
  if (!(modulus(1.0 + other.value) > 1e-6)) return {0, kInfinity};
  const Ball log = w + log1p(other) - log_rest;
  return {log.value, log.error};
}

LogMoment log_cosh(const Ball& w) {
  return log_of_two(w, 1, rounded(kLogTwo, 1));
}

/// sinh(w) / w - 1 for |w| < 1, whose slope is at most 0.4: its series, of which what follows is
/// below 1e-17 of |w|^2. Its sum rounds by less than 6 units, its product with w^2 / 6 by 6 more.
Ball sinh_ratio_rest(const Ball& w) {
  constexpr int kTerms = 8;
  const Complex square = times(w.value, w.value);
  Complex sum = 1;
  for (int n = kTerms; n > 1; --n) sum = 1.0 + times(square, sum) / (2.0 * n * (2.0 * n + 1));
  const double size = std::norm(w.value);
  return Ball::widened(times(square, sum) / 6.0, 0.4 * w.error + 4 * kUnit * size + kTiny);
}

/// log(sinh(w) / w)
LogMoment log_sinh_ratio(const Ball& w) {
  if (modulus(w.value) + w.error < 1) return log_moment_of(sinh_ratio_rest(w));
  return log_of_two(w, -1, log(Ball(2.0) * w));
}

class EvenColumn : public Column {
 public:
  EvenColumn(double bound, const EvenMoments::EvenFunction& function, double x)
      : bound_(bound), function_(function), x_(x), half_(function.log(Ball(0.5 * bound))) {}

  LogMoment log_moment(double y) const override {
    const LogMoment at = function_.log(place(y));
    if (!(at.error < kInfinity)) return no_more_than(log_bound_beyond(y));
    const Ball log = Ball(at.value, at.error) - Ball(half_.value, half_.error);
    return {log.value, log.error};
  }

  double log_bound_beyond(double y) const override {
    if (std::isinf(y) && function_.falls) return -kInfinity;
    const Ball at_zero = place(0);
    const LogMoment real = function_.log(at_zero);
    const double x = at_zero.value.real();
    double most = real.value.real() + real.error;
    if (function_.falls) {
      const double size = std::log(std::hypot(x, bound_ * y));
      const double fallen = x + std::log1p(std::exp(-2 * x)) - kLogTwo - size;
      most = std::min(most, fallen + 8 * kUnit * std::abs(size));
    }
    return most - half_.value.real() + half_.error + 16 * kUnit * (x + bound_ + 1);
  }

 private:
  /// w, or -w, whichever lies to the right.
  Ball place(double y) const {
    const Ball w = (Ball(x_) + Complex{0.5, y}) * bound_;
    return w.value.real() < 0 ? -w : w;
  }

  double bound_;
  EvenMoments::EvenFunction function_;
  double x_;
  LogMoment half_;  ///< log f(b/2)
};

}  // namespace

std::unique_ptr<const Column> EvenMoments::column(Direction, double x, double) const {
  return std::make_unique<EvenColumn>(bound_, function_, x);
}

double EvenMoments::log_moment_estimate(Direction, double x) const {
  return EvenColumn(bound_, function_, x).log_bound_beyond(0);
}

double EvenMoments::total_variation() const {
  return std::min(1.0, std::tanh(variation_ * bound_) * (1 + 8 * kUnit));
}

ResponseMoments::ResponseMoments(double epsilon) : EvenMoments(epsilon, {log_cosh, false}, 0.5) {}

RangeMoments::RangeMoments(double range) : EvenMoments(range, {log_sinh_ratio, true}, 0.25) {}

}  // namespace honest_epsilon::contour
