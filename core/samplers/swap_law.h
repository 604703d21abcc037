#pragma once

#include <vector>

namespace honest_epsilon::shuffle {

/// A law on a grid, and what it leaves out.
struct GridLaw {
  std::vector<double> values, masses;
  double beyond;  ///< E (W - its largest value)+ and all round-off, from above
};

/// Its standard deviation, roughly.
double deviation_of(const GridLaw& law);

/// What the record in question adds to its batch under P and under Q, in deviations of the noise
/// and along one direction. Others may add anything between -step and step.
struct Shown {
  double step;     ///< mu
  double with;     ///< of P
  double without;  ///< of Q, less than `with`
};

/// The law W of the swap theorem (swaps.h), from above in the increasing convex order. Between two
/// strikes an option costs less than the line from one to the other; the slopes of these lines are
/// the law's probabilities.
///   a: e^epsilon; lambda: as in the theorem, and 0 for the law of X_with - a X_without itself;
///   negligible: the price of an option that may be left out
GridLaw swap_law(const Shown& shown, double a, double lambda, double negligible);

}  // namespace honest_epsilon::shuffle
