#include "core/contour/cut_bins.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <memory>

#include "core/contour/bins_moments.h"
#include "core/contour/inversion.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/samplers/bins_epoch.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::BinsMoments;
using contour::CutBins;
using contour::Inversion;
using contour::LogMoment;

std::shared_ptr<const contour::Rule> rule_of(double bins, double mu, const contour::Reach& reach) {
  return CutBins::rule(std::make_shared<const CutBins>(bins, mu), reach);
}

}  // namespace

TEST_CASE("cut bins: errors hold against integrals over two and three batches") {
  int sharp = 0;
  for (const auto& row : testing::reference_table("cut_bins")) {
    const double bins = row.number("bins"), mu = row.number("mu");
    const double x = row.number("power") - 1, y = row.number("height");
    const double truth = row.number("log_modulus");
    INFO(row.describe());
    if (x == 0) {
      // What is kept of P's mass.
      const double left_out = -std::expm1(truth);
      CHECK(CutBins(bins, mu, row.number("left_out")).left_out() >= left_out);
      CHECK(CutBins(bins, mu, row.number("left_out")).left_out() <= 3 * left_out);
      continue;
    }
    const auto rule = rule_of(bins, mu, {x, x, -40, std::log(row.number("left_out"))});
    REQUIRE(rule);
    const LogMoment at = rule->column(x)->log_moment(y);
    INFO(at.value.real() << " error=" << at.error);
    // Relative to the computed value. Where the cut is is known to about 1e-12.
    const double growth = std::exp(at.value.real() - truth);
    const double off =
        std::abs(std::polar(1.0, at.value.imag()) - std::polar(1.0, row.number("phase")) / growth);
    CHECK(off <= std::expm1(at.error) * (1 + 1e-9) + 1e-11);
    if (at.error < 1e-5) ++sharp;
    for (const double part : {0.0, 0.5, 1.0})
      CHECK(rule->decay(x)->log_bound_beyond(part * y) >= truth - 1e-11);
  }
  CHECK(sharp >= 11);
}

// nu(s/T) by Simpson's rule on the real line, in place of a path that turns.
TEST_CASE("cut bins: a turned path and a climb give the transform") {
  int turned = 0;
  for (const double mu : {0.3, 0.8, 1.5}) {
    for (const double bins : {12.0, 1e4}) {
      const CutBins cut(bins, mu, 1e-6);
      const double sigma = 0.2 * cut.turning(), spacing = portable::shortened(cut.turning() / 7);
      CutBins::TransformClimb climb(cut, sigma, spacing);
      const ComplexEstimate first = cut.log_transform(sigma);
      const auto fall = cut.fall(sigma, first.value.real(), first.error);
      for (int k = 0; k <= 99; ++k) {
        const ComplexEstimate next = climb.next();
        if (k % 9 != 0) continue;
        const Complex s{sigma, k * spacing};
        const ComplexEstimate at = cut.log_transform(s);
        // Far up nothing is left of it.
        if (!(at.error < 1e-5)) continue;
        constexpr int kSteps = 60000;
        const double step = (cut.cut() + 9) / kSteps;
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
        const double fallen = at.value.real() - first.value.real();
        CHECK(fallen - at.error - first.error <= fall.log_size_beyond(s.imag()));
        if (s.imag() > cut.turning()) ++turned;
      }
    }
  }
  CHECK(turned >= 30);
}

TEST_CASE("cut bins: at modest powers they are the whole moments") {
  for (const double bins : {300.0, 1000.0, 20000.0}) {
    const double mu = 0.4, x = 19.5;
    const auto cut = rule_of(bins, mu, {x, x, -36, -60});
    const auto whole = BinsMoments(bins, mu).rule(Direction::remove, {x, x, -36, -60});
    REQUIRE((cut && whole));
    for (const double y : {0.0, 2.0, 9.0}) {
      const LogMoment a = cut->column(x)->log_moment(y), b = whole->column(x)->log_moment(y);
      INFO(bins << " " << y << " " << a.value.real() << " " << b.value.real());
      CHECK(a.error < 1e-10);
      CHECK(std::abs(std::exp(a.value - b.value) - 1.0) <= a.error + b.error + 1e-12);
    }
    CHECK(CutBins(bins, mu).log_moment_estimate(1 + x) ==
          doctest::Approx(cut->column(x)->log_moment(0).value.real()).epsilon(0.05));
  }
}

TEST_CASE("cut bins: a coarse sum's error holds what it is off by") {
  testing::Dice dice(41);
  int known = 0;
  for (int i = 0; i < 60; ++i) {
    const double mu = dice.log_uniform(0.1, 1);
    const double bins = std::round(dice.log_uniform(12, 1e5));
    const double x = dice.log_uniform(14, 500), y = x * dice.log_uniform(0.01, 1);
    const double log_left_out = dice.uniform(-60, -20);
    const LogMoment coarse = rule_of(bins, mu, {x, x, 0, log_left_out})->column(x)->log_moment(y);
    const LogMoment fine = rule_of(bins, mu, {x, x, -40, log_left_out})->column(x)->log_moment(y);
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
    const double x = dice.log_uniform(12, 2000);
    const auto rule = rule_of(bins, mu, {x, x, -36, dice.uniform(-70, -20)});
    const auto column = rule->column(x);
    const auto decay = rule->decay(x);
    double last = kInfinity;
    for (double y = 0.1; y < 20 * x; y *= 2.1) {
      const double bound = decay->log_bound_beyond(y);
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
