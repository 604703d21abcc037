#pragma once

#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/contour/line.h"

namespace honest_epsilon::contour {

/// One direction's privacy curve, by as many lines as its questions need. A question that lines do
/// not serve, such as that of a run in which few steps matter, gets no answer.
///
/// Where a direction has no columns, the other one's are asked:
///   delta(P || Q)(eps) = 1 - e^eps + e^eps delta(Q || P)(-eps),
/// as E_Q (U - e^eps)+ = E_Q (e^eps - U)+ + E_Q U - e^eps. What it loses is relative to e^eps - 1:
/// it serves deltas down to about 1e-13 of that.
class Inversion {
 public:
  Inversion(std::vector<Component> components, Direction direction);

  /// Holds delta at an epsilon >= 0.
  std::optional<Interval> delta(double epsilon);

  /// Holds the smallest epsilon >= 0 with delta(epsilon) <= target, 0 < target < 1.
  std::optional<Interval> epsilon(double target);

 private:
  Goal goal(double epsilon, double log_delta) const;
  Interval read(const Line& line, double epsilon) const;
  Line::Estimate estimate(const Line& line, double epsilon) const;
  struct Root;
  Root root_of(const Line& line, double log_target, double guess) const;
  std::optional<Interval> enclosed(const Line& line, double target, const Root& root) const;

  std::vector<Component> components_;
  Direction direction_;  ///< the lines'
  bool by_parity_;       ///< the curve is the other direction's
  double largest_loss_;  ///< of the curve's own direction
  std::vector<Line> lines_;
};

}  // namespace honest_epsilon::contour
