#include "core/pairs/shift_mixture.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/interval.h"
#include "core/pairs/subsampled_gaussian.h"
#include "tests/core/pairs/mixtures.h"

namespace honest_epsilon::pairs {

TEST_CASE("mixtures: a cell's masses and mean loss are within their stated errors") {
  int narrow = 0;
  int rows = 0;
  for (const auto& row : testing::reference_table("mixture_cells")) {
    const auto pair = testing::mixture_of(row);
    const Cell cell = pair->cell(row.number("low"), row.number("high"));
    INFO(row.describe() << " p=" << cell.p.value << "+-" << cell.p.error << " q=" << cell.q.value
                        << "+-" << cell.q.error << " loss=" << cell.loss << "+-"
                        << cell.loss_error);
    CHECK(testing::within(cell.p, row.number("mass_p")));
    CHECK(testing::within(cell.q, row.number("mass_q")));
    CHECK(std::abs(cell.loss - row.number("loss")) <= cell.loss_error);
    ++rows;
    if (cell.loss_error < 1e-12 * (1 + std::abs(cell.loss)) && cell.p.error < 1e-8 * cell.p.value)
      ++narrow;
  }
  CAPTURE(narrow);
  CHECK(narrow > 9 * rows / 10);
}

TEST_CASE("gaussian mixture: one record's group is the subsampled pair") {
  for (const double q : {1e-6, 0.2, 1.0}) {
    for (const double mu : {0.01, 1.5, 9.0}) {
      const GaussianMixture person = group<GaussianMixture>({q, 1}, mu);
      const SubsampledGaussian one(q, mu);
      for (const double low : {-kInfinity, -2.0, 0.7, 4.0}) {
        for (const double width : {1e-6, 0.01, 3.0, kInfinity}) {
          const double high = std::isinf(low) && std::isfinite(width) ? -1 : low + width;
          const Cell a = person.cell(low, std::isnan(high) ? kInfinity : high);
          const Cell b = one.cell(low, std::isnan(high) ? kInfinity : high);
          CAPTURE(q);
          CAPTURE(mu);
          CAPTURE(low);
          CAPTURE(width);
          CHECK(std::abs(a.p.value - b.p.value) <= a.p.error + b.p.error);
          CHECK(std::abs(a.q.value - b.q.value) <= a.q.error + b.q.error);
          CHECK(std::abs(a.loss - b.loss) <= a.loss_error + b.loss_error);
        }
      }
      if (q < 1) CHECK(person.lowest_loss() == doctest::Approx(one.lowest_loss()));
      if (q == 1) CHECK(person.lowest_loss() == -kInfinity);
    }
  }
}

TEST_CASE("gaussian mixture: loss, position and slope belong together") {
  for (const double q : {1e-6, 0.01, 0.6, 1.0}) {
    for (const double mu : {1e-3, 0.7, 8.0, 26.0}) {
      CAPTURE(q);
      CAPTURE(mu);
      testing::check_coordinate(replaced_group<GaussianMixture>({q}, mu), -6, 6);
      testing::check_coordinate(group<GaussianMixture>({q, 5}, mu), -3, 9);
    }
  }
  testing::check_coordinate(replaced_group<GaussianMixture>({0.3, 20}, 0.4), -9, 9);
}

TEST_CASE("gaussian mixture: every mass of the line is there, for a thousand records, too") {
  for (const std::int64_t records : {2, 60, 1000}) {
    for (const double q : {1e-9, 1e-3, 0.5, 1.0}) {
      for (const double mu : {1e-4, 0.1, 26.0}) {
        const GaussianMixture pair = group<GaussianMixture>({q, records}, mu);
        Cell sum;
        double before = -kInfinity;
        for (const double z : {-5.0, 0.0, 0.4, 3.0, 20.0, 38.0, kInfinity}) {
          const Cell cell = pair.cell(before, z);
          CHECK(cell.p.value >= 0);
          CHECK(cell.q.value >= 0);
          sum = joined(sum, cell);
          before = z;
        }
        CAPTURE(records);
        CAPTURE(q);
        CAPTURE(mu);
        CHECK(testing::within(sum.p, 1));
        CHECK(testing::within(sum.q, 1));
        CHECK(sum.p.error < 1e-9);
        CHECK(!std::isnan(pair.loss(30)));
      }
    }
  }
}

TEST_CASE("gaussian mixture: a substituted pair is its own mirror image") {
  const GaussianMixture pair = replaced_group<GaussianMixture>({0.2, 3}, 0.8);
  CHECK(pair.symmetric());
  CHECK(!group<GaussianMixture>({0.2, 3}, 0.8).symmetric());
  for (const double z : {0.0, 0.3, 2.0, 7.0}) {
    CHECK(pair.loss(-z) == doctest::Approx(-pair.loss(z)).epsilon(1e-13));
    const Cell above = pair.cell(z, z + 0.1), below = pair.cell(-z - 0.1, -z);
    CHECK(std::abs(above.p.value - below.q.value) <= above.p.error + below.q.error);
  }
}

}  // namespace honest_epsilon::pairs
