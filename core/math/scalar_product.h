#pragma once

#include <array>
#include <cstddef>

#include "core/base/ball.h"
#include "core/math/lanes.h"

/// Scalar products by registers: compilers do not find the lanes of an array.
namespace honest_epsilon {

/// A scalar product is summed in so many parts.
inline constexpr std::size_t kProductParts = 8;

/// What the sum of so many terms rounds by, in units of their moduli.
inline double product_units(std::size_t terms) {
  const std::size_t roundings = terms / kProductParts + kProductParts + 4;
  return static_cast<double>(roundings);
}

/// sum_i a_i b_i
inline double scalar_product(const double* a, const double* b, std::size_t n) {
  std::array<lanes::F64, kProductParts / 2> sums{};
  std::size_t i = 0;
  for (; i + kProductParts <= n; i += kProductParts) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const std::size_t at = i + 2 * k;
      sums[k] += lanes::load<lanes::F64>(a + at) * lanes::load<lanes::F64>(b + at);
    }
  }
  for (std::size_t lane = 0; i + lane < n; ++lane)
    sums[lane / 2][lane % 2] += a[i + lane] * b[i + lane];
  double sum = 0;
  for (const lanes::F64& pair : sums) sum += pair[0] + pair[1];
  return sum;
}

/// Complex numbers, their parts apart.
struct ComplexArrays {
  const double *re, *im;
};

/// sum_i a_i b_i
inline Complex scalar_product(ComplexArrays a, ComplexArrays b, std::size_t n) {
  std::array<lanes::F64, kProductParts / 2> sum_re{}, sum_im{};
  std::size_t i = 0;
  for (; i + kProductParts <= n; i += kProductParts) {
    for (std::size_t k = 0; k < sum_re.size(); ++k) {
      const std::size_t at = i + 2 * k;
      const auto x = lanes::load<lanes::F64>(a.re + at), y = lanes::load<lanes::F64>(a.im + at);
      const auto u = lanes::load<lanes::F64>(b.re + at), v = lanes::load<lanes::F64>(b.im + at);
      sum_re[k] += x * u - y * v;
      sum_im[k] += x * v + y * u;
    }
  }
  for (std::size_t lane = 0; i + lane < n; ++lane) {
    const Complex product =
        times({a.re[i + lane], a.im[i + lane]}, {b.re[i + lane], b.im[i + lane]});
    sum_re[lane / 2][lane % 2] += product.real();
    sum_im[lane / 2][lane % 2] += product.imag();
  }
  Complex sum = 0;
  for (std::size_t lane = 0; lane < kProductParts; ++lane)
    sum += Complex{sum_re[lane / 2][lane % 2], sum_im[lane / 2][lane % 2]};
  return sum;
}

}  // namespace honest_epsilon
