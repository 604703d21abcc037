#include "core/math/invert.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::show;

// Certified curves around e^{-x}.
Interval around(double x) {
  return {0.99 * std::exp(-x), 1.02 * std::exp(-x)};
}

}  // namespace

TEST_CASE("invert: each end keeps its promise, and is as close as its own curve allows") {
  for (const double target : {0.9, 0.1, 1e-9, 1e-200}) {
    const Interval found = invert_decreasing(around, target);
    INFO("target=" << target << " " << show(found));
    CHECK(around(found.upper).upper <= target);
    CHECK((found.lower == 0 || around(found.lower).lower >= target));
    CHECK(found.upper == doctest::Approx(std::log(1.02 / target)).epsilon(1e-9));
    CHECK(found.lower == doctest::Approx(std::log(0.99 / target)).epsilon(1e-9));
  }
}

TEST_CASE("invert: a step function is inverted at its jump") {
  const auto curve = [](double x) {
    const double value = x < 1.5 ? 0.8 : x < 6 ? 0.3 : 0.0;
    return Interval{value, value};
  };
  struct Expected {
    double target;
    double place;
  };
  for (const Expected& expected : {Expected{0.5, 1.5}, Expected{0.1, 6}, Expected{0.79, 1.5}}) {
    const double target = expected.target;
    const double place = expected.place;
    const Interval found = invert_decreasing(curve, target);
    INFO("target=" << target << " " << show(found));
    CHECK(testing::contains(found, place));
    CHECK(testing::is_narrow(found, 1e-9));
    CHECK(curve(found.upper).upper <= target);
    CHECK(curve(found.lower).lower >= target);
  }
  // At the height of a step the smallest eps is where the step begins, though the lower end may
  // claim the step's other end only if the value there is the target itself.
  const Interval level = invert_decreasing(curve, 0.3);
  CHECK(level.upper >= 1.5);
  CHECK(level.upper <= 1.5 * (1 + 1e-9));
  CHECK(level.lower <= level.upper);
}

TEST_CASE("invert: curves that start below the target, or have no proved lower end") {
  const auto small = [](double) { return Interval{0.01, 0.02}; };
  CHECK(invert_decreasing(small, 0.5).upper == 0);
  CHECK(invert_decreasing(small, 0.5).lower == 0);
  const auto no_lower = [](double x) { return Interval{0, std::exp(-x)}; };
  const Interval found = invert_decreasing(no_lower, 1e-3);
  CHECK(found.lower == 0);
  CHECK(found.upper == doctest::Approx(std::log(1e3)).epsilon(1e-9));
  // Between the two ends at 0: not refuted, not proved.
  const auto wide = [](double x) { return Interval{0.1 * std::exp(-x), 0.9 * std::exp(-x)}; };
  CHECK(invert_decreasing(wide, 0.5).lower == 0);
  CHECK(invert_decreasing(wide, 0.5).upper == doctest::Approx(std::log(0.9 / 0.5)));
}

TEST_CASE("invert: a curve that never falls to the target has no finite upper end") {
  const auto never = [](double) { return Interval{0.4, 0.6}; };
  const Interval between = invert_decreasing(never, 0.5);
  CHECK(between.lower == 0);
  CHECK(between.upper == kInfinity);
  const Interval below = invert_decreasing(never, 0.3);
  CHECK(below.lower > 1e12);
  CHECK(below.upper == kInfinity);
}

TEST_CASE("invert: the end of the curve's range is believed, and never exceeded") {
  // delta drops to 0 at 2, where round-off may still show a little.
  const auto curve = [](double x) {
    const double value = x < 2 ? 0.2 * (2 - x) + 0.1 : 1e-3;
    return Interval{value, value};
  };
  const Interval found = invert_decreasing(curve, 1e-6, 2);
  INFO(show(found));
  CHECK(found.upper == 2);
  CHECK(testing::is_narrow(found, 1e-9));
  const Interval inside = invert_decreasing(curve, 0.3, 2);
  CHECK(testing::contains(inside, 1.0, 1e-9));
  CHECK(testing::is_narrow(inside, 1e-9));
}

TEST_CASE("invert: large and tiny answers keep their relative accuracy") {
  for (const double scale : {1e-6, 1e-3, 1e3, 1e9}) {
    const auto curve = [scale](double x) {
      return Interval{std::exp(-x / scale), std::exp(-x / scale)};
    };
    const Interval found = invert_decreasing(curve, 0.25);
    INFO("scale=" << scale << " " << show(found));
    CHECK(testing::contains(found, scale * std::log(4.0), 1e-12));
    CHECK(testing::is_narrow(found, 1e-9));
  }
}

}  // namespace honest_epsilon
