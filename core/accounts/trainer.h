#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/accounts/catalog.h"
#include "core/runs/run.h"
#include "core/wire/schedule.h"
#include "core/wire/schema.h"

/// Other trainers' phases, translated into runs that are accounted for here.
///
/// Bands. Cyclic Poisson sampling with matrix factorisation: the records are divided into B groups
/// of floor(n / B), step t draws from group t mod B by Poisson sampling, and the noise is
/// C^-1 Z, where C is lower triangular with B bands and columns of norm 1, and Z is Gaussian of the
/// stated multiplier. Publishing C^-1 (C G + Z) is publishing C G + Z. A record takes part in steps
/// that are B apart, so the rows of C that hold its contributions form disjoint blocks, one for
/// each turn of its group. What others contribute to a block's rows is a function of what was
/// published before, and their coins are independent of the record's: given both, the block is a
/// Gaussian vector, shifted by c_t g with probability q where |c_t| = 1 and |g| <= 1: one Poisson
/// step. So T steps are ceil(T / B) Poisson steps, at the rate of the group:
///   q = batchSize / floor(n / B), or B / stepsPerEpoch where only that is known.   Cite: [CCG23].
/// A maximum batch size changes that one step alone: which of the group's other records are in it
/// depends on the record's coin, but no other row's sum does. So it is that of a Poisson step among
/// floor(n / B) records.
///
/// Count noise. The clipping norm follows the share of gradients below it, a count of +-1/2 a
/// record (0 for one that is not there, or zeroed) with Gaussian noise of standard deviation s
/// beside the sum's. Sum and count together are one Gaussian vector, scaled to noise 1, whose shift
/// is
///   1 / sigma'^2 = 1 / sigma^2 + 1 / (4 s^2);
/// substituting a record doubles both parts. Cite: [ATMR21].
///
/// Matrix. Correlated noise with known bins, or balls-and-bins kept for all epochs:
/// core/samplers/correlated.h.
///
/// Replacement. Each of a batch's places draws from all n records, and holds one of a person's r
/// with probability r / n: core/samplers/without_replacement.h.
///
/// Sampling workers. Each of W workers draws its own batch from all records, and the batches are
/// summed before noise is added: how often a step uses a record is the sum of W independent draws,
/// as of a person who has W records.
namespace honest_epsilon::accounts {

/// What of a phase's trainer contradicts the rest of it.
///   comparing: every sampler is asked, and replacement is of no meaning to most
std::optional<Issue> check_trainer(const wire::Phase& phase, const Sampler& sampler,
                                   bool comparing);

/// Whether a matrix correlates the noise, and the first field that says which.
bool has_matrix(const wire::Phase& phase);
const char* matrix_field(const wire::Phase& phase);

/// Whether a run is short enough for its noise to be correlated, and long enough for its bands.
std::optional<Issue> check_correlation(const wire::Phase& phase, const Run& run);

/// The first column of the phase's matrix in a run of so many steps, and its entries' relative
/// error.
std::pair<wire::Numbers, double> column_of(const wire::Phase& phase, std::int64_t steps);

/// The correlation of a phase's noise, for its run's batches and epochs; none: it has none.
std::shared_ptr<const Correlation> correlation_of(const wire::Phase& phase, const Run& run);

/// The run as which a trainer's phase is accounted for.
Run as_accounted(Run run, const Sampler& sampler, const wire::Phase& phase,
                 const wire::Schedule& schedule);

/// Of how many records batches are subsets, where that tells how many of a person's several they
/// hold: of whole size, drawn without replacement, with enough others to fill a batch; 0 elsewhere.
std::int64_t drawn_from(const Run& run, const Sampler& sampler, const wire::Number& dataset_size);

/// How it was translated, a sentence each.
std::vector<wire::Assumption> translations_of(const wire::Phase& phase, const Run& run);

}  // namespace honest_epsilon::accounts
