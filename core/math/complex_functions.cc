#include "core/math/complex_functions.h"

#include <cmath>
#include <cstddef>

namespace honest_epsilon {

Complex complex_log1p(Complex r) {
  return {0.5 * std::log1p(2 * r.real() + std::norm(r)), std::atan2(r.imag(), 1 + r.real())};
}

Complex exponential_rest(Complex x) {
  const std::size_t terms = exponential_rest_terms(std::norm(x));
  double re = 0, im = 0;
  for (std::size_t n = terms; n >= 2; --n) {
    const double next = re * x.real() - im * x.imag() + kInverseFactorials[n];
    im = re * x.imag() + im * x.real();
    re = next;
  }
  return {re, im};
}

}  // namespace honest_epsilon
