#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/interval.h"

/// The log-likelihood statistic of shuffled batches, and its law over lattice cells.
namespace honest_epsilon::shuffle {

/// P >= e^eps Q where sum_t w(x_t) >= 0, w = v^2 - v, v = e^{mu z - eps - 3 mu^2 / 2}; in direction
/// add, Q >= e^eps P where sum_t w >= 0, w = v - v^2, v = e^{mu z + eps - 3 mu^2 / 2}.
struct Statistic {
  double mu;
  double offset;  ///< log v = mu z - offset
  double sign;    ///< +1 remove, -1 add

  Statistic(double mu_in, double epsilon, bool remove)
      : mu(mu_in),
        offset((remove ? epsilon : -epsilon) + 1.5 * mu_in * mu_in),
        sign(remove ? 1 : -1) {}

  double at(double z) const {
    const double v = std::exp(mu * z - offset);
    return sign * v * (v - 1);
  }
  double z_of(double v) const { return v > 0 ? (std::log(v) + offset) / mu : -kInfinity; }
};

/// Masses of one coordinate over lattice cells of w, rounded down and up.
struct Masses {
  std::vector<double> low;
  std::vector<double> high;
};

/// The lattice cells of w, for a coordinate without shift, shifted once (mu) and twice. All three
/// use the very same cells, so that the placing of cells is another event, not an error.
struct Cells {
  double spacing = 1;
  std::int64_t first = 0;
  std::array<Masses, 3> shifted;
};

/// Index j stands for w sign in [(j - 1/2) D, (j + 1/2) D), from -1/4 to `largest` = v (v - 1) at
/// the cut; larger v are left out.
Cells cells_of(const Statistic& statistic, double spacing, double largest);

/// Beyond this shift v leaves the doubles, and one coordinate decides.
inline constexpr double kLargestEventShift = 25;

/// The most cells of one coordinate.
inline constexpr double kMostCells = 16384;

}  // namespace honest_epsilon::shuffle
