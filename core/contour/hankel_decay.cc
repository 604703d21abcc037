#include "core/contour/hankel_decay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/log_gamma.h"

namespace honest_epsilon::contour {

double TransformFall::log_size_beyond(double v) const {
  if (v >= last) return log_last;
  const auto next = std::upper_bound(steps.begin(), steps.end(), v,
                                     [](double at, const FallStep& step) { return at < step.v; });
  return next == steps.begin() ? 0 : std::prev(next)->log_size;
}

HankelDecay::HankelDecay(double power, double sigma, double log_first, TransformFall fall)
    : order_(power + 1),
      log_scale_(log_first - power * std::log(sigma) - 2 * kHalfLogTwoPi),
      log_ridge_(kHalfLogTwoPi + (order_ - 0.5) * std::log(order_) - order_ + 0.5 +
                 1 / (6 * order_)) {
  fall.steps.push_back({fall.last, 0});
  for (std::size_t i = 0; i + 1 < fall.steps.size(); ++i) {
    const double low = fall.steps[i].v / sigma, high = fall.steps[i + 1].v / sigma;
    const double begin = std::atan(low), end = std::atan(high);
    stretches_.push_back(
        {high, begin, end, -0.5 * std::log1p(low * low), -0.5 * std::log1p(high * high),
         fall.steps[i].log_size + std::log(std::min((high - low) / (1 + low * low), 1 / low))});
  }
  // Beyond, (last / v)^2 cos(psi)^{-3/2} falls with psi; both sides, each shorter than 1 /
  // tan(psi).
  const Stretch& end = stretches_.back();
  log_rest_ = log_ridge_ + fall.log_last - 1.5 * end.log_cos_end - std::log(end.slope) + kLogTwo;
}

double HankelDecay::log_bound_beyond(double y) const {
  // Farther up the bound is that of this height, before rounding makes it worse.
  const double finite = std::min(y, 1e8);
  const Ball weight = log_power_over_gamma({order_, finite}, 1, 0);
  const double log_gamma = weight.error - weight.value.real();
  constexpr std::int64_t kStretchWork = 6;
  work::spend(kStretchWork * static_cast<std::int64_t>(stretches_.size()));
  LogSum sum;
  sum.add(log_rest_);
  for (const Stretch& stretch : stretches_) {
    sum.add(stretch.log_size +
            (finite >= order_ * stretch.slope
                 ? log_gamma + finite * stretch.end + (order_ - 2) * stretch.log_cos_end
                 : log_ridge_ - 1.5 * stretch.log_cos_end));
    sum.add(stretch.log_size + log_gamma - finite * stretch.begin +
            (order_ - 2) * stretch.log_cos_begin);
  }
  // Exponents are sums of a few products, each at most this large.
  const double sizes = std::abs(log_scale_) + std::abs(log_gamma) + 2 * finite +
                       order_ * (1 + std::abs(std::log(order_)));
  const double log_bound = log_scale_ + sum.log_upper() + 32 * kUnit * (64 + sizes) + 1e-9;
  return log_bound < kInfinity ? log_bound : kInfinity;
}

}  // namespace honest_epsilon::contour
