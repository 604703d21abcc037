#pragma once

#include <vector>

#include "core/base/direction.h"
#include "core/base/interval.h"
#include "core/pld/source.h"

namespace honest_epsilon::pld {

/// What a run's largest loss H tells without a transform, with A the event that every step has the
/// largest of its own:
///   P(A) - e^eps Q(A) = P(A) (1 - e^{eps - log P(A) / Q(A)}) <= delta(eps) <= 1 - e^{eps - H},
/// the second as delta(eps) = E_P (1 - e^{eps - L})+ with L <= H. Where P(A) is far above a target,
/// epsilon is H but for a few roundings.
class LargestLoss {
 public:
  LargestLoss(const std::vector<SourceSteps>& components, Direction direction);

  /// H, rounded up; may be infinite.
  double upper() const { return upper_; }

  /// The privacy profile at an epsilon >= 0.
  Interval delta(double epsilon) const;

  /// The smallest epsilon >= 0 with delta(epsilon) <= target.   Domain: 0 < target < 1.
  Interval epsilon(double target) const;

 private:
  double upper_ = 0;
  double log_mass_ = 0;  ///< log P(A), rounded down
  double ratio_ = 0;     ///< log P(A) / Q(A), rounded down
};

}  // namespace honest_epsilon::pld
