#include "core/samplers/shuffle_statistic.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/samplers/shuffle_threshold.h"

namespace honest_epsilon::shuffle {
namespace {

/// Both tails of the coordinate at one boundary, for each shift.
struct Boundary {
  double z = 0;
  std::array<double, 3> below{};
  std::array<double, 3> above{};
};

Boundary boundary(double z, double mu) {
  Boundary b;
  b.z = z;
  for (std::size_t s = 0; s < 3; ++s) {
    const double x = z - static_cast<double>(s) * mu;
    const double tail = normal::upper_tail(std::abs(x));
    b.below[s] = x < 0 ? tail : 1 - tail;
    b.above[s] = x < 0 ? 1 - tail : tail;
  }
  return b;
}

/// Adds the mass between two boundaries to cell i, rounded both ways.
void add_mass(std::array<Masses, 3>& shifted, std::size_t i, const Boundary& low,
              const Boundary& high, double mu) {
  if (!(high.z > low.z)) return;
  for (std::size_t s = 0; s < 3; ++s) {
    // From the tail that is small, so that the difference keeps its digits.
    const bool left = high.below[s] < low.above[s];
    const double scale = left ? high.below[s] : low.above[s];
    const double value = left ? high.below[s] - low.below[s] : low.above[s] - high.above[s];
    const double error =
        scale * tail_error(left ? high.z : low.z, static_cast<double>(s) * mu) + 2 * kUnit * scale;
    shifted[s].low[i] += std::max(0.0, value - error);
    shifted[s].high[i] += std::max(0.0, value + error);
  }
}

}  // namespace

Cells cells_of(const Statistic& statistic, double spacing, double largest) {
  const auto index = [&](double m) {
    return static_cast<std::int64_t>(std::floor(m / spacing + 0.5));
  };
  Cells cells;
  cells.spacing = spacing;
  cells.first = index(-0.25);
  const std::int64_t last = index(largest);
  for (Masses& m : cells.shifted) {
    m.low.assign(static_cast<std::size_t>(last - cells.first + 1), 0.0);
    m.high = m.low;
  }
  const auto root = [](double m) { return std::sqrt(std::max(0.0, 1 + 4 * m)); };
  const auto rising = [&](double m) {
    return boundary(statistic.z_of(0.5 * (1 + root(m))), statistic.mu);
  };
  const auto falling = [&](double m) {
    return boundary(m >= 0 ? -1e6 : statistic.z_of(-2 * m / (1 + root(m))), statistic.mu);
  };
  Boundary rise = rising(-0.25);
  Boundary fall = falling(-0.25);
  for (std::int64_t j = cells.first; j <= last; ++j) {
    const auto i = static_cast<std::size_t>(j - cells.first);
    const double end = std::min(largest, (static_cast<double>(j) + 0.5) * spacing);
    const Boundary next = rising(end);
    add_mass(cells.shifted, i, rise, next, statistic.mu);
    rise = next;
    if (j > 0) continue;
    const Boundary lower = falling(end);
    add_mass(cells.shifted, i, lower, fall, statistic.mu);
    fall = lower;
  }
  return cells;
}

}  // namespace honest_epsilon::shuffle
