#include "core/accounts/remarks.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/accounts/trainer.h"
#include "core/base/spelling.h"
#include "core/runs/charge.h"
#include "core/wire/noise_unit.h"

namespace honest_epsilon::accounts {
namespace {

// At e^50 the guarantee says nothing about any event of probability above 2e-22.
constexpr double kMeaninglessEpsilon = 50;
constexpr double kMeaninglessDelta = 0.9;
// A delta proved to be 0 has an upper end of at most this, for round-off.
constexpr double kZero = 1e-300;

using Assumptions = std::vector<wire::Assumption>;
using Warnings = std::vector<wire::Warning>;

template <class Remark>
void add_once(std::vector<Remark>& list, Remark remark) {
  const bool said = std::any_of(list.begin(), list.end(),
                                [&](const Remark& other) { return other.text == remark.text; });
  if (!said) list.push_back(std::move(remark));
}

void warn(Warnings& list, wire::WarningCode code, std::string text) {
  add_once(list, wire::warning(code, std::move(text)));
}

template <class Remark>
void say_of_clients(std::vector<Remark>& list) {
  for (Remark& one : list) one.text = wire::in_client_words(std::move(one.text));
}

wire::Assumption neighbours(const PhaseRun& phase) {
  if (phase.run.adjacency == Adjacency::substitution) return wire::assumes::substitution();
  const Relations& holds = phase.sampler->holds_for;
  const bool zero_out =
      holds.zero_out && (phase.run.adjacency == Adjacency::zero_out || !holds.add_remove);
  const std::string why = holds.why_not.empty() ? "" : " " + std::string(holds.why_not);
  return zero_out ? wire::assumes::zero_out(why) : wire::assumes::add_remove(why);
}

/// As a reader sees the wire's name.
std::string spoken(std::string_view relation) {
  return relation == "add-remove" ? "add/remove" : std::string(relation);
}

/// Warns where the answer is about other neighbours than were asked for: which, why, and what to
/// choose instead.
void warn_of_neighbours(const Programme& programme, Warnings& warnings) {
  const std::string answered = adjacency_answered(programme);
  for (const PhaseRun& phase : programme.phases) {
    const std::string asked(name_of(phase.run.adjacency));
    if (asked == answered) continue;
    std::string text;
    if (answered == "mixed") {
      text =
          "The phases hold for different neighbouring datasets: some for zero-out, others for "
          "add/remove, and the total for neither. Choose samplers that hold for the same "
          "neighbours (Poisson and balls-and-bins hold for both), or substitution, which every "
          "sampler supports.";
    } else {
      text = "This holds for " + spoken(answered) + " neighbours, not for the " + spoken(asked) +
             " neighbours you chose. ";
      std::string reasons;
      for (const PhaseRun& other : programme.phases) {
        const std::string why(other.sampler->holds_for.why_not);
        if (!why.empty() && reasons.find(why) == std::string::npos) reasons += why + " ";
      }
      text += reasons + "Choose " + spoken(answered) + " neighbours";
      text += reasons.empty() ? " for every phase."
                              : ", or Poisson or balls-and-bins batches, which hold for " +
                                    spoken(asked) + " neighbours too.";
    }
    warn(warnings, "other-neighbours", text);
  }
}

wire::Assumption noise(Mechanism mechanism) {
  if (mechanism == Mechanism::laplace) return wire::assumes::laplace();
  if (mechanism == Mechanism::randomized_response) return wire::assumes::randomized_response();
  return wire::assumes::gaussian();
}

bool is_shuffled(const PhaseRun& phase) {
  return phase.sampler->permutes && phase.run.steps_per_epoch > 1;
}

/// How the batches are drawn, what neighbours are, and what noise is added.
void assume_mechanism(const PhaseRun& phase, bool own_proofs, Assumptions& list) {
  const Run& run = phase.run;
  add_once(list, phase.sampler->permutes && !own_proofs
                     ? wire::assumes::known_upper_end()
                     : wire::assumes::batches(phase.sampler->assumption));
  if (own_proofs && !phase.sampler->permutes) {
    add_once(list, wire::assumes::replaced_pair());
  } else if (own_proofs && (run.records_per_user > 1 || run.adjacency == Adjacency::substitution)) {
    add_once(list, wire::assumes::one_by_one());
  }
  add_once(list, neighbours(phase));
  add_once(list, noise(run.mechanism));
}

void assume(const PhaseRun& phase, bool own_proofs, Assumptions& list) {
  const Run& run = phase.run;
  assume_mechanism(phase, own_proofs && may_use_own_proofs(phase), list);
  if (phase.sampler->can_keep_draw && run.epochs > 1)
    add_once(list, run.redrawn_each_epoch ? wire::assumes::redrawn() : wire::assumes::kept());
  const double parts = phase.given.accumulation_steps.value_or(1) * phase.given.devices.value_or(1);
  if (parts > 1 && phase.schedule.batch_size)
    add_once(list, wire::assumes::step_batch(spell(parts), spell(*phase.given.batch_size),
                                             spell(*phase.schedule.batch_size)));
  if (phase.schedule.left_out > 0 && phase.sampler->cuts_the_data)
    add_once(list, wire::assumes::left_out(spell(phase.schedule.left_out)));
  if (run.participations > 1)
    add_once(list, wire::assumes::participations(std::to_string(run.participations)));
  for (const wire::Assumption& one : translations_of(phase.given, run)) add_once(list, one);
  if (phase.given.records_per_user.value_or(1) > 1)
    add_once(list, wire::assumes::records_per_user(std::to_string(run.records_per_user)));
  if (phase.swapped()) add_once(list, wire::assumes::swapped());
  if (run.cap) add_once(list, wire::assumes::cap(spell(run.cap->largest)));
}

bool too_wide(const Interval& value, const Question& question) {
  return value.upper > kZero && !value.is_narrow(question.width);
}

void warn_of_schedule(const PhaseRun& phase, Warnings& warnings) {
  const wire::Schedule& schedule = phase.schedule;
  if (schedule.short_last > 0) {
    const bool out = schedule.left_out > 0;
    const std::string rest = spell(out ? schedule.left_out : schedule.short_last) + " records";
    const std::string what =
        !phase.sampler->cuts_the_data ? out ? " (rounded down, as asked)." : " (rounded up)."
        : out ? ", and its last " + rest + " are left out."
              : ", the last with " + rest + ". If your loader drops that batch, set dropLast.";
    warn(warnings, "batch-does-not-divide",
         "The dataset size, " + spell(*phase.given.dataset_size) +
             ", is not a multiple of the batch size, " + spell(*schedule.batch_size) +
             ": each epoch has " + spell(schedule.steps_per_epoch) + " steps" + what);
  }
  if (phase.sampler->uses_epochs && (schedule.steps_per_epoch_rounded || schedule.epochs_rounded)) {
    std::string text;
    const bool rounded = schedule.steps_per_epoch_rounded;
    if (rounded) {
      text += "An epoch has " + spell(schedule.steps_per_epoch) + " or " +
              spell(schedule.most_steps_per_epoch) +
              " steps: the upper end assumes the fewer, the lower end the more. ";
    }
    if (schedule.epochs_rounded) {
      text += spell(schedule.steps) + " steps are not whole epochs of " +
              spell(schedule.steps_per_epoch) + ". ";
      if (phase.sampler->knows_batches && !rounded) {
        text += "The records used most often take part in " + std::to_string(phase.run.epochs) +
                " epochs, and both ends hold for them.";
      } else if (phase.run.missing_steps > 0) {
        text += "The last epoch stopped " + std::to_string(phase.run.missing_steps) +
                " steps early, and is accounted for up to its last step.";
      } else {
        text += "The upper end counts " + std::to_string(phase.run.epochs) +
                " epochs, the lower end " + std::to_string(phase.least.epochs) + ".";
      }
    } else {
      text.pop_back();
    }
    warn(warnings, "schedule-rounded", text);
  }
}

/// Warns of numbers that are possible but rarely meant.
void warn_of_sampling(const PhaseRun& phase, Warnings& warnings) {
  const wire::Schedule& schedule = phase.schedule;
  const wire::Number& records = phase.given.dataset_size;
  if (!phase.sampler->knows_batches && phase.run.places == 0 &&
      (schedule.sampling_probability >= 1 ||
       (phase.sampler->uses_epochs && phase.run.steps_per_epoch == 1))) {
    warn(warnings, "every-record-every-step",
         "Every step uses every record: sampling hides nothing.");
  }
  if (records && schedule.sampling_probability * *records < 1 - 1e-9) {
    warn(warnings, "batch-below-one-record",
         "Sampling probability " + spell_four(schedule.sampling_probability, true) +
             " takes at most " + spell_four(schedule.sampling_probability * *records, true) +
             " of " + spell(*records) +
             " records per step on average: it should be the batch size divided by the "
             "dataset size.");
  }
}

/// A phase without steps is legitimate beside others; a run of none is mostly a slip.
void warn_of_no_steps(const Programme& programme, Warnings& warnings) {
  const bool trains = std::any_of(programme.phases.begin(), programme.phases.end(),
                                  [](const PhaseRun& phase) { return phase.run.steps > 0; });
  if (trains || !programme.releases.empty()) return;
  warn(warnings, "no-steps",
       "This run has no steps: nothing is trained, and nothing is revealed. Enter "
       "at least one epoch or step.");
}

/// Whether a person's several records are counted one by one for want of the dataset's size alone.
bool wants_dataset_size(const PhaseRun& phase) {
  const Run& run = phase.run;
  return phase.sampler->can_replace && run.records_per_user > 1 && run.places == 0 &&
         run.mechanism == Mechanism::gaussian && run.adjacency != Adjacency::substitution &&
         !phase.given.dataset_size;
}

/// Whether no theorem pins the phase down, however much is computed.
bool open_by_theory(const PhaseRun& phase) {
  return phase.bracketed() || (phase.sampler->has_gap && phase.sampler->has_gap(phase.run));
}

}  // namespace

bool open_by_theory(const Programme& programme) {
  const auto& phases = programme.phases;
  return std::any_of(phases.begin(), phases.end(),
                     [](const PhaseRun& phase) { return open_by_theory(phase); }) ||
         std::any_of(programme.releases.begin(), programme.releases.end(),
                     [](const wire::Release& r) { return r.rho || r.bounded_range; });
}

namespace {

/// How wide the gap of shuffled batches is, and where it comes from.   asked: "epsilon", say.
std::string shuffle_gap(const Programme& programme, std::string_view asked, const Interval& value,
                        bool own_proofs) {
  const auto& phases = programme.phases;
  const bool both = value.lower > 0 && value.upper < kInfinity;
  std::string text = (both ? "Both ends are proved: " : "One end is proved: ");
  text += std::string(asked) + " is ";
  if (both) {
    const double ratio = value.upper / value.lower;
    text += "between " + spell_four(value.lower, false) + " and " + spell_four(value.upper, true);
    text += ratio < 2 ? ", the upper end " + spell(std::ceil(100 * (ratio - 1))) + " % above"
                      : ", the upper end " + spell_four(ratio, true) + " times";
    text += " the lower one.";
  } else {
    text += value.upper < kInfinity ? "at most " + spell_four(value.upper, true)
                                    : "at least " + spell_four(value.lower, false);
    text += ".";
  }
  if (value.lower > 0) {
    const bool bins = std::any_of(phases.begin(), phases.end(), [](const PhaseRun& phase) {
      return phase.sampler->permutes &&
             (phase.run.mechanism != Mechanism::gaussian || phase.run.records_per_user > 1 ||
              (phase.run.adjacency == Adjacency::substitution && phase.run.epochs > 1));
    });
    text += bins ? " The lower end comes from balls-and-bins, which never reveals more."
                 : " The lower end comes from an attack.";
  }
  text += own_proofs
              ? " The upper end comes from our own theorem, which is not yet peer-reviewed."
              : " The upper end comes from deterministic batches, which are never more private.";
  return text + " No known theorem closes the gap.";
}

wire::Warning stopped_warning(const Question& question) {
  return wire::warning("wide-interval", "The interval holds, but is wider than the requested " +
                                            spell(question.width) +
                                            ": a work limit stopped its refinement.");
}

/// Why an interval is wider than was asked, where it is.
std::optional<wire::Warning> gap_warning(const Programme& programme, const Question& question,
                                         std::string_view asked, const Interval& value,
                                         bool own_proofs, bool limited) {
  const auto& phases = programme.phases;
  const Failure capped = cap_failure(phases);
  const double failure = capped.announced + charge_of(capped.hidden, 0);  // least at 0
  if (question.asks_epsilon && std::isinf(value.upper) && failure >= question.given) {
    return wire::warning(
        "cap-too-small",
        "Batches are cut to maxBatchSize too often: that alone may use a delta of " +
            spell_four(failure, true) + ", so nothing is proved at " + spell(question.given) +
            ". Raise maxBatchSize.");
  }
  // Estimates have no width.
  const bool wide = value.lower > -kInfinity && too_wide(value, question);
  const bool shuffled = std::any_of(phases.begin(), phases.end(), is_shuffled);
  const bool by_limit = limited && !programme.tuning.random && !shuffled;
  if (!wide) return by_limit ? std::optional(stopped_warning(question)) : std::nullopt;
  if (programme.tuning.random) {
    return wire::warning(
        "search-gap",
        "Both ends are proved: the upper end for every selection rule, the lower end for the "
        "worst one.");
  }
  // A cut that costs a percent of delta shows among three digits.
  const double delta = question.asks_epsilon ? question.given : value.upper;
  if (failure >= 0.01 * delta) {
    return wire::warning("cap-too-small",
                         "Batches are cut to maxBatchSize so often that the interval is wide. "
                         "Raise maxBatchSize.");
  }
  if (shuffled)
    return wire::warning("shuffle-gap", shuffle_gap(programme, asked, value, own_proofs));
  if (open_by_theory(programme)) {
    std::string text = value.upper < kInfinity
                           ? "Both ends are proved. No known theorem closes the gap."
                           : "One end is proved. No known theorem gives the other.";
    if (std::any_of(phases.begin(), phases.end(), wants_dataset_size))
      text += " Give datasetSize and batchSize to close it.";
    return wire::warning("theory-gap", text);
  }
  return stopped_warning(question);
}

}  // namespace

std::vector<wire::Assumption> assumptions_of(const Programme& programme, bool own_proofs) {
  std::vector<wire::Assumption> list;
  for (const PhaseRun& phase : programme.phases) assume(phase, own_proofs, list);
  if (privacy_unit_of(programme)) {
    say_of_clients(list);
    list.push_back(wire::assumes::client());
    for (const PhaseRun& phase : programme.phases)
      if (phase.given.local_epochs)
        add_once(list, wire::assumes::local_epochs(spell(*phase.given.local_epochs)));
  }
  for (const wire::Assumption& one : tuning_assumptions(programme.tuning)) add_once(list, one);
  if (!programme.releases.empty()) list.push_back(wire::assumes::releases());
  if (!parts_used(programme).empty()) list.push_back(wire::assumes::parts());
  return list;
}

std::vector<std::string> citations_of(const Programme& programme, Method method, bool own_proofs) {
  std::vector<std::string> list;
  const auto cite = [&](std::string_view keys) {
    for (const std::string_view key : split(keys)) {
      if (std::find(list.begin(), list.end(), key) == list.end()) list.emplace_back(key);
    }
  };
  for (const PhaseRun& phase : programme.phases) {
    const Run& run = phase.run;
    cite(phase.sampler->citations);
    if (run.redrawn_each_epoch && run.epochs > 1) cite(phase.sampler->epochs_citations);
    if (run.adjacency == Adjacency::substitution) cite("AP24");
    if (run.cap) cite("BB25 CG24 GA25");
    if (run.places > 0 || run.drawn_from > 0) {
      cite("GA24");
    } else if (run.records_per_user > 1) {
      cite(phase.sampler->groups_citation);
      // Replaced ones may be bounded one by one (account.cc).
      if (run.adjacency == Adjacency::substitution) cite("DR14");
    }
    if (run.correlation) cite(phase.sampler->knows_batches ? "CCG23" : "CGH24 RV14");
    if (run.correlation && phase.given.matrix == "square-root") cite("HUU23");
    if (run.correlation && !phase.given.buffer_weights.empty()) cite("DMP24");
    if (phase.given.bands.value_or(1) > 1) cite("CCG23");
    if (phase.given.count_noise) cite("ATMR21");
    if (run.participations > 1) cite("FS25");
  }
  if (method == Method::group_privacy || method == Method::group_above_pair ||
      method == Method::group_sum)
    cite("DR14");
  if (own_proofs) cite("HE26");
  for (const wire::Release& release : programme.releases)
    cite(release.rho             ? "BS16 CKS20"
         : release.mu            ? "DRS22"
         : release.bounded_range ? "DDR20 CR21"
                                 : "KOV15");
  if (programme.tuning.random) cite("PS22 KRW24 DRS22");
  return list;
}

std::vector<wire::Warning> tradeoff_warnings_of(const Programme& programme,
                                                const Interval& advantage, double width,
                                                bool limited, bool own_proofs) {
  std::vector<wire::Warning> warnings;
  warn_of_no_steps(programme, warnings);
  warn_of_neighbours(programme, warnings);
  for (const PhaseRun& phase : programme.phases) warn_of_schedule(phase, warnings);
  if (const auto gap = gap_warning(programme, {false, 0, width}, "the best attack's advantage",
                                   advantage, own_proofs, limited))
    add_once(warnings, *gap);
  if (privacy_unit_of(programme)) say_of_clients(warnings);
  return warnings;
}

std::vector<wire::Warning> warnings_of(const Programme& programme, const Question& question,
                                       const Interval& value, bool own_proofs,
                                       const std::optional<double>& failure) {
  std::vector<wire::Warning> warnings;
  warn_of_no_steps(programme, warnings);
  warn_of_neighbours(programme, warnings);
  for (const PhaseRun& phase : programme.phases) {
    warn_of_schedule(phase, warnings);
    warn_of_sampling(phase, warnings);
    const double delta = question.asks_epsilon ? question.given : value.lower;
    const wire::Number& records = phase.given.dataset_size;
    if (records && delta > 1 / *records) {
      warn(warnings, "delta-above-one-over-n",
           "delta " + spell_four(delta, false) + " is above 1/" + spell(*records) +
               ", one over the dataset size: such a delta permits publishing a record outright.");
    }
  }
  if (question.asks_epsilon ? value.lower > kMeaninglessEpsilon : value.lower > kMeaninglessDelta) {
    const std::string noise =
        programme.phases.size() == 1
            ? " at noise multiplier " +
                  spell_four(programme.phases.front().run.noise_multiplier, true)
            : std::string();
    warn(warnings, "nothing-is-private",
         std::string(question.asks_epsilon ? "epsilon" : "delta") + " is at least " +
             spell_four(value.lower, false) + noise + ": this is practically no privacy.");
  }
  for (const PhaseRun& phase : programme.phases) {
    if (is_shuffled(phase))
      warn(warnings, "poisson-meant",
           "Shuffling is not Poisson sampling: an epsilon computed for Poisson "
           "batches does not hold for shuffled ones, and is often far too small.");
  }
  if (failure) {
    warnings.push_back(wire::warning(
        "no-finite-epsilon", "No epsilon is finite at delta " + spell(question.given) +
                                 ": with probability " + spell_four(*failure, true) +
                                 " the releases reveal everything. Ask at a larger delta."));
  } else if (const auto gap =
                 gap_warning(programme, question, question.asks_epsilon ? "epsilon" : "delta",
                             value, own_proofs, false)) {
    add_once(warnings, *gap);
  }
  if (privacy_unit_of(programme)) say_of_clients(warnings);
  return warnings;
}

}  // namespace honest_epsilon::accounts
