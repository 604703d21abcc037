#include "core/tradeoff/random_initialisation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"
#include "tests/core/tradeoff/laws.h"

namespace honest_epsilon {

namespace start = random_initialisation;
using start::InitialisationModel;

namespace {

/// By Simpson's rule between each two of some places.
template <class Integrand>
double integral_of(const Integrand& at, const std::set<double>& places) {
  constexpr int kHalves = 400;
  double sum = 0;
  for (auto low = places.begin(); std::next(low) != places.end(); ++low) {
    const double step = (*std::next(low) - *low) / kHalves;
    for (int i = 0; i <= kHalves; ++i) {
      const double weight = i == 0 || i == kHalves ? 1 : i % 2 == 1 ? 4 : 2;
      sum += step / 3 * weight * at(*low + i * step);
    }
  }
  return sum;
}

/// The errors of the test that rejects where the likelihood ratio of P to Q is above e^l, by
/// quadrature ([WS23, Thm 5.1] with t = -l):
///   alpha = E_I[Phi(-l/|mu| - |mu|/2)],   beta = E_I[Phi(l/|mu| - |mu|/2)].
tradeoff::ErrorRates test_at(const InitialisationModel& model, double l) {
  const double a = model.offset;
  const double low = std::max(a - model.clip, -40.0), high = std::min(a + model.clip, 40.0);
  std::set<double> breaks{low, high};
  for (double place = -40; place <= 40; place += 0.5) breaks.insert(std::clamp(place, low, high));
  breaks.insert(std::clamp(a, low, high));
  // Next to the offset mu is small, and the error a steep function of it.
  for (double near = 0.25; near > 1e-6; near /= 2) {
    for (const double place : {a - near, a + near}) breaks.insert(std::clamp(place, low, high));
  }
  const double clipped = std::isfinite(model.clip) ? normal::upper_tail(a + model.clip) +
                                                         normal::upper_tail(model.clip - a)
                                                   : 0;
  const auto mean = [&](double sign) {
    // Where mu is 0 the ratio is 1: above the threshold or not.
    const auto error = [&](double mu) {
      return mu > 0 ? normal::upper_tail(sign * l / mu + mu / 2) : sign * l < 0 ? 1.0 : 0.0;
    };
    const auto at = [&](double i) {
      return normal::pdf(i) * error(std::abs(a - i) / model.noise_multiplier);
    };
    return integral_of(at, breaks) + clipped * error(start::gdp_mu(model));
  };
  return {mean(1), mean(-1)};
}

}  // namespace

TEST_CASE("random_initialisation: delta holds the integral, and its best test attains it") {
  for (const auto& row : testing::reference_table("random_initialisation")) {
    INFO(row.describe());
    const InitialisationModel model{row.number("offset"), row.number("clip"),
                                    row.number("noise_multiplier")};
    const double epsilon = row.number("epsilon");
    const double exact = row.number("delta");
    const Interval found = start::delta(model, epsilon);
    CHECK(testing::contains(found, exact));
    CHECK(testing::is_narrow(found, 1e-6));
    // The test at threshold eps is the best one for that strike.
    const tradeoff::ErrorRates test = test_at(model, epsilon);
    const double gain = 1 - test.false_negative_rate - std::exp(epsilon) * test.false_positive_rate;
    CHECK(gain == doctest::Approx(exact).epsilon(1e-6).scale(1e-6));
    // A random start only helps.
    CHECK(found.upper <= gaussian::delta(start::gdp_mu(model), epsilon).upper);
  }
}

TEST_CASE("random_initialisation: Theorem 5.1's points lie in the band, above c-GDP") {
  const InitialisationModel model{1, 2, 1};
  const tradeoff::TradeOffCurve curve = start::trade_off(model);
  testing::check_laws(curve);
  for (const double threshold : {-3.0, -0.5, 0.0, 0.1, 1.0, 4.0}) {
    CAPTURE(threshold);
    const tradeoff::ErrorRates point = test_at(model, threshold);
    const Interval band = curve.false_negative_rate(point.false_positive_rate);
    CHECK(point.false_negative_rate >= band.lower - 1e-9);
    CHECK(point.false_negative_rate <= band.upper + 1e-9);
    CHECK(point.false_negative_rate >=
          testing::gdp_false_negative_rate(start::gdp_mu(model), point.false_positive_rate).lower);
  }
  // Its own Gaussian is better than c-GDP.
  const tradeoff::GaussianBelow fit = curve.gaussian_below(1e-4);
  CHECK(fit.mu.upper < 2);
  CHECK(fit.mu.upper - fit.mu.lower < 0.01);
}

TEST_CASE("random_initialisation: far away every gradient is clipped, and it is c-GDP") {
  const InitialisationModel model{45, 1.5, 2};
  for (const double epsilon : {0.0, 0.5, 2.0}) {
    CAPTURE(epsilon);
    CHECK(testing::overlap(start::delta(model, epsilon), gaussian::delta(0.75, epsilon)));
    CHECK(testing::is_narrow(start::delta(model, epsilon), 1e-8));
  }
}

TEST_CASE("random_initialisation: without clipping the total variation is an arc tangent") {
  for (const double sigma : {0.25, 1.0, 5.0}) {
    CAPTURE(sigma);
    const double exact = 2 / 3.14159265358979323846 * std::atan(1 / (2 * sigma));
    const Interval found = start::delta({0, kInfinity, sigma}, 0);
    CHECK(testing::contains(found, exact, 1e-15));
    CHECK(testing::is_narrow(found, 1e-6));
  }
}

TEST_CASE("random_initialisation: delta is narrow however small") {
  int tiny = 0;
  for (const double clip : {1.0, 6.0, kInfinity}) {
    for (const double sigma : {0.5, 2.0, 10.0}) {
      for (const double epsilon : {3.0, 20.0, 100.0}) {
        const Interval found = start::delta({1, clip, sigma}, epsilon);
        INFO(clip << " " << sigma << " " << epsilon << " " << testing::show(found));
        if (found.upper < 1e-100) continue;
        CHECK(testing::is_narrow(found, found.upper < 1e-12 ? 2e-5 : 1e-6));
        tiny += found.upper < 1e-50 ? 1 : 0;
      }
    }
  }
  CHECK(tiny >= 2);
}

TEST_CASE("random_initialisation: who is not told the start learns less") {
  for (const double offset : {0.0, 1.0, -3.0}) {
    for (const double sigma : {0.5, 1.0, 2.0}) {
      const start::Gaussian without{0, 1};
      const start::Gaussian with{offset / sigma, 1 + 1 / (sigma * sigma)};
      for (const double epsilon : {0.0, 0.3, 1.0, 2.5}) {
        CAPTURE(offset);
        CAPTURE(sigma);
        CAPTURE(epsilon);
        const double told = start::delta({offset, kInfinity, sigma}, epsilon).upper;
        CHECK(start::delta_estimate(with, without, epsilon) <= told + 1e-12);
        CHECK(start::delta_estimate(without, with, epsilon) <= told + 1e-12);
      }
    }
  }
}

TEST_CASE("random_initialisation: two Gaussians of one variance are the Gaussian mechanism") {
  for (const double epsilon : {0.0, 1.0, 3.0}) {
    const double found = start::delta_estimate({5, 4}, {2, 4}, epsilon);
    CHECK(found == doctest::Approx(gaussian::delta(1.5, epsilon).upper).epsilon(1e-10));
    CHECK(start::delta_estimate({2, 4}, {5, 4}, epsilon) == doctest::Approx(found).epsilon(1e-10));
    CHECK(start::delta_estimate({2, 4}, {2, 4}, epsilon) == 0);
  }
  // Total variation of N(0, 4) and N(0, 1): they cross at x^2 = 8 log(2) / 3.
  const double x = std::sqrt(8 * std::log(2.0) / 3);
  const double exact = std::erf(x / std::sqrt(2.0)) - std::erf(x / std::sqrt(8.0));
  CHECK(start::delta_estimate({0, 4}, {0, 1}, 0) == doctest::Approx(exact).epsilon(1e-12));
  CHECK(start::delta_estimate({0, 1}, {0, 4}, 0) == doctest::Approx(exact).epsilon(1e-12));
}

TEST_CASE("random_initialisation: Renyi divergence is infinite where delta is small") {
  // order (order - 1) >= sigma^2
  CHECK(std::isfinite(start::unclipped_renyi_divergence(1.6, 1, 1)));
  CHECK(start::unclipped_renyi_divergence(1.62, 1, 1) == kInfinity);
  CHECK(start::delta({1, kInfinity, 1}, 8).upper < 0.02);
  CHECK(start::delta({1, kInfinity, 20}, 1).upper < 1e-6);
  CHECK(start::unclipped_renyi_divergence(21, 1, 20) == kInfinity);
}

TEST_CASE("random_initialisation: Renyi divergence is the mean's logarithm, as a sum has it") {
  for (const double sigma : {1.0, 2.5}) {
    for (const double offset : {0.0, 1.0, 3.0}) {
      for (const double order : {1.1, 1.4, 1.55}) {
        // E exp(order (order - 1) mu^2 / 2), mu normal of mean offset / sigma and deviation 1 /
        // sigma.
        const double step = 1e-3;
        double sum = 0;
        for (double z = -60; z <= 60; z += step) {
          const double mu = (offset + z) / sigma;
          sum += std::exp(0.5 * order * (order - 1) * mu * mu - 0.5 * z * z) * step;
        }
        const double exact = std::log(sum / std::sqrt(8 * std::atan(1.0))) / (order - 1);
        CAPTURE(sigma);
        CAPTURE(offset);
        CAPTURE(order);
        CHECK(start::unclipped_renyi_divergence(order, offset, sigma) ==
              doctest::Approx(exact).epsilon(1e-9));
      }
    }
  }
}

}  // namespace honest_epsilon
