#include "core/pld/lattice_law.h"

#include <algorithm>
#include <cmath>

namespace honest_epsilon::pld {

LatticeLaw mirrored(LatticeLaw law) {
  law.first = -(law.first + static_cast<std::int64_t>(law.mass.size()) - 1);
  law.origin = -law.origin;
  std::reverse(law.mass.begin(), law.mass.end());
  return law;
}

double log_moment(const LatticeLaw& law, double tilt) {
  if (law.mass.empty()) return -std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i : {std::size_t{0}, law.mass.size() - 1})
    largest = std::max(largest, tilt * law.point(i));
  double sum = 0;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.mass[i] > 0) sum += law.mass[i] * std::exp(tilt * law.point(i) - largest);
  }
  return largest + std::log(sum);
}

}  // namespace honest_epsilon::pld
