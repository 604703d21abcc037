#pragma once

#include <algorithm>

#include "core/pairs/pair.h"
#include "core/pld/refine.h"
#include "core/runs/run.h"

namespace honest_epsilon {

/// The quantity asked of a pair of directions.
enum class Asked {
  epsilon,
  delta,
  total_variation,  ///< delta at eps = 0, equal in both directions
};

/// The interval that holds whatever the run.
constexpr Interval trivial_interval(Asked asked) {
  return {0, asked == Asked::epsilon ? kInfinity : 1};
}

/// Asks both directions of a pair. For epsilon, where the larger one is the answer, the second is
/// asked with a moderate limit first, and again where the larger one is then wider than asked:
/// where the second is proved to be the smaller one, its last digits are not worth the work. What
/// proves it at once need not be narrow, and no more need a delta that is far smaller than the
/// first one (Effort::deciding).
template <class Ask>
Finding both_directions(const Effort& effort, Asked asked, Ask ask) {
  // A grid of 65,536 points takes milliseconds.
  constexpr int kModerateLog2Grid = 16;
  pld::Result remove = ask(Direction::remove, effort);
  Effort moderate = effort;
  if (asked == Asked::epsilon)
    moderate.log2_grid_limit = std::min(effort.log2_grid_limit, kModerateLog2Grid);
  const double deciding = effort.wanted == Wanted::upper ? remove.value.upper : remove.value.lower;
  if (asked != Asked::total_variation) moderate.deciding = deciding;
  // Delta at epsilon 0 is the total variation, in either direction.
  const bool nothing = asked == Asked::epsilon && remove.value.upper == 0;
  pld::Result add = nothing ? remove : ask(Direction::add, moderate);
  const bool symmetric = asked == Asked::total_variation;
  if (symmetric) remove.value = add.value = intersect(remove.value, add.value);
  const bool smaller = symmetric || add.value.upper < deciding;
  const auto wide = [&](const Interval& value) {
    return value.upper - value.lower > effort.width * value.upper;
  };
  const bool matters =
      effort.wanted == Wanted::both && wide(add.value) && wide(maximum(remove.value, add.value));
  // A larger limit changes nothing where this one was not reached.
  const bool finer = moderate.log2_grid_limit < effort.log2_grid_limit &&
                     add.grid_points >> moderate.log2_grid_limit > 0;
  if (finer && !smaller && (add.limited || matters)) add = ask(Direction::add, effort);
  Finding finding;
  finding.directions = {remove.value, add.value};
  finding.grid_points = std::max(remove.grid_points, add.grid_points);
  finding.limited =
      symmetric ? remove.limited && add.limited : remove.limited || (add.limited && !smaller);
  return finding;
}

}  // namespace honest_epsilon
