#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/catalog.h"
#include "core/api/schedule.h"
#include "core/api/schema.h"
#include "core/api/tuning.h"

namespace honest_epsilon::api {

/// A phase that was read: how its batches are drawn, and the run it makes.
///
/// Where a sampler passes over the data, the last epoch may stop before its end: `run` says so
/// (Run::missing_steps) where the sampler accounts for that, and is the run itself. Where it does
/// not, or where 1/q batches are not a whole number, the run is bracketed: upper ends are those of
/// `run`, of as few batches an epoch and as many epochs as can be; lower ends are those of `least`,
/// of as many batches an epoch and of the epochs that are certainly finished. Seeing fewer steps
/// reveals no more; and T batches are as many as T - 1 beside one of pure noise, in random order.
struct PhaseRun {
  const Sampler* sampler;
  Phase given;  ///< as the query has it
  Schedule schedule;
  Run run;
  Run least;
  bool bracketed() const { return !(run == least); }
  bool swapped() const { return given.swapped.value_or(false); }
};

/// All that draws on one budget. Releases that add up among themselves are added up.
struct Programme {
  std::vector<PhaseRun> phases;
  std::vector<Release> releases;
  Tuning tuning;  ///< how often all of it is done, the best output published
};

/// The relation between neighbouring datasets that all of a programme's numbers hold for, spelt as
/// on the wire; the relation asked where they hold for it. "mixed": the phases have none in common.
/// Other releases state theirs for whatever neighbours the phases have.
std::string adjacency_answered(const Programme& programme);

/// As the wire spells it.
std::string_view name_of(Adjacency adjacency);

/// Reads a valid query's entries.
///   every: for a comparison, the sampler that draws every phase's batches.
std::variant<Programme, Issue> read_programme(const Query& query, const Sampler* every = nullptr);

/// The same programme with alike phases made one, and without those of no steps: two phases of
/// equal, independent steps are one phase of as many as both.
std::vector<PhaseRun> merged(const std::vector<PhaseRun>& phases);

}  // namespace honest_epsilon::api
