#pragma once

#include "core/runs/charge.h"
#include "core/runs/parts.h"
#include "core/runs/run.h"

/// The charge to delta for batches of random size that are cut to a maximum by leaving records out
/// at random. n records, B the maximum, q the probability that a record is in a batch.
namespace honest_epsilon::batch_cap {

/// Poisson. Tell the adversary, too, which steps have B or more of the other records. In those the
/// two runs are alike unless the record was drawn, in the others nothing is cut. Both runs draw
/// alike, so that all is as without a cap but for an event of probability at most
///   T q Pr[Bin(n - 1, q) >= B],
/// and the hockey stick of a mixture is at most the mixture's. With g records a person: g q, and B
/// - g + 1. (The same idea, a mixture over the cut-off probability, is in [GA25].)
Failure poisson(const Run& run);

/// Poisson, Gaussian noise, single records that are zeroed, or added and removed: the steps
/// themselves. With N others drawn, p = Pr[N >= B], N ~ Bin(n-1, q), tell whether N >= B; and then,
/// in random order, B of the others, whose law does not depend on N. If N < B the step is that of
/// Poisson batches. Otherwise the first B - 1 of them are summed beside either the last one or,
/// with probability
///   q' = Pr[kept | N >= B] = B Pr[Bin(n, q) > B] / (n p) <= q,
/// the record in question. Added or removed it stands in for another one, twice the clipping norm
/// away: Poisson batches of q' at half the noise [GA25]. Zeroed, tell whether it does: a known
/// batch with probability q', else nothing.
///   upper: (1 - p) and p of these, composed.   lower: with all other gradients zero, Poisson
/// batches of probability q (1 - p) + p q'.
/// The gap between the tail bounds on p is assigned to a case that reveals more than either, with
/// q' = q.   Domain: see has_poisson_parts.
Parts poisson_parts(const Run& run, const Demand& demand);
bool has_poisson_parts(const Run& run);

/// Balls-and-bins. Telling would leave fewer bins, so the event, that the record's own bin has B
/// others, is charged to both laws: in each epoch Pr[Bin(n - 1, 1/T) >= B]. Where the record's bin
/// is full its P-law is moved to Q's, which only lessens the pair.
Failure balls_and_bins(const Run& run);

}  // namespace honest_epsilon::batch_cap
