#pragma once

#include "core/rdp/renyi.h"
#include "core/runs/parts.h"
#include "core/runs/run.h"

/// Shuffled batches: the dataset is permuted and cut into T batches of fixed size.
///
/// No tight pair is proved. Upper: deterministic batches [HP24, Thm 4.1], swaps (swaps.h), or, of
/// steps of pure noise, clones (clones.h) [HE26]. Lower: the pair
///   P = (1/T) sum_t N(2 e_t, s^2 I),   Q = (1/T) sum_t N(e_t, s^2 I)
/// is reached by one query method, the static attack, so every event E gives
/// delta >= P(E) - e^eps Q(E). Adaptive attacks prove more of one epoch, and of a replaced record
/// (adaptive_attack.h). Lower for other noise and several records a person, and for a replaced
/// record over several epochs of many batches: balls-and-bins, which shuffled batches never beat.
/// Upper, for several records: from neighbour to neighbour, one record
/// zeroed or replaced at a time. Where epochs leave a short batch out, a record is in none with
/// probability 1 - u: no coordinate is shifted then, in P or in Q. The upper end holds all the
/// more, the lower end is that of the mixture. Likewise where the run stopped after m of an epoch's
/// batches, u = m / T there: lower, an attack on those m; upper, whole epochs by swaps, or, as H
/// is convex,
///   delta(eps) <= (m / T) delta_{k + 1 known batches}(eps) + (1 - m / T) delta_{k}(eps).
namespace honest_epsilon::shuffle {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);
Parts parts(const Run& run, const Demand& demand);

/// Whether the run may stop midway in an epoch (Run::missing_steps) and have its own answer then.
bool can_stop_midway(const Run& run);

/// Whether the bounds leave a gap that no amount of computation closes.
bool has_gap(const Run& run);

/// Rényi divergence of the whole run, at most: that of deterministic batches.
rdp::RenyiCurve renyi(const Run& run);

}  // namespace honest_epsilon::shuffle
