#pragma once

#include <complex>

/// Elementary functions of complex numbers that lose no digits near their zeros.
namespace honest_epsilon {

using Complex = std::complex<double>;

/// log(1 + r), the main branch. Domain: r != -1. Error: 4 units of |r| for |r| <= 1/2, absolute.
Complex complex_log1p(Complex r);

/// (e^x - 1 - x) / x^2 for |x| < 1/2, to 1e-17 of itself before rounding.
Complex exponential_rest(Complex x);

}  // namespace honest_epsilon
