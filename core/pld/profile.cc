#include "core/pld/profile.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

#include "core/pld/expectation.h"
#include "core/pld/refine.h"

namespace honest_epsilon::pld {
namespace {

constexpr Payoff kPayoff{PayoffKind::loss};

/// A transform serves deltas within this of what it was planned for, as logarithms: where it need
/// not be narrow, or cannot be.
constexpr double kNearWide = 2;

/// Below this a delta underflows: Chernoff's bound suffices.
constexpr double kVanishingLogDelta = -739;
constexpr int kVanishingLog2Grid = 10;

Result delta_there(const std::vector<SourceSteps>& components, Direction direction,
                   const Interval& widest, double epsilon, const Effort& effort) {
  const auto plan_with = [&](std::optional<double> log_delta) {
    return make_plan(components, direction, kPayoff, {epsilon, log_delta, effort.width},
                     effort.log2_grid_limit);
  };
  TransformPlan plan = plan_with(std::nullopt);
  bool first = true;
  bool replanned = false;
  Effort limit = effort;
  if (plan.log_value <= kVanishingLogDelta) {
    limit.log2_grid_limit = std::min(effort.log2_grid_limit, kVanishingLog2Grid);
    plan.grid = std::min(plan.grid, std::size_t{1} << kVanishingLog2Grid);
  }
  return refine(widest, plan.grid, limit, 0, [&](const Interval& known, std::size_t& grid) {
    // The guess at delta set what truncation may cost; if that was too much, ask for less once.
    if (!first && !replanned) {
      plan = plan_with(std::min(std::log(known.upper), plan.log_value - 4));
      grid = std::min(grid, plan.grid);
      replanned = true;
    }
    first = false;
    const Expectation expectation(components, direction, kPayoff, plan, grid, effort.wanted);
    return Interval{expectation.lower(epsilon), expectation.upper(epsilon)};
  });
}

}  // namespace

Result delta(const std::vector<SourceSteps>& components, Direction direction, double epsilon,
             const Effort& effort) {
  const LargestLoss largest(components, direction);
  const Interval widest = largest.delta(epsilon);
  if (widest.is_narrow(effort.width)) return {widest, 0, false};
  Result found = delta_there(components, direction, widest, epsilon, effort);
  // Just below the largest loss of the sum, plans can fail. Delta falls with epsilon, so an upper
  // bound at a slightly smaller epsilon holds here.
  constexpr double kTellsNothing = 1e-6;
  if (found.value.lower == widest.lower && found.value.upper > kTellsNothing && epsilon > 0) {
    const double smaller = 0.98 * epsilon;
    const Result before =
        delta_there(components, direction, largest.delta(smaller), smaller, effort);
    if (before.value.upper < found.value.upper) {
      found.value.upper = before.value.upper;
      found.limited = before.limited;
    }
  }
  return found;
}

Result epsilon(const std::vector<SourceSteps>& components, Direction direction, double target,
               const Effort& effort) {
  const Interval widest = LargestLoss(components, direction).epsilon(target);
  if (widest.is_narrow(effort.width)) return {widest, 0, false};
  const double log_target = std::log(target);
  TransformPlan plan = make_plan(components, direction, kPayoff,
                                 {std::nullopt, log_target, effort.width}, effort.log2_grid_limit);
  // A lower end next to 0 is not worth large grids.
  Effort limit = effort;
  if (effort.wanted == Wanted::lower && plan.strike * plan.saddle < 0.05)
    limit.log2_grid_limit = std::min(effort.log2_grid_limit, 16);
  // A thousandth relative, or a ten-thousandth absolute, at the default width.
  const double enough = 0.1 * effort.width;
  const Result found =
      refine(widest, plan.grid, limit, enough, [&](const Interval& known, std::size_t& grid) {
        // A saddle point may sit on the wrong branch of a heavy-tailed law; an interval found far
        // from the planned strike says so.
        constexpr double kNear = 1e-3;  // a lower end next to 0 says nothing
        const bool is_upper = effort.wanted == Wanted::upper;
        const bool is_lower = effort.wanted == Wanted::lower;
        const double middle = is_upper   ? known.upper
                              : is_lower ? known.lower
                                         : 0.5 * (known.lower + known.upper);
        const bool told = is_upper   ? known.upper < widest.upper
                          : is_lower ? known.lower > kNear * plan.strike
                                     : known.upper < 2 * known.lower;
        if (told && std::abs(middle - plan.strike) > 3 / plan.saddle) {
          // Twice, because the precision asked of log delta follows from the saddle point.
          for (int i = 0; i < 2; ++i) {
            plan = make_plan(components, direction, kPayoff,
                             {middle, log_target, effort.width * middle * plan.saddle},
                             effort.log2_grid_limit);
          }
          grid = std::min(grid, plan.grid);
        }
        const Expectation e(components, direction, kPayoff, plan, grid, effort.wanted);
        return strike_of(e, target, plan.strike, 1 / std::max(plan.saddle, 1e-6));
      });
  if (found.value.lower > 0 || found.value.upper == 0) return found;
  // Of an upper end alone, one about where the plan has it.
  if (effort.wanted == Wanted::upper && found.value.upper < 2 * plan.strike) return found;
  // No saddle point leads to a target that the curve never reaches, or reaches next to 0 alone.
  // Whether it does the first grids tell, or none.
  Effort coarse = effort;
  coarse.log2_grid_limit = std::min(effort.log2_grid_limit, 13);
  const Result at_zero = delta(components, direction, 0, coarse);
  return at_zero.value.upper <= target ? Result{{0, 0}, at_zero.grid_points, false} : found;
}

DirectionProfile::DirectionProfile(std::vector<SourceSteps> components, Direction direction,
                                   const Effort& effort, double negligible)
    : components_(std::move(components)),
      direction_(direction),
      effort_(effort),
      negligible_(negligible),
      largest_(components_, direction) {}

Result DirectionProfile::delta(double epsilon) {
  Interval value = known(epsilon);
  if (!suffices(epsilon, value) && is_far(value)) {
    add_anchor(epsilon);
    value = known(epsilon);
  }
  return {value, grid_points_, !suffices(epsilon, value)};
}

Interval DirectionProfile::known(double epsilon) const {
  Interval value = largest_.delta(epsilon);
  for (const Anchor& anchor : anchors_)
    value = intersect(value, {anchor.sum.lower(epsilon), anchor.sum.upper(epsilon)});
  return value;
}

double DirectionProfile::log_wanted(const Interval& value) const {
  return std::log(std::max(effort_.wanted == Wanted::lower ? value.lower : value.upper, kTiny));
}

bool DirectionProfile::suffices(double epsilon, const Interval& value) const {
  if (value.upper <= negligible_) return true;
  if (effort_.wanted == Wanted::both) return value.is_narrow(effort_.width);
  // A single end is known by a transform for a delta nearby, or was negligible already.
  return std::any_of(anchors_.begin(), anchors_.end(), [&](const Anchor& anchor) {
    const bool near = std::abs(log_wanted(value) - anchor.log_value) < kNearWide;
    const bool beyond = epsilon >= anchor.epsilon && anchor.log_value <= std::log(negligible_);
    return beyond || (near && !anchor.limited);
  });
}

bool DirectionProfile::is_far(const Interval& value) const {
  // Transforms planned for deltas this near, as logarithms, tell no more; further off where not
  // even what they were planned for came out as narrow as asked.
  constexpr double kNear = 0.5;
  constexpr std::size_t kMostAnchors = 32;
  if (full_ || anchors_.size() >= kMostAnchors) return false;
  const double log_value = log_wanted(value);
  return std::none_of(anchors_.begin(), anchors_.end(), [&](const Anchor& anchor) {
    return std::abs(log_value - anchor.log_value) < (anchor.limited ? kNearWide : kNear);
  });
}

void DirectionProfile::add_anchor(double epsilon) {
  Effort limit = effort_;
  // Narrower than asked, so that strikes further off are still narrow enough.
  limit.width = 0.5 * effort_.width;
  TransformPlan plan = make_plan(components_, direction_, kPayoff,
                                 {epsilon, std::nullopt, limit.width}, limit.log2_grid_limit);
  // Lattices of few different spacings, so that sources may keep what they drew on them.
  plan.window = 2 * std::ldexp(1.0, std::ilogb(plan.window));
  if (plan.log_value < std::log(negligible_) - 3)
    limit.log2_grid_limit = std::min(limit.log2_grid_limit, kVanishingLog2Grid);
  std::optional<Expectation> last;
  const auto attempt = [&](const Interval&, std::size_t& grid) {
    last.emplace(components_, direction_, kPayoff, plan, grid, effort_.wanted);
    return Interval{last->lower(epsilon), last->upper(epsilon)};
  };
  const std::size_t finest = std::size_t{1} << limit.log2_grid_limit;
  // Where another one's largest transform left too much open, smaller ones would be in vain.
  const std::size_t first = too_coarse_ ? finest : std::min(plan.grid, finest);
  Result found{{0, 1}, 0, true};
  try {
    found = refine({0, 1}, first, limit, 0, attempt);
  } catch (const std::bad_alloc&) {
    // Out of memory: the existing anchors must suffice.
    full_ = true;
    return;
  }
  grid_points_ = std::max(grid_points_, found.grid_points);
  too_coarse_ = too_coarse_ || (found.limited && found.grid_points >> effort_.log2_grid_limit);
  anchors_.push_back({*std::move(last), epsilon, log_wanted(found.value), found.limited});
}

}  // namespace honest_epsilon::pld
