#include "core/pld/plan.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <optional>
#include <vector>

#include "core/pairs/gaussian.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/expectation.h"
#include "tests/core/pld/exact.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {

using testing::Dice;
using testing::ExactSteps;
using testing::kLoss;

}  // namespace

TEST_CASE("plan: the saddle point's guess at delta is near the truth") {
  for (int draw = 0; draw < 40; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 1);
    const double mu = dice.log_uniform(0.01, 1);
    const auto copies = static_cast<std::int64_t>(dice.whole(1, 200));
    const double total = mu * std::sqrt(static_cast<double>(copies));
    const double epsilon = dice.uniform(0.5 * total, 6 * total);
    const double exact = gaussian::delta(total, epsilon).lower;
    const pairs::SubsampledGaussian pair(1, mu);
    const PairSource source(pair);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double guess = log_value_estimate({{&source, copies}}, direction, kLoss, epsilon);
      INFO("draw=" << draw << " mu=" << mu << " copies=" << copies << " epsilon=" << epsilon);
      CHECK(guess == doctest::Approx(std::log(exact)).epsilon(0.05).scale(2));
    }
  }
}

// Rare large losses make the strike of an exponent jump, though hardly the value at a strike.
TEST_CASE("plan: tiny deltas of many steps are guessed within their order of magnitude") {
  for (const auto& row : testing::reference_table("poisson_small_delta")) {
    if (row.text("setting") != "mnist") continue;
    const pairs::SubsampledGaussian pair(row.number("q"), 1 / row.number("sigma"));
    const PairSource source(pair);
    const TransformPlan plan = make_plan(
        {{&source, static_cast<std::int64_t>(row.number("steps"))}},
        testing::direction_of(row.text("direction")), kLoss, {row.number("epsilon"), {}, 1e-3}, 20);
    INFO(row.describe() << plan.log_value);
    CHECK(std::abs(plan.log_value - std::log(row.number("delta"))) < 1.5);
  }
}

TEST_CASE("plan: one plan and one grid already give a narrow interval at the strike asked for") {
  int narrow = 0;
  int asked = 0;
  for (int draw = 0; draw < 60; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 7);
    const pairs::SubsampledGaussian pair(dice.log_uniform(1e-3, 1), dice.log_uniform(0.2, 2));
    const PairSource source(pair);
    const std::vector<SourceSteps> components = {
        {&source, static_cast<std::int64_t>(dice.whole(2, 2000))}};
    const double log_value = dice.uniform(-25, -2);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const TransformPlan plan =
          make_plan(components, direction, kLoss, {std::nullopt, log_value, 1e-2}, 16);
      INFO("draw=" << draw << " add=" << (direction == Direction::add) << " strike=" << plan.strike
                   << " tilt=" << plan.tilt << " top=" << plan.top << " window=" << plan.window
                   << " grid=" << plan.grid);
      CHECK(plan.grid <= 65536);
      CHECK((plan.grid & (plan.grid - 1)) == 0);
      CHECK(plan.tilt >= 0);
      CHECK(plan.tilt <= plan.saddle);
      CHECK(plan.top > plan.strike);
      CHECK(plan.window >= plan.top - plan.strike);
      REQUIRE(plan.ranges.size() == 1);
      CHECK(plan.ranges[0].low < plan.ranges[0].high);
      for (const double s : plan.up) CHECK(s > 0);
      for (const double s : plan.down) CHECK(s <= 0);
      if (plan.strike == 0) continue;
      ++asked;
      const Expectation e(components, direction, kLoss, plan, plan.grid);
      if (e.upper(plan.strike) - e.lower(plan.strike) < 0.05 * e.upper(plan.strike)) ++narrow;
      // The strike was to have this value; heavy tails mislead a saddle point by a few units.
      CHECK(std::abs(std::log(e.upper(plan.strike)) - log_value) < 5);
    }
  }
  CAPTURE(narrow);
  CAPTURE(asked);
  CHECK(asked > 60);
  CHECK(narrow > 0.8 * asked);
}

TEST_CASE(
    "plan: a grid limit is kept, and a component that is not taken has a range all the same") {
  const pairs::SubsampledGaussian pair(0.01, 1);
  const PairSource source(pair);
  const std::vector<SourceSteps> components = {{&source, 0}, {&source, 100000}};
  const TransformPlan plan =
      make_plan(components, Direction::remove, kLoss, {1.0, std::nullopt, 1e-9}, 11);
  CHECK(plan.grid == 2048);
  CHECK(plan.ranges.size() == 2);
  const Expectation e(components, Direction::remove, kLoss, plan, plan.grid);
  CHECK(e.lower(1) <= e.upper(1));
}

}  // namespace honest_epsilon::pld
