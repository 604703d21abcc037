#pragma once

#include <functional>
#include <optional>

/// Solving for any one quantity of a run, from any callable.
namespace honest_epsilon::calibrate {

/// The range of a quantity, and whether the measured value rises or falls along it.
struct Axis {
  double low;
  double high;
  double start;        ///< a first guess
  bool whole = false;  ///< only whole numbers
  bool rising = true;  ///< the measured value grows with the quantity
};

/// How closely a measurement should be taken.
enum class Care { rough, fine };

/// The logarithm of the measured value over its target: <= 0 where the target is met. May be
/// infinite. Fine measurements decide; rough ones only guide.
using Excess = std::function<double(double x, Care care)>;

struct Solved {
  double x = 0;
  bool met = false;         ///< false: not even the safest end of the axis meets the target
  bool everywhere = false;  ///< the whole axis meets it: x is its least safe end
  /// Stopped before x was as near as asked to this, the nearest that was seen to miss the target.
  std::optional<double> stopped_before = std::nullopt;
};

/// The least safe x that meets the target: the measured value there is at most the target, and
/// within a part in two thousand of it. Of whole numbers the last: the next one was measured, and
/// misses it.
///   stop: whether to measure no further with such care, but for a place that meets the target
Solved solve(
    const Axis& axis, const Excess& excess,
    const std::function<bool(Care)>& stop = [](Care) { return false; });

}  // namespace honest_epsilon::calibrate
