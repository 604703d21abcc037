#pragma once

#include "core/samplers/run.h"

/// Batches of random size, cut down to a maximum by leaving records out at random: what that adds
/// to delta. n records, B the maximum, q the probability that a record is in a batch.
namespace honest_epsilon::batch_cap {

/// delta'(eps) <= delta(eps) + announced + (1 + e^eps) hidden.
struct Failure {
  double announced = 0;
  double hidden = 0;
};

/// Poisson. Tell the adversary, too, which steps have B or more of the other records. In those the
/// two runs are alike unless the record was drawn, in the others nothing is cut. Both runs draw
/// alike, so that all is as without a cap but for an event of probability at most
///   T q Pr[Bin(n - 1, q) >= B],
/// and the hockey stick of a mixture is at most the mixture's. With g records a person: g q, and B
/// - g + 1. (The same idea, a mixture over the cut-off probability, is in [GA25].)
Failure poisson(const Run& run);

/// Balls-and-bins. Telling would leave fewer bins, so the event, that the record's own bin has B
/// others, is charged to both laws: in each epoch Pr[Bin(n - 1, 1/T) >= B]. Where the record's bin
/// is full its P-law is moved to Q's, which only lessens the pair.
Failure balls_and_bins(const Run& run);

/// What [BB25, App. C] and [CG24, Prop 3.2] charge instead, for either sampler:
///   (1 + e^eps) steps Pr[Bin(n, q) > B].
double appendix_c_upper(double records, double q, double steps, double largest, double epsilon);

}  // namespace honest_epsilon::batch_cap
