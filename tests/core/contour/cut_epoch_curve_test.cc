#include "core/contour/cut_epoch_curve.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/one_epoch_curve.h"
#include "core/math/normal.h"
#include "tests/core/support.h"

namespace honest_epsilon {

using contour::CutEpochCurve;
using contour::OneEpochCurve;

namespace {

/// E (X - k)_+ of one lognormal ratio of mean one.
double call(double k, double mu) {
  if (k <= 0) return 1 - k;
  const double d = -std::log(k) / mu;
  return normal::upper_tail(-d - 0.5 * mu) - k * normal::upper_tail(-d + 0.5 * mu);
}

/// The call on the sum of so many ratios, all but one of them by the trapezoid rule.
double call_on_sum(int ratios, double k, double mu) {
  if (ratios == 1) return call(k, mu);
  const double step = ratios == 2 ? 0.02 : 0.05;
  double sum = 0;
  for (double t = -14; t < 14; t += step)
    sum += normal::pdf(t) * call_on_sum(ratios - 1, k - std::exp(mu * t - 0.5 * mu * mu), mu);
  return sum * step;
}

/// delta of one epoch of a few bins.
double delta_of(int bins, double mu, double epsilon) {
  return call_on_sum(bins, bins * std::exp(epsilon), mu) / bins;
}

void check_delta(int bins, double sigma, double x) {
  const double epsilon = x / (sigma * std::sqrt(bins));
  const double truth = delta_of(bins, 1 / sigma, epsilon);
  for (const double width : {0.3, 1e-2, 1e-4, 1e-9}) {
    CutEpochCurve curve(bins, 1 / sigma);
    const auto found = curve.delta(epsilon, width);
    INFO("bins=" << bins << " sigma=" << sigma << " x=" << x << " width=" << width);
    REQUIRE(found);
    CHECK_MESSAGE(testing::contains(*found, truth, 2e-11), testing::show(*found), truth);
    CHECK_MESSAGE(testing::is_narrow(*found, width), testing::show(*found));
  }
}

}  // namespace

TEST_CASE("cut epoch curve: two bins, by an integral") {
  for (const double sigma : {5.0, 9.0, 40.0})
    for (const double x : {0.1, 1.0, 3.0, 5.0, 6.5}) check_delta(2, sigma, x);
}

TEST_CASE("cut epoch curve: three bins, by an integral of integrals") {
  for (const double sigma : {4.5, 8.0})
    for (const double x : {0.5, 4.0}) check_delta(3, sigma, x);
}

TEST_CASE("cut epoch curve: the path around the axis agrees") {
  int compared = 0;
  for (const double bins : {5.0, 20.0, 235.0, 5000.0, 1e6}) {
    for (const double sigma : {3.5, 5.0, 12.0}) {
      for (const double x : {0.3, 2.0, 4.0, 6.0}) {
        const double epsilon = x / (sigma * std::sqrt(bins));
        CutEpochCurve cut(bins, 1 / sigma);
        OneEpochCurve path(bins, 0, 1 / sigma, Direction::remove);
        const auto one = cut.delta(epsilon, 1e-8), other = path.delta(epsilon, 1e-8);
        INFO("bins=" << bins << " sigma=" << sigma << " x=" << x);
        REQUIRE(one);
        CHECK(testing::is_narrow(*one, 1e-8));
        if (!other) continue;
        CHECK_MESSAGE(testing::overlap(*one, *other), testing::show(*one), testing::show(*other));
        compared += testing::is_narrow(*other, 1e-8);
      }
    }
  }
  CHECK(compared > 30);
}

TEST_CASE("cut epoch curve: epsilon and delta are inverse to each other") {
  for (const double bins : {2.0, 8.0, 700.0}) {
    for (const double target : {1e-12, 1e-6, 1e-3}) {
      CutEpochCurve curve(bins, 0.15);
      const auto epsilon = curve.epsilon(target, 1e-9);
      INFO("bins=" << bins << " target=" << target);
      REQUIRE(epsilon);
      CHECK(testing::is_narrow(*epsilon, 1e-9));
      CutEpochCurve other(bins, 0.15);
      CHECK(other.delta(epsilon->lower, 1e-9)->upper >= target);
      CHECK(other.delta(epsilon->upper, 1e-9)->lower <= target);
      CHECK(curve.delta(0, 1e-9)->lower > curve.delta(1e-3, 1e-9)->upper);
    }
  }
}

TEST_CASE("cut epoch curve: far questions have an answer that holds, or none") {
  for (const double bins : {2.0, 1e3, 1e9, 1e15}) {
    for (const double mu : {1e-9, 1e-4, 0.3}) {
      for (const double epsilon : {0.0, 1e-12, 1e-3, 1.0, 40.0, 800.0, 1e6}) {
        CutEpochCurve curve(bins, mu);
        const auto found = curve.delta(epsilon, 1e-9);
        INFO("bins=" << bins << " mu=" << mu << " epsilon=" << epsilon);
        if (!found) continue;
        CHECK(found->lower >= 0);
        CHECK(found->lower <= found->upper);
        CHECK(found->upper <= 1);
      }
    }
  }
}

}  // namespace honest_epsilon
