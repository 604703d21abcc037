#include "core/pairs/normal_cell.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/normal.h"

namespace honest_epsilon::pairs {

Mass normal_mass(double low, double high, double centre) {
  const double a = low - centre;
  const double b = high - centre;
  double value;
  double scale;
  double far = 0;  // the argument whose rounding is magnified most
  if (b <= 0) {
    scale = normal::upper_tail(-b);
    value = scale - normal::upper_tail(-a);
    far = -b;
  } else if (a >= 0) {
    scale = normal::upper_tail(a);
    value = scale - normal::upper_tail(b);
    far = a;
  } else {
    const double below = normal::upper_tail(-a);
    const double above = normal::upper_tail(b);
    scale = below + above + 4 * kUnit / normal::kRelativeError;
    value = 1 - below - above;
    far = std::min(-a, b);
  }
  // z - centre rounds by a unit; the tail's relative slope is below |argument| + 1.
  const double argument = std::isfinite(far) ? (far + 1) * (far + std::abs(centre)) * 2 * kUnit : 0;
  return {std::max(value, 0.0), 2 * scale * (normal::kRelativeError + argument)};
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
