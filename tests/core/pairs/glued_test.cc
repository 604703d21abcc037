#include "core/pairs/glued.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/interval.h"
#include "core/pairs/laplace.h"
#include "core/pairs/one_step.h"
#include "core/pairs/randomized_response.h"
#include "core/pairs/subsampled_gaussian.h"
#include "tests/core/pairs/mixtures.h"
#include "tests/core/support.h"

namespace honest_epsilon::pairs {

TEST_CASE("glued: either way round it has the base's curve, and is a pair of probabilities") {
  const std::initializer_list<std::shared_ptr<const Pair>> bases = {
      std::make_shared<SubsampledGaussian>(0.05, 0.5),
      std::make_shared<SubsampledGaussian>(1, 2),
      std::make_shared<SubsampledGaussian>(1e-6, 6),
      std::make_shared<SubsampledLaplace>(0.3, 1),
      std::make_shared<SubsampledLaplace>(0.01, 1e-3),
      std::make_shared<RandomizedResponse>(0.3, 1.5)};
  for (const auto& base : bases) {
    const Glued pair(base);
    CHECK(pair.symmetric());
    CHECK(pair.lowest_loss() == -pair.highest_loss());
    const Cell whole = pair.cell(-kInfinity, kInfinity);
    CHECK(testing::within(whole.p, 1));
    CHECK(testing::within(whole.q, 1));
    CHECK(std::abs(whole.loss) <= whole.loss_error);
    for (const double epsilon : {0.0, 1e-4, 0.01, 0.1, 0.5, 2.0}) {
      const Interval truth = one_step(*base, Direction::remove, epsilon);
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const Interval found = one_step(pair, direction, epsilon);
        INFO("epsilon=" << epsilon << " " << testing::show(found) << " " << testing::show(truth));
        CHECK(testing::overlap(found, truth));
        CHECK(testing::is_narrow(found, 1e-9, 1e-12));
      }
    }
  }
}

TEST_CASE("glued: the atom at zero is what the closed form says") {
  const double q = 0.05, mu = 0.5;
  const Glued pair(std::make_shared<SubsampledGaussian>(q, mu));
  CHECK(pair.atoms() == std::vector<double>{0});
  const Cell atom = pair.cell(-1, 1);
  const double exact = (1 - q) * std::erf(mu / 2 / std::sqrt(2.0));
  CHECK(std::abs(atom.p.value - exact) <= atom.p.error + 1e-16);
  CHECK(std::abs(atom.loss) <= atom.loss_error);
  const Cell part = pair.cell(-0.5, 0.25);
  CHECK(part.q.value == doctest::Approx(0.375 * exact).epsilon(1e-14));
}

TEST_CASE("glued: loss, position and slope belong together, outside the atom") {
  const Glued gaussian(std::make_shared<SubsampledGaussian>(0.2, 1.5));
  testing::check_coordinate(gaussian, 1.1, 6);
  testing::check_coordinate(gaussian, -6, -1.1);
  const Glued laplace(std::make_shared<SubsampledLaplace>(0.2, 1.5));
  testing::check_coordinate(laplace, 1.1, 2.5);
  CHECK(laplace.kinks() == std::vector<double>{-1.75, -1, 1, 1.75});
  CHECK(laplace.atoms().size() == 3);
  CHECK(gaussian.loss(0.5) == 0);
}

}  // namespace honest_epsilon::pairs
