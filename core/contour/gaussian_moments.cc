#include "core/contour/gaussian_moments.h"

#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::contour {
namespace {

class GaussianColumn : public Column {
 public:
  GaussianColumn(const Ball& half, double x) : half_(half), x_(x) {}

  LogMoment log_moment(double y) const override {
    const Complex z{x_, y};
    const Ball log = half_ * z * (1.0 + Ball(z));
    return {log.value, log.error};
  }

  double log_bound_beyond(double y) const override {
    if (half_.value == 0.0) return 0;
    if (std::isinf(y)) return -kInfinity;
    const LogMoment at = log_moment(y);
    return at.value.real() + at.error;
  }

 private:
  Ball half_;
  double x_;
};

}  // namespace

std::unique_ptr<const Column> GaussianMoments::column(Direction, double x, double) const {
  const double half = 0.5 * squared_shift_;
  return std::make_unique<GaussianColumn>(Ball(half, relative_error_ * half), x);
}

double GaussianMoments::total_variation() const {
  if (squared_shift_ == 0) return 0;
  return gaussian::delta(std::sqrt(squared_shift_ * (1 + relative_error_)) * (1 + 2 * kUnit), 0)
      .upper;
}

double GaussianMoments::largest_loss(Direction) const {
  return squared_shift_ > 0 ? kInfinity : 0;
}

}  // namespace honest_epsilon::contour
