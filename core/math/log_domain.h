#pragma once

#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"

/// Sums of positive numbers known by their logarithms.
namespace honest_epsilon {

/// log(e^a + e^b); -inf is zero's logarithm.
inline double log_add(double a, double b) {
  const double high = a > b ? a : b;
  const double low = a > b ? b : a;
  if (low == -kInfinity || high == kInfinity) return high;
  return high + std::log1p(std::exp(low - high));
}

/// log(1 + e^x), without overflow.
inline double log1p_exp(double x) {
  return x > 40 ? x + std::exp(-x) : std::log1p(std::exp(x));
}

/// log(e^x - 1) for x > 0, without overflow or cancellation.
inline double log_expm1(double x) {
  return x > 1 ? x + std::log1p(-std::exp(-x)) : std::log(std::expm1(x));
}

/// The logarithm of a growing sum of positive terms, given by their logarithms.
class LogSum {
 public:
  void add(double log_term) {
    ++terms_;
    // Rescaled seldom: a sum of terms up to e^30 overflows no sooner than one of terms up to 1.
    if (log_term > reference_ + 30) {
      sum_ *= std::exp(reference_ - log_term);
      reference_ = log_term;
    }
    sum_ += std::exp(log_term - reference_);
  }

  double log() const { return reference_ + std::log(sum_); }

  /// log of the sum of the exact exponentials, rounded up: a unit for each addition; thirty for the
  /// largest argument of an exponential that counts, a few for its value and the last logarithm.
  double log_upper() const {
    const double value = log();
    return value + kUnit * (terms_ + 64 + 2 * std::abs(value));
  }

 private:
  double reference_ = -kInfinity;
  double sum_ = 0;
  double terms_ = 0;
};

}  // namespace honest_epsilon
