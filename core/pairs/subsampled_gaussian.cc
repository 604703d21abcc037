#include "core/pairs/subsampled_gaussian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/rounding.h"
#include "core/math/normal.h"

namespace honest_epsilon::pairs {
namespace {

Tails normal_tails(double z) {
  // One evaluation on the side where the tail is small; the other side is its complement.
  if (z >= 0) {
    const double above = normal::upper_tail(z);
    return {1 - above, above};
  }
  const double below = normal::upper_tail(-z);
  return {below, 1 - below};
}

}  // namespace

Mass between(const Tails& low, const Tails& high, double relative) {
  double value;
  double scale;
  if (high.below <= 0.5) {
    value = high.below - low.below;
    scale = high.below;
  } else if (low.above <= 0.5) {
    value = low.above - high.above;
    scale = low.above;
  } else {
    value = (1 - low.below) - high.above;
    scale = low.below + high.above + kUnit / relative;
  }
  return {std::max(value, 0.0), 2 * relative * scale};
}

Point SubsampledGaussian::at(double z) const {
  Point point;
  point.z = z;
  if (z == -kInfinity) {
    point.loss = lowest_loss();
    point.p = point.q = {0, 1};
    return point;
  }
  if (z == kInfinity) {
    point.loss = highest_loss();
    point.p = point.q = {1, 0};
    return point;
  }
  point.loss = loss(z);
  point.q = normal_tails(z);
  const Tails shifted = normal_tails(z - mu_);
  point.p = {(1 - q_) * point.q.below + q_ * shifted.below,
             (1 - q_) * point.q.above + q_ * shifted.above};
  return point;
}

double SubsampledGaussian::loss(double z) const {
  const double exponent = mu_ * z - mu_ * mu_ / 2;
  if (exponent > 700) return exponent + std::log(q_);
  return std::log1p(q_ * std::expm1(exponent));
}

double SubsampledGaussian::slope(double z) const {
  // mu q e^x / (1 - q + q e^x)
  const double x = mu_ * z - mu_ * mu_ / 2;
  return mu_ / (1 + (1 - q_) / q_ * std::exp(-x));
}

double SubsampledGaussian::position(double loss) const {
  if (loss <= lowest_loss()) return -kInfinity;
  double exponent;
  if (loss > 40) {
    exponent = loss - std::log(q_);
  } else {
    const double ratio = std::expm1(loss) / q_;
    if (ratio <= -1) return -kInfinity;
    exponent = std::log1p(ratio);
  }
  return (exponent + mu_ * mu_ / 2) / mu_;
}

double SubsampledGaussian::log_density_q(double z) const {
  return -0.5 * z * z - 0.91893853320467274178;
}

double SubsampledGaussian::lowest_loss() const { return q_ == 1 ? -kInfinity : std::log1p(-q_); }

double SubsampledGaussian::highest_loss() const { return kInfinity; }

double SubsampledGaussian::feature() const { return 1 / std::max(1.0, mu_); }

double SubsampledGaussian::relative_error(double z) const {
  if (!std::isfinite(z)) return normal::kRelativeError;
  // The tail's own error, and the rounding of mu and of z - mu, each magnified by the hazard,
  // which is below |z - mu| + 1.
  const double argument = std::abs(z - mu_) + 1;
  return normal::kRelativeError + 2 * kUnit * argument * (argument + mu_);
}

}  // namespace honest_epsilon::pairs
