#pragma once

#include <vector>

#include "core/base/effort.h"
#include "core/pld/refine.h"
#include "core/pld/source.h"

/// The privacy profile of a composition, one direction at a time, as certified intervals.
namespace honest_epsilon::pld {

/// delta(eps) = E_P[(1 - e^{eps - L})+], L the run's loss in this direction.
/// Domain: eps >= 0, at least one component with copies >= 1.
Result delta(const std::vector<Component>& components, Direction direction, double epsilon,
             const Effort& effort);

/// The smallest eps >= 0 with delta(eps) <= target. Domain: 0 < target < 1.
Result epsilon(const std::vector<Component>& components, Direction direction, double target,
               const Effort& effort);

}  // namespace honest_epsilon::pld
