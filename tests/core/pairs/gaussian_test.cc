#include "core/pairs/gaussian.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {

using testing::contains;
using testing::show;

TEST_CASE("gaussian: the profile contains 25-digit values, and barely more") {
  for (const auto& row : testing::reference_table("gaussian_profile")) {
    const Interval delta = gaussian::delta(row.number("mu"), row.number("epsilon"));
    INFO(row.describe() << show(delta));
    CHECK(contains(delta, row.number("delta")));
    if (row.number("delta") > 1e-150 && row.number("mu") >= 1e-4 && row.number("mu") <= 20) {
      CHECK(delta.upper <= delta.lower * (1 + 3e-10));
    }
  }
}

TEST_CASE("gaussian: delta at negative epsilon follows from the mirrored profile") {
  // delta(-e) = 1 - e^-e + e^-e delta(e)
  for (const double mu : {0.1, 1.0, 6.0}) {
    for (const double epsilon : {0.01, 1.0, 30.0}) {
      const Interval mirrored = gaussian::delta(mu, epsilon);
      const Interval delta = gaussian::delta(mu, -epsilon);
      INFO("mu=" << mu << " epsilon=" << epsilon << " " << show(delta));
      CHECK(testing::is_valid(delta, 1));
      const double rest = -std::expm1(-epsilon);
      CHECK(testing::overlap(delta, {rest + std::exp(-epsilon) * mirrored.lower,
                                     rest + std::exp(-epsilon) * mirrored.upper}));
    }
  }
}

TEST_CASE("gaussian: each end of epsilon is on its own side of delta, and barely") {
  for (const double mu : {1e-4, 0.1, 1.0, 5.0, 20.0}) {
    for (const double target : {0.5, 1e-2, 1e-9, 1e-30, 1e-100}) {
      const Interval epsilon = gaussian::epsilon(mu, target);
      INFO("mu=" << mu << " target=" << target << " " << show(epsilon));
      REQUIRE(testing::is_valid(epsilon, kInfinity));
      CHECK(gaussian::delta(mu, epsilon.upper).upper <= target);
      if (epsilon.lower > 0) {
        CHECK(gaussian::delta(mu, epsilon.lower).lower >= target);
        CHECK(testing::is_narrow(epsilon, 1e-8, 1e-13));
      }
    }
  }
}

TEST_CASE("gaussian: extremes stay ordered") {
  for (const double mu : {1e-9, 1e-4, 1.0, 20.0, 1e3, 1e6}) {
    for (const double epsilon : {0.0, 1e-12, 1.0, 100.0, 1e6}) {
      const Interval delta = gaussian::delta(mu, epsilon);
      INFO("mu=" << mu << " epsilon=" << epsilon << " " << show(delta));
      CHECK(testing::is_valid(delta, 1));
    }
    for (const double target : {1e-300, 1e-30, 0.5, 0.999}) {
      const Interval epsilon = gaussian::epsilon(mu, target);
      INFO("mu=" << mu << " target=" << target << " " << show(epsilon));
      CHECK(testing::is_valid(epsilon, kInfinity));
    }
  }
}

}  // namespace honest_epsilon
