#pragma once

#include <functional>
#include <vector>

namespace honest_epsilon::quadrature {

/// An integral and an estimate of its error, which is not a proved bound.
struct Integral {
  double value = 0;
  double error_estimate = 0;
};

/// Adaptive Gauss-Kronrod quadrature (15 and 31 points) of a bounded function over [low, high],
/// both finite, to about `tolerance` relative to the integral of |f|. The function should be smooth
/// there: put its kinks at the ends of pieces.
Integral integrate(const std::function<double(double)>& f, double low, double high,
                   double tolerance = 1e-12);

/// The sum over the pieces between consecutive breaks, which must rise.
Integral integrate_pieces(const std::function<double(double)>& f, const std::vector<double>& breaks,
                          double tolerance = 1e-12);

}  // namespace honest_epsilon::quadrature
