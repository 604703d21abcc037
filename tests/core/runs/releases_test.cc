#include "core/runs/releases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

/// The least over a fine grid of orders of the conversion's bound.
double least_delta(double rho, double epsilon) {
  double least = 0;
  for (double t = -12; t < 12; t += 1e-3) {
    const double a = 1 + std::exp(t);
    least = std::min(least, (a - 1) * (a * rho - epsilon) - t + a * std::log1p(-1 / a));
  }
  return std::exp(least);
}

}  // namespace

TEST_CASE("releases: rho-zCDP's curve is the best order's, on either side of 0") {
  for (const double rho : {1e-3, 0.1, 2.0, 50.0}) {
    const Parts parts = releases::concentrated(rho, {-40, testing::kEffort});
    const Steps& steps = parts.upper.steps.front();
    REQUIRE(steps.curve);
    CHECK(parts.symmetric);
    CHECK(parts.lower.squared_shift == doctest::Approx(2 * rho).epsilon(1e-14));
    CHECK(parts.lower.squared_shift <= 2 * rho);
    for (const double epsilon : {-60.0, -3.0, -0.4, 0.0, 0.3, 2.0, 9.0, 80.0}) {
      // delta(-eps) = 1 - K + K delta(eps), K = e^-eps.
      const double far = least_delta(rho, std::abs(epsilon)), k = std::exp(epsilon);
      const double best = epsilon < 0 ? k * far + 1 - k : far;
      if (best < 1e-250) continue;
      CAPTURE(rho);
      CAPTURE(epsilon);
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const double found = steps.curve(direction, epsilon).upper;
        CHECK(found >= best * (1 - 1e-5));
        CHECK(found <= best * (1 + 1e-5));
        CHECK(steps.curve(direction, epsilon).lower == found);
      }
    }
  }
}

TEST_CASE("releases: nothing released costs nothing, and what fails fails in both directions") {
  const Parts none = releases::concentrated(0, {-40, testing::kEffort});
  CHECK(none.tight);
  CHECK(none.upper.steps.empty());
  CHECK(releases::approximate(0, 0.1).upper.steps.empty());
  CHECK(releases::approximate(0, 0.1).failure.lower == 0.1);
  CHECK(releases::approximate(0, 0.1).failure.upper == 0.1);
  CHECK(releases::gaussian(3).upper.squared_shift == 9);
  const Parts one = releases::approximate(2, 0);
  // Randomised response: e^eps / (1 + e^eps) and 1 / (1 + e^eps).
  for (const double epsilon : {0.0, 1.0, 1.9, 2.1}) {
    const double e = std::exp(2.0), exact = std::max(0.0, (e - std::exp(epsilon)) / (1 + e));
    const Interval found = one.upper.steps.front().curve(Direction::remove, epsilon);
    CHECK(testing::contains(found, exact, 1e-15));
    CHECK(found.upper - found.lower <= 1e-12);
  }
}

}  // namespace honest_epsilon
