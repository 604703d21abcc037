#include "core/math/adaptive_quadrature.h"

#include <doctest/doctest.h>

#include <cmath>

namespace honest_epsilon {

TEST_CASE("quadrature: smooth integrals to their digits") {
  const auto found = quadrature::integrate([](double x) { return std::exp(-x * x); }, -6, 6);
  CHECK(found.value == doctest::Approx(std::sqrt(3.14159265358979323846)).epsilon(1e-13));
  CHECK(found.error_estimate < 1e-10);
  CHECK(quadrature::integrate([](double) { return 1.0; }, 2, 2).value == 0);
}

TEST_CASE("quadrature: a kink at the end of a piece does no harm") {
  const auto found =
      quadrature::integrate_pieces([](double x) { return std::abs(x - 0.3); }, {0, 0.3, 1});
  CHECK(found.value == doctest::Approx(0.045 + 0.245).epsilon(1e-14));
}

}  // namespace honest_epsilon
