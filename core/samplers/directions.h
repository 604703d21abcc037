#pragma once

#include <algorithm>

#include "core/pairs/pair.h"
#include "core/pld/refine.h"
#include "core/samplers/run.h"

namespace honest_epsilon {

/// Asks both directions of a pair. The one that comes second is asked with a moderate limit first:
/// when it turns out to be the smaller one for certain, its last digits are not worth the work.
///   symmetric: the directions are equal (delta at eps = 0), so each one's interval holds for both.
template <class Ask>
Finding both_directions(const Effort& effort, bool symmetric, Ask ask) {
  constexpr int kModerateLog2Grid = 16;
  pld::Result remove = ask(pairs::Direction::remove, effort);
  Effort moderate = effort;
  moderate.log2_grid_limit = std::min(effort.log2_grid_limit, kModerateLog2Grid);
  pld::Result add = ask(pairs::Direction::add, moderate);
  if (symmetric) remove.value = add.value = intersect(remove.value, add.value);
  const bool smaller = symmetric || add.value.upper < remove.value.lower;
  if (add.limited && !smaller) add = ask(pairs::Direction::add, effort);
  Finding finding;
  finding.directions = {remove.value, add.value};
  finding.grid_points = std::max(remove.grid_points, add.grid_points);
  finding.limited =
      symmetric ? remove.limited && add.limited : remove.limited || (add.limited && !smaller);
  return finding;
}

}  // namespace honest_epsilon
