#include "core/contour/call_integrand.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <random>

#include "core/math/constants.h"

namespace honest_epsilon {
namespace {

using contour::CallIntegrand;
using Complex = std::complex<double>;

/// E e^{-sX}, s = e^{u + i angle}, by a trapezoidal rule on the line where sX is positive.
Complex transform(double mu, double log_s, double angle) {
  const double eta = angle / mu, step = 0.05 / std::max(1.0, mu);
  Complex sum = 0;
  for (double x = -12; x < 12 + 2 * mu; x += step) {
    const double sx = std::exp(log_s + mu * x - 0.5 * mu * mu);
    sum += std::exp(Complex(0.5 * (eta - x) * (eta + x) - sx, eta * x));
  }
  return sum * step / kSqrtTwoPi;
}

/// log |F(a + ib)|, to about e^{eta^2/2} roundings of phi.
double log_modulus(double bins, double mu, double strike, double a, double b) {
  const Complex above = transform(mu, a, kPi + b), below = std::conj(transform(mu, a, kPi - b));
  const Complex difference = std::pow(above, bins) - std::pow(below, bins);
  return std::log(std::abs(difference)) - strike * std::exp(a) * std::cos(b) - a -
         std::log(2 * kPi * bins);
}

struct EpochCase {
  double bins, mu, epsilon;
};
constexpr EpochCase kEpochs[] = {
    {100, 2.5, 1}, {1000, 3, 2}, {20, 2, 1.5}, {5000, 2.5, 0.5}, {50, 1.4, 1}};

}  // namespace

TEST_CASE("call integrand: holds its values beside the real line") {
  std::mt19937 random(4);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(random);
  };
  for (const EpochCase& at : kEpochs) {
    const CallIntegrand integrand(at.bins, 0, at.mu);
    const auto strike = integrand.strike(at.epsilon);
    const double top = integrand.likely_top(strike);
    for (int i = 0; i < 60; ++i) {
      const double low = top + uniform(-2, 2.5), high = low + uniform(0, 0.5);
      const double b_low = uniform(0, 0.8), b_high = b_low + uniform(0, 0.2);
      const double a = uniform(low, high), b = uniform(b_low, b_high);
      INFO("bins=" << at.bins << " mu=" << at.mu << " eps=" << at.epsilon << " log rho=" << a
                   << " b=" << b);
      const double value = log_modulus(at.bins, at.mu, strike.value, a, b);
      CHECK(integrand.bound(low, high, b_low, b_high).at(strike.value) >= value);
      if (a < top) CHECK(integrand.bound(a, a, b, b).at(strike.value) <= value + 4);
    }
  }
}

TEST_CASE("call integrand: bounds what lies beyond a place, and hardly more on its left") {
  for (const EpochCase& at : kEpochs) {
    const CallIntegrand integrand(at.bins, 0, at.mu);
    const auto strike = integrand.strike(at.epsilon);
    const double top = integrand.likely_top(strike);
    const auto integral = [&](double from, double to) {
      constexpr int kSteps = 400;
      double sum = 0;
      for (int i = 0; i < kSteps; ++i) {
        const auto sample = integrand.at(from + (to - from) * (i + 0.5) / kSteps);
        sum += CallIntegrand::term(sample, strike).value;
      }
      return sum * (to - from) / kSteps;
    };
    for (const double away : {0.0, 0.5, 1.5}) {
      INFO("bins=" << at.bins << " mu=" << at.mu << " eps=" << at.epsilon << " away=" << away);
      const double left = std::log(integral(top - away - 12, top - away));
      CHECK(integrand.log_left(top - away, 0) >= left);
      CHECK(integrand.log_beyond(top + away, strike) >=
            std::log(std::abs(integral(top + away, top + away + 4))));
    }
    const double far = top - 4;
    CHECK(integrand.log_left(far, 0) <= std::log(integral(far - 12, far)) + 3);
  }
}

TEST_CASE("call integrand: a strike counts the bins that are blank") {
  const CallIntegrand integrand(60, 40, 2);
  const auto strike = integrand.strike(0.7);
  CHECK(strike.value == doctest::Approx(100 * std::exp(0.7) - 40).epsilon(1e-15));
  CHECK(strike.slope == doctest::Approx(100 * std::exp(0.7)).epsilon(1e-15));
}

}  // namespace honest_epsilon
