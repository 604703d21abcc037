#include "core/contour/one_epoch_integrand.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <random>

#include "core/math/constants.h"

namespace honest_epsilon {
namespace {

using contour::OneEpochIntegrand;
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

struct AxisCase {
  double bins, mu, epsilon;
};
constexpr AxisCase kAxes[] = {
    {100, 2.5, 1}, {1000, 3, 2}, {20, 2, 1.5}, {5000, 2.5, 0.5}, {50, 1.4, 1}};

struct UprightCase {
  double bins, mu, rho;  ///< rho < 0: to the right of 0, as for addition
};
constexpr UprightCase kUprights[] = {{50, 0.5, 0.3},   {1000, 1, 0.04},  {16, 0.33, 1.1},
                                     {200, 0.8, -0.2}, {20, 1.5, -0.15}, {5000, 2.2, 2e-3}};

}  // namespace

TEST_CASE("one epoch's integrand: holds its values beside the negative axis") {
  std::mt19937 random(4);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(random);
  };
  for (const AxisCase& at : kAxes) {
    const OneEpochIntegrand integrand(at.bins, 0, at.mu, Direction::remove);
    const auto strike = integrand.strike(at.epsilon);
    const double top = integrand.likely_top(strike);
    for (int i = 0; i < 60; ++i) {
      const double low = top + uniform(-2, 2.5), high = low + uniform(0, 0.5);
      const double b_low = uniform(0, 0.8), b_high = b_low + uniform(0, 0.2);
      const double a = uniform(low, high), b = uniform(b_low, b_high);
      INFO("bins=" << at.bins << " mu=" << at.mu << " eps=" << at.epsilon << " log rho=" << a
                   << " b=" << b);
      const double value = log_modulus(at.bins, at.mu, strike.value, a, b);
      CHECK(integrand.axis_bound(low, high, b_low, b_high).at(strike) >= value);
      if (a < top) CHECK(integrand.axis_bound(a, a, b, b).at(strike) <= value + 4);
    }
  }
}

TEST_CASE("one epoch's integrand: bounds what lies to the left on the axis, and beyond a corner") {
  for (const AxisCase& at : kAxes) {
    const OneEpochIntegrand integrand(at.bins, 0, at.mu, Direction::remove);
    const auto strike = integrand.strike(at.epsilon);
    const double top = integrand.likely_top(strike);
    const auto integral = [&](double from, double to) {
      constexpr int kSteps = 400;
      double sum = 0;
      for (int i = 0; i < kSteps; ++i) {
        const auto node = integrand.on_axis(from + (to - from) * (i + 0.5) / kSteps);
        sum += OneEpochIntegrand::term(node, strike).value;
      }
      return sum * (to - from) / kSteps;
    };
    for (const double away : {0.0, 0.5, 1.5}) {
      INFO("bins=" << at.bins << " mu=" << at.mu << " eps=" << at.epsilon << " away=" << away);
      const double left = std::log(integral(top - away - 12, top - away));
      CHECK(integrand.axis_left(top - away).at(strike) >= left);
      // To the right the axis and the upright path from there on are the same integral.
      CHECK(integrand.upright_total(std::exp(top + away)).at(strike) >=
            std::log(std::abs(integral(top + away, top + away + 4))));
    }
    const double far = top - 4;
    CHECK(integrand.axis_left(far).at(strike) <= std::log(integral(far - 12, far)) + 3);
  }
}

TEST_CASE("one epoch's integrand: a strike counts the bins that are blank") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const OneEpochIntegrand integrand(60, 40, 2, direction);
    const auto strike = integrand.strike(0.7);
    const double k = std::exp(direction == Direction::remove ? 0.7 : -0.7);
    CHECK(strike.value == doctest::Approx(100 * k - 40).epsilon(1e-15));
    CHECK(std::abs(strike.slope) == doctest::Approx(100 * k).epsilon(1e-15));
  }
}

TEST_CASE("one epoch's integrand: an upright path's bounds hold, and are near what they bound") {
  for (const UprightCase& at : kUprights) {
    const Direction direction = at.rho > 0 ? Direction::remove : Direction::add;
    const OneEpochIntegrand integrand(at.bins, 0, at.mu, direction);
    const auto strike = integrand.strike(0.02);
    const auto line = integrand.upright(at.rho);
    const double unit = std::abs(at.rho);
    // Where hardly a digit is known, less than all of it will do.
    const auto modulus = [&](double y) {
      const auto node = integrand.on_upright(line, y);
      return node.size_error < 0.1 ? OneEpochIntegrand::term(node, strike).modulus : 0;
    };
    const auto integral = [&](double from) {
      // Up to where it is a hundred times as high and has long fallen.
      constexpr int kSteps = 4000;
      double sum = 0;
      for (int i = 0; i < kSteps; ++i) {
        const double part = (i + 0.5) / kSteps;
        sum += modulus(from + 100 * unit * part * part) * 2 * part / kSteps;
      }
      return 100 * unit * sum;
    };
    INFO("bins=" << at.bins << " mu=" << at.mu << " rho=" << at.rho);
    const double total = std::log(integral(1e-9 * unit));
    CHECK(integrand.upright_total(at.rho).at(strike) >= total - 1e-3);
    CHECK(integrand.upright_total(at.rho).at(strike) <= total + 4);
    for (const double from : {0.5 * unit, 2 * unit, 5 * unit}) {
      INFO("from " << from);
      const double rest = std::log(integral(from));
      CHECK(integrand.upright_end(line, from).at(strike) >= rest - 1e-3);
      for (const double to : {1.1 * from, 2 * from}) {
        const auto bound = integrand.upright_bound(line, from, to, 0.5 * unit);
        CHECK(bound.at(strike) >= std::log(modulus(from)));
        CHECK(bound.at(strike) >= std::log(modulus(to)));
      }
    }
    // A moved path's growth counts most where it is all that keeps a bound up.
    const double near = 0.5 * unit;
    CHECK(integrand.upright_bound(line, near, near, 0).at(strike) >= std::log(modulus(near)));
  }
}

}  // namespace honest_epsilon
