#pragma once

#include <functional>

#include "core/base/effort.h"
#include "core/runs/directions.h"
#include "core/runs/run.h"

/// Bounds on a run that follow from the answers for a simpler one.
namespace honest_epsilon {

/// What a run may add to a simpler one's delta: delta'(eps) <= delta(eps) + announced + (1 + e^eps)
/// hidden.
struct Failure {
  double announced = 0;
  double hidden = 0;
};

/// The simpler run's answers: epsilon at a delta, or delta at an epsilon. An end that is not wanted
/// may be trivial.
using Ask = std::function<Finding(Asked asked, double given, Wanted wanted)>;

/// delta that a total variation adds at an epsilon, from above: (1 + e^eps) variation.
double charge_of(double variation, double epsilon);

/// Batches cut to a maximum size: delta lies at most  announced + (1 + e^eps) hidden  above that of
/// the run without a maximum. Below by no more than  announced + hidden  times 1 in direction
/// remove and 1 + e^eps otherwise: with all other gradients zero the cut matters only where it
/// leaves the record out, and one law of zero-out neighbours has none.
Finding beside_failure(const Ask& ask, const Failure& failure, Adjacency adjacency, Asked asked,
                       double given);

/// 1 + e^eps + ... + e^{(g-1) eps}, from above; +inf where it overflows.
double group_factor(double records, double epsilon);

/// Neighbours that differ in up to g records, by g steps from neighbour to neighbour:
///   delta_g(eps) <= (e^eps - 1) / (e^(eps/g) - 1) delta(eps / g).   Cite: [DR14, sec. 2.3].
/// The lower end is that of a single record.
Finding for_group(const Ask& ask, double records, Asked asked, double given, Wanted wanted);

/// An upper end for replaced records by way of the run without them, R:
///   H_{ab}(P || Q) <= H_a(P || R) + a H_b(R || Q),
/// with both terms the same for epsilon at a delta, and about the same for delta at an epsilon.
///   ask: the run's whose records are left out.   rough: the same, to find where the terms are
///   equal in so many tries.
double through_left_out(const Ask& ask, const Ask& rough, Asked asked, double given, int tries);

}  // namespace honest_epsilon
