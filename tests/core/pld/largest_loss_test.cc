#include "core/pld/largest_loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/pairs/laplace.h"
#include "core/pairs/randomized_response.h"
#include "core/pairs/records.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "tests/core/pairs/mixtures.h"
#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {

using testing::show;

constexpr Direction kDirections[] = {Direction::remove, Direction::add};

}  // namespace

TEST_CASE("largest loss: delta's ends hold beside the sum over all answers of a bit") {
  const double kept = 1.5;
  for (const double q : {0.2, 1.0}) {
    const pairs::RandomizedResponse pair(q, kept);
    const PairSource source(pair);
    for (const std::int64_t steps : {1, 3, 20}) {
      for (const Direction direction : kDirections) {
        const LargestLoss largest({{&source, steps}}, direction);
        const double second = largest.upper() - (pair.highest_loss() - pair.lowest_loss());
        for (const double part : {0.0, 0.3, 0.7, 0.99, 0.999999, 1.01}) {
          const double epsilon = part * largest.upper();
          const Interval found = largest.delta(epsilon);
          const Interval exact = randomized_response::delta(q, kept, steps, direction, epsilon);
          INFO("q=" << q << " steps=" << steps << " epsilon=" << epsilon << " " << show(found)
                    << " around " << show(exact));
          CHECK(testing::overlap(found, exact));
          CHECK(found.lower <= exact.upper);
          // Only where all answers are the same does the loss reach that far.
          if (epsilon > second) CHECK(found.lower >= exact.lower * (1 - 1e-9));
        }
      }
    }
  }
}

TEST_CASE("largest loss: epsilon is known to rounding where its event is likely enough") {
  // Every step tells of the shift mu with probability 1/2, whole epsilons are n mu.
  for (const double mu : {0.01, 1.0, 246.0}) {
    const pairs::SubsampledLaplace pair(1, mu);
    const PairSource source(pair);
    for (const std::int64_t steps : {1, 5, 40}) {
      const LargestLoss largest({{&source, steps}}, Direction::remove);
      const auto n = static_cast<double>(steps);
      for (const double share : {1e-6, 0.5, 0.999}) {
        const double target = share * std::pow(0.5, n);
        const Interval found = largest.epsilon(target);
        const double exact = std::max(0.0, n * mu + std::log1p(-share));
        INFO("mu=" << mu << " steps=" << steps << " share=" << share << " " << show(found)
                   << " exact " << exact);
        CHECK(found.lower <= exact);
        CHECK(found.lower >= exact - 1e-9 * (1 + n * mu));
        CHECK(testing::contains({n * mu, n * mu * (1 + 1e-9)}, found.upper, 0));
      }
      CHECK(largest.epsilon(2 * std::pow(0.5, n)).lower == 0);
    }
  }
}

TEST_CASE("largest loss: several kinds of steps multiply, and directions exchange") {
  const pairs::SubsampledLaplace often(0.5, 0.7), rarely(0.1, 2);
  const auto source = std::make_shared<PairSource>(often);
  const PairSource other(rarely);
  const std::vector<SourceSteps> components = {{source.get(), 2}, {&other, 1, true}, {&other, 0}};
  for (const Direction direction : kDirections) {
    const LargestLoss largest(components, direction);
    for (const double part : {0.1, 0.6, 0.95}) {
      const double epsilon = part * largest.upper();
      const Interval found = largest.delta(epsilon);
      const Interval composed = delta(components, direction, epsilon, testing::kEffort).value;
      INFO("epsilon=" << epsilon << " " << show(found) << " around " << show(composed));
      CHECK(found.lower > 0);
      CHECK(found.lower <= composed.upper);
      CHECK(found.upper >= composed.lower);
    }
  }
}

TEST_CASE("largest loss: where nothing has mass of its own, no lower end is claimed") {
  const pairs::SubsampledGaussian gaussian(0.1, 1);
  const pairs::SubsampledLaplace laplace(0.1, 1);
  const PairSource smooth(gaussian), kinked(laplace);
  for (const Direction direction : kDirections) {
    const LargestLoss largest({{&kinked, 1}, {&smooth, 3}}, direction);
    CHECK(largest.delta(0.5).lower == 0);
    CHECK(largest.epsilon(1e-9).lower == 0);
    CHECK((direction == Direction::add) == (largest.upper() < kInfinity));
  }
}

TEST_CASE("largest loss: what is not known of a step's loss is charged on both sides") {
  // The loss of all 290 records is a sum of as many logarithms.
  const auto pair = pairs::group<pairs::LaplaceMixture>(pairs::Records{1e-3, 290}, 1e-3);
  const PairSource source(pair);
  for (const Direction direction : kDirections) {
    const pairs::Cell top = source.top(direction);
    const LargestLoss largest({{&source, 3}}, direction);
    INFO(top.loss << " off by " << top.loss_error);
    CHECK(top.loss_error > 1e-12 * top.loss);
    CHECK(largest.upper() >= 3 * (top.loss + top.loss_error));
    CHECK(largest.upper() <= 3 * (top.loss + top.loss_error) * (1 + 1e-11));
    CHECK(largest.delta(3 * (top.loss - top.loss_error)).lower == 0);
  }
}

TEST_CASE("largest loss: a mass that underflows is none") {
  const pairs::RandomizedResponse pair(0.2, 1.5);
  const PairSource source(pair);
  for (const std::int64_t steps : {450, 500, 100000}) {
    const LargestLoss largest({{&source, steps}}, Direction::remove);
    const Interval found = largest.delta(0.999 * largest.upper());
    INFO("steps=" << steps << " " << show(found));
    CHECK((found.lower == 0 || found.lower > 1e-300));
    CHECK(found.upper > 0);
  }
}

// Found by `npm run fuzz`: seconds went into lattices, which told nothing of losses that large.
TEST_CASE("largest loss: a group of 290 records with Laplace noise is answered without a lattice") {
  const auto pair =
      pairs::replaced_group<pairs::LaplaceMixture>(pairs::Records{1, 290}, 1 / 2.3531778799403664);
  const PairSource source(pair);
  const Result found = epsilon({{&source, 5}}, Direction::remove, 2e-15, testing::kEffort);
  INFO(show(found.value));
  CHECK(found.grid_points == 0);
  CHECK(testing::is_narrow(found.value, 1e-11));
  CHECK(testing::contains(found.value, 5 * 2 * 290 / 2.3531778799403664, 1e-12));
}

}  // namespace honest_epsilon::pld
