#include "core/math/adaptive_quadrature.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace honest_epsilon::quadrature {

Integral integrate(const std::function<double(double)>& f, double low, double high,
                   double tolerance) {
  constexpr unsigned kMaxDepth = 12;
  Integral integral;
  if (!(high > low)) return integral;
  integral.value = boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
      f, low, high, kMaxDepth, tolerance, &integral.error_estimate);
  return integral;
}

Integral integrate_pieces(const std::function<double(double)>& f, const std::vector<double>& breaks,
                          double tolerance) {
  Integral total;
  for (std::size_t i = 1; i < breaks.size(); ++i) {
    const Integral piece = integrate(f, breaks[i - 1], breaks[i], tolerance);
    total.value += piece.value;
    total.error_estimate += piece.error_estimate;
  }
  return total;
}

}  // namespace honest_epsilon::quadrature
