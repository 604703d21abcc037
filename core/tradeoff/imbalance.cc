#include "core/tradeoff/imbalance.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/binomial.h"

namespace honest_epsilon::tradeoff {
namespace {

using binomial::Probability;

/// The numbers of clones C = M - 1 that matter, and a bound on what the others add to Pr[X >= r],
/// and so to E[(X - r)+].
struct CloneRange {
  std::int64_t low;
  std::int64_t high;
  double left_out;
};

CloneRange window_of(const Imbalance& law, double r) {
  const auto others = static_cast<double>(law.users - 1);
  const double c = law.clone_probability;
  const double kappa = 0.5 * ((1 + r) * std::log1p(r) + (r < 1 ? (1 - r) * std::log1p(-r) : 0));
  const double log_mass = std::log1p(c * std::expm1(-kappa));
  const double tilted = std::clamp(c * std::exp(-kappa - log_mass), 0.0, 1.0);
  const double mean = others * tilted;
  // Bernstein: ten standard deviations and eighty leave out less than e^-50 on either side,
  // whatever the mean. Only the exponents computed below enter the bound.
  const double reach = 10 * std::sqrt(mean * (1 - tilted)) + 80;
  CloneRange window{};
  window.low = static_cast<std::int64_t>(std::max(0.0, std::floor(mean - reach)));
  window.high = static_cast<std::int64_t>(std::min(others, std::ceil(mean + reach)));
  const auto beyond = [&](std::int64_t edge) {
    return std::exp(-binomial::deviance(others, tilted, static_cast<double>(edge)) * (1 - 1e-9));
  };
  double outside = 0;
  if (window.low > 0) outside += beyond(window.low);
  if (window.high < law.users - 1) outside += beyond(window.high);
  // Both exponents are at most a few hundred where this is not negligible, and round by 1e-12.
  window.left_out = std::exp(others * log_mass - kappa) * outside * (1 + 1e-6) + kTiny;
  return window;
}

/// A quantity carried from step to step by rational factors and computed afresh now and then.
class Walker {
 public:
  bool stale() const { return age_ >= kLife || value_ < 1e-280; }
  void refresh(const Probability& fresh) {
    value_ = fresh.value;
    relative_ = fresh.value > 0 ? fresh.error / fresh.value : 1;
    age_ = 0;
  }
  void multiply(double factor) {
    value_ *= factor;
    ++age_;
  }
  double value() const { return value_; }
  /// Each factor and product round by at most 6 units.
  double error() const { return std::max(value_ * (relative_ + 6 * kUnit * age_), kTiny); }

 private:
  // Steps of a recurrence before its term is computed anew: 6 units each, 1.7e-13 in all.
  static constexpr int kLife = 256;
  double value_ = 0;
  double relative_ = 1;
  int age_ = kLife;
};

/// Weighted sums of calls and tails, with their running errors.
struct Sums {
  double call = 0;
  double call_error = 0;
  double tail = 0;
  double tail_error = 0;
};

std::int64_t first_above(double r, std::int64_t m) {
  return static_cast<std::int64_t>(std::floor(0.5 * (1 + r) * static_cast<double>(m))) + 1;
}

Sums walk(const Imbalance& law, double r, const CloneRange& window) {
  const double c = law.clone_probability;
  const std::int64_t others = law.users - 1;
  const double odds = (1 - c) / c;
  Walker weight;  // Pr[C = m - 1]
  Walker peak;    // Pr[Bin(m-1, 1/2) = a-1]
  std::int64_t m = window.high + 1;
  std::int64_t a = std::min(first_above(r, m), m);
  Probability tail = binomial::half_upper_tail(m, a);
  Sums sums;
  for (;; --m) {
    if (weight.stale()) weight.refresh(binomial::pmf(others, c, m - 1));
    if (peak.stale()) peak.refresh(binomial::half_pmf(m - 1, a - 1));
    const double half = 0.5 * peak.value();
    const double w = weight.value();
    // An atom within rounding of r counts as above or not: (X - r)+ is within 4 units of 0 there.
    const double rounding = 4 * kUnit * (half + r * tail.value) + 8 * kUnit * peak.value();
    const double call = half - r * tail.value;
    sums.call += w * call;
    sums.call_error +=
        w * (0.5 * peak.error() + r * tail.error + rounding) + weight.error() * std::abs(call);
    sums.tail += w * tail.value;
    sums.tail_error += w * tail.error + weight.error() * tail.value;
    if (m == window.low + 1) break;
    // On to m - 1, whose threshold is a or a - 1; Pr[Bin(m, 1/2) >= a] is half the sum of
    // Pr[Bin(m-1, 1/2) >= a] and of Pr[... >= a-1].
    const bool lower = std::clamp(first_above(r, m - 1), a - 1, a) == a - 1 || a == m;
    tail.value += lower ? half : -half;
    tail.error += 0.5 * peak.error() + kUnit * (std::abs(tail.value) + half);
    const auto size = static_cast<double>(m - 1);
    const auto up = static_cast<double>(a - 1);
    peak.multiply((lower ? up : size - up) * 2 / size);
    if (lower) --a;
    weight.multiply(size / static_cast<double>(others - m + 2) * odds);
  }
  return sums;
}

Interval between(double value, double error, double most) {
  return {std::clamp(value - error, 0.0, most), std::clamp(value + error, 0.0, most)};
}

}  // namespace

Above above(const Imbalance& law, double r) {
  const CloneRange window = window_of(law, r);
  const Sums sums = walk(law, r, window);
  const auto count = static_cast<double>(window.high - window.low + 1);
  const double c = law.clone_probability;
  const auto others = static_cast<double>(law.users - 1);
  // c is wrong by up to four units: Pr[C = k] then by |k - (n-1) c| / (1-c) times that.
  const double farthest = std::max(std::abs(static_cast<double>(window.low) - others * c),
                                   std::abs(static_cast<double>(window.high) - others * c));
  const double weights = c < 1 ? 4 * kUnit * (farthest / (1 - c) + 1) : 0;
  const double relative = weights + 2 * count * kUnit;
  Above result;
  result.probability =
      between(sums.tail, sums.tail_error + relative * sums.tail + window.left_out, 1);
  // r is wrong by up to six units, and the call falls with r by the probability.
  result.call = between(sums.call,
                        sums.call_error + relative * std::abs(sums.call) +
                            6 * kUnit * r * result.probability.upper + window.left_out,
                        1);
  return result;
}

}  // namespace honest_epsilon::tradeoff
