#include "core/contour/hankel_decay.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/math/constants.h"
#include "core/math/log_gamma.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::HankelDecay;
using contour::TransformFall;

double log_gamma_modulus(double a, double y) {
  return -log_power_over_gamma({a, y}, 1, 0).value.real();
}

/// N(s) = (1 - s)^-shape of a gamma law with mean `shape`, along Re s = sigma < 1.
struct GammaTransform {
  double shape, sigma;

  double log_first() const { return -shape * std::log1p(-sigma); }
  double log_size(double v) const {
    return -0.5 * shape * std::log1p(v * v / ((1 - sigma) * (1 - sigma)));
  }
  TransformFall fall(double factor) const {
    TransformFall fall;
    fall.steps.push_back({0, 0});
    for (double v = 1e-3; log_size(v) > -60; v *= factor) fall.steps.push_back({v, log_size(v)});
    fall.last = 2 * fall.steps.back().v;
    fall.log_last = log_size(fall.last);
    return fall;
  }
  /// log of the Hankel integral's terms' moduli, by a fine midpoint rule in psi.
  double log_moduli(double power, double y) const {
    constexpr int kSteps = 3000;
    const double a = power + 1;
    double sum = 0, largest = -kInfinity;
    const auto log_term = [&](int i) {
      const double psi = kPi * ((i + 0.5) / kSteps - 0.5);
      return log_size(sigma * std::tan(psi)) + y * psi + (a - 2) * std::log(std::cos(psi));
    };
    for (int i = 0; i < kSteps; ++i) largest = std::max(largest, log_term(i));
    for (int i = 0; i < kSteps; ++i) sum += std::exp(log_term(i) - largest);
    return log_first() + log_gamma_modulus(a, y) - power * std::log(sigma) - 2 * kHalfLogTwoPi +
           largest + std::log(sum * kPi / kSteps);
  }
  /// log |E U^w|.
  double log_moment(double power, double y) const {
    return log_gamma_modulus(shape + power, y) - log_gamma_modulus(shape, 0);
  }
};

}  // namespace

TEST_CASE("hankel decay: above the moduli's integral from a height on, and close to it") {
  for (const double shape : {3.0, 30.0, 400.0}) {
    for (const double power : {12.0, 60.0, 500.0}) {
      const GammaTransform gamma{shape, power / (power + shape)};
      const HankelDecay decay(power, gamma.sigma, gamma.log_first(), gamma.fall(1.01));
      double last = kInfinity;
      for (double y = 0; y < 20 * power; y = 1.7 * y + 1) {
        double most = -kInfinity;
        for (double part = 1; part < 30; part *= 1.3)
          most = std::max(most, gamma.log_moduli(power, part * y));
        const double bound = decay.log_bound_beyond(y);
        INFO("shape=" << shape << " power=" << power << " y=" << y);
        CHECK(bound >= most);
        CHECK(bound >= gamma.log_moment(power, y));
        // Each stretch takes its own height, and the fall is followed to e^-60 only.
        if (most > gamma.log_moduli(power, 0) - 40) CHECK(bound <= most + 3);
        CHECK(bound <= last + 1e-5);
        last = bound;
      }
      CHECK(decay.log_bound_beyond(kInfinity) <= last + 1e-5);
    }
  }
}

TEST_CASE("hankel decay: what never falls bounds nothing from some height on") {
  TransformFall fall;
  fall.steps.push_back({0, 0});
  fall.last = 1e3;
  fall.log_last = -10;
  const HankelDecay decay(20, 20, 20, fall);
  CHECK(decay.log_bound_beyond(1e4) >= 20 - 10 - std::log(20.0) * 20);
  fall.last = kInfinity;
  CHECK(HankelDecay(20, 20, 20, fall).log_bound_beyond(1) == kInfinity);
}

}  // namespace honest_epsilon
