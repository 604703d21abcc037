#include "core/math/complex_functions.h"

namespace honest_epsilon {

Complex exponential_rest(Complex x) {
  // The last n of sum x^(n-2) / n! that counts: what follows is below 1e-17 of 1/2.
  const double square = std::norm(x);
  const int terms = square < 1e-12  ? 4
                    : square < 1e-6 ? 6
                    : square < 1e-4 ? 8
                    : square < 1e-2 ? 11
                                    : 16;
  // By Horner's rule: 1/2 (1 + x/3 (1 + x/4 (1 + ...))).
  Complex sum = 1;
  for (int n = terms; n > 2; --n) sum = 1.0 + times(x, sum) / static_cast<double>(n);
  return 0.5 * sum;
}

}  // namespace honest_epsilon
