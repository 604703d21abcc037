#include "core/rdp/bin_moments.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/log_domain.h"

namespace honest_epsilon::rdp {
namespace {

std::vector<Wide> product(const std::vector<Wide>& a, const std::vector<Wide>& b) {
  std::vector<Wide> result(a.size());
  for (std::size_t n = 0; n < a.size(); ++n) result[n] = convolved(a, b, n, 0, n);
  return result;
}

Wide one() {
  return widened(1);
}

}  // namespace

/// c_j / (j! T^j).
std::vector<Wide> BinMoments::single(std::size_t order) const {
  const double log_ratio = mu_ * mu_;
  std::vector<Wide> moments(order + 1);  // c_j / j!
  std::vector<Wide> grown(order + 1);    // r^j c_j / j!
  std::vector<Wide> rest(order + 1);     // (r - 1)^j / j!
  const Wide growth = wide_expm1(log_ratio);
  moments[0] = grown[0] = rest[0] = one();
  for (std::size_t j = 1; j <= order; ++j) {
    const auto index = static_cast<double>(j);
    rest[j] = times(times(rest[j - 1], growth), widened(1 / index));
    if (j == 1) continue;
    const Wide shifted = times(moments[j - 1], wide_expm1((index - 1) * log_ratio));
    moments[j] = times(plus(convolved(grown, rest, j - 1, 0, j - 2), shifted), widened(1 / index));
    grown[j] = times(moments[j], wide_exp(index * log_ratio));
  }
  Wide scale = one();
  for (std::size_t j = 1; j <= order; ++j) {
    scale = times(scale, widened(1 / bins_));
    moments[j] = times(moments[j], scale);
  }
  return moments;
}

/// b = a^T from n b_n = sum_i (i (T+1) - n) a_i b_{n-i}, whose terms are positive for i >= 2 and
/// n <= 2 (T+1).
std::vector<Wide> BinMoments::recurrence(const std::vector<Wide>& base) const {
  std::vector<Wide> result(base.size());
  std::vector<Wide> weighted(base.size());
  result[0] = one();
  for (std::size_t n = 2; n < base.size(); ++n) {
    const auto index = static_cast<double>(n);
    for (std::size_t i = 2; i <= n; ++i) {
      const double factor = static_cast<double>(i) * (bins_ + 1) - index;
      weighted[i] = {base[i].mantissa * (factor / index), base[i].exponent};
    }
    result[n] = convolved(weighted, result, n, 2, n);
  }
  return result;
}

std::vector<Wide> BinMoments::power(const std::vector<Wide>& base) {
  auto exponent = static_cast<std::size_t>(bins_);
  std::vector<Wide> square = base;
  std::vector<Wide> result(base.size());
  result[0] = one();
  while (true) {
    if (exponent % 2 == 1) result = product(result, square), ++multiplications_;
    exponent /= 2;
    if (exponent == 0) return result;
    square = product(square, square), ++multiplications_;
  }
}

void BinMoments::prepare(std::size_t order) {
  if (order < moments_.size()) return;
  const std::size_t size = std::max(order + order / 8, std::size_t{32});
  const std::vector<Wide> base = single(std::min(size, kMostOrder));
  multiplications_ = 1;
  const bool positive = static_cast<double>(base.size()) <= 2 * (bins_ + 1);
  moments_ = positive ? recurrence(base) : power(base);
}

double BinMoments::log_excess_upper(std::size_t order) {
  prepare(order);
  // Each moment of order n is made of products whose indices add up to n, with an error of at most
  // (32 + 8 mu^2) kUnit n^2 before and 5 kUnit n^2 more for each multiplication of series: every
  // sum of up to n terms adds (n + 8) kUnit, and n^2 - i^2 - (n - i)^2 >= n leaves room for it.
  const double error = (32 + 8 * mu_ * mu_ + 5 * multiplications_) * kUnit;
  LogSum sum;
  Wide falling = one();
  for (std::size_t n = 1; n <= order; ++n) {
    const auto index = static_cast<double>(n);
    falling = times(falling, widened(static_cast<double>(order - n + 1)));
    if (n == 1) continue;
    const double term = log_of(times(falling, moments_[n]));
    sum.add(term + error * index * index + 4 * kUnit * std::abs(term));
  }
  return sum.log_upper();
}

}  // namespace honest_epsilon::rdp
