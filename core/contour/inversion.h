#pragma once

#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/contour/line.h"

namespace honest_epsilon::contour {

/// One direction's privacy curve, by as many lines as its questions need. A question that lines do
/// not serve, such as that of a run in which few steps matter, gets no answer.
class Inversion {
 public:
  Inversion(std::vector<Component> components, Direction direction)
      : components_(std::move(components)), direction_(direction) {}

  /// Holds delta at an epsilon >= 0.
  std::optional<Interval> delta(double epsilon);

  /// Holds the smallest epsilon >= 0 with delta(epsilon) <= target, 0 < target < 1.
  std::optional<Interval> epsilon(double target);

 private:
  std::vector<Component> components_;
  Direction direction_;
  std::vector<Line> lines_;
};

}  // namespace honest_epsilon::contour
