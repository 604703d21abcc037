#include "core/contour/one_epoch_integrand.h"

#include <doctest/doctest.h>

#include <cmath>

namespace honest_epsilon {
namespace {

using contour::OneEpochIntegrand;

struct UprightCase {
  double bins, mu, rho;  ///< rho < 0: to the right of 0, as for addition
};
constexpr UprightCase kUprights[] = {{50, 0.5, 0.3},   {1000, 1, 0.04},  {16, 0.33, 1.1},
                                     {200, 0.8, -0.2}, {20, 1.5, -0.15}, {5000, 2.2, 2e-3}};

}  // namespace

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
