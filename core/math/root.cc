#include "core/math/root.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/interval.h"

namespace honest_epsilon {

Lowest downhill(std::size_t from, std::size_t count, const std::function<double(std::size_t)>& of) {
  Lowest lowest{from, of(from)};
  for (std::size_t i = from; i > 0; --i) {
    const double below = of(i - 1);
    if (!(below < lowest.value || lowest.value == kInfinity)) break;
    lowest = {i - 1, below};
  }
  for (std::size_t i = lowest.place + 1; i < count; ++i) {
    const double above = of(i);
    if (!(above < lowest.value)) break;
    lowest = {i, above};
  }
  return lowest;
}

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

double largest_on(const std::function<double(double)>& f, double low, double high) {
  // A scan finds the neighbourhood of the maximum, and the minimiser refines it. The result need
  // not be the exact maximiser: any x gives a valid value of f.
  constexpr int kPoints = 200;
  double best = low;
  double value = f(low);
  if (std::isnan(value)) value = -std::numeric_limits<double>::infinity();
  for (int i = 1; i <= kPoints; ++i) {
    const double x = low + (high - low) * i / kPoints;
    const double here = f(x);
    if (here > value) {
      value = here;
      best = x;
    }
  }
  const double step = (high - low) / kPoints;
  const double refined = minimizer([&](double x) { return -f(x); }, best - step, best + step);
  return f(refined) > value ? refined : best;
}

double minimizer(const std::function<double(double)>& f, double low, double high) {
  std::uintmax_t count = 100;
  return boost::math::tools::brent_find_minima(f, low, high, 30, count).first;
}

}  // namespace honest_epsilon
