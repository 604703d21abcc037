#include "core/pld/lattice_law.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/pld/tilt_factors.h"

namespace honest_epsilon::pld {

std::vector<double> no_masses(double first, double last) {
  constexpr std::int64_t kPointWork = 30;
  // 2 GB of masses; refused here as an allocation would be.
  if (!(last - first < 0x1p28)) throw std::bad_alloc();
  work::spend(kPointWork * (static_cast<std::int64_t>(last - first) + 1));
  return std::vector<double>(static_cast<std::size_t>(last - first) + 1, 0.0);
}

bool too_fine(double farthest, double spacing) {
  return !(farthest < 0x1p50 * spacing);
}

LatticeLaw trivial_law(double spacing, bool up) {
  LatticeLaw law;
  law.spacing = spacing;
  law.mass = {up ? 0.0 : 1.0};
  law.infinite = up ? 1 : 0;
  return law;
}

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
  TiltFactors factor(law, law.mass.size(), tilt, -largest);
  double sum = 0;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.mass[i] > 0) sum += law.mass[i] * factor(i);
  }
  return largest + std::log(sum);
}

double log_moment_upper(const LatticeLaw& law, double tilt, std::int64_t copies) {
  const double moment = log_moment(law, tilt);
  if (law.mass.empty()) return moment;
  const double reach = std::max(std::abs(law.point(0)), std::abs(law.point(law.mass.size() - 1)));
  const double units = static_cast<double>(law.mass.size()) + 16 * (1 + std::abs(moment)) +
                       4 * std::abs(tilt) * reach + TiltFactors::units(tilt * law.spacing);
  return static_cast<double>(copies) * (moment + kUnit * units);
}

}  // namespace honest_epsilon::pld
