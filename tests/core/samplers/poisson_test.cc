#include "core/samplers/poisson.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/contour/inversion.h"
#include "core/contour/subsampled_moments.h"
#include "core/math/binomial_tail.h"
#include "core/runs/parts.h"
#include "tests/core/pld/exact.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::contains;
using testing::direction_of;
using testing::is_narrow;
using testing::kEffort;
using testing::larger;
using testing::show;
using testing::side;

}  // namespace

// One and two steps beyond mu = 26, where no lattice holds a step.
TEST_CASE("poisson: steps of hardly any noise are within their interval, in each direction") {
  constexpr std::array kEpsilons = {0.0, 2.0, 100.0, 330.0, 420.0, 600.0};
  constexpr std::array kRates = {1e-3, 0.1, 0.7};
  for (const double mu : {26.5, 30.0}) {
    for (const double steps : {1.0, 2.0}) {
      if (steps > 1 && testing::kSlowReal) continue;
      for (std::size_t i = 0; i < kRates.size() * kEpsilons.size(); ++i) {
        const double q = kRates[i / kEpsilons.size()], epsilon = kEpsilons[i % kEpsilons.size()];
        if (!testing::in_share(i + i / kEpsilons.size())) continue;
        const Run run = testing::steps_run(1 / mu, q, steps);
        const Directions found = poisson::delta(run, epsilon, kEffort).directions;
        for (const Direction direction : {Direction::remove, Direction::add}) {
          const bool remove = direction == Direction::remove;
          const Interval& side = remove ? found.remove : found.add;
          const testing::ExactSteps truth(q, 1 / run.noise_multiplier, direction);
          const auto exact = static_cast<double>(truth.delta(static_cast<int>(steps), epsilon));
          INFO("mu=" << mu << " q=" << q << " steps=" << steps << " epsilon=" << epsilon
                     << " remove=" << remove << " exact=" << exact << " " << show(side));
          CHECK(contains(side, exact, 1e-9));
        }
      }
    }
  }
}

TEST_CASE("poisson: one step is the closed form") {
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const Run run = testing::steps_run(row.number("sigma"), row.number("q"), 1);
    const Finding found = poisson::delta(run, row.number("epsilon"), kEffort);
    INFO(row.describe() << show(found.directions.remove) << " " << show(found.directions.add));
    CHECK(contains(found.directions.remove, row.number("remove")));
    CHECK(contains(found.directions.add, row.number("add")));
    CHECK(is_narrow(larger(found), kEffort.width, 1e-290));
  }
}

TEST_CASE("poisson: contains the composed values of independent programs") {
  for (const std::string& table :
       {std::string("poisson_composed"), std::string("poisson_small_delta")}) {
    for (const auto& row : testing::reference_table(table)) {
      const Run run = testing::steps_run(row.number("sigma"), row.number("q"), row.number("steps"));
      const Finding found = poisson::delta(run, row.number("epsilon"), kEffort);
      const Interval& delta = side(found, direction_of(row.text("direction")));
      INFO(row.describe() << show(delta));
      // What halving their grid changed is a measure of their error, not a bound on it: at sigma =
      // .8, q = .01, 2000 steps, epsilon = 20 it says 2.4e-6, and the value is 4.6e-6 high.
      CHECK(contains(delta, row.number("delta"), 2 * std::abs(row.number("relative_error"))));
      CHECK(is_narrow(larger(found), kEffort.width));
    }
  }
}

TEST_CASE("poisson: no lower end is above a library's proved upper value") {
  for (const auto& row : testing::in_share(testing::reference_table("poisson_peer_upper"))) {
    const Run run = testing::steps_run(row.number("sigma"), row.number("q"), row.number("steps"));
    const Finding found = poisson::epsilon(run, row.number("delta"), kEffort);
    const Interval& epsilon = side(found, direction_of(row.text("direction")));
    const double theirs = row.number("epsilon");
    INFO(row.describe() << show(epsilon));
    // Their round-off is not charged. At delta = 1e-8 and 331,060 steps it takes their upper value
    // below the truth by 1.8e-5 of itself: delta is 1.00124e-8 there, in 40-digit arithmetic.
    CHECK(epsilon.lower <= theirs * (1 + 2e-5) + 1e-9);
    CHECK(is_narrow(larger(found), kEffort.width, 1e-4));
    // Where their grid is fine beside the loss of one step, the value is near the truth too.
    const double grid = row.number("grid");
    const double step_loss = row.number("q") / row.number("sigma");
    if (grid < 0.02 * step_loss) CHECK(epsilon.upper >= theirs * (1 - 2e-3) - 1e-4);
  }
}

TEST_CASE("poisson: small delta keeps its relative width at both ends") {
  // The setting at which an accountant without a tilt reports 2.06e-10.
  const Run run = testing::steps_run(1, 1e-3, 1000);
  for (const auto& row : {std::pair{1.0, 2.541e-13}, std::pair{4.0, 1.3395e-26}}) {
    const double epsilon =
        row.first;  // clang lets no lambda (INFO is one) see a structured binding
    const double delta = row.second;
    const Finding found = poisson::delta(run, epsilon, kEffort);
    const Interval value = larger(found);
    INFO("epsilon=" << epsilon << " " << show(value));
    CHECK(value.lower >= delta * (1 - 1e-3));
    CHECK(value.upper <= delta * (1 + 1e-3));
  }
}

TEST_CASE("poisson: q = 1 is the Gaussian mechanism, composed") {
  const Run run = testing::steps_run(6, 1, 9);  // one release at sigma 2
  const Finding found = poisson::delta(run, 0.5, kEffort);
  // Phi(-3/4) - e^(1/2) Phi(-5/4)
  const double exact = 0.22662735237686821 - std::exp(0.5) * 0.10564977366685535;
  for (const Interval& delta : {found.directions.remove, found.directions.add}) {
    INFO(show(delta));
    CHECK(contains(delta, exact, 1e-13));
    CHECK(is_narrow(delta, kEffort.width));
  }
}

TEST_CASE("poisson: one step's closed forms hold everywhere, next to their ends, too") {
  for (int draw = 0; draw < 400; ++draw) {
    testing::Dice dice(static_cast<std::uint64_t>(draw) + 1);
    const double q = draw % 3 ? dice.log_uniform(1e-4, 1) : 1 - dice.log_uniform(1e-6, 0.5);
    const double mu = dice.log_uniform(0.1, 4);
    const double sigma = 1 / mu;
    const double end = -std::log1p(-q);  // of direction add
    for (const double epsilon : {0.0, dice.uniform(0, 1) * end, end * (1 - 1e-9), end * (1 + 1e-9),
                                 dice.uniform(0, 4), 45.0}) {
      const Finding found = poisson::delta(testing::steps_run(sigma, q, 1), epsilon, kEffort);
      INFO("draw=" << draw << " q=" << q << " mu=" << mu << " epsilon=" << epsilon << " "
                   << show(found.directions.remove) << " " << show(found.directions.add));
      const auto remove = static_cast<double>(
          testing::ExactSteps(q, 1 / sigma, Direction::remove).delta(1, epsilon));
      const auto add =
          static_cast<double>(testing::ExactSteps(q, 1 / sigma, Direction::add).delta(1, epsilon));
      // The truth is a difference, too, and has its own absolute error.
      CHECK(found.directions.remove.lower <= remove * (1 + 1e-15) + testing::kFunctionError);
      CHECK(found.directions.remove.upper >= remove * (1 - 1e-15) - testing::kFunctionError);
      CHECK(found.directions.add.lower <= add * (1 + 1e-15) + testing::kFunctionError);
      CHECK(found.directions.add.upper >= add * (1 - 1e-15) - testing::kFunctionError);
      CHECK(is_narrow(found.directions.remove, 1e-6, 1e-15));
      CHECK(is_narrow(found.directions.add, 1e-6, 1e-15));
    }
  }
}

TEST_CASE("poisson: an epsilon of one step leads back to its delta, in each direction") {
  for (const double q : {1e-3, 0.2, 0.95}) {
    for (const double target : {0.01, 1e-4, 1e-9}) {
      const Finding found = poisson::epsilon(testing::steps_run(0.8, q, 1), target, kEffort);
      for (const bool remove : {true, false}) {
        const Interval& side = remove ? found.directions.remove : found.directions.add;
        const testing::ExactSteps step(q, 1 / 0.8, remove ? Direction::remove : Direction::add);
        INFO("q=" << q << " target=" << target << " remove=" << remove << " " << show(side));
        CHECK(step.delta(1, side.upper) <= target * (1 + 1e-9));
        if (side.lower > 0) CHECK(step.delta(1, side.lower) >= target * (1 - 1e-9));
        CHECK(is_narrow(side, 1e-8));
      }
    }
  }
}

TEST_CASE("poisson: a direction that its largest loss keeps from deciding is told all the same") {
  constexpr double kDelta = 1e-5;
  for (const double sigma : testing::in_share(std::vector{0.15, 0.14, 0.16})) {
    const Run run = testing::steps_run(sigma, 0.0043, 2344);
    const Directions found = poisson::epsilon(run, kDelta, kEffort).directions;
    INFO(sigma << show(found.remove) << show(found.add));
    CHECK(is_narrow(found.remove, 1e-3));
    CHECK(is_narrow(found.add, 1e-2));
    // Delta of that direction alone, on either side.
    const auto delta = [&](double epsilon) {
      return poisson::delta(run, epsilon, kEffort).directions.add;
    };
    CHECK(delta(found.add.upper).lower <= kDelta);
    CHECK(delta(found.add.lower).upper >= kDelta);
  }
}

// No step's loss in direction add exceeds -log(1 - q). A millionth below the largest sum delta is
// still 1e-8: all 21 steps are far below where the record would show with probability 0.01.
TEST_CASE("poisson: with q next to 1 epsilon comes close to the largest loss") {
  for (const double left : {0x1p-20, 0x1p-39}) {
    const double largest = -21 * std::log(left);
    for (const double delta : {1e-12, 1e-100, 1e-290}) {
      const Finding found = poisson::epsilon(testing::steps_run(0.1, 1 - left, 21), delta, kEffort);
      INFO(left << " " << delta << show(found.directions.add));
      CHECK(found.directions.add.upper >= largest - 1e-6);
    }
  }
}

// Few of many records are in one batch; the law of all of them is the same within its digits.
TEST_CASE(
    "poisson: people with many records have narrow answers, between those of fewer and more") {
  for (const double sigma : {0.7, 2.0}) {
    double last = 0;
    for (const std::int64_t records : {8, 12, 64}) {
      // Of either noise another one of those in between is left to the full run.
      if (testing::share_of_cases() < 1 && records == (sigma < 1 ? 12 : 8)) continue;
      Run run = testing::steps_run(sigma, 0.004, 2000);
      run.records_per_user = records;
      const Interval epsilon = larger(poisson::epsilon(run, 1e-6, kEffort));
      INFO("sigma=" << sigma << " records=" << records << show(epsilon));
      CHECK(is_narrow(epsilon, 1e-6));
      CHECK(epsilon.lower > last);
      last = epsilon.upper;
      const Interval delta = larger(poisson::delta(run, epsilon.upper, kEffort));
      CHECK(contains(delta, 1e-6, 1e-4));
      if (static_cast<double>(records) > 40 * sigma) continue;
      const auto all = std::make_shared<contour::SubsampledGaussianMoments>(
          pairs::Records{0.004, records}, 1 / sigma, false);
      const auto by_all = contour::Inversion({{all, 2000}}, Direction::remove).epsilon(1e-6);
      REQUIRE(by_all);
      CHECK(testing::overlap(*by_all, epsilon));
    }
  }
  // Small deltas, with more records than any contour takes, and with few.
  Run crowded = testing::steps_run(0.5, 0.004, 2000);
  crowded.records_per_user = 64;
  CHECK(larger(poisson::delta(crowded, 1e5, kEffort)).upper < 1e-20);
  Run run = testing::steps_run(4, 0.01, 500);
  run.records_per_user = 20;
  CHECK(is_narrow(larger(poisson::epsilon(run, 1e-60, kEffort)), 1e-3));
}

// However many of the records are looked at in one batch: those that are not are charged.
TEST_CASE("poisson: beside a release, more records than a shift tells cost their probability") {
  constexpr double kRate = 1e-3, kSigma = 1e-3;
  Run run = testing::steps_run(kSigma, kRate, 1);
  run.records_per_user = 50;
  const auto make = [&](const Demand& demand) {
    Parts release;
    release.tight = release.symmetric = true;
    release.upper.squared_shift = 1e-8;
    return joined({poisson::parts(run, demand), release});
  };
  for (double least = 1; least < 30; ++least) {
    // That many records' losses, at least, exceed it but for rare noise.
    const double epsilon = std::pow((least - 0.5) / kSigma, 2) / 2;
    const double truth = binomial::upper_tail(50, kRate, least - 1).lower;
    const Directions found = compose(make, 2, Asked::delta, epsilon, kEffort).directions;
    INFO(least << " of 50 records: " << truth << " " << show(found.remove));
    CHECK(found.remove.upper >= truth * (1 - 1e-6));
  }
  // Steps on a lattice, too, hold fewer.
  run.noise_multiplier = 1;
  const Interval failure = poisson::parts(run, {-41, kEffort}).failure;
  CHECK(failure.upper > 0);
  CHECK(failure.upper < std::exp(-41));
}

}  // namespace honest_epsilon
