#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Positive numbers far outside the range of a double, for sums of products.
namespace honest_epsilon {

/// mantissa * 2^exponent, mantissa in [1, 2), or 0.
struct Wide {
  double mantissa = 0;
  std::int64_t exponent = -(std::int64_t{1} << 60);
};

Wide widened(double value);

/// e^x. Relative error: 4 kUnit (1 + |x|).
Wide wide_exp(double x);

/// e^x - 1 for x >= 0. Relative error: 4 kUnit (1 + x).
Wide wide_expm1(double x);

/// a b and a + b. Relative error: kUnit.
Wide times(const Wide& a, const Wide& b);
Wide plus(const Wide& a, const Wide& b);

/// log(a); -inf for 0. Error: 2 kUnit (1 + |value|).
double log_of(const Wide& a);

/// sum of a[i] b[n - i] for first <= i <= last. Relative error: (last - first + 4) kUnit. Mantissas
/// may be unnormalised here, up to 2^50.
Wide convolved(const std::vector<Wide>& a, const std::vector<Wide>& b, std::size_t n,
               std::size_t first, std::size_t last);

}  // namespace honest_epsilon
