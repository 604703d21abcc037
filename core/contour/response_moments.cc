#include "core/contour/response_moments.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/interval.h"
#include "core/base/rounding.h"

namespace honest_epsilon::contour {
namespace {

class ResponseColumn : public Column {
 public:
  ResponseColumn(double epsilon, double x) : epsilon_(epsilon), x_(x) {}

  /// With w = (z + 1/2) epsilon turned so that Re w >= 0: w + log(1 + e^{-2w}) - epsilon/2 -
  /// log(1 + e^{-epsilon}).
  LogMoment log_moment(double y) const override {
    const Ball half = (Ball(x_) + Complex{0.5, y}) * epsilon_,
               w = half.value.real() < 0 ? -half : half;
    const Ball other = exp(Ball(-2.0) * w);
    // Nearby K is 0. Nothing is known but how small it is.
    if (!(modulus(1.0 + other.value) > 1e-6)) return {log_bound_beyond(y), std::log(3.0) + 1e-12};
    const Ball log = w + log1p(other) - rounded(offset(), 2 * kFunctionError);
    return {log.value, log.error};
  }

  double log_bound_beyond(double) const override {
    const double w = std::abs(x_ + 0.5) * epsilon_;
    return w + std::log1p(std::exp(-2 * w)) - offset() + 16 * kUnit * (w + epsilon_ + 1);
  }

 private:
  /// log(2 cosh(epsilon / 2))
  double offset() const { return 0.5 * epsilon_ + std::log1p(std::exp(-epsilon_)); }

  double epsilon_;
  double x_;
};

}  // namespace

std::unique_ptr<const Column> ResponseMoments::column(Direction, double x, double) const {
  return std::make_unique<ResponseColumn>(epsilon_, x);
}

double ResponseMoments::log_moment_estimate(Direction, double x) const {
  return ResponseColumn(epsilon_, x).log_bound_beyond(0);
}

double ResponseMoments::total_variation() const {
  return std::min(1.0, std::tanh(0.5 * epsilon_) * (1 + 8 * kUnit));
}

}  // namespace honest_epsilon::contour
