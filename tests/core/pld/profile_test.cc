#include "core/pld/profile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/pairs/gaussian.h"
#include "core/pairs/subsampled_gaussian.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {

using testing::direction_of;
using testing::kEffort;
using testing::show;

}  // namespace

TEST_CASE("profile: each direction contains the composed reference values") {
  std::size_t place = 0;
  for (const char* table : {"poisson_composed", "poisson_small_delta"}) {
    for (const auto& row : testing::reference_table(table)) {
      if (!testing::in_share(place++)) continue;
      const pairs::SubsampledGaussian pair(row.number("q"), 1 / row.number("sigma"));
      const PairSource source(pair);
      const std::vector<SourceSteps> components = {
          {&source, static_cast<std::int64_t>(row.number("steps"))}};
      const Result found =
          delta(components, direction_of(row.text("direction")), row.number("epsilon"), kEffort);
      INFO(row.describe() << show(found.value) << " grid=" << found.grid_points);
      CHECK(testing::contains(found.value, row.number("delta"),
                              std::abs(row.number("relative_error"))));
      CHECK(testing::is_narrow(found.value, kEffort.width));
    }
  }
}

TEST_CASE("profile: steps without subsampling add up to one Gaussian") {
  // 30 steps at mu = .1 and 10 at mu = .3: mu^2 = 1.2.
  const pairs::SubsampledGaussian weak(1, 0.1), strong(1, 0.3);
  const PairSource weak_source(weak), strong_source(strong);
  const std::vector<SourceSteps> components = {{&weak_source, 30}, {&strong_source, 10}};
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double e : {0.0, 0.5, 3.0, 12.0}) {
      const Interval exact = gaussian::delta(std::sqrt(1.2), e);
      const Result found = delta(components, direction, e, kEffort);
      INFO("epsilon=" << e << " " << show(found.value) << " against " << show(exact));
      CHECK(testing::contains(found.value, exact.lower, 1e-12));
      CHECK(testing::is_narrow(found.value, kEffort.width));
    }
    const Interval exact = gaussian::epsilon(std::sqrt(1.2), 1e-8);
    const Result found = epsilon(components, direction, 1e-8, kEffort);
    INFO(show(found.value) << " against " << show(exact));
    CHECK(testing::contains(found.value, exact.lower, 1e-9));
    CHECK(testing::is_narrow(found.value, kEffort.width));
  }
}

TEST_CASE("profile: a delta that is proved of epsilon 0 leaves no epsilon") {
  const pairs::SubsampledGaussian often(1, 0.3), rarely(1e-7, 0.3);
  const PairSource often_source(often), rare_source(rarely);
  const std::vector<SourceSteps> components = {{&rare_source, 2}, {&often_source, 1}};
  constexpr Effort kCoarse{0.1, 16};
  const double most = delta(components, Direction::remove, 0, kCoarse).value.upper;
  const Interval found = epsilon(components, Direction::remove, most, kCoarse).value;
  INFO(show(found));
  CHECK(found.upper == 0);
}

// Found by `core_many engines 500 19260007`: where the law without the record has no density left,
// the mass of the one with it was lost.
TEST_CASE("profile: a shift as far as densities reach loses no mass") {
  for (const double mu : {25.0, 29.845620866815404, 40.0}) {
    const pairs::SubsampledGaussian pair(1, mu);
    const PairSource source(pair);
    for (const double target : {1e-5, 1e-10, 7.6348e-15, 1e-18}) {
      constexpr Effort kCoarse{1e-2, 13};
      const Interval exact = gaussian::epsilon(mu, target);
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const Interval found = epsilon({{&source, 1}}, direction, target, kCoarse).value;
        const Interval there = delta({{&source, 1}}, direction, exact.upper, kCoarse).value;
        INFO(mu << " " << target << " " << show(found) << show(exact) << show(there));
        CHECK(found.lower <= exact.upper);
        CHECK(found.upper >= exact.lower);
        CHECK(there.lower <= target * (1 + 1e-9));
        CHECK(there.upper >= target * (1 - 1e-9));
      }
    }
  }
}

TEST_CASE("profile: many strikes share their transforms, and each contains the truth") {
  const pairs::SubsampledGaussian pair(1, 0.1);
  const PairSource source(pair);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    constexpr double kNegligible = 1e-12;
    DirectionProfile profile({{&source, 100}}, direction, kEffort, kNegligible);
    double before = 1;
    // In no particular order: what was asked before is no part of the answer's truth.
    for (int i = 0; i <= 200; ++i) {
      const double epsilon = 8.0 * ((i * 73) % 201) / 200;
      const Interval exact = gaussian::delta(1, epsilon);
      const Result found = profile.delta(epsilon);
      INFO("epsilon=" << epsilon << " " << show(found.value) << " against " << show(exact));
      CHECK(testing::contains(found.value, exact.lower, 1e-12));
      CHECK(testing::is_narrow(found.value, kEffort.width, kNegligible));
      CHECK_FALSE(found.limited);
      before = std::min(before, found.value.upper);
    }
    CHECK(before <= 2 * kNegligible);
  }
}

TEST_CASE("profile: a single end that is wanted holds and is as close, alone and in a profile") {
  const pairs::SubsampledGaussian pair(1, 0.1);
  const PairSource source(pair);
  const std::vector<SourceSteps> components = {{&source, 100}};
  constexpr double kWidth = 1e-3, kFar = 3;  // further off than what a transform was made for
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const Wanted wanted : {Wanted::upper, Wanted::lower}) {
      const bool is_upper = wanted == Wanted::upper;
      const Effort effort{kWidth, 18, true, wanted};
      const auto check = [&](const Interval& found, const Interval& exact, double width) {
        INFO(is_upper << show(found) << " against " << show(exact));
        if (is_upper) {
          CHECK(found.upper >= exact.lower * (1 - 1e-12));
          CHECK(found.upper <= exact.upper * (1 + width));
          CHECK(found.lower == 0);
        } else {
          CHECK(found.lower <= exact.upper * (1 + 1e-12));
          CHECK(found.lower >= exact.lower * (1 - width));
        }
      };
      DirectionProfile profile(components, direction, effort, 1e-12);
      for (const double e : {4.0, 0.0, 1.0, 3.5, 0.5, 2.0, 5.0}) {
        const Interval exact = gaussian::delta(1, e);
        check(delta(components, direction, e, effort).value, exact, 2 * kWidth);
        check(profile.delta(e).value, exact, kFar * kWidth);
      }
      for (const double target : {0.1, 1e-5, 1e-10})
        check(epsilon(components, direction, target, effort).value, gaussian::epsilon(1, target),
              2 * kWidth);
    }
  }
}

TEST_CASE("profile: a lower end next to 0 takes no large grids, and holds") {
  const pairs::SubsampledGaussian pair(1, 0.01);
  const PairSource source(pair);
  const std::vector<SourceSteps> components = {{&source, 100}};
  for (const double share : {0.999, 1.0, 1.001}) {
    const double target = share * gaussian::delta(0.1, 0).upper;
    Effort effort{1e-9, 20};
    effort.wanted = Wanted::lower;
    const Result found = epsilon(components, Direction::remove, target, effort);
    INFO(share << show(found.value) << " grid=" << found.grid_points);
    CHECK(found.value.lower <= gaussian::epsilon(0.1, target).upper);
    CHECK(found.grid_points <= 65536);
  }
}

TEST_CASE("profile: a profile under a work limit holds, and says that it is wider than asked") {
  const pairs::SubsampledGaussian pair(0.01, 1 / 0.6);
  const PairSource source(pair);
  DirectionProfile coarse({{&source, 1000}}, Direction::remove, {1e-9, 10}, 1e-12);
  for (const double e : {0.0, 0.5, 1.0, 2.0}) {
    const Result found = coarse.delta(e);
    const Result fine = delta({{&source, 1000}}, Direction::remove, e, kEffort);
    INFO("epsilon=" << e << " " << show(found.value) << " against " << show(fine.value));
    CHECK(testing::overlap(found.value, fine.value));
    CHECK(found.limited);
  }
}

TEST_CASE("profile: a work limit widens the interval and says so") {
  const pairs::SubsampledGaussian pair(1e-3, 1);
  const PairSource source(pair);
  Effort little;
  little.width = 1e-9;
  little.log2_grid_limit = 12;
  const Result found = delta({{&source, 1000}}, Direction::remove, 1, little);
  INFO(show(found.value));
  CHECK(found.limited);
  CHECK(found.grid_points <= 4096);
  CHECK(testing::contains(found.value, 2.541e-13, 1e-3));
}

}  // namespace honest_epsilon::pld
