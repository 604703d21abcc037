#pragma once

#include <array>
#include <vector>

namespace honest_epsilon::shuffle {

/// A law on a grid, and what it leaves out.
struct GridLaw {
  std::vector<double> values, masses;
  double beyond = 0;  ///< E (W - its largest value)+ and all round-off, from above
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
///   a: e^epsilon; clone: p;   negligible: the price of an option that may be left out
GridLaw swap_law(const Shown& shown, double a, double clone, double negligible);

/// Parts of the clones' densities that may be missing at the first place. Others lie between them.
inline constexpr std::array kMissing = {0.0, 0.04, 0.1, 0.2, 0.35, 0.55, 0.75, 0.9, 1.0};

/// x, by the part of the clones that is missing with it.
struct FirstPlace {
  std::array<GridLaw, kMissing.size()> at;
  double beyond;  ///< E (x - its largest value)+ and all round-off, from above
};

/// X_with - a X_without at an output N(0), and the part d of the clones that is missing there, 1 -
/// min(1, X_-step / lambda), both from above: an output between two points of a grid is replaced by
/// one of them, at the larger of the two probabilities that keep the means of x and of d.
FirstPlace first_place(const Shown& shown, double a, double lambda, double negligible);

}  // namespace honest_epsilon::shuffle
