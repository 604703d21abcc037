#include "core/math/root.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace honest_epsilon {

TEST_CASE("root: the bracket keeps its signs and gets as narrow as asked") {
  const auto f = [](double x) { return 2 - x * x; };
  for (const double tolerance : {1e-2, 1e-6, 1e-13}) {
    const Bracket bracket = shrink(f, 0, 4, tolerance);
    CAPTURE(tolerance);
    CHECK(f(bracket.low) >= 0);
    CHECK(f(bracket.high) <= 0);
    CHECK(bracket.high - bracket.low <= tolerance * bracket.high);
    CHECK(bracket.low <= std::sqrt(2.0));
    CHECK(bracket.high >= std::sqrt(2.0));
  }
}

TEST_CASE("root: a step is found to the last place") {
  const double edge = 0.7310585786300049;
  const auto f = [edge](double x) { return x < edge ? 1.0 : -1.0; };
  const Bracket bracket = shrink(f, 0, 1, 1e-15);
  CHECK(bracket.low < edge);
  CHECK(bracket.high >= edge);
  CHECK(bracket.high - bracket.low <= 2e-15);
}

TEST_CASE("root: without a change of sign the end nearest to it is returned") {
  const Bracket below = shrink([](double) { return -1.0; }, 2, 5, 1e-9);
  CHECK(below.low == 2);
  CHECK(below.high == 2);
  const Bracket above = shrink([](double) { return 1.0; }, 2, 5, 1e-9);
  CHECK(above.low == 5);
  CHECK(above.high == 5);
}

TEST_CASE("root: values that are infinite do not stop it") {
  const auto f = [](double x) { return x < 1 ? std::numeric_limits<double>::infinity() : 1.5 - x; };
  const Bracket bracket = shrink(f, 0, 4, 1e-12);
  CHECK(bracket.low == doctest::Approx(1.5).epsilon(1e-11));
}

TEST_CASE("root: the minimiser of a unimodal function") {
  const auto f = [](double x) { return std::cosh(x - 1.25); };
  CHECK(minimizer(f, -3, 5) == doctest::Approx(1.25).epsilon(1e-6));
  CHECK(minimizer([](double x) { return x; }, 2, 3) == doctest::Approx(2).epsilon(1e-6));
}

}  // namespace honest_epsilon
