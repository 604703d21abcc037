#pragma once

#include <cstdint>
#include <vector>

#include "core/base/effort.h"
#include "core/pld/expectation.h"
#include "core/pld/largest_loss.h"
#include "core/pld/refine.h"
#include "core/pld/source.h"

/// The privacy profile of a composition, one direction at a time, as certified intervals.
namespace honest_epsilon::pld {

/// delta(eps) = E_P[(1 - e^{eps - L})+], L the run's loss in this direction.
/// Domain: eps >= 0, at least one component with copies >= 1.
Result delta(const std::vector<SourceSteps>& components, Direction direction, double epsilon,
             const Effort& effort);

/// The smallest eps >= 0 with delta(eps) <= target. Domain: 0 < target < 1.
Result epsilon(const std::vector<SourceSteps>& components, Direction direction, double target,
               const Effort& effort);

/// delta at any number of epsilons. A pair of transforms serves every strike near the one it was
/// planned for; a new pair is made where no existing one gives delta as narrowly as asked.
class DirectionProfile {
 public:
  /// The sources must outlive the profile.   negligible: a delta that need not be distinguished
  /// from 0.
  DirectionProfile(std::vector<SourceSteps> components, Direction direction, const Effort& effort,
                   double negligible);

  Result delta(double epsilon);

 private:
  struct Anchor {
    Expectation sum;
    double epsilon;    ///< which it was planned for
    double log_value;  ///< log of delta there
    bool limited;      ///< which a work limit left wider than asked
  };

  Interval known(double epsilon) const;
  /// The logarithm of what is known of the end that is wanted.
  double log_wanted(const Interval& value) const;
  bool suffices(double epsilon, const Interval& value) const;
  bool is_far(const Interval& value) const;
  void add_anchor(double epsilon);

  std::vector<SourceSteps> components_;
  Direction direction_;
  Effort effort_;
  double negligible_;
  LargestLoss largest_;
  std::vector<Anchor> anchors_;
  std::int64_t grid_points_ = 0;
  bool full_ = false;        ///< memory did not suffice for another anchor
  bool too_coarse_ = false;  ///< an anchor's largest transform was
};

}  // namespace honest_epsilon::pld
