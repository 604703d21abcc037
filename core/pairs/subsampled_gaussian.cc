#include "core/pairs/subsampled_gaussian.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/pairs/normal_cell.h"

namespace honest_epsilon::pairs {
namespace {

/// An excess q (r - 1) below this has lost digits of the ratio 1 + q (r - 1), which a sum of
/// positive terms, (1 - q) + q r, keeps.
constexpr double kLostDigits = -0.5;

/// Beyond it the normal density comes near the least double, and so does the mass of a narrow cell,
/// which would take the shifted mass along.
constexpr double kFar = 36;

}  // namespace

Cell SubsampledGaussian::cell(double low, double high) const {
  if (!(high > low)) return {};
  const double half = 0.5 * (high - low);
  const double centre = 0.5 * (low + high);
  const bool is_far = std::max(std::abs(low), std::abs(high)) > kFar;
  if (!is_far && (std::max(std::abs(centre), std::abs(centre - mu_)) + 4) * half <= kNarrow)
    return narrow_cell(low, high);
  return wide_cell(low, high);
}

Cell SubsampledGaussian::narrow_cell(double low, double high) const {
  const double half = 0.5 * (high - low);
  const double centre = 0.5 * (low + high);
  // Against exp(-centre x - x^2/2), the shifted density is exp(-(centre - mu) x - x^2/2) times e^E.
  const double plain = narrow_integral(centre, half);
  const double shifted = narrow_integral(centre - mu_, half);
  const double exponent = mu_ * centre - mu_ * mu_ / 2;
  const double relative = shifted / plain;
  Cell cell;
  // The rounding of E, of the series and of the sliver by which the float centre misses the middle.
  const double exponent_error = 4 * kUnit * (mu_ * std::abs(centre) + mu_ * mu_ / 2 + 4);
  // P/Q = 1 + q (e^E r - 1), with e^E r - 1 = expm1(E) r + (r - 1).
  const double growth = std::expm1(exponent);
  const double excess = q_ * (growth * relative + (relative - 1));
  double ratio = 1 + excess;
  if (q_ == 1) {
    ratio = std::exp(exponent) * relative;
    cell.loss = exponent + std::log(relative);
    cell.loss_error = exponent_error + 8 * kUnit;
  } else if (excess < kLostDigits) {
    const double tilt = q_ * std::exp(exponent);
    ratio = (1 - q_) + tilt * relative;
    cell.loss = std::log(ratio);
    cell.loss_error = tilt * relative * exponent_error / ratio + 8 * kUnit;
  } else {
    cell.loss = std::log1p(excess);
    cell.loss_error = (q_ * (growth + 1) * exponent_error + 4 * kUnit * q_) / ratio;
  }
  const double rise = std::min(mu_, mu_ * q_ * (growth + 1) / (1 + q_ * growth));
  cell.loss_error += 4 * kUnit * (std::abs(cell.loss) + std::abs(centre) * rise);
  const double q = 2 * half * normal::pdf(centre) * plain;
  const double q_relative = normal::kRelativeError + 8 * kUnit +
                            4 * kUnit * std::abs(centre) * (std::abs(centre) + 1 / half);
  cell.q = {q, q * q_relative};
  const double p = q * ratio;
  cell.p = {p, p * (q_relative + cell.loss_error + 4 * kUnit * (1 + std::abs(cell.loss)))};
  return cell;
}

Cell SubsampledGaussian::wide_cell(double low, double high) const {
  const Mass plain = normal_mass(low, high, 0), shifted = normal_mass(low, high, mu_);
  const double p = (1 - q_) * plain.value + q_ * shifted.value;
  return of_masses({p, (1 - q_) * plain.error + q_ * shifted.error + 4 * kUnit * p}, plain);
}

double SubsampledGaussian::loss(double z) const {
  const double exponent = mu_ * z - mu_ * mu_ / 2;
  if (q_ == 1) return exponent;
  if (exponent > 700) return exponent + std::log(q_);
  const double excess = q_ * std::expm1(exponent);
  return excess < kLostDigits ? std::log((1 - q_) + q_ * std::exp(exponent)) : std::log1p(excess);
}

double SubsampledGaussian::slope(double z) const {
  // mu q e^x / (1 - q + q e^x); with q = 1 the quotient would be 0 times infinity far below.
  if (q_ == 1) return mu_;
  const double x = mu_ * z - mu_ * mu_ / 2;
  return mu_ / (1 + (1 - q_) / q_ * std::exp(-x));
}

double SubsampledGaussian::position(double loss) const {
  if (loss <= lowest_loss()) return -kInfinity;
  double exponent;
  if (q_ == 1) {
    exponent = loss;
  } else if (loss > 40) {
    exponent = loss - std::log(q_);
  } else if (loss < kLostDigits) {
    // e^x = (R - (1 - q)) / q, of the distance to the lowest loss: q may be next to 1.
    exponent = std::log1p(-q_) - std::log(q_) + std::log(std::expm1(loss - lowest_loss()));
  } else {
    exponent = std::log1p(std::expm1(loss) / q_);
  }
  return (exponent + mu_ * mu_ / 2) / mu_;
}

double SubsampledGaussian::log_density_q(double z) const {
  return -0.5 * z * z - kHalfLogTwoPi;
}

double SubsampledGaussian::lowest_loss() const {
  return q_ == 1 ? -kInfinity : std::log1p(-q_);
}

double SubsampledGaussian::highest_loss() const {
  return kInfinity;
}

}  // namespace honest_epsilon::pairs
