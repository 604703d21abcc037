#include "core/contour/gaussian_moments.h"

#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::contour {
namespace {

/// In closed form.
class GaussianColumn : public Column {
 public:
  GaussianColumn(double squared_shift, double relative_error, double x)
      : half_(0.5 * squared_shift), relative_error_(relative_error + 8 * kUnit), x_(x) {}

  LogMoment log_moment(double y) const override {
    // Every product and sum rounds relative to the moduli of (x + iy)(x + 1 + iy).
    const double size = (std::abs(x_) + y) * (std::abs(x_ + 1) + y);
    return {{half_ * (x_ * (x_ + 1) - y * y), half_ * (2 * x_ + 1) * y},
            2 * relative_error_ * half_ * size};
  }

  double log_bound_beyond(double y) const override {
    if (half_ == 0) return 0;
    if (std::isinf(y)) return -kInfinity;
    const LogMoment at = log_moment(y);
    return at.value.real() + at.error;
  }

 private:
  double half_;
  double relative_error_;
  double x_;
};

class GaussianRule : public Rule {
 public:
  GaussianRule(double squared_shift, double relative_error)
      : squared_shift_(squared_shift), relative_error_(relative_error) {}
  std::unique_ptr<const Column> column(double x) const override {
    return std::make_unique<GaussianColumn>(squared_shift_, relative_error_, x);
  }

 private:
  double squared_shift_;
  double relative_error_;
};

}  // namespace

std::shared_ptr<const Rule> GaussianMoments::rule(Direction, const Reach&) const {
  return std::make_shared<GaussianRule>(squared_shift_, relative_error_);
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
