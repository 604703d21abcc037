#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/effort.h"
#include "core/base/interval.h"
#include "core/contour/moments.h"
#include "core/pld/source.h"
#include "core/runs/directions.h"
#include "core/runs/run.h"

/// A run as a component of a composition.
namespace honest_epsilon {

/// delta of a run of equal steps, in a direction and at an epsilon.
using StepsCurve = std::function<Interval(Direction, double epsilon)>;

/// Equal, independent steps: one step's lattice laws, its moment function, and the curve of all
/// steps together, each where it is known.
struct Steps {
  std::shared_ptr<const pld::Source> source;
  std::int64_t copies = 1;
  StepsCurve curve = nullptr;
  std::shared_ptr<const contour::Moments> moments = nullptr;
  bool curve_is_formula = true;  ///< and so asked before anything else
  bool exchanged = false;        ///< P and Q
};

/// One side of a run: independent steps, and one Gaussian pair for all components whose squared
/// shifts add up.
struct Side {
  std::vector<Steps> steps;
  double squared_shift = 0;
};

/// Pairs that dominate the run, and pairs that it dominates.
struct Parts {
  Side upper;
  Side lower;
  bool tight = false;         ///< both sides are the same; `lower` is not filled in
  bool symmetric = false;     ///< the run's truth is the same in both directions
  Interval failure = {0, 0};  ///< probability that everything is revealed, apart from the sides
  bool by_swaps = false;      ///< `upper` rests on swaps (Demand::swaps)
};

/// The parts of runs that follow each other, or run side by side. Cite: [DR14, sec. 3.5].
Parts joined(const std::vector<Parts>& runs);

/// The parts of a run that is known only to lie between two others: it reveals at most what `most`
/// does, and at least what `least` does.
Parts between(Parts most, const Parts& least);

/// The same run with the neighbouring datasets exchanged: (P, Q) becomes (Q, P).
Parts swapped(Parts parts);

/// How far a curve must be followed for the question at hand, and at what cost.
struct Demand {
  double log_floor;  ///< log of the delta that a single step may leave out
  Effort effort;
  /// Above 0: the upper side by swaps where they serve, followed to about this delta, and nothing
  /// else.
  double swaps = 0;
};

/// The rest of a target delta beside a failure probability: (1 - failure)(1 - rest) = 1 - target.
/// At most 0 where the failure is the whole target or more, even where rounding has taken the
/// failure above 1.
inline double rest_of(double target, double failure) {
  return failure < target ? (target - failure) / (1 - failure) : failure > target ? -1 : 0;
}

/// Makes a run's parts for a demand.
using MakeParts = std::function<Parts(const Demand&)>;

/// Epsilon at a delta, or delta at an epsilon, of the composition of all parts.
///   copies: how many steps share what may be left out.   expected: roughly the answer, where it is
///   known; it saves work.
Finding compose(const MakeParts& make, double copies, Asked asked, double given,
                const Effort& effort, double expected = kInfinity);

/// The privacy curve of the composition of all parts: delta at any number of epsilons, which share
/// their transforms.
class Profile {
 public:
  /// negligible: a delta that need not be distinguished from 0.
  Profile(Parts parts, const Effort& effort, double negligible);

  Finding delta(double epsilon);

  /// The largest possible loss apart from outright failure, rounded up.
  double highest_loss() const;

 private:
  struct Sides;
  std::shared_ptr<Sides> sides_;
};

}  // namespace honest_epsilon
