#include "core/math/wide.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/math/constants.h"

namespace honest_epsilon {
namespace {

/// Terms this many binary digits below the largest are left out of a sum: a unit for 2^50 of them.
constexpr int kDigits = 110;

std::array<double, kDigits> powers() {
  std::array<double, kDigits> result{};
  for (int i = 0; i < kDigits; ++i) result[static_cast<std::size_t>(i)] = std::ldexp(1.0, -i);
  return result;
}

}  // namespace

Wide widened(double value) {
  if (value == 0) return {};
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return {2 * mantissa, exponent - 1};
}

Wide wide_exp(double x) {
  const double whole = std::floor(x / kLogTwo);
  Wide result = widened(std::exp(x - whole * kLogTwo));
  result.exponent += static_cast<std::int64_t>(whole);
  return result;
}

Wide times(const Wide& a, const Wide& b) {
  const double product = a.mantissa * b.mantissa;
  if (product == 0) return {};
  if (product >= 2) return {0.5 * product, a.exponent + b.exponent + 1};
  return {product, a.exponent + b.exponent};
}

Wide plus(const Wide& a, const Wide& b) {
  const Wide& high = a.exponent >= b.exponent ? a : b;
  const Wide& low = a.exponent >= b.exponent ? b : a;
  const std::int64_t shift = high.exponent - low.exponent;
  if (shift >= kDigits || low.mantissa == 0) return high;
  const double sum = high.mantissa + std::ldexp(low.mantissa, -static_cast<int>(shift));
  if (sum >= 2) return {0.5 * sum, high.exponent + 1};
  return {sum, high.exponent};
}

Wide wide_expm1(double x) {
  return x < 500 ? widened(std::expm1(x)) : wide_exp(x);
}

double log_of(const Wide& a) {
  return std::log(a.mantissa) + static_cast<double>(a.exponent) * kLogTwo;
}

Wide convolved(const std::vector<Wide>& a, const std::vector<Wide>& b, std::size_t n,
               std::size_t first, std::size_t last) {
  static const std::array<double, kDigits> kPower = powers();
  std::int64_t highest = Wide{}.exponent;
  for (std::size_t i = first; i <= last; ++i)
    highest = std::max(highest, a[i].exponent + b[n - i].exponent);
  double sum = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const std::int64_t shift = highest - a[i].exponent - b[n - i].exponent;
    if (shift < kDigits)
      sum += a[i].mantissa * b[n - i].mantissa * kPower[static_cast<std::size_t>(shift)];
  }
  Wide result = widened(sum);
  if (sum > 0) result.exponent += highest;
  return result;
}

}  // namespace honest_epsilon
