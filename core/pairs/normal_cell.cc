#include "core/pairs/normal_cell.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/normal.h"

namespace honest_epsilon::pairs {

namespace {

/// z - centre rounds by a unit; a tail's relative slope is below |argument| + 1.
double argument_error(double argument, double centre) {
  if (!std::isfinite(argument)) return 0;
  return (argument + 1) * (argument + std::abs(centre)) * 2 * kUnit;
}

}  // namespace

Mass normal_mass(double low, double high, double centre) {
  const double a = low - centre;
  const double b = high - centre;
  if (a < 0 && b > 0) {
    const double below = normal::upper_tail(-a);
    const double above = normal::upper_tail(b);
    return {std::max(1 - below - above, 0.0),
            2 * (below * (normal::kRelativeError + argument_error(-a, centre)) +
                 above * (normal::kRelativeError + argument_error(b, centre))) +
                8 * kUnit};
  }
  const double near = b <= 0 ? -b : a;
  const double scale = normal::upper_tail(near);
  return {std::max(scale - normal::upper_tail(b <= 0 ? -a : b), 0.0),
          2 * scale * (normal::kRelativeError + argument_error(near, centre))};
}

double narrow_integral(double a, double h) {
  const double s = a * a;
  const double x = h * h;
  const double he2 = s - 1;
  const double he4 = (s - 6) * s + 3;
  const double he6 = ((s - 15) * s + 45) * s - 15;
  const double he8 = (((s - 28) * s + 210) * s - 420) * s + 105;
  return 1 + x * (he2 / 6 + x * (he4 / 120 + x * (he6 / 5040 + x * he8 / 362880)));
}

}  // namespace honest_epsilon::pairs
