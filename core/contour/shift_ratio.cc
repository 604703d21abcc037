#include "core/contour/shift_ratio.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"

namespace honest_epsilon::contour {
namespace {

/// Beyond e^30 a term's expm1 is the term.
constexpr double kLargeExponent = 30;

/// The last n of sum (-r)^n / n that counts where |r|^2 = `square` <= 1/16: what follows is below
/// 3e-17 of |r|^2 / 2.
int log1p_terms(double square) {
  return square < 1e-12 ? 4 : square < 1e-6 ? 7 : square < 1e-3 ? 12 : 27;
}

/// log(1 + r) - r for |r| <= 1/4.
Complex log1p_minus_series(Complex r) {
  const double x = r.real(), y = r.imag();
  double re = 0, im = 0;
  for (int n = log1p_terms(std::norm(r)); n >= 2; --n) {
    const double next = re * x - im * y + (n % 2 == 1 ? 1.0 : -1.0) / n;
    im = re * y + im * x;
    re = next;
  }
  const double square_re = x * x - y * y, square_im = 2 * x * y;
  return {re * square_re - im * square_im, re * square_im + im * square_re};
}

}  // namespace

ShiftRatio::ShiftRatio(const pairs::Records& records, double mu)
    : mu_(mu), farthest_(mu * static_cast<double>(records.most)) {
  const double q = records.q;
  if (records.count == 1) {
    weight_ = {1 - q, q};
    log_weight_ = {std::log1p(-q), std::log(q)};
    any_ = q;
  } else {
    const pairs::ShiftWeights shifts = pairs::shifts_of(records, mu);
    log_weight_ = shifts.log_weight;
    for (const double log : log_weight_) weight_.push_back(std::exp(log));
    weight_error_ = *std::max_element(shifts.error.begin(), shifts.error.end()) / kUnit;
    any_ = -std::expm1(log_weight_.front());
  }
  // Of a logarithm that stands for its weight, or a weight that stands for its logarithm.
  const double largest = -*std::min_element(log_weight_.begin(), log_weight_.end());
  weight_error_ += 4 * (1 + largest);
}

double ShiftRatio::exponent(std::size_t j, double t) const {
  const double shift = static_cast<double>(j) * mu_;
  return shift * (t - 0.5 * shift);
}

ShiftRatio::RealValue ShiftRatio::real(double t) const {
  double top = log_weight_[0], top_moving = -kInfinity;
  for (std::size_t j = 1; j < terms(); ++j)
    top_moving = std::max(top_moving, log_weight_[j] + exponent(j, t));
  top = std::max(top, top_moving);
  double excess = 0;  // R - 1, unless that is large
  double moving = 0, first = 0, second = 0;
  for (std::size_t j = 1; j < terms(); ++j) {
    const double a = exponent(j, t);
    const double size = std::exp(log_weight_[j] + a - top_moving);
    const auto index = static_cast<double>(j);
    moving += size;
    first += index * size;
    second += index * index * size;
    excess += a < kLargeExponent ? weight_[j] * std::expm1(a) : kInfinity;
  }
  const double moving_share = std::exp(top_moving - top) * moving;
  const double total = moving_share + std::exp(log_weight_[0] - top);
  RealValue value;
  const bool near_one = std::abs(excess) < 0.5;
  value.log = near_one ? std::log1p(excess) : top + std::log(total);
  value.log_moving = top_moving + std::log(moving);
  const double share = moving_share / total;
  value.mean = share * (first / moving);
  value.variance = std::max(0.0, share * (second / moving) - value.mean * value.mean);
  // An exponent is off by its own rounding and by that of mu; a weight acts on what it multiplies.
  const double touched = near_one ? share + any_ / (1 + excess) : 1;
  value.blur = kUnit * (16 * (std::abs(value.log) + (near_one ? 0 : 1) +
                              mu_ * value.mean * (std::abs(t) + farthest_ + 1)) +
                        (weight_error_ + static_cast<double>(terms())) * touched);
  return value;
}

ShiftRatio::NodeRow::NodeRow(const ShiftRatio& ratio, double eta)
    : ratio_(&ratio), angle_(ratio.mu_ * eta) {
  for (std::size_t j = 0; j < ratio.terms(); ++j) {
    const double angle = static_cast<double>(j) * angle_;
    const double half = std::sin(angle / 2);
    cosine_.push_back(std::cos(angle));
    sine_.push_back(std::sin(angle));
    versine_.push_back(2 * half * half);
  }
}

ShiftRatio::NodeValue ShiftRatio::NodeRow::at(double t, double log_weight) const {
  const ShiftRatio& r = *ratio_;
  double top = r.log_weight_[0];
  bool large = false;
  for (std::size_t j = 1; j < r.terms(); ++j) {
    const double a = r.exponent(j, t);
    top = std::max(top, r.log_weight_[j] + a);
    large = large || a > kLargeExponent;
  }
  if (!large) top = 0;
  // R / e^top, R - 1, and sums of the terms' moduli.
  Complex scaled = large ? std::exp(r.log_weight_[0] - top) : r.weight_[0], excess = 0;
  double size = scaled.real(), moved = 0, units = 0;
  for (std::size_t j = 1; j < r.terms(); ++j) {
    const double a = r.exponent(j, t);
    const double shift = static_cast<double>(j) * r.mu_;
    double term = 0;
    if (large) {
      term = std::exp(r.log_weight_[j] + a - top);
    } else {
      // A unit of 1 is three of e^a at most where both come from one function.
      const double rise = std::expm1(a), growth = a > -0.5 ? 1 + rise : std::exp(a);
      const Complex change{rise * cosine_[j] - versine_[j], growth * sine_[j]};
      excess += r.weight_[j] * change;
      moved += r.weight_[j] * modulus(change);
      term = r.weight_[j] * growth;
    }
    scaled += Complex(term * cosine_[j], term * sine_[j]);
    size += term;
    // In units: the exponent, into which mu comes with a unit of its own, and the angle.
    units += term * (4 * shift * (std::abs(t) + shift) +
                     3 * static_cast<double>(j) * std::abs(angle_) + 2);
  }
  const auto terms = static_cast<double>(r.terms());
  const double weight = std::exp(log_weight);
  const double scaled_size = modulus(scaled);
  const double excess_size = modulus(excess);
  NodeValue node;
  if (!large && excess_size <= 0.5) {
    node.log = complex_log1p(excess);
    node.rest = weight * (excess_size <= 0.25 ? log1p_minus_series(excess) : node.log - excess);
    node.rest_error = 60 * weight * excess_size * excess_size;
    node.excess = weight * excess;
    node.excess_size = weight * excess_size;
    node.excess_error = 2 * node.excess_size;
    node.relative_error =
        units / scaled_size + (40 + terms + r.weight_error_) * moved / (1 - excess_size);
    return node;
  }
  node.log = {top + 0.5 * std::log(std::norm(scaled)), std::arg(scaled)};
  const double log_scale = log_weight + top;
  const double scale = std::exp(log_scale);
  node.excess = scale * scaled - weight;
  node.excess_size = scale * size + weight;
  node.excess_error = (8 + 4 * (std::abs(log_weight) + std::abs(top))) * node.excess_size;
  node.rest = weight * node.log - node.excess;
  node.rest_error = 16 * weight * std::abs(node.log) + node.excess_error;
  node.relative_error =
      (units + (12 + terms + r.weight_error_) * size + 4 * std::abs(top) * size) / scaled_size;
  return node;
}

}  // namespace honest_epsilon::contour
