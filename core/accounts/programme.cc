#include "core/accounts/programme.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/accounts/noise_schedule.h"
#include "core/accounts/trainer.h"
#include "core/base/spelling.h"
#include "core/wire/check.h"
#include "core/wire/noise_unit.h"
#include "core/wire/validate.h"

namespace honest_epsilon::accounts {
namespace {

Mechanism mechanism_of(const wire::Phase& phase) {
  const std::string name = phase.mechanism.value_or("gaussian");
  if (name == "laplace") return Mechanism::laplace;
  return name == "gaussian" ? Mechanism::gaussian : Mechanism::randomized_response;
}

Adjacency adjacency_of(const wire::Phase& phase) {
  const std::string name = phase.adjacency.value_or("zero-out");
  if (name == "substitution") return Adjacency::substitution;
  return name == "zero-out" ? Adjacency::zero_out : Adjacency::add_remove;
}

std::int64_t whole(const wire::Number& value) {
  return static_cast<std::int64_t>(value.value_or(1));
}

Run make_run(const Sampler& sampler, const wire::Phase& phase, const wire::Schedule& schedule) {
  Run run;
  run.mechanism = mechanism_of(phase);
  run.adjacency = adjacency_of(phase);
  run.noise_multiplier = *phase.noise_multiplier;
  run.sampling_probability = schedule.sampling_probability;
  run.steps_per_epoch =
      static_cast<std::int64_t>(std::min(schedule.steps_per_epoch, wire::kMostSteps));
  run.epochs = schedule.epochs;
  run.steps = sampler.uses_epochs ? run.steps_per_epoch * run.epochs
                                  : static_cast<std::int64_t>(schedule.steps);
  run.redrawn_each_epoch = phase.reshuffle.value_or("each-epoch") != "once";
  run.participations = whole(phase.participations);
  run.records_per_user = whole(phase.records_per_user);
  // Where records are shuffled first, each epoch leaves out others.
  if (sampler.permutes && schedule.left_out > 0)
    run.used_share = 1 - schedule.left_out / *phase.dataset_size;
  run.short_batch = sampler.permutes && schedule.short_last > 0 && schedule.left_out == 0;
  run.correlation = correlation_of(phase, run);
  if (phase.steps && !phase.epochs && sampler.can_stop_midway && sampler.can_stop_midway(run) &&
      schedule.most_steps_per_epoch == schedule.steps_per_epoch) {
    run.missing_steps = run.steps - static_cast<std::int64_t>(schedule.steps);
    run.steps -= run.missing_steps;
  }
  if (phase.max_batch_size && sampler.cap)
    run.cap = Cap{phase.dataset_size.value_or(0), *phase.max_batch_size};
  return as_accounted(run, sampler, phase, schedule);
}

/// The run that lower ends hold for. With known batches the worst record is in the first of them,
/// and takes part in every epoch that has begun; where batches are drawn, only whole epochs count.
Run least_of(const Sampler& sampler, const wire::Phase& phase, const Run& run,
             const wire::Schedule& schedule) {
  if (!sampler.uses_epochs || run.missing_steps > 0) return run;
  Run least = run;
  if (sampler.knows_batches) {
    least.epochs = schedule.begun_epochs;
  } else {
    least.steps_per_epoch = static_cast<std::int64_t>(schedule.most_steps_per_epoch);
    least.epochs = schedule.finished_epochs;
  }
  least.steps = least.steps_per_epoch * least.epochs;
  least.correlation = correlation_of(phase, least);
  return least;
}

std::optional<Issue> check_run(const Sampler& sampler, const wire::Phase& phase, const Run& run,
                               bool comparing) {
  if (auto issue = check_trainer(phase, sampler, comparing)) return issue;
  if (auto issue = check_correlation(phase, run)) return issue;
  if (run.participations > 1 && !sampler.can_repeat) {
    return wire::contradiction(
        &wire::Phase::participations, phase, "be 1 or absent unless sampler is \"balls-and-bins\"",
        " with " + (comparing ? "a comparison of all samplers" : spell_text(sampler.name)));
  }
  if (run.participations > run.steps_per_epoch) {
    return wire::refused(
        "out-of-domain", &wire::Phase::participations, phase,
        "be at most the steps of an epoch, " + std::to_string(run.steps_per_epoch));
  }
  if (!phase.max_batch_size) return std::nullopt;
  if (!phase.dataset_size) {
    return wire::missing(&wire::Phase::dataset_size,
                         "maxBatchSize " + spell(*phase.max_batch_size) +
                             " needs it: how large batches get depends on it");
  }
  const wire::Number batch = step_batch_of(phase);
  if (!sampler.cap && !comparing && batch && *phase.max_batch_size < *batch) {
    return wire::contradiction(&wire::Phase::max_batch_size, phase,
                               "be at least the " + spell(*batch) +
                                   " records of a step's batch, since all batches of " +
                                   spell_text(sampler.name) + " have that size");
  }
  return std::nullopt;
}

/// Adds a release; those that state rho are summed into one. (Those that state mu are, where they
/// are composed.)
void add_release(std::vector<wire::Release>& all, const wire::Release& release) {
  for (wire::Release& other : all) {
    if (release.rho && other.rho && release.part_of_data == other.part_of_data) {
      other.rho = *other.rho + *release.rho;
      return;
    }
  }
  all.push_back(release);
}

/// A fixed number of runs is accounted as one long run.
std::optional<Issue> check_length(const Programme& programme) {
  double steps = 0;
  for (const PhaseRun& phase : programme.phases) steps += static_cast<double>(phase.run.steps);
  const double times = static_cast<double>(programme.tuning.times);
  if (times == 1 || times * steps <= wire::kMostSteps) return std::nullopt;
  return wire::refused("out-of-domain", "runs",
                       "be at most " + spell(std::floor(wire::kMostSteps / steps)) +
                           ", so that all runs together have at most " + spell(wire::kMostSteps) +
                           " steps",
                       spell(times));
}

bool holds_for(const PhaseRun& phase, Adjacency relation) {
  if (relation == Adjacency::substitution || phase.run.adjacency == Adjacency::substitution)
    return phase.run.adjacency == relation;
  const Relations& relations = phase.sampler->holds_for;
  return relation == Adjacency::zero_out ? relations.zero_out : relations.add_remove;
}

/// A run without its length, and without what its sampler ignores.
Run kind_of(Run run, const Sampler& sampler) {
  run.steps = run.epochs = 1;
  if (sampler.uses_epochs) {
    run.sampling_probability = 1;
  } else {
    run.steps_per_epoch = 1;
  }
  return run;
}

/// What each step or epoch of a phase does.
struct PhaseKind {
  const Sampler* sampler;
  bool swapped;
  Run run;
  Run least;
  bool operator==(const PhaseKind&) const = default;
};

/// None where two such phases are not one phase of twice the length.
std::optional<PhaseKind> kind_of(const PhaseRun& phase) {
  const bool one_draw = phase.sampler->can_keep_draw && !phase.run.redrawn_each_epoch;
  if (one_draw || phase.run.missing_steps > 0 || phase.run.correlation) return std::nullopt;
  return PhaseKind{phase.sampler, phase.swapped(), kind_of(phase.run, *phase.sampler),
                   kind_of(phase.least, *phase.sampler)};
}

std::variant<PhaseRun, Issue> read_phase(const wire::Phase& phase, const Sampler& sampler,
                                         bool comparing) {
  const auto read = read_schedule(phase);
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;
  const wire::Schedule& schedule = std::get<wire::Schedule>(read);
  if (sampler.uses_epochs) {
    if (auto issue = check_epochs(schedule)) return *issue;
  }
  const Run run = make_run(sampler, phase, schedule);
  if (auto issue = check_run(sampler, phase, run, comparing)) return *issue;
  return PhaseRun{&sampler, phase, schedule, run, least_of(sampler, phase, run, schedule)};
}

}  // namespace

std::variant<Programme, Issue> read_programme(const wire::Query& query, const Sampler* every) {
  Programme programme;
  for (std::size_t i = 0; i < query.phases.size(); ++i) {
    if (const wire::Release* release = std::get_if<wire::Release>(&query.phases[i])) {
      add_release(programme.releases, *release);
      continue;
    }
    const wire::Phase given = with_multiplier(std::get<wire::Phase>(query.phases[i]));
    ++programme.given;
    const Sampler& sampler = every ? *every : sampler_named(*given.sampler);
    const auto epochs = epochs_of(given, sampler);
    const Issue* issue = std::get_if<Issue>(&epochs);
    if (issue) return of_entry(i, query.phases.size(), *issue);
    for (const wire::Phase& phase : std::get<std::vector<wire::Phase>>(epochs)) {
      const auto read = read_phase(phase, sampler, every != nullptr);
      issue = std::get_if<Issue>(&read);
      if (issue) return of_entry(i, query.phases.size(), *issue);
      programme.phases.push_back(std::get<PhaseRun>(read));
    }
  }
  programme.tuning = tuning_of(query);
  if (auto issue = check_length(programme)) return *issue;
  return query.proofs.value_or("all") == "published" ? by_published(programme) : programme;
}

std::variant<Programme, Issue> read_asking(const wire::Query& query, const char* question) {
  if (auto issue = find_issue(query)) return *issue;
  if (auto issue = wire::require_question(*query.question, question)) return *issue;
  return read_programme(query);
}

std::vector<PhaseRun> published(std::vector<PhaseRun> phases) {
  for (PhaseRun& phase : phases) phase.run.published_only = phase.least.published_only = true;
  return phases;
}

Programme by_published(Programme programme) {
  programme.phases = published(std::move(programme.phases));
  return programme;
}

bool may_use_own_proofs(const PhaseRun& phase) {
  // Several records, or replaced ones, may be accounted one by one (account.cc).
  Run single = phase.run;
  single.records_per_user = 1;
  single.adjacency = Adjacency::zero_out;
  const auto has_own_proof = phase.sampler->has_own_proof;
  return has_own_proof && (has_own_proof(phase.run) || has_own_proof(single));
}

std::string_view name_of(Adjacency adjacency) {
  if (adjacency == Adjacency::substitution) return "substitution";
  return adjacency == Adjacency::zero_out ? "zero-out" : "add-remove";
}

std::string adjacency_answered(const Programme& programme) {
  const auto& phases = programme.phases;
  const Adjacency asked = phases.empty() ? Adjacency::zero_out : phases.front().run.adjacency;
  for (const Adjacency relation : {asked, Adjacency::zero_out, Adjacency::add_remove}) {
    const bool by_all = std::all_of(phases.begin(), phases.end(), [&](const PhaseRun& phase) {
      return holds_for(phase, relation);
    });
    if (by_all) return std::string(name_of(relation));
  }
  return "mixed";
}

wire::Choice privacy_unit_of(const Programme& programme) {
  const auto& phases = programme.phases;
  if (phases.empty() || !of_clients(phases.front().given)) return std::nullopt;
  return phases.front().given.privacy_unit;
}

std::set<double> parts_used(const Programme& programme) {
  std::set<double> numbers;
  for (const PhaseRun& phase : programme.phases)
    if (phase.given.part_of_data) numbers.insert(*phase.given.part_of_data);
  for (const wire::Release& release : programme.releases)
    if (release.part_of_data) numbers.insert(*release.part_of_data);
  return numbers;
}

std::vector<Programme> by_part(const Programme& programme) {
  const std::set<double> numbers = parts_used(programme);
  if (numbers.empty()) return {programme};
  std::vector<Programme> parts;
  for (const double number : numbers) {
    Programme& part = parts.emplace_back();
    part.given = programme.given;
    part.tuning = programme.tuning;
    for (PhaseRun phase : programme.phases) {
      if (phase.given.part_of_data.value_or(number) != number) continue;
      phase.given.part_of_data.reset();
      part.phases.push_back(phase);
    }
    for (wire::Release release : programme.releases) {
      if (release.part_of_data.value_or(number) != number) continue;
      release.part_of_data.reset();
      add_release(part.releases, release);
    }
  }
  return parts;
}

std::vector<PhaseRun> merged(const std::vector<PhaseRun>& phases) {
  std::vector<PhaseRun> result;
  std::vector<std::optional<PhaseKind>> kinds;
  for (const PhaseRun& phase : phases) {
    if (phase.run.steps == 0) continue;
    const auto kind = kind_of(phase);
    const auto same = kind ? std::find(kinds.begin(), kinds.end(), kind) : kinds.end();
    if (same == kinds.end()) {
      result.push_back(phase);
      kinds.push_back(kind);
      continue;
    }
    const auto twin = result.begin() + (same - kinds.begin());
    twin->run.steps += phase.run.steps;
    twin->run.epochs += phase.run.epochs;
    twin->least.steps += phase.least.steps;
    twin->least.epochs += phase.least.epochs;
  }
  return result;
}

Failure cap_failure(const std::vector<PhaseRun>& phases) {
  Failure total;
  for (const PhaseRun& phase : phases) {
    if (!phase.run.cap) continue;
    const Failure failure = phase.sampler->cap(phase.run);
    total.announced += failure.announced;
    total.hidden += failure.hidden;
  }
  return total;
}

}  // namespace honest_epsilon::accounts
