#include "core/math/quadrature.h"

#include <doctest/doctest.h>

#include <cmath>

namespace honest_epsilon {

TEST_CASE("math: the Gauss-Legendre rule is exact for a polynomial of degree 58") {
  double sum = 0;
  double total = 0;
  for (const auto& node : quadrature::gauss_legendre()) {
    sum += node.weight * std::pow(node.position, 58);
    total += node.weight;
  }
  CHECK(sum == doctest::Approx(2.0 / 59).epsilon(1e-13));
  CHECK(total == doctest::Approx(2).epsilon(1e-14));
}

TEST_CASE("math: the rule's error stays within its bound") {
  // 1/(x - c) has a pole at c = (rho + 1/rho)/2 and is at most 1/(c - c') on the ellipse through
  // c'.
  const double pole = std::cosh(0.3);
  const quadrature::Ellipse within = quadrature::ellipse(std::exp(0.25));
  double sum = 0;
  for (const auto& node : quadrature::gauss_legendre()) sum += node.weight / (pole - node.position);
  const double exact = std::log((pole + 1) / (pole - 1));
  const double bound = std::exp(within.log_error) / (pole - within.wide);
  CHECK(std::abs(sum - exact) <= bound);
  CHECK(std::abs(sum - exact) >= 1e-6 * bound);
}

}  // namespace honest_epsilon
