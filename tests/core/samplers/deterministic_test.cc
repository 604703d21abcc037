#include "core/samplers/deterministic.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::contains;
using testing::kEffort;
using testing::show;

}  // namespace

TEST_CASE("deterministic: contains the 50-digit values, and is as narrow as it says") {
  for (const auto& row : testing::reference_table("gaussian")) {
    INFO(row.describe());
    const Run run = testing::epochs_run(row.number("sigma"), 1);
    const Finding found = deterministic::delta(run, row.number("epsilon"), kEffort);
    const double delta = row.number("delta");
    for (const Interval& side : {found.directions.remove, found.directions.add}) {
      INFO(show(side));
      CHECK(contains(side, delta));
      CHECK(testing::is_narrow(side, 1e-9, 1e-290));
    }
    if (delta > 1e-250 && row.number("epsilon") > 0) {
      const Finding back = deterministic::epsilon(run, delta, kEffort);
      INFO(show(back.directions.remove));
      CHECK(contains(back.directions.remove, row.number("epsilon"), 1e-14));
      CHECK(testing::is_narrow(back.directions.remove, 1e-6, 1e-10));
    }
  }
}

TEST_CASE("deterministic: agrees with a reference implementation") {
  for (const auto& row : testing::reference_table("deterministic_delta")) {
    INFO(row.describe());
    const Run run = testing::epochs_run(row.number("sigma"), 1000);
    const Finding found = deterministic::delta(run, row.number("epsilon"), kEffort);
    CHECK(contains(found.directions.remove, row.number("delta"), 1e-11));
  }
  for (const auto& row : testing::reference_table("deterministic_epsilon")) {
    INFO(row.describe());
    const Run run = testing::epochs_run(row.number("sigma"), 1000);
    const Finding found = deterministic::epsilon(run, row.number("delta"), kEffort);
    // That program's root is good to 1.2e-8 (its values solved again to 40 digits).
    CHECK(contains(found.directions.remove, row.number("epsilon"), 2e-8));
  }
}

TEST_CASE("deterministic: k epochs are one release with sigma / sqrt(k)") {
  for (const double sigma : {0.5, 3.0, 40.0}) {
    const Finding many = deterministic::delta(testing::epochs_run(sigma, 10, 16), 0.5, kEffort);
    const Finding one = deterministic::delta(testing::epochs_run(sigma / 4, 10), 0.5, kEffort);
    CHECK(many.directions.remove.lower == one.directions.remove.lower);
    CHECK(many.directions.remove.upper == one.directions.remove.upper);
  }
}

TEST_CASE("deterministic: epsilon ends are each on their own side of delta") {
  for (const double sigma : {0.05, 0.4, 1.0, 30.0, 1e4}) {
    for (const double delta : {1e-30, 1e-9, 1e-3, 0.5}) {
      CAPTURE(sigma);
      CAPTURE(delta);
      const Run run = testing::epochs_run(sigma, 1);
      const Interval epsilon = deterministic::epsilon(run, delta, kEffort).directions.remove;
      CAPTURE(show(epsilon));
      REQUIRE(testing::is_valid(epsilon, kInfinity));
      CHECK(testing::is_narrow(epsilon, 1e-6, 1e-9));
      CHECK(deterministic::delta(run, epsilon.upper, kEffort).directions.remove.lower <= delta);
      if (epsilon.lower > 0) {
        CHECK(deterministic::delta(run, epsilon.lower, kEffort).directions.remove.upper >= delta);
      }
    }
  }
}

}  // namespace honest_epsilon
