#include "core/pld/payoff.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace honest_epsilon::pld {
namespace {

constexpr Payoff kPayoffs[] = {{PayoffKind::loss}, {PayoffKind::ratio}};

// The integral of payoff(x) e^{-s x} x^power over x > 0, by Simpson's rule.
double transform(Payoff payoff, double s, int power) {
  constexpr int kPoints = 20000;
  const double h = 60 / s / kPoints;
  double sum = 0;
  for (int i = 1; i < kPoints; ++i) {
    const double x = i * h;
    sum += (i % 2 ? 4 : 2) * payoff(x) * std::exp(-s * x) * std::pow(x, power);
  }
  return sum * h / 3;
}

}  // namespace

TEST_CASE("payoff: the cap is the largest payoff(x) e^{-s x}, and is reached") {
  for (const Payoff payoff : kPayoffs) {
    for (const double s : {0.01, 0.5, 1.0, 7.0, 300.0}) {
      double largest = 0;
      for (double x = 1e-6; x < 1e4; x *= 1.003)
        largest = std::max(largest, payoff(x) * std::exp(-s * x));
      CAPTURE(s);
      CAPTURE(payoff.is_loss());
      const double cap = std::exp(payoff.log_cap(s));
      CHECK(largest <= cap * (1 + 1e-14));
      CHECK(largest >= cap * (1 - 1e-5));
    }
  }
}

TEST_CASE("payoff: beyond any point it stays below its exponential limit") {
  for (const Payoff payoff : kPayoffs) {
    for (const double far : {1e-3, 0.4, 3.0, 50.0}) {
      const double least = payoff.least_rate(far);
      for (const double s : {least, 1.5 * least + 0.1, 3 * least + 2}) {
        CAPTURE(far);
        CAPTURE(s);
        CHECK(payoff(far) <= payoff.limit(far) * (1 + 1e-15));
        double worst = 0;
        for (double x = far; x < 20 * far + 20; x += 0.01 * (far + 0.1))
          worst = std::max(worst, payoff(x) / (payoff.limit(far) * std::exp(s * (x - far))));
        CHECK(worst <= 1 + 1e-14);
      }
    }
  }
}

TEST_CASE("payoff: transform, overshoot and variance are the moments of payoff(x) e^{-s x}") {
  for (const Payoff payoff : kPayoffs) {
    for (const double s : {0.2, 1.0, 9.0}) {
      CAPTURE(s);
      CAPTURE(payoff.is_loss());
      const double whole = transform(payoff, s, 0);
      const double mean = transform(payoff, s, 1) / whole;
      const double square = transform(payoff, s, 2) / whole;
      CHECK(std::log(whole) == doctest::Approx(payoff.log_transform(s)).epsilon(1e-6));
      CHECK(mean == doctest::Approx(payoff.overshoot(s)).epsilon(1e-6));
      CHECK(square - mean * mean == doctest::Approx(payoff.overshoot_variance(s)).epsilon(1e-6));
    }
  }
}

TEST_CASE("payoff: the curvature is what a little spread adds to a sum under the tilt") {
  // Sums with density e^{-s x}, each spread to x - d and x + d. Ratios keep their mean: a fair
  // coin. Losses keep E[e^{-L}], so that gains are likelier than losses under P.
  constexpr double d = 1e-3;
  for (const Payoff payoff : kPayoffs) {
    for (const double s : {0.5, 2.0, 8.0}) {
      const double up = payoff.is_loss() ? 1 / (1 + std::exp(-d)) : 0.5;
      const double change = std::log(up * std::exp(s * d) + (1 - up) * std::exp(-s * d));
      CAPTURE(s);
      CHECK(2 * change / (d * d) == doctest::Approx(payoff.curvature(s)).epsilon(1e-4));
    }
  }
}

}  // namespace honest_epsilon::pld
