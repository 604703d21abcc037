#include "core/math/binomial.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/constants.h"

namespace honest_epsilon::binomial {
namespace {

/// s(n), to 2e-16 absolutely: from the tables of 50-digit values up to 15, and beyond by its
/// alternating series, whose first term left out is 691 / (360360 n^11) < 1.1e-16.
double stirling_rest(std::int64_t n) {
  constexpr std::array<double, 16> kSmall = {0,
                                             0.081061466795327258,
                                             0.041340695955409294,
                                             0.027677925684998339,
                                             0.020790672103765093,
                                             0.016644691189821192,
                                             0.013876128823070747,
                                             0.011896709945891770,
                                             0.010411265261972096,
                                             0.0092554621827127329,
                                             0.0083305634333628712,
                                             0.0075736754879518408,
                                             0.0069428401072095299,
                                             0.0064089941880042071,
                                             0.0059513701127588475,
                                             0.0055547335519628012};
  if (n < 16) return kSmall[static_cast<std::size_t>(n)];
  const double x = 1 / static_cast<double>(n);
  const double y = x * x;
  return x * (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188))));
}

/// x log(x / mean) + mean - x >= 0 without cancellation where x is close to mean.
double one_sided_deviance(double x, double mean) {
  if (x == 0) return mean;
  if (std::abs(x - mean) > 0.1 * (x + mean)) return x * std::log(x / mean) + mean - x;
  // log(x / mean) = 2 atanh(v): the terms of its series beyond the first, whose own part is
  // (x - mean) v.
  const double v = (x - mean) / (x + mean);
  const double square = v * v;
  double power = 2 * x * v;
  double sum = (x - mean) * v;
  for (int j = 3; j < 60; j += 2) {
    power *= square;
    const double next = sum + power / j;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

Probability with_error(double value, double relative_error) {
  return {value, std::max(value * relative_error, value < 1e-290 ? kTiny : 0.0)};
}

/// sqrt(n / (2 pi k (n-k))) exp(-exponent + Stirling's rests) for 0 < k < n.
double peak(std::int64_t n, std::int64_t k, double exponent) {
  const double rest = stirling_rest(n) - stirling_rest(k) - stirling_rest(n - k);
  const auto a = static_cast<double>(k);
  const auto b = static_cast<double>(n - k);
  return std::exp(rest - exponent) * std::sqrt(static_cast<double>(n) / (kTwoPi * a) / b);
}

}  // namespace

double deviance(double n, double p, double k) {
  return one_sided_deviance(k, n * p) + one_sided_deviance(n - k, n * (1 - p));
}

Probability pmf(std::int64_t n, double p, std::int64_t k) {
  return pmf(n, p, 1 - p, 0, k);
}

Probability pmf(std::int64_t n, double p, double rest, double error, std::int64_t k) {
  if (rest <= 0) return {k == n ? 1.0 : 0.0, 0};
  const auto count = static_cast<double>(n);
  const auto hits = static_cast<double>(k);
  if (k == 0 || k == n) {
    const auto log_of = [](double x, double others) {
      return x < 0.5 ? std::log(x) : std::log1p(-others);
    };
    const double exponent = -count * (k == 0 ? log_of(rest, p) : log_of(p, rest));
    return with_error(std::exp(-exponent), (8 * exponent + 8) * kUnit + error * count);
  }
  // The two means n p and n (1 - p) round by a unit or two, beside what p and 1 - p are off by. A
  // deviance feels that through |k - mean| / mean. Its own steps cost a few units of itself, the
  // rest a few units.
  const double on = count * p, off = count * rest;
  const double exponent = one_sided_deviance(hits, on) + one_sided_deviance(count - hits, off);
  const double shift = std::abs(hits - on) + std::abs(count - hits - off);
  return with_error(peak(n, k, exponent),
                    (16 * exponent + 24) * kUnit + (4 * kUnit + error) * shift);
}

Probability half_pmf(std::int64_t n, std::int64_t k) {
  const auto count = static_cast<double>(n);
  if (k == 0 || k == n) {
    const double exponent = count * kLogTwo;
    return with_error(std::exp(-exponent), (4 * exponent + 4) * kUnit);
  }
  const auto a = static_cast<double>(k);
  const auto b = static_cast<double>(n - k);
  // n KL = (n/2)((1+d) log(1+d) + (1-d) log(1-d)) with d = (a-b)/n: near the middle as
  // log(1 - d^2) + 2 d atanh(d), where little cancels, elsewhere by plain logarithms.
  const double d = (a - b) / count;
  const double exponent = std::abs(d) < 0.5
                              ? 0.5 * count * (std::log1p(-d * d) + 2 * d * std::atanh(d))
                              : a * std::log(2 * a / count) + b * std::log(2 * b / count);
  return with_error(peak(n, k, exponent), (24 * exponent + 24) * kUnit);
}

Probability half_upper_tail(std::int64_t n, std::int64_t k) {
  if (k > n) return {};
  const Probability first = half_pmf(n, k);
  double term = first.value;
  double sum = term;
  std::int64_t j = k;
  for (; j < n && term > 1e-18 * sum; ++j) {
    term *= static_cast<double>(n - j) / static_cast<double>(j + 1);
    sum += term;
  }
  // Ratios fall, so that what was left out is below a geometric series; terms round by 3 units a
  // step, the sum by one.
  const double ratio = static_cast<double>(n - j) / static_cast<double>(j + 1);
  const double left_out = term * ratio / (1 - ratio);
  const std::int64_t steps = j - k;
  const double relative = first.value > 0 ? first.error / first.value : 0;
  const double rounding = sum * (relative + 4 * static_cast<double>(steps + 1) * kUnit);
  return {sum, std::max(rounding + left_out, kTiny * static_cast<double>(steps + 1))};
}

}  // namespace honest_epsilon::binomial
