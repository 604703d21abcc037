#include "core/contour/subsampled_moments.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "core/contour/gaussian_moments.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::Column;
using contour::LogMoment;
using contour::SubsampledGaussianMoments;

/// Whether log K is within the error stated, and this much more.
bool holds(const LogMoment& at, std::complex<double> truth, double more) {
  return std::abs(std::exp(truth - at.value) - 1.0) <= std::expm1(at.error + more);
}

}  // namespace

TEST_CASE("subsampled moments: errors hold against 40-digit values, at any precision asked") {
  for (const auto& row : testing::reference_table("subsampled_moments")) {
    const SubsampledGaussianMoments moments(row.number("q"), row.number("mu"));
    const double re = row.number("re"), y = row.number("im");
    const std::complex<double> truth{row.number("log_re"), row.number("log_im")};
    // E R^w is K(w - 1) of remove, and the conjugate of K(-conj w) of add.
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double x = direction == Direction::remove ? re - 1 : -re;
      const auto sign = direction == Direction::remove ? 1 : -1;
      for (const double precision : {0.0, -2.0, -4.0, -8.0, -16.0, -40.0}) {
        const auto column = moments.column(direction, x, precision);
        REQUIRE(column);
        const LogMoment at = column->log_moment(y);
        INFO(row.describe() << " x=" << x << " precision=" << precision << " error=" << at.error);
        CHECK(holds(at, {truth.real(), sign * truth.imag()}, 1e-15 * (1 + std::abs(truth))));
        if (precision == -40 && truth.real() > -1) CHECK(at.error < 1e-10 * (1 + std::abs(truth)));
      }
    }
  }
}

TEST_CASE("subsampled moments: errors hold for several records, and for replaced ones") {
  for (const auto& row : testing::reference_table("shift_moments")) {
    const bool replaced = row.number("replaced") == 1;
    const pairs::Records records{row.number("q"), static_cast<std::int64_t>(row.number("records"))};
    const SubsampledGaussianMoments moments(records, row.number("mu"), replaced);
    const double re = row.number("re"), y = row.number("im");
    const std::complex<double> truth{row.number("log_re"), row.number("log_im")};
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const bool forward = replaced || direction == Direction::remove;
      const double x = forward ? re - 1 : -re;
      for (const double precision : {0.0, -3.0, -8.0, -40.0}) {
        const auto column = moments.column(direction, x, precision);
        REQUIRE(column);
        const LogMoment at = column->log_moment(y);
        INFO(row.describe() << " x=" << x << " precision=" << precision << " error=" << at.error);
        CHECK(holds(at, {truth.real(), (forward ? 1 : -1) * truth.imag()},
                    1e-15 * (1 + std::abs(truth))));
        if (precision == -40 && std::abs(truth.real()) < 4) CHECK(at.error < 1e-9);
      }
    }
  }
}

// Of 1e8 steps a rounding of 1e-16 in each would be felt.
TEST_CASE("subsampled moments: near z = 0 errors are small beside log K, and hold beside it") {
  for (const auto& row : testing::reference_table("low_powers")) {
    const bool replaced = row.number("replaced") == 1;
    const SubsampledGaussianMoments moments(pairs::Records{row.number("q")}, row.number("mu"),
                                            replaced);
    const double x = row.number("re"), y = row.number("im");
    const std::complex<double> truth{row.number("log_re"), row.number("log_im")};
    const auto column = moments.column(Direction::remove, x, -70);
    REQUIRE(column);
    const LogMoment at = column->log_moment(y);
    const double off = std::abs(truth - at.value);
    INFO(row.describe() << " off=" << off << " error=" << at.error);
    CHECK(off <= at.error * (1 + 1e-9) + 2e-16 * std::abs(truth));
    CHECK(at.error < 1e-9 * std::abs(truth));
  }
}

// Add's far columns have negative powers in the thousands; a strip's edges gain up to p_0 to them.
TEST_CASE("subsampled moments: errors hold for far columns of add, at any precision asked") {
  testing::Dice dice(47);
  int compared = 0;
  for (int i = 0; i < 150; ++i) {
    const double mu = dice.log_uniform(0.3, 5), q = dice.log_uniform(1e-6, 0.3);
    const double x = dice.log_uniform(1, 30) / q;
    const SubsampledGaussianMoments moments(q, mu);
    const auto precise = moments.column(Direction::add, x, -40);
    if (!precise) continue;
    const double y = dice.uniform(0, 2) * x;
    const LogMoment truth = precise->log_moment(y);
    for (const double precision : {0.0, -3.0, -8.0, -16.0}) {
      const auto column = moments.column(Direction::add, x, precision);
      REQUIRE(column);
      const LogMoment at = column->log_moment(y);
      INFO("mu=" << mu << " q=" << q << " x=" << x << " y=" << y << " precision=" << precision);
      if (!(truth.error < 1e-9 && at.error < 1)) continue;
      CHECK(holds(at, truth.value, truth.error + 1e-15));
      ++compared;
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("subsampled moments: a climb says what its heights say one by one") {
  struct Setting {
    double q, mu, x, spacing;
    bool replaced;
  };
  for (const Setting& given : {Setting{1e-6, 1, 12, 0.75, false},
                               {0.01, 2.5, 3, 0.125, false},
                               {0.3, 0.1, 90, 4, false},
                               {1e-3, 1.5, -0.5, 0.5, false},
                               {0.02, 1, 5, 0.25, true}}) {
    const SubsampledGaussianMoments moments({given.q}, given.mu, given.replaced);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double precision = -30;
      const auto column = moments.column(direction, given.x, precision);
      REQUIRE(column);
      const auto climb = column->climb(given.spacing);
      const double top = column->log_moment(0).value.real();
      for (int k = 0; k < 3000; ++k) {
        const LogMoment turned = climb(given.spacing * k);
        if (k % 7 != 0) continue;
        const LogMoment at = column->log_moment(given.spacing * k);
        INFO(given.q << " " << given.mu << " " << k << " " << turned.error << " " << at.error);
        REQUIRE(holds(turned, at.value, at.error));
        // Turns may add so much of K(x).
        const double share = std::exp(at.value.real() - std::max(0.0, top));
        REQUIRE((turned.error - 2 * at.error) * share <= std::exp(precision + 6));
      }
    }
  }
}

TEST_CASE("subsampled moments: beyond y nothing is above the bound") {
  testing::Dice dice(71);
  const int all = testing::rounds(180);
  for (int i = 0; i < all; ++i) {
    const std::int64_t records = i < 2 * all / 3 ? 1 : 2 + i % 7;
    const bool replaced = i >= all / 2 && i % 2 == 0;
    const double most = 4 / std::sqrt(static_cast<double>(records));
    const double mu = dice.log_uniform(0.05, most), q = dice.log_uniform(1e-5, 0.95);
    const Direction direction = dice.uniform(0, 1) < 0.6 ? Direction::remove : Direction::add;
    const double x = dice.uniform(-0.9, std::min(60.0, 8 / (mu * mu)));
    const SubsampledGaussianMoments moments({q, records}, mu, replaced);
    const auto column = moments.column(direction, x, -30);
    REQUIRE(column);
    double least = std::numeric_limits<double>::infinity();
    for (const double y : {0.0, 0.3 / mu, 2 / mu, 8 / mu, 40 / mu}) {
      const double bound = column->log_bound_beyond(y);
      INFO("mu=" << mu << " q=" << q << " x=" << x << " y=" << y);
      least = std::min(least, bound);
      for (double faster = y; faster < 3 * y + 2 / mu; faster += 0.21 / mu) {
        const LogMoment at = column->log_moment(faster);
        if (at.error < 0.5) CHECK(at.value.real() + std::log(2 - std::exp(at.error)) <= least);
      }
    }
    CHECK(column->log_bound_beyond(std::numeric_limits<double>::infinity()) <= least + 0.01);
  }
}

// There the law weighted by R^w has two humps of one mass, far apart: |K| all but returns to K(x).
TEST_CASE("subsampled moments: of two humps no single one is made") {
  for (const auto& pair : {std::pair{0.5, 1e-6}, std::pair{0.3, 1e-7}}) {
    const double mu = pair.first, q = pair.second;
    const SubsampledGaussianMoments moments(q, mu);
    const double middle = 2 * -std::log(q) / (mu * mu);
    double most_left = -std::numeric_limits<double>::infinity();
    for (double x = middle - 6; x < middle + 6; x += 0.25) {
      const auto column = moments.column(Direction::remove, x, -30);
      REQUIRE(column);
      const double top = column->log_moment(0).value.real();
      for (double y = 0.02; y < 1; y += 0.02) {
        const LogMoment at = column->log_moment(y);
        INFO("mu=" << mu << " x=" << x << " y=" << y);
        CHECK(at.value.real() - at.error <= column->log_bound_beyond(y));
        if (y > 0.3) most_left = std::max(most_left, at.value.real() - top);
      }
    }
    CHECK(most_left > -0.2);
  }
}

TEST_CASE("subsampled moments: total variation is above half the densities' distance, hardly") {
  for (const bool replaced : {false, true}) {
    for (const double count : {1.0, 3.0}) {
      for (const double mu : {1e-4, 0.3, 4.0}) {
        const double q = 0.05;
        const auto density = [&](double t, double side) {
          double sum = 0;
          for (double j = 0; j <= count; ++j) {
            const double weight = std::tgamma(count + 1) /
                                  (std::tgamma(j + 1) * std::tgamma(count - j + 1)) *
                                  std::pow(q, j) * std::pow(1 - q, count - j);
            sum += weight * std::exp(-0.5 * (t - side * mu * j) * (t - side * mu * j));
          }
          return sum / std::sqrt(2 * std::acos(-1.0));
        };
        const double step = 1e-3;
        double truth = 0;
        for (double t = -24; t < 24; t += step)
          truth += 0.5 * step * std::abs(density(t, 1) - density(t, replaced ? -1 : 0));
        const pairs::Records records{q, static_cast<std::int64_t>(count)};
        const double bound = SubsampledGaussianMoments(records, mu, replaced).total_variation();
        INFO("replaced=" << replaced << " records=" << count << " mu=" << mu << ": " << truth
                         << " at most " << bound);
        CHECK(bound >= truth * (1 - 1e-6));
        CHECK(bound <= truth * (count == 1 ? 1 + 1e-6 : 1.02));
      }
    }
  }
}

TEST_CASE("subsampled moments: plans are made with the function itself, nearly") {
  for (const double mu : {0.1, 1.0, 3.0}) {
    for (const double x : {-0.5, 0.5, 3.0}) {
      for (const std::int64_t records : {1, 6}) {
        for (const bool replaced : {false, true}) {
          const SubsampledGaussianMoments moments({0.01, records},
                                                  mu / static_cast<double>(records), replaced);
          for (const Direction direction : {Direction::remove, Direction::add}) {
            const LogMoment at = moments.column(direction, x, -35)->log_moment(0);
            CHECK(moments.log_moment_estimate(direction, x) ==
                  doctest::Approx(at.value.real()).epsilon(1e-3));
          }
        }
      }
    }
  }
}

// There the density at a sum's end underflows, and R times it does not.
TEST_CASE("subsampled moments: shifts of forty deviations leave add all its digits") {
  const double q = 1e-3, x = 0.5;
  for (const double mu : {38.0, 45.0, 60.0}) {
    const auto column = SubsampledGaussianMoments(q, mu).column(Direction::add, x, -20);
    REQUIRE(column);
    const LogMoment at = column->log_moment(0);
    INFO("mu=" << mu << " error=" << at.error);
    // R is 1 - q but where hardly any mass is.
    CHECK(holds(at, -x * std::log1p(-q), 1e-15));
    CHECK(at.error < 1e-8);
  }
}

TEST_CASE("subsampled moments: where hardly any noise is added nothing is planned, at once") {
  for (const double mu : {1e5, 1e130}) {
    for (const Direction direction : {Direction::add, Direction::remove}) {
      const SubsampledGaussianMoments moments(0.5, mu);
      CHECK(moments.log_moment_estimate(direction, 2) == kInfinity);
    }
  }
}

TEST_CASE("gaussian moments: the closed form, and what is beyond y") {
  const contour::GaussianMoments moments(0.49);
  const auto column = moments.column(Direction::remove, 1.5, -40);
  const LogMoment at = column->log_moment(2);
  CHECK(holds(at, {0.245 * (1.5 * 2.5 - 4), 0.245 * 4 * 2}, 1e-15));
  CHECK(at.error < 1e-14);
  CHECK(column->log_bound_beyond(2) >= at.value.real());
  CHECK(column->log_bound_beyond(2) <= at.value.real() + 1e-12);
  CHECK(column->log_bound_beyond(std::numeric_limits<double>::infinity()) < -1e300);
}

}  // namespace honest_epsilon
