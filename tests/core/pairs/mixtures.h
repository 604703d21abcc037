#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "core/pairs/laplace.h"
#include "core/pairs/shift_mixture.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon::pairs {

/// One step of Poisson-subsampled Laplace noise, ((1-q) Lap(0) + q Lap(mu), Lap(0)).
struct SubsampledLaplace : LaplaceMixture {
  SubsampledLaplace(double q, double mu) : LaplaceMixture(group<LaplaceMixture>({q}, mu)) {}
};

}  // namespace honest_epsilon::pairs

namespace honest_epsilon::testing {

/// The mixture that a row of mixture_one_step or mixture_cells is about.
inline std::unique_ptr<pairs::Pair> mixture_of(const ReferenceRow& row) {
  const double q = row.number("q"), mu = row.number("mu");
  const auto records = static_cast<std::int64_t>(row.number("records"));
  const bool substituted = row.text("kind") == "substituted";
  if (row.text("noise") == "gaussian") {
    return std::make_unique<pairs::GaussianMixture>(
        substituted ? pairs::replaced_group<pairs::GaussianMixture>({q, records}, mu)
                    : pairs::group<pairs::GaussianMixture>({q, records}, mu));
  }
  REQUIRE(row.text("noise") == "laplace");
  return std::make_unique<pairs::LaplaceMixture>(
      substituted ? pairs::replaced_group<pairs::LaplaceMixture>({q, records}, mu)
                  : pairs::group<pairs::LaplaceMixture>({q, records}, mu));
}

/// Loss, position and slope belong together, from z = low to high.
inline void check_coordinate(const pairs::Pair& pair, double low, double high) {
  double before = -HUGE_VAL;
  constexpr int kPoints = 37;
  for (int i = 0; i <= kPoints; ++i) {
    const double z = low + (high - low) * i / kPoints;
    CAPTURE(z);
    const double loss = pair.loss(z);
    CHECK(loss + pair.misplacement(z, loss) >= before);
    before = loss;
    CHECK(loss >= pair.lowest_loss());
    CHECK(loss <= pair.highest_loss());
    const double step = 1e-5 * pair.feature();
    const double slope = (pair.loss(z + step) - pair.loss(z - step)) / (2 * step);
    bool kink = false;
    for (const double k : pair.kinks()) kink = kink || std::abs(z - k) <= step;
    if (!kink) CHECK(pair.slope(z) == doctest::Approx(slope).epsilon(1e-4).scale(1e-9 / step));
    const double place = pair.position(loss);
    if (!(loss > pair.lowest_loss() && loss < pair.highest_loss())) {
      CHECK(std::isinf(place));
      continue;
    }
    CHECK(std::abs(pair.loss(place) - loss) <= pair.misplacement(place, loss));
    CHECK(pair.misplacement(place, loss) <= 1e-12 * (1 + std::abs(loss)));
  }
}

inline bool within(const pairs::Mass& mass, double truth) {
  return std::abs(mass.value - truth) <= mass.error + 1e-300;
}

}  // namespace honest_epsilon::testing
