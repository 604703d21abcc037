#include "core/contour/range_moments.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/interval.h"
#include "core/base/rounding.h"

namespace honest_epsilon::contour {
namespace {

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

/// log(sinh(w) / w). Domain: Re w >= 0.
LogMoment log_sinh_ratio(const Ball& w) {
  if (modulus(w.value) + w.error < 1) return log_moment_of(sinh_ratio_rest(w));
  const Ball other = -exp(Ball(-2.0) * w);
  // Nearby it is 0, and the error has no end.
  if (!(modulus(1.0 + other.value) > 1e-6)) return {0, kInfinity};
  const Ball log_of_ratio = w + log1p(other) - log(Ball(2.0) * w);
  return {log_of_ratio.value, log_of_ratio.error};
}

class RangeColumn : public Column {
 public:
  RangeColumn(double range, double x)
      : range_(range), x_(x), half_(log_sinh_ratio(Ball(0.5 * range))) {}

  LogMoment log_moment(double y) const override {
    const LogMoment ratio = log_sinh_ratio(place(y));
    if (!(ratio.error < kInfinity)) return {log_bound_beyond(y), std::log(3.0) + 1e-12};
    const Ball log = Ball(ratio.value, ratio.error) - Ball(half_.value, half_.error);
    return {log.value, log.error};
  }

  /// The smaller of K on the real line and cosh(Re w) / |w|.
  double log_bound_beyond(double y) const override {
    if (std::isinf(y)) return -kInfinity;
    const Ball at_zero = place(0);
    const LogMoment real = log_sinh_ratio(at_zero);
    const double x = at_zero.value.real(), size = std::log(std::hypot(x, range_ * y));
    const double fallen = x + std::log1p(std::exp(-2 * x)) - std::log(2.0) - size;
    const double rounding = 16 * kUnit * (x + range_ + 1);
    return std::min(real.value.real() + real.error, fallen + 8 * kUnit * std::abs(size)) -
           half_.value.real() + half_.error + rounding;
  }

 private:
  /// w, or -w, whichever lies to the right: K is even in w.
  Ball place(double y) const {
    const Ball w = (Ball(x_) + Complex{0.5, y}) * range_;
    return w.value.real() < 0 ? -w : w;
  }

  double range_, x_;
  LogMoment half_;  ///< of w = range / 2
};

}  // namespace

std::unique_ptr<const Column> RangeMoments::column(Direction, double x, double) const {
  return std::make_unique<RangeColumn>(range_, x);
}

double RangeMoments::log_moment_estimate(Direction, double x) const {
  return RangeColumn(range_, x).log_bound_beyond(0);
}

double RangeMoments::total_variation() const {
  return std::min(1.0, std::tanh(0.25 * range_) * (1 + 8 * kUnit));
}

}  // namespace honest_epsilon::contour
