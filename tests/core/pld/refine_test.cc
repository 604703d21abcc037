#include "core/pld/refine.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "core/pld/source.h"
#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {
using testing::show;

}  // namespace

TEST_CASE("refine: strike_of brackets the strike of a certified curve, from any guess") {
  // The truth is e^{-x}; the curves are above and below it.
  const auto upper = [](double x) { return 1.01 * std::exp(-x); };
  const auto lower = [](double x) { return 0.98 * std::exp(-x); };
  for (const double target : {0.9, 0.3, 1e-3, 1e-40}) {
    const double truth = -std::log(target);
    for (const double guess : {0.0, 0.5 * truth, truth, truth + 1e-9, 40 * truth}) {
      for (const double step : {1e-6, 1.0, 1e3}) {
        const Interval strike = strike_of(upper, lower, target, guess, step);
        INFO("target=" << target << " guess=" << guess << " step=" << step << " " << show(strike));
        CHECK(testing::contains(strike, truth));
        // Each end keeps its own promise.
        CHECK(upper(strike.upper) <= target);
        CHECK((strike.lower == 0 || lower(strike.lower) >= target));
        // And is as close as its curve allows.
        CHECK(strike.upper <= std::log(1.01 / target) * (1 + 2e-7));
        CHECK(strike.lower >= std::max(0.0, std::log(0.98 / target)) * (1 - 2e-7));
      }
    }
  }
}

// Of plans that failed; such a step never led anywhere.
TEST_CASE("refine: strike_of ends with a guess or a step that is no number, or none to speak of") {
  const auto curve = [](double x) { return std::exp(-x); };
  const double nan = std::nan("");
  for (const double guess : {0.0, 3.0, kInfinity, nan}) {
    for (const double step : {0.0, 5e-324, kInfinity, nan}) {
      const Interval strike = strike_of(curve, curve, 1e-3, guess, step);
      INFO("guess=" << guess << " step=" << step << " " << show(strike));
      CHECK(testing::contains(strike, std::log(1e3), 1e-15));
      CHECK(testing::is_narrow(strike, 1e-6));
    }
  }
}

TEST_CASE("refine: strike_of at a jump names the jump, and keeps each end's promise") {
  const auto step_down = [](double x) { return x < 2.5 ? 0.5 : 0.1; };
  for (const double guess : {0.0, 2.4, 2.6, 100.0}) {
    const Interval strike = strike_of(step_down, step_down, 0.3, guess, 1);
    INFO("guess=" << guess << " " << show(strike));
    CHECK(testing::contains(strike, 2.5));
    CHECK(testing::is_narrow(strike, 1e-6));
    CHECK(step_down(strike.upper) <= 0.3);
    CHECK(step_down(strike.lower) >= 0.3);
  }
}

TEST_CASE("refine: strike_of of curves that start below the target, or never fall to it") {
  const auto low = [](double) { return 0.01; };
  const auto high = [](double) { return 0.9; };
  const Interval none = strike_of(low, low, 0.5, 3, 1);
  CHECK(none.lower == 0);
  CHECK(none.upper == 0);
  const Interval never = strike_of(high, low, 0.5, 3, 1);
  CHECK(never.lower == 0);
  CHECK(never.upper == kInfinity);
}

TEST_CASE("refine: strike_of claims nothing when the two curves refute each other") {
  const auto upper = [](double x) { return 0.5 * std::exp(-x); };
  const auto lower = [](double x) { return 2 * std::exp(-x); };
  const Interval strike = strike_of(upper, lower, 1e-3, 5, 1);
  INFO(show(strike));
  CHECK(strike.lower == 0);
  CHECK(strike.upper == kInfinity);
}

TEST_CASE("refine: grids grow until the width asked for, and every interval counts") {
  // The true value is 1; each grid's interval has the width of a second order scheme, and misses
  // what another one proves.
  std::vector<std::size_t> grids;
  Effort effort;
  effort.width = 1e-4;
  const Result result =
      refine({0, kInfinity}, 1024, effort, 0, [&](const Interval& known, std::size_t& grid) {
        CHECK(testing::contains(known, 1));
        grids.push_back(grid);
        const double width = 1e4 / std::pow(static_cast<double>(grid), 2);
        return grids.size() == 2 ? Interval{1 - 0.1 * width, 1 + width}
                                 : Interval{1 - width, 1 + width};
      });
  CAPTURE(grids.size());
  CHECK(grids.front() == 1024);
  for (std::size_t i = 1; i < grids.size(); ++i) CHECK(grids[i] > grids[i - 1]);
  CHECK(testing::contains(result.value, 1));
  CHECK(testing::is_narrow(result.value, 1e-4));
  CHECK_FALSE(result.limited);
  CHECK(result.grid_points == static_cast<std::int64_t>(grids.back()));
}

TEST_CASE("refine: of a single end, grids grow until finer ones would gain less than is asked") {
  for (const Wanted wanted : {Wanted::upper, Wanted::lower}) {
    const bool is_upper = wanted == Wanted::upper;
    std::vector<std::size_t> grids;
    const Effort effort{1e-4, 20, true, wanted};
    const Result result = refine({0, 5}, 1024, effort, 0, [&](const Interval&, std::size_t& grid) {
      grids.push_back(grid);
      const double ratio = static_cast<double>(grid) / 1024;
      return is_upper ? Interval{0, 1 + 0.04 / (ratio * ratio)} : Interval{1 - 0.04 / ratio, 5};
    });
    INFO(is_upper << " " << grids.size() << " " << show(result.value));
    CHECK(grids.size() >= 3);
    CHECK_FALSE(result.limited);
    CHECK(std::abs((is_upper ? result.value.upper : result.value.lower) - 1) <= 1e-4);
    // No grid is far finer than it takes.
    CHECK(result.grid_points <= (is_upper ? 1 << 16 : 1 << 20));
  }
  // An end that a grid tells nothing of is no end that finer ones would not change.
  int asked = 0;
  const Effort effort{1e-4, 14, true, Wanted::upper};
  const Result late = refine({0, 5}, 1024, effort, 0, [&](const Interval&, std::size_t&) {
    return ++asked < 3 ? Interval{0, 5} : Interval{0, 1};
  });
  CHECK(late.value.upper == 1);
}

TEST_CASE("refine: a later, wider interval does not undo an earlier one") {
  int asked = 0;
  Effort effort;
  effort.width = 1e-6;
  effort.log2_grid_limit = 13;
  const Result result = refine({0, 5}, 2048, effort, 0, [&](const Interval&, std::size_t&) {
    ++asked;
    return asked == 1 ? Interval{0.9, 1.1} : Interval{0.5, 1.05};
  });
  CHECK(asked > 1);
  CHECK(result.value.lower == 0.9);
  CHECK(result.value.upper == 1.05);
  CHECK(result.limited);
  CHECK(result.grid_points == 8192);
}

TEST_CASE("refine: stops at the limit, at an absolute width that is enough, at nothing at all") {
  const auto wide = [](const Interval&, std::size_t&) { return Interval{1, 1.5}; };
  Effort effort;
  effort.log2_grid_limit = 14;
  const Result limited = refine({0, 9}, std::size_t{1} << 20, effort, 0, wide);
  CHECK(limited.limited);
  CHECK(limited.grid_points <= 65536);
  // Narrow enough absolutely: not a limit that was reached.
  const Result enough = refine({0, 9}, 1024, effort, 0.6, wide);
  CHECK_FALSE(enough.limited);
  // But on small grids the relative width is tried for first.
  CHECK(enough.grid_points == 16384);
  const Result nothing = refine({0, 9}, 1024, effort, 0,
                                [](const Interval&, std::size_t&) { return Interval{0, 1e-260}; });
  CHECK(nothing.grid_points == 1024);
  CHECK_FALSE(nothing.limited);
}

TEST_CASE("refine: an attempt may choose a smaller grid, and that one is reported") {
  const Result result = refine({0, 1}, 8192, Effort{}, 0, [](const Interval&, std::size_t& grid) {
    grid = 1024;
    return Interval{0.5, 0.5};
  });
  CHECK(result.grid_points == 1024);
}

TEST_CASE("refine: grids that tell nothing end it soon, and one that tells something does not") {
  for (const bool tells : {false, true}) {
    int attempts = 0;
    const Result found =
        refine({0, 1}, std::size_t{1} << 10, Effort{}, 0, [&](const Interval& known, std::size_t&) {
          ++attempts;
          return tells ? Interval{known.lower, known.upper * 0.999} : Interval{0, kInfinity};
        });
    INFO("tells=" << tells << " attempts=" << attempts << " " << show(found.value));
    CHECK(found.limited);
    CHECK(testing::contains(found.value, 0));
    CHECK((found.grid_points == std::int64_t{1} << Effort{}.log2_grid_limit) == tells);
    if (!tells) CHECK(attempts == 3);
  }
}

TEST_CASE("refine: a source without nodes is planned for, and costs nothing") {
  // Lost in a calibration: noise so large that a table of losses shows none of them.
  class Empty : public Source {
   public:
    std::vector<LossNode> nodes(Direction) const override { return {}; }
    LatticeLaw law(Direction, double spacing, Range, bool, double) const override {
      LatticeLaw nothing;
      nothing.spacing = spacing;
      nothing.mass = {1};
      return nothing;
    }
    double highest(Direction) const override { return 0; }
  };
  const Empty empty;
  const pairs::SubsampledGaussian gaussian(0.1, 1);
  const PairSource source(gaussian);
  const auto delta_of = [&](const std::vector<SourceSteps>& components) {
    return delta(components, Direction::remove, 0.5, Effort{}).value;
  };
  const Interval alone = delta_of({{&source, 3}});
  const Interval beside = delta_of({{&source, 3}, {&empty, 5}});
  INFO(show(alone) << " " << show(beside));
  CHECK(testing::overlap(alone, beside));
}

}  // namespace honest_epsilon::pld
