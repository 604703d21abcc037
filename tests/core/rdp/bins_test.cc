#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

#include "core/rdp/bin_moments.h"
#include "core/rdp/bin_reciprocal.h"
#include "core/rdp/renyi.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon {

TEST_CASE("rdp: moments of averaged lognormals are not below exact ones, and barely above") {
  for (const auto& row : testing::reference_table("renyi_bins")) {
    const double order = row.number("order");
    const double bins = row.number("bins");
    const double mu = row.number("mu");
    const bool reciprocal = row.text("quantity") == "reciprocal";
    rdp::BinMoments moments(bins, mu);
    const double value = reciprocal ? rdp::BinReciprocal(bins, mu).log_excess_upper(order)
                                    : moments.log_excess_upper(static_cast<std::size_t>(order));
    INFO(row.describe() << value);
    CHECK(value >= row.number("log_excess"));
    CHECK(value <=
          row.number("log_excess") + (reciprocal ? 1e-9 : 1e-10) + 1e-14 * std::abs(value));
  }
}

TEST_CASE("rdp: both ways to take a power agree where they meet") {
  // 2 (T+1) decides between the recurrence and repeated squaring: the table for order 100 has 129
  // entries, so T = 63 squares and T = 64 recurs. log E in between is smooth in 1/T.
  for (const double mu : {0.05, 0.5}) {
    const auto log_excess = [mu](double bins) {
      rdp::BinMoments moments(bins, mu);
      return moments.log_excess_upper(100);
    };
    const double bend = log_excess(62) - 2 * log_excess(63) + log_excess(64);
    const double next = log_excess(63) - 2 * log_excess(64) + log_excess(65);
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

TEST_CASE("rdp: one bin's reciprocal moment is the Gaussian's") {
  for (const double b : {0.5, 3.0, 20.0}) {
    const double exact = std::log(std::expm1(0.5 * b * (b + 1) * 0.01));
    CHECK(rdp::BinReciprocal(1, 0.1).log_excess_upper(b) >= exact - 1e-14);
    CHECK(rdp::BinReciprocal(1, 0.1).log_excess_upper(b) <= exact + 1e-12);
  }
}

}  // namespace honest_epsilon
