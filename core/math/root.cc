#include "core/math/root.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

namespace honest_epsilon {

Bracket shrink(const std::function<double(double)>& f, double low, double high, double tolerance,
               int evaluations) {
  double value_low = f(low);
  if (value_low < 0) return {low, low};
  double value_high = f(high);
  if (value_high >= 0) return {high, high};
  const auto narrow = [tolerance](double a, double b) {
    return b - a <= tolerance * std::max(std::abs(a), std::abs(b));
  };
  auto count = static_cast<std::uintmax_t>(evaluations);
  // toms748 wants opposite, finite signs; a zero at an end is returned as that end twice.
  const auto guarded = [&f](double x) {
    const double value = f(x);
    if (std::isnan(value)) return -1.0;
    return value == 0 ? 1e-300 : std::clamp(value, -1e300, 1e300);
  };
  value_low = value_low == 0 ? 1e-300 : std::clamp(value_low, -1e300, 1e300);
  value_high = std::clamp(value_high, -1e300, 1e300);
  const auto [a, b] =
      boost::math::tools::toms748_solve(guarded, low, high, value_low, value_high, narrow, count);
  return {a, b};
}

double minimizer(const std::function<double(double)>& f, double low, double high) {
  std::uintmax_t count = 100;
  return boost::math::tools::brent_find_minima(f, low, high, 30, count).first;
}

}  // namespace honest_epsilon
