#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/interval.h"

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

/// The step of another record, relative to N(0): min(l, X_m) / p with the l that makes its mass 1,
/// at most largest = lambda / p.
struct OtherStep {
  double p;
  double largest;
};

/// A step N(m) as it is.
inline constexpr OtherStep kWholeStep{1, kInfinity};

/// The law W of the swap theorem (swaps.h), from above in the increasing convex order. Between two
/// strikes an option costs less than the line from one to the other; the slopes of these lines are
/// the law's probabilities.
///   a: e^epsilon;   negligible: the price of an option that may be left out
GridLaw swap_law(const Shown& shown, double a, const OtherStep& other, double negligible);

struct ThirdOrder;

/// The same of whole steps, for payoffs whose second derivative rises (third_order.h). A step is
/// cut where calls become negligible, and the last value lies beyond that.
GridLaw third_order_law(const Shown& shown, double a, const ThirdOrder& order, double negligible);

/// The law of U, of a step before the shared one (swaps.h), times the probability 1 - beta p that
/// it is not shared. Options that W leaves out or lacks cost no more here.
GridLaw before_shared(const GridLaw& law, double beta, double p);

/// Parts of lambda / p that may be missing in the others' densities at the record's place. Others
/// lie between them.
inline constexpr std::array kMissing = {0.0, 0.04, 0.1, 0.2, 0.35, 0.55, 0.75, 0.9, 1.0};

/// x, by the part that is missing with it.
struct FirstPlace {
  std::array<GridLaw, kMissing.size()> at;
  double beyond;  ///< E (x - its largest value)+ and all round-off, from above
};

/// X_with - a X_without at an output N(0), and the part d that is missing there, 1 -
/// min(1, X_-step / lambda), both from above: an output between two points of a grid is replaced by
/// one of them, at the larger of the two probabilities that keep the means of x and of d.
FirstPlace first_place(const Shown& shown, double a, double lambda, double negligible);

}  // namespace honest_epsilon::shuffle
