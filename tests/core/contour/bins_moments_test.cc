#include "core/contour/bins_moments.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "core/contour/gaussian_moments.h"
#include "core/contour/inversion.h"
#include "core/contour/subsampled_moments.h"
#include "core/math/log_gamma.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "core/samplers/bins_epoch.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::BinsMoments;
using contour::Inversion;
using contour::LogMoment;

Inversion epochs(double sigma, double bins, double count, Direction direction) {
  return Inversion({{std::make_shared<BinsMoments>(bins, 1 / sigma), count}}, direction);
}

}  // namespace

TEST_CASE("bins moments: errors hold against integrals over two and three batches") {
  int sharp = 0, rows = 0;
  for (const auto& row : testing::reference_table("bins_moments")) {
    const BinsMoments moments(row.number("bins"), 1 / row.number("sigma"));
    const double x = row.number("re");
    for (const double precision : {0.0, -2.0, -5.0, -10.0, -20.0, -40.0}) {
      const auto column = moments.column(Direction::add, x, precision);
      REQUIRE(column);
      const LogMoment at = column->log_moment(row.number("im"));
      INFO(row.describe() << " " << at.value.real() << " error=" << at.error);
      const std::complex<double> truth = std::polar(1.0, row.number("phase"));
      const double growth = std::exp(at.value.real() - row.number("log_modulus"));
      // Relative to the computed value.
      const double off = std::abs(std::polar(1.0, at.value.imag()) - truth / growth);
      CHECK(off <= std::expm1(at.error) * (1 + 1e-9) + 1e-14);
      ++rows;
      if (at.error < 1e-9) ++sharp;
    }
  }
  CHECK(sharp > 0);
}

TEST_CASE("bins moments: a plan for hardly any noise ends, and so does one for a lot") {
  for (const double mu : {1e-130, 1e-3, 100.0, 1e130}) {
    for (const Direction direction : {Direction::add, Direction::remove}) {
      const BinsMoments moments(50, mu);
      INFO(mu);
      CHECK_FALSE(std::isnan(moments.log_moment_estimate(direction, 5)));
      if (mu < 1) CHECK(moments.log_moment_estimate(direction, 5) < 0.1);
    }
  }
}

TEST_CASE("bins moments: errors hold where a run stopped before some of the bins") {
  for (const double blank : {1.0, 3.0, 40.0}) {
    for (const double mu : {0.4, 1.2}) {
      const double x = 3, h = 0.05;
      const BinsMoments moments(2, mu, blank);
      const auto column = moments.column(Direction::add, x, -40);
      REQUIRE(column);
      for (const double y : {0.0, 1.0, 6.0}) {
        std::complex<double> truth = 0;
        for (double s = -9; s < 9; s += h) {
          for (double t = -9; t < 9; t += h) {
            const double u =
                (std::exp(mu * s - 0.5 * mu * mu) + std::exp(mu * t - 0.5 * mu * mu) + blank) /
                (2 + blank);
            truth += h * h / (2 * std::numbers::pi) * std::exp(-0.5 * (s * s + t * t)) *
                     std::exp(-std::complex<double>(x, y) * std::log(u));
          }
        }
        const LogMoment at = column->log_moment(y);
        INFO(blank << " " << mu << " " << y << " " << at.error);
        CHECK(at.error < 1e-8);
        CHECK(std::abs(std::exp(at.value) - truth) <= std::abs(truth) * (at.error + 1e-10));
        CHECK(std::log(std::abs(truth)) <= column->log_bound_beyond(y) + 1e-10);
      }
    }
  }
}

TEST_CASE("bins moments: on the real line they are convex, and estimated well") {
  // E U^-1 >= 1 / E U = 1, and log K is convex with log K(0) = 0.
  const BinsMoments moments(50, 1.3);
  double last = 0, last_slope = 0, last_x = 0;
  for (const double x : {0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
    const LogMoment at = moments.column(Direction::add, x, -40)->log_moment(0);
    REQUIRE(at.error < 1e-9);
    CHECK(at.value.real() > 0);
    const double slope = (at.value.real() - last) / (x - last_x);
    CHECK(slope > last_slope);
    last = at.value.real();
    last_slope = slope;
    last_x = x;
    CHECK(moments.log_moment_estimate(Direction::add, x) ==
          doctest::Approx(at.value.real()).epsilon(0.3));
  }
}

TEST_CASE("bins moments: beyond y nothing is above the bound") {
  testing::Dice dice(81);
  for (int i = 0; i < 30; ++i) {
    const double mu = dice.log_uniform(0.2, 2.5);
    const double bins = std::round(dice.log_uniform(2, 1e5));
    const double x = dice.log_uniform(0.5, 20);
    const auto column = BinsMoments(bins, mu).column(Direction::add, x, -40);
    double last = kInfinity;
    for (double y = 0.1; y < 60 * x; y *= 1.7) {
      const double bound = column->log_bound_beyond(y);
      INFO("mu=" << mu << " bins=" << bins << " x=" << x << " y=" << y);
      CHECK(bound <= last);
      last = bound;
      const LogMoment at = column->log_moment(y);
      if (at.error < 0.1) CHECK(at.value.real() - at.error <= bound + 1e-12);
    }
    if (std::isfinite(last)) CHECK(column->log_bound_beyond(kInfinity) == -kInfinity);
  }
}

TEST_CASE("bins moments: one epoch holds Bromwich's integral of the put, both directions") {
  int narrow = 0, rows = 0;
  for (const auto& row : testing::in_share(testing::reference_table("bins_contour"))) {
    const Direction direction =
        row.text("direction") == "remove" ? Direction::remove : Direction::add;
    Inversion run = epochs(row.number("sigma"), row.number("steps_per_epoch"), 1, direction);
    const double truth = row.number("delta");
    ++rows;
    // To all digits for some, which asks both views.
    const double width = rows % 8 == 0 ? 1e-9 : 1e-4;
    const auto delta = run.delta(row.number("epsilon"), width);
    INFO(row.describe());
    if (!delta) continue;
    INFO(testing::show(*delta));
    CHECK(testing::contains(*delta, truth, 1e-12));
    if (testing::is_narrow(*delta, 1e-5)) ++narrow;
    const auto epsilon = run.epsilon(truth, width);
    if (!epsilon) continue;
    INFO(testing::show(*epsilon));
    CHECK(testing::contains(*epsilon, row.number("epsilon"), 1e-10));
  }
  CHECK(narrow > 0.8 * rows);
}

// The second opinion: an epoch's curve cut into a law, by transforms of likelihood ratios.
TEST_CASE("bins moments: several epochs agree with the transforms wherever both answer") {
  testing::Dice dice(83);
  int answered = 0;
  const int rounds = testing::rounds(24);
  for (int i = 0; i < rounds; ++i) {
    const double sigma = dice.log_uniform(0.2, 4), bins = std::round(dice.log_uniform(2, 1e4));
    const auto count = static_cast<std::int64_t>(std::round(dice.log_uniform(1, 20)));
    const Direction direction = i % 2 == 0 ? Direction::remove : Direction::add;
    // Of a loss that is about a Gaussian's, or about one batch's.
    const double mu = 1 / sigma, copies = static_cast<double>(count);
    const double variance = copies * std::min(std::expm1(mu * mu) / bins, mu * mu);
    const double mean =
        std::min(0.5 * variance, copies * std::max(0.0, 0.5 * mu * mu - std::log(bins)));
    const double epsilon = mean + std::sqrt(variance) * dice.uniform(0, 3);
    const auto by_moments = epochs(sigma, bins, copies, direction).delta(epsilon);
    if (!by_moments) continue;
    ++answered;
    const auto pair = std::make_shared<const pairs::SubsampledGaussian>(1.0, 1 / sigma);
    const Steps steps = balls_and_bins::epoch_steps(
        {static_cast<std::int64_t>(bins), pair, 1 / sigma}, -35, Effort{1e-2, 12});
    const auto by_transforms =
        pld::delta({{steps.source.get(), count}}, direction, epsilon, Effort{1e-2, 13});
    INFO("sigma=" << sigma << " bins=" << bins << " epochs=" << count << " epsilon=" << epsilon
                  << testing::show(*by_moments) << testing::show(by_transforms.value));
    CHECK(testing::is_valid(*by_moments, 1));
    CHECK(testing::overlap(*by_moments, by_transforms.value));
  }
  CHECK(answered > rounds / 2);
}

TEST_CASE("bins moments: epochs multiply, and other phases stand beside them") {
  Inversion whole = epochs(1, 500, 6, Direction::remove);
  Inversion parts(
      {{std::make_shared<BinsMoments>(500, 1.0), 2}, {std::make_shared<BinsMoments>(500, 1.0), 4}},
      Direction::remove);
  CHECK(testing::overlap(*whole.delta(0.5), *parts.delta(0.5)));
  CHECK(testing::is_narrow(*parts.delta(0.5), 1e-6));
  // Poisson batches and a Gaussian release have both directions' columns.
  for (const Direction direction : {Direction::remove, Direction::add}) {
    Inversion alone = epochs(1, 500, 6, direction);
    Inversion beside({{std::make_shared<BinsMoments>(500, 1.0), 6},
                      {std::make_shared<contour::SubsampledGaussianMoments>(0.01, 1.0), 100},
                      {std::make_shared<contour::GaussianMoments>(0.01), 1}},
                     direction);
    const auto more = beside.delta(0.5);
    REQUIRE(more);
    CHECK(more->lower > alone.delta(0.5)->upper);
    CHECK(testing::is_narrow(*more, 1e-5));
  }
  // The one direction's columns are the other's of a swapped phase.
  Inversion swapped({{std::make_shared<BinsMoments>(500, 1.0), 6, true}}, Direction::add);
  CHECK(testing::overlap(*whole.delta(0.5), *swapped.delta(0.5)));
  // A phase beside its mirror image is the same both ways round.
  const auto both = [](Direction direction) {
    return *Inversion({{std::make_shared<BinsMoments>(500, 1.0), 1},
                       {std::make_shared<BinsMoments>(500, 1.0), 1, true}},
                      direction)
                .delta(0.2);
  };
  CHECK(testing::overlap(both(Direction::remove), both(Direction::add)));
}

TEST_CASE("bins moments: whole powers are those of the moments' sums") {
  for (const double mu : {0.3, 1.0, 2.0, 5.0}) {
    for (const double bins : {2.0, 7.0, 1000.0}) {
      const double w = std::exp(mu * mu);
      const double second = std::log1p((w - 1) / bins);
      const double third =
          std::log((w * w * w + 3 * (bins - 1) * w + (bins - 1) * (bins - 2)) / (bins * bins));
      struct Power {
        double x, truth;
      };
      for (const Power& power : {Power{0, 0}, Power{-1, 0}, Power{1, second}, Power{2, third}}) {
        const double x = power.x, truth = power.truth;
        const BinsMoments moments(bins, mu);
        for (const Direction direction : {Direction::remove, Direction::add}) {
          // K of remove at x is K of add at -1 - x.
          const double place = direction == Direction::remove ? x : -1 - x;
          for (const double precision : {0.0, -2.0, -5.0, -10.0, -20.0, -40.0}) {
            const auto column = moments.column(direction, place, precision);
            if (!column) continue;
            const LogMoment at = column->log_moment(0);
            INFO("precision=" << precision << " "
                              << "mu=" << mu << " bins=" << bins << " x=" << x << " "
                              << at.value.real() << " against " << truth << " error=" << at.error);
            CHECK(std::abs(at.value.real() - truth) <= at.error + 1e-14 * (1 + truth));
            if (bins == 1000 && precision == -40) CHECK(at.error < 1e-9);
          }
        }
      }
    }
  }
}

// With t_1 = g + d and t_2 = g - d, both N(0, 1/2): U = e^{mu g - mu^2/2} cosh(mu d).
TEST_CASE("bins moments: directly, two batches are an integral over their difference") {
  const auto truth = [](double mu, Complex w) {
    const double step = std::min(0.02, 0.05 / mu), last = 9 + mu * std::abs(w.real());
    double top = -1e300;
    const auto term = [&](double d) {
      const double log_cosh =
          mu * std::abs(d) + std::log1p(std::exp(-2 * mu * std::abs(d))) - std::numbers::ln2;
      return w * log_cosh - d * d;
    };
    for (double d = -last; d <= last; d += step) top = std::max(top, term(d).real());
    Complex sum = 0;
    for (double d = -last; d <= last; d += step) sum += std::exp(term(d) - top);
    return mu * mu * (0.25 * w * w - 0.5 * w) + top +
           std::log(sum * step / std::sqrt(std::numbers::pi));
  };
  int sharp = 0;
  for (const double mu : {0.02, 0.2, 1.0, 2.5, 5.0, 10.0}) {
    const BinsMoments moments(2, mu);
    // Up to where phi leaves the doubles.
    const std::array highest{10 / mu, 20 / mu, 30 / mu};
    // Up to as many powers as there are.
    const std::array powers{std::min(60.0, 6 / mu), std::min(120.0, 12 / mu),
                            std::min(190.0, 18 / mu)};
    for (const auto& [direction, places] :
         {std::pair{Direction::remove, std::array{0.1, 0.5, 1.0}},
          std::pair{Direction::add, std::array{0.3, 1.0, 4.0}}, std::pair{Direction::add, highest},
          std::pair{Direction::remove, powers}}) {
      if ((places == highest || places == powers) && mu > 0.5) continue;
      for (const double x : places) {
        for (const double precision : {0.0, -3.0, -12.0, -40.0}) {
          const auto column = moments.column(direction, x, precision);
          REQUIRE(column);
          if (places == powers) {
            const double log = truth(mu, 1.0 + x).real(),
                         upper = moments.log_moment_upper(direction, x + 0.5, precision);
            CHECK(upper >= truth(mu, 1.5 + x).real() * (1 - 1e-13));
            CHECK(moments.log_moment_upper(direction, x, precision) >= log * (1 - 1e-13));
          }
          for (const double y : {0.0, 0.2, 1.0, 3.0}) {
            const Complex z{x, y / mu};
            const Complex known =
                direction == Direction::remove ? truth(mu, 1.0 + z) : truth(mu, -z);
            const LogMoment at = column->log_moment(y / mu);
            INFO("mu=" << mu << " x=" << x << " y=" << y / mu << " precision=" << precision << " "
                       << at.value.real() << " against " << known.real() << " error=" << at.error);
            const Complex computed = std::polar(1.0, at.value.imag());
            const double off = std::abs(
                computed - std::exp(Complex{known.real() - at.value.real(), known.imag()}));
            CHECK(off <= std::expm1(at.error) * (1 + 1e-9) + 1e-12 * (1 + std::abs(known)));
            if (at.error < 1e-9) ++sharp;
          }
        }
      }
    }
  }
  CHECK(sharp > 100);
}

TEST_CASE("bins moments: where each of many bins has a large part of s, sums of positive terms") {
  // log E U^{-c} by the gamma integral; nothing cancels in either sum.
  const auto truth = [](double bins, double mu, double c) {
    const auto log_term = [&](double v) {
      double phi = 0;
      for (double t = -25; t < 9; t += 0.1)
        phi += std::exp(-0.5 * t * t - std::exp(v + mu * t - 0.5 * mu * mu) / bins);
      return c * v + bins * std::log(0.1 * phi / std::sqrt(2 * std::numbers::pi));
    };
    const double peak = std::log(c), h = 0.1 / std::sqrt(c), top = log_term(peak);
    double sum = 0;
    for (double v = peak - 150 * h; v < peak + 150 * h; v += h) sum += std::exp(log_term(v) - top);
    return top + std::log(h * sum) - std::lgamma(c);
  };
  for (const double bins : {12.0, 19.0, 60.0}) {
    for (const double part : {0.5, 1.4, 1.6, 5.0, 20.0, 60.0}) {
      const double mu = 0.02, c = part * bins, known = truth(bins, mu, c);
      const BinsMoments moments(bins, mu);
      for (const double precision : {2.0, 0.0, -3.0, -8.0, -40.0}) {
        const auto column = moments.column(Direction::add, c, precision);
        const LogMoment at = column->log_moment(0);
        INFO("bins=" << bins << " c=" << c << " precision=" << precision << " " << at.value.real()
                     << " against " << known << " error=" << at.error);
        // The gamma function's logarithm has so many digits.
        CHECK(std::abs(at.value.real() - known) <= at.error + 1e-13 * std::lgamma(c + 1));
        if (precision == -40) CHECK(at.error < 1e-9);
      }
      CHECK(moments.log_moment_estimate(Direction::add, c) == doctest::Approx(known).epsilon(0.01));
    }
  }
}

TEST_CASE("bins moments: directly, coarse columns hold the fine ones") {
  for (const double mu : {0.2, 1.0, 2.5, 5.0, 8.0}) {
    for (const double bins : {2.0, 5.0, 11.0, 300.0, 9000.0}) {
      if (mu < 5 && bins > 11) continue;
      const BinsMoments moments(bins, mu);
      for (const auto& [direction, places] :
           {std::pair{Direction::remove, std::array{0.1, 0.4, 0.9}},
            std::pair{Direction::add, std::array{0.3, 1.0, 4.0}}}) {
        for (const double x : places) {
          const auto fine_column = moments.column(direction, x, -40);
          REQUIRE(fine_column);
          for (const double precision : {0.0, -1.0, -2.0, -4.0, -8.0, -16.0}) {
            const auto column = moments.column(direction, x, precision);
            for (const double y : {0.0, 0.2, 1.0, 3.0}) {
              const LogMoment fine = fine_column->log_moment(y / mu);
              const LogMoment at = column->log_moment(y / mu);
              if (fine.error > 1e-3 || at.error > 10) continue;
              INFO("mu=" << mu << " bins=" << bins << " x=" << x << " y=" << y / mu
                         << " precision=" << precision << " " << at.value.real() << " against "
                         << fine.value.real() << " error=" << at.error);
              const double off = std::abs(std::exp(fine.value - at.value) - 1.0);
              CHECK(off <= std::expm1(at.error) +
                               std::exp(std::abs(fine.value.real() - at.value.real())) *
                                   std::expm1(fine.error) +
                               1e-12);
            }
          }
        }
      }
    }
  }
}

// (1/Gamma(a)) int e^{av} phi(e^v / T)^T dv by a plain sum over v and another over t, from so far
// left that nothing is missed there; a phi near 1 by phi - 1 + s/T.
TEST_CASE("bins moments: at small places, where an integral's left end falls slowly") {
  constexpr double h = 0.1, step = 0.1, first = -170, last = 30;
  constexpr double kMissed = 1e-12;  // of the truth
  for (const double bins : {12.0, 300.0, 9000.0}) {
    for (const double mu : {0.3, 1.0, 2.5}) {
      std::vector<double> power;  // phi^T along v
      for (int k = 0; first + k * h <= last; ++k) {
        const double share = std::exp(first + k * h) / bins;
        double rest = 0, whole = 0;
        for (double t = -14; t < 9 + 2 * mu; t += step) {
          const double w = share * std::exp(mu * t - 0.5 * mu * mu);
          const double weight = step / std::sqrt(2 * std::numbers::pi) * std::exp(-0.5 * t * t);
          const double small = w * w * (0.5 - w / 6 * (1 - w / 4));
          rest += weight * (w < 1e-3 ? small : std::expm1(-w) + w);
          whole += weight * std::exp(-w);
        }
        power.push_back(
            std::exp(bins * (share < 0.1 ? std::log1p(rest - share) : std::log(whole))));
      }
      const BinsMoments moments(bins, mu);
      for (const double x : {0.25, 0.6, 1.5}) {
        for (const double precision : {-4.0, -16.0, -40.0}) {
          const auto column = moments.column(Direction::add, x, precision);
          for (const double y : {0.0, 0.3, 2.0}) {
            const std::complex<double> a(x, y);
            std::complex<double> sum = 0;
            for (std::size_t k = 0; k < power.size(); ++k)
              sum += h * power[k] * std::exp(a * (first + static_cast<double>(k) * h));
            const Ball reciprocal = log_power_over_gamma(a, 1, 0);
            const std::complex<double> truth = sum * std::exp(reciprocal.value);
            const LogMoment at = column->log_moment(y);
            INFO("bins=" << bins << " mu=" << mu << " x=" << x << " y=" << y
                         << " precision=" << precision << " error=" << at.error);
            CHECK(std::abs(std::exp(at.value) / truth - 1.0) <= std::expm1(at.error) + kMissed);
            if (precision == -40) CHECK(at.error < 1e-12 * bins + 1e-10);
          }
        }
      }
    }
  }
}

TEST_CASE("bins moments: columns of the two directions are the same function") {
  testing::Dice dice(87);
  int compared = 0;
  for (int i = 0; i < 40; ++i) {
    const double mu = dice.log_uniform(0.2, 2.2);
    const double bins = std::round(dice.log_uniform(5, 1e4));
    const BinsMoments moments(bins, mu);
    // E U^w for -w in (0.5, 6), and its conjugate by the other direction's columns.
    const double x = dice.uniform(0.5, 6), y = dice.log_uniform(0.1, 30);
    const auto add = moments.column(Direction::add, x, -40);
    const auto remove = moments.column(Direction::remove, -1 - x, -40);
    REQUIRE(add);
    REQUIRE(remove);
    const LogMoment a = add->log_moment(y);
    const LogMoment b = remove->log_moment(y);
    INFO("mu=" << mu << " bins=" << bins << " x=" << x << " y=" << y << " " << a.value.real() << " "
               << b.value.real() << " errors " << a.error << " " << b.error);
    if (a.error > 0.1 || b.error > 0.1) continue;
    ++compared;
    const std::complex<double> gap = a.value - std::conj(b.value);
    CHECK(std::hypot(gap.real(), std::remainder(gap.imag(), 2 * std::numbers::pi)) <=
          a.error + b.error);
  }
  CHECK(compared > 25);
}

TEST_CASE("bins moments: both views of a direction hold the same delta") {
  testing::Dice dice(89);
  for (int i = 0; i < 6; ++i) {
    const double sigma = dice.log_uniform(0.5, 3), bins = std::round(dice.log_uniform(20, 3000));
    const double count = std::round(dice.log_uniform(1, 20));
    const double deviation = std::sqrt(count * std::expm1(1 / (sigma * sigma)) / bins);
    const double epsilon = deviation * dice.uniform(0.3, 4);
    Inversion run = epochs(sigma, bins, count, Direction::remove);
    const auto first = run.delta(epsilon, 1);  // one view will do
    const auto all = run.delta(epsilon, 1e-12);
    INFO("sigma=" << sigma << " bins=" << bins << " epochs=" << count << " epsilon=" << epsilon);
    REQUIRE(first);
    REQUIRE(all);
    INFO(testing::show(*first) << testing::show(*all));
    CHECK(testing::overlap(*first, *all));
    CHECK(all->upper - all->lower <= (first->upper - first->lower) * (1 + 1e-9));
  }
}

TEST_CASE("bins moments: an estimate is a number where e^epsilon is none") {
  const BinsMoments moments(300, 1);
  const double far = moments.log_delta_estimate(Direction::remove, 2000);
  CHECK(std::isfinite(far));
  CHECK(far < moments.log_delta_estimate(Direction::remove, 600));
}

TEST_CASE("bins moments: more noise, more bins and fewer epochs are less") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto at = [&](double sigma, double bins, double count) {
      return *epochs(sigma, bins, count, direction).epsilon(1e-5);
    };
    const Interval base = at(1.2, 1000, 5);
    CHECK(testing::is_narrow(base, 1e-5));
    CHECK(at(1.3, 1000, 5).upper < base.lower);
    CHECK(at(1.2, 1100, 5).upper < base.lower);
    CHECK(at(1.2, 1000, 4).upper < base.lower);
  }
}

}  // namespace honest_epsilon
