#include "core/pld/expectation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/pairs/subsampled_gaussian.h"
#include "tests/core/pld/exact.h"
#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {

using testing::Dice;
using testing::ExactLaw;
using testing::ExactSteps;
using testing::GivenSource;
using testing::kLoss;
using testing::kRatio;
using testing::Real;

// A tilt's exponent to try: none, small, near the saddle point of typical tests, far beyond it.
double random_tilt(Dice& dice) {
  return dice.uniform(0, 1) < 0.2 ? 0 : dice.log_uniform(0.05, 40);
}

// Exponents for Chernoff bounds as no sensible plan would choose them, or none at all.
void random_exponents(Dice& dice, TransformPlan& plan) {
  const auto some = [&] { return static_cast<int>(dice.uniform(0, 4)); };
  for (int i = some(); i > 0; --i) plan.up.push_back(dice.log_uniform(1e-3, 100));
  for (int i = some(); i > 0; --i) plan.down.push_back(-dice.log_uniform(1e-3, 100));
  if (dice.uniform(0, 1) < 0.5) plan.down.push_back(0);
}

std::string show(const TransformPlan& plan) {
  char text[160];
  std::snprintf(text, sizeof text, "tilt=%.17g top=%.17g window=%.17g grid=%zu", plan.tilt,
                plan.top, plan.window, plan.grid);
  return text;
}

// The interval contains the truth, which is known to `relative`.
void check_contains(const Expectation& e, double strike, Real low, Real high, Real relative) {
  const double lower = e.lower(strike);
  const double upper = e.upper(strike);
  INFO("strike=" << strike << " lower=" << lower << " truth=" << static_cast<double>(low) << ".."
                 << static_cast<double>(high) << " upper=" << upper);
  CHECK(lower >= 0);
  CHECK(static_cast<Real>(lower) <= high * (1 + relative));
  CHECK(static_cast<Real>(upper) >= low * (1 - relative));
}

LatticeLaw random_law(Dice& dice, double spacing, bool ratios) {
  LatticeLaw law;
  law.spacing = spacing;
  law.origin = dice.uniform(0, 1) < 0.5 ? 0 : dice.uniform(0, 1) * spacing;
  law.first = ratios ? 0 : -static_cast<std::int64_t>(dice.uniform(0, 20));
  law.mass.assign(static_cast<std::size_t>(dice.uniform(2, 40)), 0.0);
  double total = 0;
  for (double& mass : law.mass) {
    if (dice.uniform(0, 1) < 0.3) continue;
    mass = dice.log_uniform(1e-8, 1);
    total += mass;
  }
  // Sometimes nearly everything in one place.
  if (dice.uniform(0, 1) < 0.4) {
    double& spike = law.mass[static_cast<std::size_t>(dice.uniform(0, 1) *
                                                      static_cast<double>(law.mass.size()))];
    spike += 1e4;
    total += 1e4;
  }
  law.mass.back() += 1e-6;
  law.mass.front() += 1e-6;
  if (!ratios && dice.uniform(0, 1) < 0.3) law.infinite = dice.log_uniform(1e-12, 1e-2);
  for (double& mass : law.mass) mass *= (1 - law.infinite) / (total + 2e-6);
  return law;
}

}  // namespace

TEST_CASE("expectation: whatever the plan, the interval contains the truth of a lattice law") {
  // Upper and lower law are the truth itself: nothing but window, tilt and round-off is left.
  int narrow = 0;
  const int plans = testing::kSlowReal ? 150 : testing::rounds(3000);
  for (int draw = 0; draw < plans; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 1);
    const bool ratios = draw % 2 == 1;
    const Payoff payoff = ratios ? kRatio : kLoss;
    const double spacing = std::ldexp(1.0, -static_cast<int>(dice.uniform(0, 5)));
    const LatticeLaw law = random_law(dice, spacing, ratios);
    LatticeLaw finite = law;
    finite.infinite = 0;
    const auto copies = static_cast<std::int64_t>(dice.uniform(1, 7));
    const GivenSource source(law, finite);
    const ExactLaw truth = testing::repeated(testing::exact(law), copies);
    // A payoff on losses is a probability: no more than 1 is claimed of masses that sum to 1 + u.
    const Real cap = ratios ? HUGE_VALL : 1;
    const double bottom = static_cast<double>(truth.point(0));
    const double end = static_cast<double>(truth.point(truth.mass.size() - 1));

    TransformPlan plan;
    plan.grid = std::size_t{1} << static_cast<int>(dice.uniform(4, 10));
    plan.window = spacing * static_cast<double>(plan.grid);
    plan.tilt = random_tilt(dice) / (1 + dice.uniform(0, 1) * (end - bottom));
    plan.saddle = plan.tilt;
    plan.top = dice.uniform(0, 1) < 0.3 ? end : dice.uniform(bottom, end + plan.window);
    plan.strike = dice.uniform(bottom, end);
    plan.ranges = {{-1, 1}};
    random_exponents(dice, plan);
    const Expectation e({{&source, copies}}, Direction::remove, payoff, plan, plan.grid);

    INFO("draw=" << draw << " copies=" << copies << " " << show(plan));
    std::vector<double> strikes = {plan.top - plan.window - 1, plan.top + 1, kInfinity,
                                   bottom + 1e-6, end - 1e-6};
    for (int i = 0; i < 8; ++i) strikes.push_back(dice.uniform(bottom - 3, end + 1));
    for (const double strike : strikes) {
      const Real exact = testing::expected(truth, payoff, strike);
      check_contains(e, strike, std::min(exact, cap), exact, 1e-16L);
      const double width = e.upper(strike) - e.lower(strike);
      if (exact > 1e-9L && width < 1e-3 * e.upper(strike)) ++narrow;
    }
  }
  // Intervals that are all trivial would contain anything.
  CHECK(narrow > plans);
}

TEST_CASE("expectation: round-off is charged where it is larger than the answer") {
  // Untilted, sums of probability 1e-30 and less are noise of 1e-17 from the transform.
  LatticeLaw law;
  law.spacing = 0.25;
  law.first = -2;
  law.mass = {0.3, 0.2, 0.1, 0.37, 0.03};
  const GivenSource source(law, law);
  const ExactLaw truth = testing::repeated(testing::exact(law), 40);
  for (const double tilt : {0.0, 0.5, 2.0}) {
    TransformPlan plan;
    plan.grid = 256;
    plan.window = 64;
    plan.tilt = tilt;
    plan.top = 20.5;
    plan.ranges = {{-1, 1}};
    plan.up = {0.01};  // a Chernoff bound too weak to hide behind
    plan.down = {0};
    const Expectation e({{&source, 40}}, Direction::remove, kLoss, plan, plan.grid);
    INFO(show(plan));
    int drowned = 0;
    for (double strike = -19.9; strike < 20; strike += 0.1) {
      const Real exact = testing::expected(truth, kLoss, strike);
      check_contains(e, strike, exact, exact, 1e-16L);
      if (e.lower(strike) == 0) ++drowned;
    }
    if (tilt == 0) CHECK(drowned > 0);
    if (tilt == 0.5) CHECK(e.lower(10) > 0);
  }
}

TEST_CASE("expectation: whatever the plan, the interval contains one to three subsampled steps") {
  int narrow = 0;
  const int plans = testing::kSlowReal ? 12 : testing::rounds(240);
  for (int draw = 0; draw < plans; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 77);
    const Direction direction = draw % 2 ? Direction::add : Direction::remove;
    const double q = draw % 5 == 0 ? 1 : dice.log_uniform(0.02, 1);
    const double mu = dice.log_uniform(0.3, 2);
    const int copies = draw % 100 == 7 && !testing::kSlowReal ? 3 : 1 + draw / 2 % 2;
    const pairs::SubsampledGaussian pair(q, mu);
    const PairSource source(pair);
    const ExactSteps truth(q, mu, direction);

    TransformPlan plan;
    const double low = pair.loss(dice.uniform(-9, -1));
    const double high = pair.loss(dice.uniform(1, 8 + mu));
    plan.ranges = {{low, high}};
    const double size = high - low;
    plan.grid = std::size_t{1} << static_cast<int>(dice.uniform(5, 12));
    plan.window = size * dice.log_uniform(0.3, 5);
    plan.tilt = dice.uniform(0, 1) < 0.25 ? 0 : dice.log_uniform(0.1, 15);
    plan.saddle = plan.tilt;
    plan.top = dice.uniform(0, 1.3) * copies * (direction == Direction::add ? -low : high) + 0.01;
    random_exponents(dice, plan);
    const Expectation e({{&source, copies}}, direction, kLoss, plan, plan.grid);

    INFO("draw=" << draw << " q=" << q << " mu=" << mu << " copies=" << copies
                 << " add=" << (direction == Direction::add) << " range=" << low << ".." << high
                 << " " << show(plan));
    std::vector<double> strikes = {0, plan.top - 0.1, plan.top + 0.1};
    for (int i = 0; i < 4; ++i) strikes.push_back(dice.uniform(-1, 1.2 * plan.top));
    if (copies == 3) strikes.resize(3);
    for (const double strike : strikes) {
      const Real exact = truth.delta(copies, strike);
      check_contains(e, strike, exact, exact, exact > 1e-6L ? 1e-11L : 1e-7L);
      if (e.upper(strike) - e.lower(strike) < 0.05 * e.upper(strike)) ++narrow;
    }
    check_contains(e, kInfinity, 0, 0, 0);
    check_contains(e, -kInfinity, 1, 1, 1e-12L);
  }
  CHECK(narrow > plans / 5);
}

TEST_CASE("expectation: a lower law may reach past the upper law's finite losses, and is charged") {
  // In direction add the upper law calls infinite what lies below the range; the lower law keeps it
  // at its mean, 3.75 here, which comes back at 0.15 times e^{tilt window}.
  const pairs::SubsampledGaussian pair(1, 1);
  const PairSource source(pair);
  TransformPlan plan;
  plan.tilt = 3;
  plan.window = 3.6;
  plan.grid = 256;
  plan.top = 3.5;
  plan.ranges = {{-3.5, 5}};
  plan.up = {4};
  plan.down = {0, -1};
  const Expectation e({{&source, 1}}, Direction::add, kLoss, plan, plan.grid);
  const ExactSteps truth(1, 1, Direction::add);
  for (const double strike : {0.0, 0.05, 0.5}) {
    const Real exact = truth.delta(1, strike);
    check_contains(e, strike, exact, exact, 1e-12L);
  }
}

TEST_CASE("expectation: the upper laws are above the lower ones at every strike") {
  for (int draw = 0; draw < 30; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 500);
    const pairs::SubsampledGaussian pair(dice.log_uniform(1e-4, 1), dice.log_uniform(0.2, 3));
    const PairSource source(pair);
    const auto copies = static_cast<std::int64_t>(dice.whole(1, 3000));
    const std::vector<SourceSteps> components = {{&source, copies}};
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double log_value = dice.uniform(-30, -1);
      const TransformPlan plan =
          make_plan(components, direction, kLoss, {std::nullopt, log_value, 1e-2}, 12);
      const Expectation e(components, direction, kLoss, plan,
                          std::min<std::size_t>(plan.grid, 4096));
      INFO("draw=" << draw << " copies=" << copies << " " << show(plan));
      double before = 1;
      for (int i = 0; i <= 40; ++i) {
        const double strike = plan.top + plan.window * (0.05 - 0.03 * (40 - i));
        const double lower = e.lower(strike);
        CAPTURE(strike);
        CHECK(lower <= e.upper(strike));
        CHECK(lower <= before);  // falls with the strike, as every lower bound taken at more does
        before = std::max(lower, 0.0) * (1 + 1e-9) + e.upper(strike);
      }
    }
  }
}

TEST_CASE("expectation: different kinds of steps, one of them not taken") {
  const double spacing = 0.125;
  Dice dice(9);
  const LatticeLaw a = random_law(dice, spacing, false);
  const LatticeLaw b = random_law(dice, spacing, false);
  LatticeLaw finite_a = a, finite_b = b;
  finite_a.infinite = finite_b.infinite = 0;
  const GivenSource first(a, finite_a), never(b, b), second(b, finite_b);
  const ExactLaw truth =
      testing::convolved(testing::repeated(testing::exact(a), 3), testing::exact(b));
  TransformPlan plan;
  plan.grid = 1024;
  plan.window = spacing * 1024;
  plan.top = static_cast<double>(truth.point(truth.mass.size() - 1)) + spacing;
  plan.tilt = 0.3;
  plan.ranges = {{0, 1}, {0, 1}, {0, 1}};
  plan.up = {1};
  plan.down = {0};
  const Expectation e({{&first, 3}, {&never, 0}, {&second, 1}}, Direction::remove, kLoss, plan,
                      plan.grid);
  for (const double strike : {-1.0, 0.0, 0.3, 1.7, 5.0}) {
    const Real exact = testing::expected(truth, kLoss, strike);
    check_contains(e, strike, exact, exact, 1e-16L);
    INFO("strike=" << strike);
    if (exact > 1e-6L) CHECK(e.upper(strike) - e.lower(strike) < 0.1 * e.upper(strike));
  }
}

}  // namespace honest_epsilon::pld
