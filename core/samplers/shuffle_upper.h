#pragma once

#include "core/runs/parts.h"
#include "core/samplers/shuffle_shape.h"

/// Upper ends of shuffled batches: known batches [HP24, Thm 4.1], swaps (swaps.h), and, where steps
/// are purely private, clones (clones.h).
namespace honest_epsilon::shuffle {

/// Whether the pair of [HP24] applies to this run.
bool is_plain(const Run& run);

/// Whether theorems of our own may lower the run's upper end: they are asked for, the noise hides a
/// step at all, every epoch has a permutation of its own, and, unless noise is Gaussian, records
/// are single and not replaced.
bool has_own_proof(const Run& run);

/// The ends of known batches.
Finding known_batches(const Run& run, Asked asked, double given, const Effort& effort);

/// The ends of balls-and-bins.
Finding balls_and_bins_of(const Run& run, Asked asked, double given, const Effort& effort);

/// Known batches where the record is in the last epoch's batches by chance, and the adversary told.
///   upper ends only
Finding stopped_in_known_batches(const Run& run, Asked asked, double given, const Effort& effort);

/// Parts that dominate the run: known batches, or swaps where these are asked for.
Parts from_above(const Run& run, const Demand& demand);

/// The upper ends of such a run.
///   lower: the lower ends, from which the upper ones are seldom far.
Finding upper_ends(const Run& run, Asked asked, double given, const Effort& effort,
                   const Directions& lower);

/// Neighbours that differ in several records, or in one that is replaced: single ones are zeroed or
/// replaced one after the other, in a chain of neighbours.
///   known, shown: an upper end and a lower one that are already proved
double record_by_record(const Run& run, Asked asked, double given, const Effort& effort,
                        double known, double shown);

/// Lowers upper ends to those of balls-and-bins over the clones of steps that are purely private.
///   expected: roughly the delta to be found
void over_clones(const Run& run, Asked asked, double given, const Effort& effort, double expected,
                 Directions& d);

}  // namespace honest_epsilon::shuffle
