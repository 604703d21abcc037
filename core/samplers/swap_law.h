#pragma once

#include <vector>

#include "core/base/direction.h"

namespace honest_epsilon::shuffle {

/// A law on a grid, and what it leaves out.
struct GridLaw {
  std::vector<double> values, masses;
  double beyond;  ///< E (W - its largest value)+ and all round-off, from above
};

/// The law W of the swap theorem (swaps.h), from above in the increasing convex order. Between two
/// strikes an option costs less than the line from one to the other; the slopes of these lines are
/// the law's probabilities.
///   mu: the shift of one known batch; a: e^epsilon; negligible: the price of an option that may be
///   left out
GridLaw swap_law(double mu, double a, double lambda, Direction direction, double negligible);

}  // namespace honest_epsilon::shuffle
