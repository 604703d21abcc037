#include "core/monte_carlo/tilted.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/math/normal.h"

namespace honest_epsilon {

// Against a far finer grid that reaches further.
TEST_CASE("monte_carlo: the transform of a ratio agrees with a fine quadrature") {
  for (const double mu : {1e-4, 0.3, 1.0, 2.5, 10.0, 40.0}) {
    const monte_carlo::RatioTransform transform(mu);
    for (const double theta : {0.0, 1e-6, 0.3, 1.4, 50.0, 1e6}) {
      constexpr int kPanels = 40000;
      const double step = 24.0 / kPanels;
      double sum = 0;
      double lost = 0;  // by rounding, put back (Kahan)
      for (int i = 0; i <= kPanels; ++i) {
        const double z = -12 + i * step;
        const double term =
            normal::pdf(z) * std::exp(-theta * std::exp(mu * z - 0.5 * mu * mu)) - lost;
        const double next = sum + term;
        lost = (next - sum) - term;
        sum = next;
      }
      INFO("mu=" << mu << " theta=" << theta);
      CHECK(std::abs(transform(theta) - sum * step) < 4e-15);
    }
  }
}

TEST_CASE("monte_carlo: the transform starts at 1 and falls") {
  const monte_carlo::RatioTransform transform(1.5);
  CHECK(transform(0) == doctest::Approx(1).epsilon(1e-15));
  CHECK(transform(0.5) < transform(0.1));
  CHECK(transform(0.1) < 1);
}

}  // namespace honest_epsilon
