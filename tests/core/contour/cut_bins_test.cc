#include "core/contour/cut_bins.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/contour/bins_moments.h"
#include "core/contour/inversion.h"
#include "core/contour/line.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/math/quadrature.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/samplers/bins_epoch.h"
#include "tests/core/contour/cut_bins.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::BinsMoments;
using contour::CutBins;
using contour::Inversion;
using contour::Line;
using contour::LogMoment;
using contour::Sketch;
using testing::cut_bins;

/// E[f(t); t > place] by Simpson's rule.
template <class F>
double over_jumps(double place, F f) {
  constexpr int kSteps = 2400;
  constexpr double kStep = 12.0 / kSteps;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = place + i * kStep;
    const double weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * kStep / 3 * normal::pdf(t) * f(t);
  }
  return sum;
}

}  // namespace

TEST_CASE("cut bins: errors hold against sums over two and three batches") {
  int sharp = 0;
  std::size_t place = 0;
  for (const auto& row : testing::reference_table("kept_bins")) {
    const double bins = row.number("bins"), mu = row.number("mu");
    const double x = row.number("power") - 1, y = row.number("height");
    const double truth = row.number("log_modulus");
    const auto cut = cut_bins(bins, mu, row.number("place"));
    INFO(row.describe());
    if (x == 0 || (bins > 2 && !testing::in_share(place++, 3))) continue;
    for (const double precision : {-40.0, -3.0}) {
      const auto column = CutBins::column(cut, x, precision);
      REQUIRE(column);
      const LogMoment at = column->log_moment(y);
      INFO(at.value.real() << " error=" << at.error);
      // Relative to the computed value.
      const double growth = std::exp(at.value.real() - truth);
      const double off = std::abs(std::polar(1.0, at.value.imag()) -
                                  std::polar(1.0, row.number("phase")) / growth);
      CHECK(off <= std::expm1(at.error) * (1 + 1e-9) + 1e-14);
      if (precision < -20 && at.error < 1e-5) ++sharp;
      for (const double part : {0.0, 0.5, 1.0})
        CHECK(column->log_bound_beyond(part * y) >= truth - 1e-12);
    }
  }
  CHECK(sharp >= (testing::share_of_cases() >= 1 ? 15 : 6));
}

TEST_CASE("cut bins: errors hold where a run stopped before some of the bins") {
  constexpr double kEnd = 2, kPanel = 3, kPower = 4;
  struct Node {
    double t, weight;
  };
  std::vector<Node> nodes;
  for (double left = kEnd - 4 * kPanel; left < kEnd; left += kPanel) {
    for (const auto& node : quadrature::gauss_legendre()) {
      const double t = left + 0.5 * kPanel * (1 + node.position);
      nodes.push_back({t, 0.5 * kPanel * node.weight * normal::pdf(t)});
    }
  }
  int sharp = 0;
  for (const double blank : {0.25, 1.0, 3.0}) {
    for (const double mu : {0.4, 1.2}) {
      const auto cut = std::make_shared<const CutBins>(2, mu, kEnd, contour::Jumps{}, blank);
      const auto column = CutBins::column(cut, kPower - 1, -40);
      REQUIRE(column);
      const auto x = [&](double t) { return std::exp(mu * t - 0.5 * mu * mu); };
      for (const double y : {0.0, 1.0, 6.0}) {
        std::complex<double> truth = 0;
        for (const Node& one : nodes) {
          for (const Node& other : nodes) {
            const double log_u = std::log((x(one.t) + x(other.t) + blank) / (2 + blank));
            truth += one.weight * other.weight * std::exp(std::complex(kPower, y) * log_u);
          }
        }
        const LogMoment at = column->log_moment(y);
        INFO(blank << " " << mu << " " << y << " " << at.error);
        if (at.error < 1e-8) ++sharp;
        const std::complex<double> found = std::exp(at.value);
        CHECK(std::abs(found - truth) <= std::abs(found) * (std::expm1(at.error) + 1e-10));
        CHECK(std::log(std::abs(truth)) <= column->log_bound_beyond(y) + 1e-10);
      }
    }
  }
  CHECK(sharp >= 8);
}

TEST_CASE(
    "cut bins: jumps weigh what sums over an epoch say, their shortfall no more than bounded") {
  constexpr double kBins = 14, kBlank = 6;
  testing::Dice dice(11);
  std::size_t cell = 0;
  for (const double mu : {0.5, 1.2, 0.9}) {
    // The last epoch is one that the run stopped in.
    const double blank = mu == 0.9 ? kBlank : 0, all = kBins + blank;
    const auto x = [&](double t) { return std::exp(mu * t - 0.5 * mu * mu) / all; };
    std::vector<double> others(3000);  // the share of the other bins
    for (double& share : others) {
      share = blank / all;
      for (int i = 1; i < kBins; ++i)
        share += x(normal::upper_quantile_estimate(dice.uniform(1e-12, 1 - 1e-12)));
    }
    for (const double loss : {0.8, 1.6}) {
      ++cell;
      for (const double power : {1.0, 6.0, 20.0}) {
        if (!testing::in_share(cell++, 3)) continue;
        const auto rest =
            BinsMoments(kBins, mu, blank).without_jumps(Direction::remove, {loss, power, -500});
        REQUIRE(rest);
        const auto jumps = rest->jumps(Direction::remove);
        REQUIRE(jumps);
        INFO("mu=" << mu << " loss=" << loss << " power=" << power);
        // The place follows from a single batch's mass under Q.
        const double one_under_q = -std::expm1(std::log1p(-jumps->under_q.value) / kBins);
        const double grains = normal::upper_quantile_estimate(one_under_q) / CutBins::kGrain;
        const double place = std::round(grains) * CutBins::kGrain;
        const double q = over_jumps(place, [](double) { return 1.0; });
        const double p = over_jumps(place, [&](double t) { return all * x(t); });
        const double none = (kBins * (1 - p) + blank * (1 - q)) / all;
        CHECK(jumps->under_q.value == doctest::Approx(1 - std::pow(1 - q, kBins)).epsilon(1e-9));
        CHECK(jumps->under_p.value ==
              doctest::Approx(1 - none * std::pow(1 - q, kBins - 1)).epsilon(1e-9));
        CHECK(jumps->power == power);
        const double truth = kBins * over_jumps(place, [&](double t) {
                               double sum = 0;
                               for (const double share : others)
                                 sum += std::pow(x(t) + share, -power);
                               return sum / static_cast<double>(others.size());
                             });
        const double bound = std::exp(jumps->log_shortfall);
        INFO("truth=" << truth << " bound=" << bound);
        CHECK(bound >= 0.99 * truth);
        if (power < 10) CHECK(bound <= 3 * truth);
      }
    }
  }
}

// nu(s/T) by Simpson's rule.
TEST_CASE("cut bins: the transform and its climb are those of a plain sum") {
  int far = 0;
  for (const double mu : {0.3, 0.8, 1.5}) {
    for (const double bins : {12.0, 1e4}) {
      const double place = std::ceil(3 + 2 * mu);
      const auto cut = cut_bins(bins, mu, place);
      const double x_cut = std::exp(mu * place - 0.5 * mu * mu) / bins;
      const double sigma = 8 / x_cut, spacing = portable::shortened(7 / x_cut);
      CutBins::TransformClimb climb(*cut, sigma, spacing);
      const LogMoment first = cut->log_transform(sigma);
      const auto fall = cut->fall(sigma, first.value.real(), first.error);
      for (int k = 0; k <= 99; ++k) {
        const LogMoment next = climb.next();
        if (k % 9 != 0) continue;
        const Complex s{sigma, k * spacing};
        const LogMoment at = cut->log_transform(s);
        CHECK(at.value.real() - at.error - first.value.real() - first.error <=
              fall.log_size_beyond(s.imag()));
        // Far up nothing is left of it.
        if (!(at.error < 1e-5)) continue;
        constexpr int kSteps = 180000;
        const double step = (place + 9) / kSteps;
        Complex nu = 0;
        for (int i = 0; i <= kSteps; ++i) {
          const double t = -9 + i * step;
          const double weight = (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2) * step / 3;
          nu += normal::pdf(t) * weight * std::exp(s / bins * std::exp(mu * t - 0.5 * mu * mu));
        }
        INFO("mu=" << mu << " bins=" << bins << " s=" << s.imag() << " error=" << at.error);
        const Complex truth = bins * std::log(nu);
        CHECK(std::abs(std::exp(at.value - truth) - 1.0) <= at.error + 1e-10 * bins);
        CHECK(std::abs(std::exp(next.value - at.value) - 1.0) <= at.error + next.error);
        if (k > 0) ++far;
      }
    }
  }
  CHECK(far >= 30);
}

TEST_CASE("cut bins: behind a far cut they are the whole moments") {
  for (const double bins : {300.0, 1000.0, 20000.0}) {
    const double mu = 0.4, x = 19.5;
    const auto cut = CutBins::column(cut_bins(bins, mu, 13), x, -36);
    const auto whole = BinsMoments(bins, mu).column(Direction::remove, x, -36);
    REQUIRE((cut && whole));
    for (const double y : {0.0, 2.0, 9.0}) {
      const LogMoment a = cut->log_moment(y), b = whole->log_moment(y);
      INFO(bins << " " << y << " " << a.value.real() << " " << b.value.real());
      CHECK(a.error < 1e-10);
      CHECK(std::abs(std::exp(a.value - b.value) - 1.0) <= a.error + b.error + 1e-12);
    }
    CHECK(cut_bins(bins, mu, 13)->log_moment_estimate(1 + x) ==
          doctest::Approx(cut->log_moment(0).value.real()).epsilon(0.05));
  }
}

TEST_CASE("cut bins: a coarse sum's error holds what it is off by") {
  testing::Dice dice(41);
  int known = 0;
  for (int i = 0; i < 60; ++i) {
    const double mu = dice.log_uniform(0.1, 1);
    const double bins = std::round(dice.log_uniform(12, 1e5));
    const double x = dice.log_uniform(3, 300), y = x * dice.log_uniform(0.01, 1);
    const auto cut = cut_bins(bins, mu, dice.uniform(2, 7));
    const LogMoment coarse = CutBins::column(cut, x, 0)->log_moment(y);
    const LogMoment fine = CutBins::column(cut, x, -40)->log_moment(y);
    if (!(coarse.error < 0.5 && fine.error < 1e-9)) continue;
    INFO("mu=" << mu << " bins=" << bins << " x=" << x << " y=" << y << " error=" << coarse.error);
    const double off = std::abs(std::exp(fine.value - coarse.value) - 1.0);
    CHECK(off <= std::expm1(coarse.error) + 1e-9);
    CHECK(coarse.error > 1e-6);
    ++known;
  }
  CHECK(known > 30);
}

TEST_CASE("cut bins: beyond y nothing is above the bound") {
  testing::Dice dice(97);
  int known = 0;
  for (int i = 0; i < 20; ++i) {
    const double mu = dice.log_uniform(0.1, 1.2);
    const double bins = std::round(dice.log_uniform(12, 1e6));
    const double x = dice.log_uniform(3, 1000);
    const auto column = CutBins::column(cut_bins(bins, mu, dice.uniform(3, 8)), x, -36);
    double last = kInfinity;
    for (double y = 0.1; y < 20 * x; y *= 2.1) {
      const double bound = column->log_bound_beyond(y);
      INFO("mu=" << mu << " bins=" << bins << " x=" << x << " y=" << y);
      CHECK(bound <= last + 1e-9);
      last = bound;
      const LogMoment at = column->log_moment(y);
      CHECK_FALSE(std::isnan(at.value.real()));
      if (!(at.error < 0.1)) continue;
      CHECK(at.value.real() - at.error <= bound + 1e-12);
      ++known;
    }
  }
  CHECK(known > 60);
}

// The second opinion knows no jumps. A cut below epsilon makes jumps of batches that decide
// nothing; the shortfall pays for them.
TEST_CASE("cut bins: delta is that of transforms of ratios, wherever the cut is") {
  struct Row {
    double sigma, bins, epsilon;
  };
  const std::vector rows = {Row{0.8, 500, 1.2}, {0.7, 5000, 0.6}, {1, 1e4, 0.05}, {1.3, 60, 0.7}};
  constexpr std::array kExcesses = {-0.3, 0.1, 0.6, 2.0};
  constexpr std::array kPowers = {2.0, 20.0, 200.0};
  int cuts = 0, lines = 0, narrow = 0;
  for (const Row& row : testing::in_share(rows, 2)) {
    const double mu = 1 / row.sigma;
    const auto pair = std::make_shared<const pairs::SubsampledGaussian>(1.0, mu);
    const Interval truth =
        balls_and_bins::epoch_delta({static_cast<std::int64_t>(row.bins), pair, mu},
                                    Direction::remove, row.epsilon, Effort{1e-5, 20})
            .value;
    const auto moments = std::make_shared<BinsMoments>(row.bins, mu);
    for (std::size_t i = 0; i < kExcesses.size(); ++i) {
      for (std::size_t j = 0; j < kPowers.size(); ++j) {
        if (!testing::in_share(i + j, 3)) continue;
        ++cuts;
        const double excess = kExcesses[i], power = kPowers[j];
        auto rest = moments->without_jumps(Direction::remove,
                                           {std::max(0.01, row.epsilon + excess), power, -60});
        REQUIRE(rest);
        const Sketch run({{std::move(rest), 1}}, Direction::remove);
        const auto line = Line::make(run, {row.epsilon, std::log(truth.lower), 1e-6, true});
        if (!line) continue;
        ++lines;
        const Interval delta = line->delta(row.epsilon);
        INFO(row.sigma << " " << row.bins << " excess=" << excess << " power=" << power << " "
                       << testing::show(delta) << " " << testing::show(truth));
        CHECK(testing::overlap(delta, truth));
        if (testing::is_narrow(delta, 1e-4)) ++narrow;
      }
    }
  }
  CHECK(2 * lines >= cuts);
  CHECK(6 * narrow >= cuts);
}

// The second opinion: an epoch by transforms of likelihood ratios.
TEST_CASE("cut bins: runs whose large ratios decide nothing have nine digits, and the right ones") {
  struct {
    double sigma, bins, epsilon;
  } const rows[] = {
      {5.34, 3192120, 5.573e-4}, {3.5, 1e4, 0.015}, {1.3, 1e5, 0.0125}, {2, 3000, 0.05}};
  for (const auto& row : rows) {
    const double sigma = row.sigma, bins = row.bins, epsilon = row.epsilon;
    const auto moments = std::make_shared<BinsMoments>(bins, 1 / sigma);
    const auto by_moments = Inversion({{moments, 1}}, Direction::remove).delta(epsilon, 1e-9);
    const auto pair = std::make_shared<const pairs::SubsampledGaussian>(1.0, 1 / sigma);
    const auto by_transforms =
        balls_and_bins::epoch_delta({static_cast<std::int64_t>(bins), pair, 1 / sigma},
                                    Direction::remove, epsilon, Effort{1e-3, 20});
    INFO(sigma << " " << bins << testing::show(by_transforms.value));
    REQUIRE(by_moments);
    INFO(testing::show(*by_moments));
    CHECK(testing::is_narrow(*by_moments, 5e-9));
    CHECK(testing::overlap(*by_moments, by_transforms.value));
  }
}

TEST_CASE("cut bins: so they have with a lot of noise, of a dozen bins and many") {
  int narrow = 0;
  for (const double bins : {12.0, 24.0, 1e5}) {
    for (const double sigma : {30.0, 300.0}) {
      const double mu = 1 / sigma;
      const auto pair = std::make_shared<const pairs::SubsampledGaussian>(1.0, mu);
      Inversion run({{std::make_shared<BinsMoments>(bins, mu), 1}}, Direction::remove);
      for (const double deviations : {6.5, 8.0}) {
        const double epsilon = deviations * std::sqrt(std::expm1(mu * mu) / bins);
        const auto by_lines = run.delta(epsilon, 1e-3);
        const auto by_transforms =
            balls_and_bins::epoch_delta({static_cast<std::int64_t>(bins), pair, mu},
                                        Direction::remove, epsilon, Effort{1e-2, 14});
        INFO("bins=" << bins << " sigma=" << sigma << " epsilon=" << epsilon);
        REQUIRE(by_lines);
        INFO(testing::show(*by_lines) << testing::show(by_transforms.value));
        CHECK(testing::overlap(*by_lines, by_transforms.value));
        if (testing::is_narrow(*by_lines, 0.1) && testing::is_narrow(by_transforms.value, 0.1))
          ++narrow;
      }
    }
  }
  CHECK(narrow > 6);
}

TEST_CASE("cut bins: many epochs compose") {
  // The weakest rows: a lower end of 0 before.
  struct {
    double sigma, bins, epochs, delta, width;
  } const rows[] = {{0.941, 21420, 19, 3.45e-6, 5e-6},
                    {1.686, 2685, 59, 1e-5, 5e-9},
                    {1.645, 984034, 30, 2.48e-9, 5e-9}};
  for (const auto& row : rows) {
    const double sigma = row.sigma, bins = row.bins, epochs = row.epochs, delta = row.delta;
    Inversion run({{std::make_shared<BinsMoments>(bins, 1 / sigma), epochs}}, Direction::remove);
    const auto epsilon = run.epsilon(delta, 1e-9);
    INFO(sigma << " " << bins);
    REQUIRE(epsilon);
    INFO(testing::show(*epsilon));
    CHECK(testing::is_narrow(*epsilon, row.width));
    // Direction add, by other columns, lies close below.
    Inversion other({{std::make_shared<BinsMoments>(bins, 1 / sigma), epochs}}, Direction::add);
    const auto add = other.epsilon(delta, 1e-9);
    REQUIRE(add);
    CHECK(add->upper < epsilon->lower);
    CHECK(add->lower > 0.8 * epsilon->upper);
  }
}

}  // namespace honest_epsilon
