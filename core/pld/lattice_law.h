#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace honest_epsilon::pld {

/// A measure on the points origin + j * spacing, j = first, first + 1, ...
/// For a privacy loss distribution the points are losses and the masses P-masses; for
/// balls-and-bins they are likelihood ratios and Q-masses.
struct LatticeLaw {
  double origin = 0;
  double spacing = 1;
  std::int64_t first = 0;
  std::vector<double> mass;
  double infinite = 0;                                       ///< mass at +infinity, kept apart
  double covered = std::numeric_limits<double>::infinity();  ///< ratios above this are left out

  double point(std::size_t i) const {
    return origin + static_cast<double>(first + static_cast<std::int64_t>(i)) * spacing;
  }
};

/// Masses of the points from `first` to `last`, all zero. A lattice of more points than any machine
/// holds is refused as memory is (std::bad_alloc), so that a coarser one is tried.
std::vector<double> no_masses(double first, double last);

/// Whether the lattice is too fine for doubles to distinguish its points at this distance from its
/// origin.
bool too_fine(double farthest, double spacing);

/// The trivial law of a step. Upper (`up`): all mass at an infinite loss. Lower: all mass at loss
/// 0, as for two equal laws.
LatticeLaw trivial_law(double spacing, bool up);

/// The same law seen from the other direction: points change sign.
LatticeLaw mirrored(LatticeLaw law);

/// log sum_i mass_i e^{tilt * point_i}, the finite points only.
double log_moment(const LatticeLaw& law, double tilt);

/// The same for `copies` independent points, rounded up: a sum of J terms rounds by J units, and
/// each exponent by a few units of itself.
double log_moment_upper(const LatticeLaw& law, double tilt, std::int64_t copies);

}  // namespace honest_epsilon::pld
