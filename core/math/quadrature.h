#pragma once

#include <array>

/// Gauss-Legendre quadrature with a proved error.
namespace honest_epsilon::quadrature {

struct Node {
  double position;  ///< in (-1, 1)
  double weight;
};

/// The thirty-point rule on [-1, 1].
std::array<Node, 30> gauss_legendre();

/// log of its error for a function bounded by 1 on the ellipse with foci -1, 1 and semi-axes
/// (rho +- 1/rho)/2: 64/15 rho^-60 / (1 - rho^-2). Cite: [Tre13, Thm 19.3].
double log_error(double log_rho);

}  // namespace honest_epsilon::quadrature
