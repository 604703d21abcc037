#include "core/pld/profile.h"

#include <algorithm>
#include <cmath>

#include "core/pld/expectation.h"
#include "core/pld/refine.h"

namespace honest_epsilon::pld {
namespace {

constexpr Payoff kPayoff{PayoffKind::loss};

double highest(const std::vector<Component>& components, Direction direction) {
  double total = 0;
  for (const Component& c : components) {
    if (c.copies > 0) total += static_cast<double>(c.copies) * c.source->highest(direction);
  }
  return total * (1 + 1e-12);
}

}  // namespace

Result delta(const std::vector<Component>& components, Direction direction, double epsilon,
             const Effort& effort) {
  if (epsilon > highest(components, direction)) return {{0, 0}, 0, false};
  const auto plan_with = [&](double hint) {
    return make_plan(components, direction, kPayoff, {true, epsilon, effort.width, hint},
                     effort.log2_grid_limit);
  };
  Plan plan = plan_with(kInfinity);
  bool first = true;
  bool replanned = false;
  return refine({0, 1}, plan.grid, effort, 0, [&](const Interval& known, std::size_t& grid) {
    // The guess at delta set what truncation may cost; if that was too much, ask for less once.
    if (!first && !replanned) {
      plan = plan_with(std::min(std::log(known.upper), plan.log_value - 4));
      grid = std::min(grid, plan.grid);
      replanned = true;
    }
    first = false;
    const Expectation expectation(components, direction, kPayoff, plan, grid);
    return Interval{expectation.lower(epsilon), expectation.upper(epsilon)};
  });
}

Result epsilon(const std::vector<Component>& components, Direction direction, double target,
               const Effort& effort) {
  const Plan plan = make_plan(components, direction, kPayoff, {false, target, effort.width},
                              effort.log2_grid_limit);
  // A thousandth relative, or a ten-thousandth absolute, at the default width.
  const double enough = 0.1 * effort.width;
  return refine({0, highest(components, direction)}, plan.grid, effort, enough,
                [&](const Interval&, std::size_t grid) {
                  const Expectation e(components, direction, kPayoff, plan, grid);
                  return strike_of(e, target, plan.strike, 1 / std::max(plan.saddle, 1e-6));
                });
}

}  // namespace honest_epsilon::pld
