#include "core/runs/attack.h"

#include <algorithm>
#include <memory>
#include <new>

#include "core/math/invert.h"
#include "core/pld/profile.h"
#include "core/pld/table_source.h"

namespace honest_epsilon {

Steps attack_steps(const std::vector<pairs::Cell>& events, std::int64_t epochs) {
  const auto source = std::make_shared<pld::TableSource>(events);
  Steps steps{source, epochs};
  if (epochs > 1) return steps;
  steps.curve_is_formula = false;
  steps.curve = [source](Direction direction, double at) {
    return Interval{source->delta_lower(direction, at), 1};
  };
  return steps;
}

double attack_lower(const std::vector<Steps>& steps, Asked asked, double given, Effort effort,
                    Direction direction) {
  if (steps.size() == 1 && steps[0].curve) {
    const auto proved = [&](double at) {
      const double delta = steps[0].curve(direction, at).lower;
      return Interval{delta, delta};
    };
    return (asked == Asked::epsilon ? invert_decreasing(proved, given) : proved(given)).lower;
  }
  // The table is a lower bound whatever the grid; a moderate one suffices.
  effort.log2_grid_limit = std::min(effort.log2_grid_limit, 15);
  effort.width = 1e-3;
  effort.wanted = Wanted::lower;
  std::vector<pld::SourceSteps> epochs;
  epochs.reserve(steps.size());
  for (const Steps& each : steps) epochs.push_back({each.source.get(), each.copies});
  const auto ask = asked == Asked::epsilon ? pld::epsilon : pld::delta;
  try {
    return ask(epochs, direction, given, effort).value.lower;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

}  // namespace honest_epsilon
