#pragma once

#include <cstddef>
#include <vector>

#include "core/base/effort.h"
#include "core/pld/source.h"

namespace honest_epsilon::pld {

/// Tilt, window and grid for one question about one direction. Nothing here enters a bound: a bad
/// plan gives a wide interval, never a wrong one.
struct Plan {
  double epsilon = 0;   ///< saddle-point estimate of the epsilon in question
  double log_delta = 0; ///< and of log delta there
  double saddle = 0;    ///< the tilt of the P-law at which epsilon is typical
  double tilt = 0;      ///< the tilt used
  double top = 0;       ///< losses above are charged by Chernoff
  double window = 0;    ///< length of the cyclic window, ending at top
  std::size_t grid = 0; ///< points of the transform
  std::vector<Range> ranges;    ///< for each component, the losses log dP/dQ to resolve
  std::vector<double> up;       ///< positive exponents for Chernoff bounds of the upper tail
  std::vector<double> down;     ///< exponents <= 0 for the lower tail
};

/// What is asked: delta at an epsilon, or epsilon at a delta.
struct Goal {
  bool epsilon_given;
  double value;
};

///   log_delta_hint: an upper bound on log delta at the given epsilon, where one is known already.
Plan make_plan(const std::vector<Component>& components, Direction direction, Goal goal,
               const Effort& effort, double log_delta_hint = 0);

}  // namespace honest_epsilon::pld
