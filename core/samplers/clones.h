#pragma once

/// Clones of steps of pure differential privacy, epsilon_0 each: no step's law is anywhere less
/// than w = e^-epsilon_0 times that of the zeroed record. Of one freshly permuted epoch of T
/// batches, zero-out neighbours,
///   delta(eps) <= failure + E_M delta_bins(M)(eps),   M - 1 ~ Bin(T - 1, w),
/// delta_bins(M) the curve of balls-and-bins over M bins.   Cite: [FMT21], for local reports.
///
/// Proof. (1) Take one record out of every batch, the record in question being one of the T. Given
/// all else, any order of the T over their T places is as likely as any other. (2) With probability
/// w, by a coin of its own, another record acts as the zeroed record does, whatever the past has
/// led to. Tell the adversary the coins, and the places of the records whose coins fell otherwise:
/// that only helps. M places remain, and the record in question is at each with the same
/// probability: balls-and-bins [BB25, Thm 3.1]. More bins reveal less (insert a step of pure noise
/// at random), so M may be rounded down, and by as little as Pr[M < m] it may be rounded up to m.
/// QED.
namespace honest_epsilon::shuffle {

/// An epoch reveals at most what balls-and-bins over `bins` bins does, and everything with
/// probability `failure` = Pr[M < bins].
struct PureClones {
  double bins;
  double failure;  ///< from above, and at most what may be spent
};
/// batches: T, as for swaps (swaps.h)
PureClones pure_clones(double batches, double epsilon_0, double failure);

}  // namespace honest_epsilon::shuffle
