#include "core/math/quadrature.h"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>

namespace honest_epsilon::quadrature {

std::array<Node, 30> gauss_legendre() {
  using Gauss = boost::math::quadrature::gauss<double, 30>;
  std::array<Node, 30> nodes{};
  for (std::size_t i = 0; i < 15; ++i) {
    const double position = Gauss::abscissa()[i];
    const double weight = Gauss::weights()[i];
    nodes[2 * i] = {-position, weight};
    nodes[2 * i + 1] = {position, weight};
  }
  return nodes;
}

Ellipse ellipse(double rho) {
  const double log_rho = std::log(rho);
  return {0.5 * (rho + 1 / rho), 0.5 * (rho - 1 / rho),
          std::log(64.0 / 15) - 60 * log_rho - std::log(-std::expm1(-2 * log_rho))};
}

}  // namespace honest_epsilon::quadrature
