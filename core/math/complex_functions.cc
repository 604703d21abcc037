#include "core/math/complex_functions.h"

#include <array>
#include <cmath>

namespace honest_epsilon {

Complex complex_log1p(Complex r) {
  return {0.5 * std::log1p(2 * r.real() + std::norm(r)), std::atan2(r.imag(), 1 + r.real())};
}

Complex exponential_rest(Complex x) {
  std::array<double, 1> re{x.real()}, im{x.imag()};
  exponential_rests(std::norm(x), re, im);
  return {re[0], im[0]};
}

}  // namespace honest_epsilon
