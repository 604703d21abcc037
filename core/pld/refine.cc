#include "core/pld/refine.h"

#include <algorithm>
#include <cmath>

#include "core/math/root.h"

namespace honest_epsilon::pld {
namespace {

/// A delta below this reads as zero, and its relative width says nothing.
constexpr double kVanishing = 1e-250;

constexpr int kFirstLog2Grid = 16;

/// After this many grids in a row without any improvement, round-off exceeds the answer, and finer
/// grids will not help.
constexpr int kMostInVain = 3;

/// From this grid on an interval that is narrow absolutely will do.
constexpr int kGenerousLog2Grid = 17;

/// The last strike with the property, and the first without it, for a property that holds for small
/// strikes: a bracket grown from the guess, then bisected. A plan that failed gives neither a guess
/// nor a step that is of use.
Bracket crossing(const std::function<bool(double)>& holds, double guess, double step) {
  constexpr double kLeast = 1e-12, kMost = 1e15;
  double low = 0;
  double high = guess >= kLeast && guess < kMost ? guess : kLeast;
  step = step > kLeast * high ? step : kLeast * high;
  if (holds(high)) {
    while (holds(high)) {
      low = high;
      high += step;
      step *= 2;
      if (high > kMost) return {low, kInfinity};
    }
  } else {
    while (high > 0) {
      const double probe = std::max(0.0, high - step);
      if (holds(probe)) {
        low = probe;
        break;
      }
      high = probe;
      step *= 2;
    }
  }
  return bisect({low, high}, {60, 1e-7}, holds);
}

}  // namespace

Result refine(Interval widest, std::size_t first_grid, const Effort& effort, double enough,
              const std::function<Interval(const Interval& known, std::size_t& grid)>& attempt) {
  Result result{widest, 0, false};
  int in_vain = 0;
  std::size_t last_grid = 0;
  // Plans are guesses: do not start with a large transform that may not be needed.
  for (std::size_t grid = std::min(first_grid, std::size_t{1} << kFirstLog2Grid);;) {
    const Interval known = result.value;
    result.value = intersect(known, attempt(known, grid));
    const bool told = result.value.lower > known.lower || result.value.upper < known.upper;
    in_vain = told ? 0 : in_vain + 1;
    result.grid_points = static_cast<std::int64_t>(grid);
    // Of one end alone, what finer grids would still gain: the excess of split laws falls as the
    // square of the spacing, and lower laws, which may be tables, gain at most as much again.
    const bool is_upper = effort.wanted == Wanted::upper;
    const double gained =
        is_upper ? known.upper - result.value.upper : result.value.lower - known.lower;
    const bool any =
        is_upper ? result.value.upper < widest.upper : result.value.lower > widest.lower;
    const double ratio = static_cast<double>(grid) / static_cast<double>(last_grid);
    const double share = is_upper ? 1 / (ratio * ratio - 1) : 1;
    const double ahead = any && last_grid > 0 && ratio > 1 ? gained * share : kInfinity;
    last_grid = grid;
    const double open = result.value.upper - result.value.lower;
    const double width = effort.wanted == Wanted::both ? open : std::min(open, ahead);
    const bool generous = width <= enough && grid >> kGenerousLog2Grid;
    const double allowed =
        effort.width * (effort.wanted == Wanted::lower ? result.value.lower : result.value.upper);
    if (width <= allowed || generous || result.value.upper < kVanishing) return result;
    if (grid >> effort.log2_grid_limit || in_vain == kMostInVain) {
      result.limited = width > enough;
      return result;
    }
    // The width falls as the square of the spacing.
    const double factor = std::sqrt(std::min(width / allowed, 1e6));
    const int most = is_upper && !(width < kInfinity) ? 2 : 3;
    const int doublings = std::clamp(std::ilogb(1.2 * factor) + 1, 1, most);
    grid = std::min(grid << doublings, std::size_t{1} << effort.log2_grid_limit);
  }
}

Interval strike_of(const std::function<double(double)>& upper,
                   const std::function<double(double)>& lower, double target, double guess,
                   double step) {
  step *= 0.05;
  const double high = crossing([&](double x) { return upper(x) > target; }, guess, step).high;
  const double low = crossing([&](double x) { return lower(x) >= target; }, guess, step).low;
  // Ends that crossed would refute one of the two proofs: claim nothing then.
  return low <= high ? Interval{low, high} : Interval{0, kInfinity};
}

}  // namespace honest_epsilon::pld
