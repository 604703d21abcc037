#pragma once

#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/accounts/catalog.h"
#include "core/wire/schedule.h"
#include "core/wire/schema.h"
#include "core/wire/tuning.h"

namespace honest_epsilon::accounts {

/// A phase that was read: how its batches are drawn, and the run it makes.
///
/// Where a sampler passes over the data, the last epoch may stop before its end. If the sampler
/// accounts for that, `run` says so (Run::missing_steps), and is exact. If not, or if 1/q is no
/// whole number of batches, the run is bracketed: upper ends are those of `run`, with as few
/// batches per epoch and as many epochs as possible; lower ends are those of `least`, with as many
/// batches per epoch as possible and the epochs that are certainly finished. Seeing fewer steps
/// reveals no more, and a batch of pure noise at a random place makes T batches of T - 1.
struct PhaseRun {
  const Sampler* sampler;
  wire::Phase given;  ///< as the query has it
  wire::Schedule schedule;
  Run run;
  Run least;
  bool bracketed() const { return !(run == least); }
  bool swapped() const { return given.swapped.value_or(false); }
  /// Groups of records that take turns.
  double groups() const { return run.correlation ? 1 : given.bands.value_or(1); }
};

/// All that draws on one budget. The releases that state rho are summed into one.
struct Programme {
  std::vector<PhaseRun> phases;
  /// Phases of the query: one whose noise changes makes a PhaseRun for each epoch.
  std::size_t given = 0;
  std::vector<wire::Release> releases;
  wire::Tuning tuning;  ///< how often all of it is run, of which the best is published
};

/// The relation between neighbouring datasets that all of a programme's numbers hold for, spelt as
/// on the wire; the relation asked where they hold for it. "mixed": the phases have none in common.
/// Other releases state theirs for whatever neighbours the phases have.
std::string adjacency_answered(const Programme& programme);

/// "client" where a record is one; nothing where it is an example.
wire::Choice privacy_unit_of(const Programme& programme);

/// As the wire spells it.
std::string_view name_of(Adjacency adjacency);

/// Reads a valid query's entries.
///   every: for a comparison, the sampler that draws every phase's batches.
std::variant<Programme, Issue> read_programme(const wire::Query& query,
                                              const Sampler* every = nullptr);

/// The same of a query that was not validated, and whose question is to be `question`.
std::variant<Programme, Issue> read_asking(const wire::Query& query, const char* question);

/// Where entries use disjoint parts of the records: for each part, all that its records take part
/// in, which is what uses it and what uses all records. Neighbouring datasets differ in one part,
/// so that the programme's delta is the largest of theirs at every epsilon. Otherwise the programme
/// alone.
std::vector<Programme> by_part(const Programme& programme);

/// The numbers of the parts that entries use.
std::set<double> parts_used(const Programme& programme);

/// The phases without those of no steps, those of equal, independent steps merged into one of all
/// their steps.
std::vector<PhaseRun> merged(const std::vector<PhaseRun>& phases);

/// The same with upper ends by published theorems alone.
std::vector<PhaseRun> published(std::vector<PhaseRun> phases);
Programme by_published(Programme programme);

/// Whether a theorem of this project's own may lower the phase's upper end.
bool may_use_own_proofs(const PhaseRun& phase);

/// What the maximum batch sizes of all phases may add to delta.
Failure cap_failure(const std::vector<PhaseRun>& phases);

}  // namespace honest_epsilon::accounts
