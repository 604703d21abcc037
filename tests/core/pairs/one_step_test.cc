#include "core/pairs/one_step.h"

#include <doctest/doctest.h>

#include "core/base/interval.h"
#include "core/pairs/subsampled_gaussian.h"
#include "tests/core/pairs/mixtures.h"
#include "tests/core/support.h"

namespace honest_epsilon::pairs {
namespace {

using testing::show;

void check_row(const testing::ReferenceRow& row, const Pair& pair, double epsilon,
               const std::string& remove, const std::string& add) {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double exact = row.number(direction == Direction::remove ? remove : add);
    const Interval found = one_step(pair, direction, epsilon);
    INFO(row.describe() << (direction == Direction::remove ? "remove " : "add ") << show(found));
    CHECK(testing::contains(found, exact));
    CHECK(testing::is_narrow(found, 1e-9, 1e-12));
  }
}

}  // namespace

TEST_CASE("one step: the subsampled Gaussian's closed form, both directions") {
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const SubsampledGaussian pair(row.number("q"), 1 / row.number("sigma"));
    check_row(row, pair, row.number("epsilon"), "remove", "add");
  }
}

TEST_CASE("one step: substituted records and groups of records, Gaussian and Laplace") {
  for (const auto& row : testing::reference_table("mixture_one_step"))
    check_row(row, *testing::mixture_of(row), row.number("epsilon"), "remove", "add");
}

TEST_CASE("one step: the Laplace mechanism's closed form") {
  for (const auto& row : testing::reference_table("laplace_two_steps")) {
    const double epsilon = row.number("epsilon");
    if (row.text("pair") == "subsampled") {
      check_row(row, SubsampledLaplace(0.5, 1), epsilon, "one_remove", "one_add");
    } else {
      check_row(row, replaced_group<LaplaceMixture>({0.5}, 0.5), epsilon, "one_remove", "one_add");
    }
  }
}

TEST_CASE("one step: a peer's interval for one step of Laplace noise overlaps ours") {
  int compared = 0;
  for (const auto& row : testing::reference_table("laplace_peer")) {
    if (row.number("steps") != 1) continue;
    const SubsampledLaplace pair(row.number("q"), 1 / row.number("scale"));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double peer = row.number(direction == Direction::remove ? "remove" : "add");
      const Interval found = one_step(pair, direction, row.number("epsilon"));
      INFO(row.describe() << show(found));
      if (row.text("side") == "upper") CHECK(found.lower <= peer * (1 + 1e-9) + 1e-15);
      if (row.text("side") == "lower") CHECK(found.upper >= peer * (1 - 1e-9) - 1e-15);
      ++compared;
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("one step: negative epsilons follow from the other direction") {
  // H(P || Q)(-e) = 1 - e^-e + e^-e H(Q || P)(e).
  const SubsampledGaussian pair(0.2, 1.3);
  for (const double epsilon : {0.05, 0.2, 2.0}) {
    const Interval other = one_step(pair, Direction::add, epsilon);
    const Interval found = one_step(pair, Direction::remove, -epsilon);
    const double scale = std::exp(-epsilon);
    CHECK(found.lower <= (1 - scale + scale * other.upper) * (1 + 1e-14));
    CHECK(found.upper >= (1 - scale + scale * other.lower) * (1 - 1e-14));
    CHECK(testing::is_narrow(found, 1e-12));
  }
}

TEST_CASE("one step: no direction of a huge shift vanishes") {
  // Half way between the means, at loss 0, no event of either law has mass.
  for (const double mu : {30.0, 1e3, 1e6}) {
    const SubsampledGaussian pair(1, mu);
    for (const double epsilon : {1.0, 100.0, 709.0, 710.0, 1e3}) {
      if (epsilon > mu * mu / 4) continue;
      CAPTURE(mu);
      CAPTURE(epsilon);
      for (const Direction direction : {Direction::remove, Direction::add})
        CHECK(one_step(pair, direction, epsilon).upper > 0.99);
    }
    CHECK(pair.slope(-mu) == mu);
  }
}

TEST_CASE("one step: extremes give valid intervals") {
  for (const double q : {1e-9, 0.5, 1.0}) {
    for (const double mu : {1e-4, 26.0}) {
      for (const double epsilon : {0.0, 1e-3, 30.0, 600.0}) {
        for (const Direction direction : {Direction::remove, Direction::add}) {
          for (const std::int64_t records : {1, 1000}) {
            CAPTURE(q);
            CAPTURE(mu);
            CAPTURE(epsilon);
            const Interval gaussian =
                one_step(group<GaussianMixture>({q, records}, mu), direction, epsilon);
            CHECK(testing::is_valid(gaussian, 1));
            CHECK(gaussian.upper - gaussian.lower <= 1e-8);
            const Interval laplace =
                one_step(group<LaplaceMixture>({q, records}, mu), direction, epsilon);
            CHECK(testing::is_valid(laplace, 1));
            CHECK(laplace.upper - laplace.lower <= 1e-8);
          }
        }
      }
    }
  }
}

}  // namespace honest_epsilon::pairs
