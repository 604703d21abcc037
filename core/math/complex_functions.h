#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>

/// Elementary functions of complex numbers that lose no digits near their zeros.
namespace honest_epsilon {

using Complex = std::complex<double>;

/// a b, without the checks for NaN that std::complex makes.
inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// modulus e^{i angle}
inline Complex polar(double modulus, double angle) {
  return {modulus * std::cos(angle), modulus * std::sin(angle)};
}

/// |z|, to 2 units; faster than std::abs where no square leaves the doubles.
inline double modulus(Complex z) {
  const double square = std::norm(z);
  return square > 1e-250 && square < 1e250 ? std::sqrt(square) : std::abs(z);
}

/// log(1 + r), the main branch. Domain: r != -1. Error: 4 units of |r| for |r| <= 1/2, absolute.
Complex complex_log1p(Complex r);

/// 1 / n!
inline constexpr auto kInverseFactorials = [] {
  std::array<double, 17> values{1, 1};
  double factorial = 1;
  for (std::size_t n = 2; n < values.size(); ++n) {
    factorial *= static_cast<double>(n);
    values[n] = 1 / factorial;
  }
  return values;
}();

/// The last n of sum x^(n-2) / n! that counts where |x|^2 = `square` < 1/4: what follows is below
/// 1e-17 of 1/2.
constexpr std::size_t exponential_rest_terms(double square) {
  return square < 1e-12 ? 4 : square < 1e-6 ? 6 : square < 1e-4 ? 8 : square < 1e-2 ? 11 : 16;
}

/// (e^x - 1 - x) / x^2 of several numbers x = re + i im at once, in place, to 1e-17 of itself
/// before rounding. square: the largest |x|^2. Domain: square < 1/4.
template <std::size_t kCount>
void exponential_rests(double square, std::array<double, kCount>& re,
                       std::array<double, kCount>& im) {
  constexpr std::size_t kAbreast = std::min<std::size_t>(kCount, 4);  // as many as registers hold
  static_assert(kCount % kAbreast == 0);
  const std::size_t terms = exponential_rest_terms(square);
  for (std::size_t begin = 0; begin < kCount; begin += kAbreast) {
    std::array<double, kAbreast> x, y, sum_re{}, sum_im{};
    for (std::size_t i = 0; i < kAbreast; ++i) {
      x[i] = re[begin + i];
      y[i] = im[begin + i];
    }
    for (std::size_t n = terms; n >= 2; --n) {
      for (std::size_t i = 0; i < kAbreast; ++i) {
        const double next = sum_re[i] * x[i] - sum_im[i] * y[i] + kInverseFactorials[n];
        sum_im[i] = sum_re[i] * y[i] + sum_im[i] * x[i];
        sum_re[i] = next;
      }
    }
    for (std::size_t i = 0; i < kAbreast; ++i) {
      re[begin + i] = sum_re[i];
      im[begin + i] = sum_im[i];
    }
  }
}

/// The same of one number. Domain: |x| < 1/2.
Complex exponential_rest(Complex x);

}  // namespace honest_epsilon
