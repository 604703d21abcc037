#pragma once

#include "core/rdp/renyi.h"
#include "core/runs/parts.h"
#include "core/runs/run.h"
#include "core/samplers/bins_epoch.h"

/// Balls-and-bins: every epoch, each record is put into one of the T batches, chosen at random on
/// its own. Dominating pair P = (1/T) sum_t N(e_t, s^2 I), Q = N(0, s^2 I); tight. Cite: [BB25,
/// Thm 3.1]. One epoch: core/samplers/bins_epoch.
///
/// Epochs with bins drawn afresh compose; bins kept for all k epochs are one epoch at s / sqrt(k).
/// A record used in exactly k of an epoch's T steps: upper, k rounds of one in floor(T / k)
/// [FS25]; lower, the events {max x_t >= C} and {sum x_t >= C}.
/// Substitution: core/samplers/bins_replaced.h, tight, by a theorem of this project [HE26]. By
/// published theorems, and with other noise: lower, that pair, or the zero-out one (zero is a
/// gradient, too); upper, through the run without the record,
/// H_{ab}(P || Q) <= H_a(P || R) + a H_b(R || Q), or known batches.
/// Several records a person: lower, a single one, or an epoch's sum (accounts/account.cc); upper,
/// all in one known batch. A run that stopped m steps into its last epoch: P = (1/T) (sum_{t<=m}
/// N(e_t, s^2 I) + (T - m) Q) there.
namespace honest_epsilon::balls_and_bins {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);
Parts parts(const Run& run, const Demand& demand);

/// Whether the run may stop midway in an epoch (Run::missing_steps) and have its own answer then.
bool can_stop_midway(const Run& run);

/// Whether no theorem pins the run down, however much is computed.
bool has_gap(const Run& run);

/// Whether upper ends may rest on a theorem of this project's own.
bool has_own_proof(const Run& run);

/// Rényi divergence of the whole run, at most.
rdp::RenyiCurve renyi(const Run& run);

}  // namespace honest_epsilon::balls_and_bins
