#include "core/math/complex_functions.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace honest_epsilon {

Complex complex_log1p(Complex r) {
  return {0.5 * std::log1p(2 * r.real() + std::norm(r)), std::atan2(r.imag(), 1 + r.real())};
}

Complex exponential_rest(Complex x) {
  constexpr auto kInverseFactorials = [] {
    std::array<double, 17> values{};
    double factorial = 1;
    for (std::size_t n = 2; n < values.size(); ++n) {
      factorial *= static_cast<double>(n);
      values[n] = 1 / factorial;
    }
    return values;
  }();
  const double size = std::norm(x);
  // The first power left out is below a tenth of a unit of 1/2.
  const std::size_t terms = size < 1e-12  ? 4
                            : size < 1e-6 ? 6
                            : size < 1e-4 ? 8
                            : size < 1e-2 ? 11
                                          : 16;
  double re = 0, im = 0;
  for (std::size_t n = terms; n >= 2; --n) {
    const double next = re * x.real() - im * x.imag() + kInverseFactorials[n];
    im = re * x.imag() + im * x.real();
    re = next;
  }
  return {re, im};
}

}  // namespace honest_epsilon
