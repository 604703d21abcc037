#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"

namespace honest_epsilon::wire {

/// The last gate before an interval leaves the core: whatever an accountant returned, what passes
/// has no NaN and 0 <= lower <= upper <= most. It only ever widens: an end that is not a number
/// becomes the trivial end, ends that crossed by round-off are swapped, ends that crossed by more
/// (a proof or its code is wrong) are both given up.
/// @param widened is set when an end had to be given up or swapped, never reset.
inline Interval guarded(Interval interval, double most, bool& widened) {
  if (std::isnan(interval.lower)) {
    interval.lower = 0;
    widened = true;
  }
  if (std::isnan(interval.upper)) {
    interval.upper = most;
    widened = true;
  }
  interval.lower = std::clamp(interval.lower, 0.0, most);
  interval.upper = std::clamp(interval.upper, 0.0, most);
  if (interval.lower > interval.upper) {
    // Sums over 2^20 cells cannot be off by more than this when the proof is right.
    constexpr double kRoundOff = 1e-9;
    widened = true;
    if (interval.lower <= interval.upper * (1 + kRoundOff)) {
      std::swap(interval.lower, interval.upper);
    } else {
      interval.lower = 0;
      interval.upper = most;
    }
  }
  return interval;
}

}  // namespace honest_epsilon::wire
