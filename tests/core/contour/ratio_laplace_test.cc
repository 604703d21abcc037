#include "core/contour/ratio_laplace.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <random>

#include "core/math/constants.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon {
namespace {

using contour::RatioLaplace;
using Complex = std::complex<double>;

double w_at(double log_rho, double mu, double t) {
  return std::exp(log_rho + mu * t - 0.5 * mu * mu);
}

/// The integral of n(t) e^{rho X} over a stretch of the real line, by many steps.
double mean_between(double log_rho, double mu, double low, double high) {
  constexpr int kSteps = 4000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double t = low + (high - low) * (i + 0.5) / kSteps;
    sum += std::exp(w_at(log_rho, mu, t) - 0.5 * t * t);
  }
  return sum * (high - low) / kSteps / kSqrtTwoPi;
}

/// The integral of |n(t) e^{-sX}| along what follows the turn, s = e^{log_rho + i (pi + b)}.
double size_after(double log_rho, double mu, double turn, double b) {
  constexpr int kSteps = 4000;
  const double eta = (kPi + b) / mu;
  const auto size = [&](Complex t) {
    const Complex x = std::exp(Complex(log_rho, b) + mu * t - 0.5 * mu * mu);  // -sX
    return std::exp((x - 0.5 * t * t).real()) / kSqrtTwoPi;
  };
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double u = (i + 0.5) / kSteps;
    sum += eta / kSteps * size({turn, -eta * u}) + 12.0 / kSteps * size({turn + 12 * u, -eta});
  }
  return sum;
}

}  // namespace

TEST_CASE("ratio laplace: holds the transform's values, and leaves hardly anything open") {
  for (const auto& row : testing::reference_table("negative_axis")) {
    const RatioLaplace axis(row.number("mu"));
    const auto [log_modulus, phase] = axis.on_axis(row.number("log_rho"));
    INFO(row.describe());
    CHECK(std::abs(log_modulus.value - row.number("log_modulus")) <= log_modulus.error);
    CHECK(std::abs(phase.value - row.number("phase")) <= phase.error);
    CHECK(log_modulus.error <= 2e-9 * std::abs(log_modulus.value));
    CHECK(phase.error <= 1e-8 * std::abs(phase.value));
    if (row.number("log_rho") < -1) CHECK(phase.error <= 1e-11 * std::abs(phase.value));
  }
}

TEST_CASE("ratio laplace: the part before the turn grows by what lies between two turns") {
  for (const double mu : {0.4, 1.0, 2.5}) {
    const RatioLaplace axis(mu);
    for (const double log_rho : {-9.0, -4.0, -1.0}) {
      for (const double away : {-1.5, -0.6, -0.2}) {
        const double turn = axis.saddle(log_rho) + away, next = turn + 0.9;
        const Charged before = axis.left_less_one(std::exp(log_rho), turn);
        const Charged after = axis.left_less_one(std::exp(log_rho), next);
        const double between = mean_between(log_rho, mu, turn, next);
        INFO("mu=" << mu << " log rho=" << log_rho << " turn=" << turn);
        const double error = after.error + before.error;
        CHECK(std::abs(after.value - before.value - between) <= error + 1e-6 * between);
        CHECK(error <= 1e-9 * (between + std::exp(log_rho)));
      }
    }
  }
}

TEST_CASE("ratio laplace: what follows the turn is bounded, and not by far more than it is") {
  std::mt19937 random(20261125);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(random);
  };
  for (int i = 0; i < 200; ++i) {
    const double mu = std::exp(uniform(std::log(0.5), std::log(4)));
    const double low = uniform(-20, -1), high = low + uniform(0, 0.5);
    const double b_low = uniform(-0.9, 0.9), b_high = b_low + uniform(0, 0.3);
    const RatioLaplace axis(mu);
    const double turn = axis.saddle(0.5 * (low + high)), at = uniform(low, high);
    const double b = uniform(b_low, b_high);
    INFO("mu=" << mu << " log rho in [" << low << ", " << high << "], b in [" << b_low << ", "
               << b_high << "], turn " << turn);
    const double bound = axis.log_right_upper(low, high, turn, b_low, b_high);
    CHECK(bound >= std::log(size_after(at, mu, turn, b)) - 1e-6);
    const double tight = axis.log_right_upper(at, at, turn, b, b);
    CHECK(tight <= std::log(size_after(at, mu, turn, b)) + 4);
  }
}

TEST_CASE("ratio laplace: holds the transform above the axis, by a path that is moved") {
  for (const double mu : {0.01, 0.1, 0.3, 0.7, 1.2, 2.5}) {
    const RatioLaplace ratio(mu);
    for (const double rho : {0.02, 0.4, 1.3, -0.05, -0.6, -3.0, -12.0, -40.0}) {
      if (rho > 0 && mu < 0.3) continue;
      const auto turn = ratio.turn(rho);
      for (const double part : {0.1, 0.7, 2.0, 8.0, 25.0}) {
        const Complex s(-rho, std::abs(rho) * part);
        // Moved so that -sX falls along all of it.
        const double eta = std::max(0.0, std::arg(s) - 0.45 * kPi) / mu;
        if (eta > 6) continue;
        const double step = 0.002;
        Complex sum = 0;
        double sizes = 0;
        for (double x = -18; x < 12 + 2 * mu; x += step) {
          const Complex t(x, -eta);
          const Complex term = std::exp(-0.5 * t * t - s * std::exp(mu * t - 0.5 * mu * mu));
          sum += term;
          sizes += std::abs(term);
        }
        const Complex known = sum * step / kSqrtTwoPi;
        const contour::LogMoment found = ratio.at(-s, turn);
        INFO("mu=" << mu << " s=" << s.real() << " + i " << s.imag() << " off " << found.error);
        const double slack = 1e-13 * sizes / std::abs(sum);
        CHECK(std::abs(known / std::exp(found.value) - 1.0) <= std::expm1(found.error) + slack);
        if (mu * std::abs(s) < 2) CHECK(found.error <= 1e-10);
      }
    }
  }
}

}  // namespace honest_epsilon
