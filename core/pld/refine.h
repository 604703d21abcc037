#pragma once

#include <cstddef>
#include <functional>

#include "core/base/effort.h"
#include "core/base/interval.h"
#include "core/pld/expectation.h"

namespace honest_epsilon::pld {

/// A proved interval, and the work it took.
struct Result {
  Interval value;
  std::int64_t grid_points = 0;
  bool limited = false;  ///< the grid limit stopped the refinement
};

/// Refines the grid until the interval is as narrow as asked, or the limit is reached. On large
/// grids an absolute width of `enough` will do, too. Every grid's interval is proved, so their
/// intersection is.
///   attempt: the interval on a grid, given what is known so far; it may choose a smaller grid.
Result refine(Interval widest, std::size_t first_grid, const Effort& effort, double enough,
              const std::function<Interval(const Interval& known, std::size_t& grid)>& attempt);

/// The strike at which the certified curve falls through `target`:
///   upper(result.upper) <= target,  lower(result.lower) >= target or result.lower = 0.
///   guess, step: where to look first, and how far apart.
Interval strike_of(const std::function<double(double)>& upper,
                   const std::function<double(double)>& lower, double target, double guess,
                   double step);

inline Interval strike_of(const Expectation& e, double target, double guess, double step) {
  return strike_of([&](double x) { return e.upper(x); }, [&](double x) { return e.lower(x); },
                   target, guess, step);
}

}  // namespace honest_epsilon::pld
