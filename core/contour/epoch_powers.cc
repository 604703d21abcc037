#include "core/contour/epoch_powers.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/log_domain.h"

namespace honest_epsilon::contour {
namespace {

/// sum of a_i b_{n-i} for first <= i <= last; kTiny covers what underflows.
double convolved(const std::vector<double>& a, const std::vector<double>& b, std::size_t n,
                 std::size_t first, std::size_t last) {
  double sum = kTiny;
  for (std::size_t i = first; i <= last; ++i) sum += a[i] * b[n - i];
  return sum;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t n = 0; n < a.size(); ++n) result[n] = convolved(a, b, n, 0, n);
  return result;
}

/// log of the n-th coefficient, roughly: that of a single bin, or of a normal sum.
double log_coefficient(double bins, double mu, double n) {
  const double alone = 0.5 * mu * mu * n * (n - 1) - (n - 1) * std::log(bins) - std::lgamma(n + 1);
  const double variance = log_expm1(mu * mu) - std::log(bins);
  return std::max(alone, 0.5 * n * (variance - std::log(2.0)) - std::lgamma(0.5 * n + 1));
}

}  // namespace

double EpochPowers::most() const {
  constexpr double kMost = 2048, kLargestExponent = 580;
  return std::min(kMost, 0.5 + 0.5 * std::sqrt(1 + 8 * kLargestExponent / (mu_ * mu_)));
}

/// c_j / (j! T^j).
std::vector<double> EpochPowers::single(std::size_t power) const {
  const double log_ratio = mu_ * mu_, unit = std::exp(log_unit_) / bins_;
  std::vector<double> moments(power + 1);
  std::vector<double> grown(power + 1);  // r^j c_j / (j! T^j)
  std::vector<double> rest(power + 1);   // (r - 1)^j / (j! T^j)
  moments[0] = grown[0] = rest[0] = 1;
  for (std::size_t j = 1; j <= power; ++j) {
    const auto index = static_cast<double>(j);
    rest[j] = rest[j - 1] * std::expm1(log_ratio) * unit / index + kTiny;
    if (j == 1) continue;
    const double shifted = moments[j - 1] * std::expm1((index - 1) * log_ratio);
    moments[j] = (convolved(grown, rest, j - 1, 0, j - 2) + shifted) * unit / index + kTiny;
    grown[j] = moments[j] * std::exp(index * log_ratio);
  }
  return moments;
}

/// b = a^T from n b_n = sum_i (i (T+1) - n) a_i b_{n-i}, whose terms are positive for i >= 2 and
/// n <= 2 (T+1).
std::vector<double> EpochPowers::recurrence(const std::vector<double>& base) const {
  std::vector<double> result(base.size());
  std::vector<double> weighted(base.size());
  result[0] = 1;
  for (std::size_t n = 2; n < base.size(); ++n) {
    const auto index = static_cast<double>(n);
    for (std::size_t i = 2; i <= n; ++i)
      weighted[i] = base[i] * ((static_cast<double>(i) * (bins_ + 1) - index) / index);
    result[n] = convolved(weighted, result, n, 2, n);
  }
  return result;
}

std::vector<double> EpochPowers::to_the_bins(const std::vector<double>& base) {
  auto exponent = static_cast<std::size_t>(bins_);
  std::vector<double> square = base;
  std::vector<double> result(base.size());
  result[0] = 1;
  while (true) {
    if (exponent % 2 == 1) result = product(result, square), ++multiplications_;
    exponent /= 2;
    if (exponent == 0) return result;
    square = product(square, square), ++multiplications_;
  }
}

void EpochPowers::prepare(std::size_t power) {
  if (power < log_moments_.size()) return;
  const auto next = static_cast<double>(std::max(power + power / 8, std::size_t{32}));
  const double size = std::max(static_cast<double>(power), std::min(next, std::floor(most())));
  log_unit_ = -log_coefficient(bins_, mu_, size) / size;
  const bool positive = size + 1 <= 2 * (bins_ + 1);
  // The estimate may be off by more than doubles hold.
  constexpr double kLeast = 1e-200, kFactor = 300;
  constexpr int kTries = 40;
  std::vector<double> moments;
  for (int i = 0; i < kTries; ++i) {
    multiplications_ = 1;
    const std::vector<double> base = single(static_cast<std::size_t>(size));
    moments = positive ? recurrence(base) : to_the_bins(base);
    if (moments.back() >= kLeast && moments.back() < kInfinity) break;
    log_unit_ += (moments.back() < kLeast ? kFactor : -kFactor) / size;
  }
  // Each moment of order n is made of products whose indices add up to n, with an error of at most
  // (40 + 8 mu^2 + 4 |log unit|) kUnit n^2 before and 5 kUnit n^2 more for each multiplication of
  // series: every sum of up to n terms adds (n + 8) kUnit, and n^2 - i^2 - (n - i)^2 >= n leaves
  // room for it.
  const double error =
      (40 + 8 * mu_ * mu_ + 4 * std::abs(log_unit_) + 5 * multiplications_) * kUnit;
  log_moments_.clear();
  log_factorials_.clear();
  for (std::size_t n = 0; n < moments.size(); ++n) {
    const auto index = static_cast<double>(n);
    const double log = std::log(moments[n]);
    log_moments_.push_back(log - index * log_unit_ + error * index * index +
                           4 * kUnit * std::abs(log));
    log_factorials_.push_back(std::lgamma(index + 1));
  }
}

double EpochPowers::log_excess_upper(std::size_t power) {
  if (static_cast<double>(power) > most()) return kInfinity;
  prepare(power);
  LogSum sum;
  for (std::size_t n = 2; n <= power; ++n)
    sum.add(log_moments_[n] + log_factorials_[power] - log_factorials_[power - n]);
  const double rounding = 16 * kUnit * log_factorials_[power];
  // No number where the coefficients left the doubles.
  return std::min(kInfinity, sum.log_upper() + rounding);
}

}  // namespace honest_epsilon::contour
