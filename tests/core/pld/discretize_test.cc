#include "core/pld/discretize.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/pairs/subsampled_gaussian.h"
#include "tests/core/pld/exact.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon::pld {
namespace {

using testing::delta_of;

// E[(k - U)+] under a law of ratios.
double put_of(const LatticeLaw& law, double k) {
  double sum = 0;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.point(i) < k) sum += law.mass[i] * (k - law.point(i));
  }
  return sum;
}

double checked_total(const LatticeLaw& law) {
  double sum = law.infinite;
  for (const double mass : law.mass) {
    CHECK(mass >= 0);
    sum += mass;
  }
  return sum;
}

}  // namespace

TEST_CASE("discretize: split is above one step's profile, lump is below, at every spacing") {
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const double sigma = row.number("sigma"), q = row.number("q"), epsilon = row.number("epsilon");
    const pairs::SubsampledGaussian pair(q, 1 / sigma);
    // From one digit of resolution of this step's losses to three.
    const double top = std::min(pair.loss(1 / sigma + 9), 60.0);
    const Range range = {pair.loss(-9), top};
    for (const double cells : {20.0, 1000.0}) {
      const double spacing = (range.high - range.low) / cells;
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const double exact = row.number(direction == Direction::remove ? "remove" : "add");
        const LatticeLaw upper = split_losses(pair, direction, spacing, range);
        const LatticeLaw lower = lump_losses(pair, direction, spacing, range, 1);
        INFO(row.describe() << " cells=" << cells << " add=" << (direction == Direction::add)
                            << " upper=" << delta_of(upper, epsilon)
                            << " lower=" << delta_of(lower, epsilon));
        CHECK(checked_total(upper) >= 1 - 1e-12);
        CHECK(checked_total(lower) <= 1 + 1e-12);
        CHECK(delta_of(upper, epsilon) >= exact * (1 - 1e-12));
        CHECK(delta_of(lower, epsilon) <= exact * (1 + 1e-12) + 1e-300);
      }
    }
  }
}

TEST_CASE("discretize: both laws close in on the profile as the grid gets finer") {
  constexpr double kEpsilon = 0.2037;  // on no lattice: there the split is exact
  const pairs::SubsampledGaussian pair(0.1, 1);
  const pairs::Cell above = pair.cell(pair.position(kEpsilon), 40);
  const double exact = above.p.value - std::exp(kEpsilon) * above.q.value;
  const Range range = {pair.loss(-9), pair.loss(10)};
  double before = 1;
  for (const double spacing : {0.04, 0.01, 0.0025}) {
    const double upper = delta_of(split_losses(pair, Direction::remove, spacing, range), kEpsilon);
    const double lower =
        delta_of(lump_losses(pair, Direction::remove, spacing, range, 1), kEpsilon);
    const double gap = upper - lower;
    CAPTURE(spacing);
    CAPTURE(gap / exact);
    // Second order would be a sixteenth; where epsilon lies between two points makes it vary.
    CHECK(gap < 0.3 * before);
    before = gap;
  }
  CHECK(before < 1e-3 * exact);
}

TEST_CASE("discretize: ratios split above and lump below, for a put") {
  // delta_add(eps) = K put(1/K): the restriction to U <= high does not touch it.
  int compared = 0;
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const pairs::SubsampledGaussian pair(row.number("q"), 1 / row.number("sigma"));
    const double k = std::exp(-row.number("epsilon"));
    const double put = k * row.number("add");
    for (const double spacing : {0.02, 0.0005}) {
      const LatticeLaw upper = split_ratios(pair, spacing, 1.5);
      const LatticeLaw lower = lump_ratios(pair, spacing, 1.5, Rounding::up, -1);
      INFO(row.describe() << " spacing=" << spacing << " upper=" << put_of(upper, k)
                          << " lower=" << put_of(lower, k));
      CHECK(put_of(upper, k) >= put * (1 - 1e-12));
      CHECK(put_of(lower, k) <= put * (1 + 1e-12) + 1e-300);
      ++compared;
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("discretize: ratios that all lie far above a lattice leave it empty") {
  const pairs::SubsampledGaussian pair(0.01, 1);
  const LatticeLaw upper = split_ratios(pair, 1e-40, 1e-39);
  CHECK(upper.mass == std::vector<double>{0, 0});
  CHECK(put_of(upper, 1) == 0);
}

}  // namespace honest_epsilon::pld
