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

/// An ellipse with foci -1 and 1.
struct Ellipse {
  double wide, high;  ///< its semi-axes, (rho +- 1/rho) / 2
  double log_error;   ///< of the rule, for a function bounded by 1 on it
};

/// The rule's error is 64/15 rho^-60 / (1 - rho^-2). Cite: [Tre13, Thm 19.3].   rho > 1: the sum of
/// its semi-axes
Ellipse ellipse(double rho);

}  // namespace honest_epsilon::quadrature
