#include "core/pairs/laplace.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/interval.h"
#include "tests/core/pairs/mixtures.h"

namespace honest_epsilon::pairs {

TEST_CASE("laplace: loss, position and slope belong together") {
  for (const double q : {1e-3, 0.01, 0.6, 1.0}) {
    for (const double mu : {1e-3, 1e-2, 1.0, 30.0, 1e3}) {
      CAPTURE(q);
      CAPTURE(mu);
      testing::check_coordinate(SubsampledLaplace(q, mu), -0.3 * mu, 1.3 * mu);
      testing::check_coordinate(replaced_group<LaplaceMixture>({q}, mu), -1.2 * mu, 1.2 * mu);
      testing::check_coordinate(group<LaplaceMixture>({q, 4}, mu), -mu, 5 * mu);
    }
  }
}

TEST_CASE("laplace: the loss ends in an atom on either side") {
  for (const double q : {1e-3, 0.5, 1.0}) {
    for (const double mu : {1e-4, 0.5, 20.0, 1e3}) {
      const SubsampledLaplace pair(q, mu);
      CAPTURE(q);
      CAPTURE(mu);
      const double low = q == 1 ? -mu : std::log1p(q * std::expm1(-mu));
      const double high = mu > 600 ? mu + std::log(q) : std::log1p(q * std::expm1(mu));
      CHECK(pair.lowest_loss() == doctest::Approx(low).epsilon(1e-12).scale(1e-3));
      CHECK(pair.highest_loss() == doctest::Approx(high).epsilon(1e-12).scale(1e-3));
      CHECK(pair.loss(-1) == pair.lowest_loss());
      CHECK(pair.loss(mu + 1) == pair.highest_loss());
      const Cell bottom = pair.cell(-kInfinity, 0);
      CHECK(testing::within(bottom.q, 0.5));
      CHECK(testing::within(bottom.p, 0.5 * ((1 - q) + q * std::exp(-mu))));
      CHECK(std::abs(bottom.loss - low) <= bottom.loss_error + 1e-15 * std::abs(low));
      const Cell top = pair.cell(mu, kInfinity);
      CHECK(testing::within(top.p, 0.5 * (q + (1 - q) * std::exp(-mu))));
      CHECK(testing::within(top.q, 0.5 * std::exp(-mu)));
      CHECK(std::abs(top.loss - high) <= top.loss_error + 1e-15 * high);
      // Half an atom is half its masses.
      const Cell half = pair.cell(mu, mu + std::log(2.0));
      CHECK(std::abs(half.p.value - 0.5 * top.p.value) <= half.p.error + 1e-13 * top.p.value);
      CHECK(half.loss == top.loss);
    }
  }
}

TEST_CASE("laplace: every mass of the line is there, for a thousand records, too") {
  for (const std::int64_t records : {1, 30, 1000}) {
    for (const double q : {1e-9, 1e-3, 0.5, 1.0}) {
      for (const double mu : {1e-6, 0.1, 1e3}) {
        for (const bool substituted : {false, true}) {
          const LaplaceMixture pair = substituted ? replaced_group<LaplaceMixture>({q, records}, mu)
                                                  : group<LaplaceMixture>({q, records}, mu);
          const Cell whole =
              joined(pair.cell(-kInfinity, 0.3 * mu), pair.cell(0.3 * mu, kInfinity));
          CAPTURE(records);
          CAPTURE(q);
          CAPTURE(mu);
          CHECK(testing::within(whole.p, 1));
          CHECK(testing::within(whole.q, 1));
          CHECK(whole.p.error < 1e-6);
          CHECK(std::isfinite(pair.highest_loss()));
        }
      }
    }
  }
}

}  // namespace honest_epsilon::pairs
