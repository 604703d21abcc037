#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

#include "core/contour/bins_moments.h"
#include "core/contour/epoch_powers.h"
#include "core/math/log_domain.h"
#include "core/rdp/renyi.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon {

TEST_CASE("rdp: moments of averaged lognormals are not below exact ones, and barely above") {
  for (const auto& row : testing::reference_table("renyi_bins")) {
    const double order = row.number("order");
    const double bins = row.number("bins");
    const double mu = row.number("mu");
    const bool reciprocal = row.text("quantity") == "reciprocal";
    if (reciprocal) {
      const double log_moment =
          contour::BinsMoments(bins, mu).log_moment_upper(Direction::add, order, -25);
      INFO(row.describe() << log_moment);
      CHECK(log_moment >= log1p_exp(row.number("log_excess")));
      // Each bin rounds by itself.
      CHECK(log_moment <= log1p_exp(row.number("log_excess")) * (1 + 1e-6) + 3e-14 * bins);
      continue;
    }
    contour::EpochPowers moments(bins, mu);
    const double value = moments.log_excess_upper(static_cast<std::size_t>(order));
    INFO(row.describe() << value);
    CHECK(value >= row.number("log_excess"));
    if (order > moments.most()) continue;
    CHECK(value <= row.number("log_excess") + 1e-10 + 1e-14 * std::abs(value));
  }
}

TEST_CASE("rdp: both ways to take a power agree where they meet") {
  // 2 (T+1) decides between the recurrence and repeated squaring: the table for order 60 has 68
  // entries, so T = 32 squares and T = 33 recurs. log E in between is smooth in 1/T.
  for (const double mu : {0.05, 0.5}) {
    const auto log_excess = [mu](double bins) {
      contour::EpochPowers moments(bins, mu);
      return moments.log_excess_upper(60);
    };
    const double bend = log_excess(31) - 2 * log_excess(32) + log_excess(33);
    const double next = log_excess(32) - 2 * log_excess(33) + log_excess(34);
    INFO("mu=" << mu << " " << bend << " " << next);
    CHECK(std::abs(bend - next) < 0.2 * std::abs(next));
  }
}

TEST_CASE("rdp: a shift beyond all moments is that of known batches") {
  for (const double mu : {1e4, 1e6, 3e10}) {
    for (const double order : {1.5, 2.0, 4000.0})
      CHECK(rdp::balls_and_bins_curve(36, mu)(order) == rdp::gaussian(order, mu));
  }
}

}  // namespace honest_epsilon
