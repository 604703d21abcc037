#include "core/base/rounding.h"

#include <doctest/doctest.h>

#include "tests/core/support.h"

namespace honest_epsilon {

TEST_CASE("rounding: a unit is half the spacing of doubles at one") {
  const volatile double half = 1 + kUnit;
  const volatile double whole = 1 + 2 * kUnit;
  CHECK(half == 1);
  CHECK(whole > 1);
}

TEST_CASE("rounding: a probability is widened on both sides and stays one") {
  const Interval p = probability(0.25, 1e-12);
  CHECK(p.lower < 0.25);
  CHECK(p.upper > 0.25);
  CHECK(testing::is_narrow(p, 3e-12));
  CHECK(probability(0, 1e-12).lower == 0);
  CHECK(probability(0, 1e-12).upper > 0);
  CHECK(probability(1, 1e-12).upper == 1);
  CHECK(probability(0.9, 0.5).upper == 1);
  CHECK(probability(1e-305, 1e-12).lower == 0);
}

}  // namespace honest_epsilon
