#include "core/api/remarks.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/api/spelling.h"
#include "core/api/trainer.h"

namespace honest_epsilon::api {
namespace {

// At e^50 the guarantee says nothing about any event of probability above 2e-22.
constexpr double kMeaninglessEpsilon = 50;
constexpr double kMeaninglessDelta = 0.9;
// A proved zero has this for an upper end where round-off is charged.
constexpr double kZero = 1e-300;

template <class Value>
void add_once(std::vector<Value>& list, Value value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

void add_once(std::vector<Warning>& list, Warning warning) {
  const bool known = std::any_of(list.begin(), list.end(),
                                 [&](const Warning& w) { return w.text == warning.text; });
  if (!known) list.push_back(std::move(warning));
}

std::string neighbours(const PhaseRun& phase) {
  if (phase.run.adjacency == Adjacency::substitution)
    return "Substitution neighbours: one record is replaced by another, so that its gradient "
           "moves by up to twice the clipping norm; the noise multiplier still counts clipping "
           "norms.";
  const Relations& holds = phase.sampler->holds_for;
  const bool zero_out =
      holds.zero_out && (phase.run.adjacency == Adjacency::zero_out || !holds.add_remove);
  const std::string relation =
      zero_out ? "Zero-out neighbours: one record's gradient is replaced by zero."
               : "Add/remove neighbours: one record is there or not.";
  return holds.why_not.empty() ? relation : relation + " " + std::string(holds.why_not);
}

/// As a reader sees the wire's name.
std::string spoken(std::string_view relation) {
  return relation == "add-remove" ? "add/remove" : std::string(relation);
}

/// The relation asked is not the one answered: which one is, why, and what to choose instead.
void warn_of_neighbours(const Programme& programme, std::vector<Warning>& warnings) {
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
          "sampler answers for.";
    } else {
      text = "This holds for " + spoken(answered) + " neighbours, not for the " + spoken(asked) +
             " neighbours asked for. ";
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
    add_once(warnings, {"other-neighbours", text});
  }
}

std::string noise(Mechanism mechanism) {
  if (mechanism == Mechanism::laplace)
    return "The noise is Laplace; its scale is the noise multiplier times the clipping norm.";
  if (mechanism == Mechanism::randomized_response)
    return "Each step answers one bit, whether its batch holds the record, by randomised response "
           "of epsilon 1 / noiseMultiplier.";
  return "The noise is Gaussian; its standard deviation is the noise multiplier times the clipping "
         "norm.";
}

/// Whether the clone theorem covers the phase.
bool has_clones(const PhaseRun& phase) {
  return phase.sampler->has_clones && phase.sampler->has_clones(phase.run);
}

bool is_shuffled(const PhaseRun& phase) {
  return phase.sampler->permutes && phase.run.steps_per_epoch > 1;
}

void assume(const PhaseRun& phase, std::vector<std::string>& list) {
  const Run& run = phase.run;
  if (phase.sampler->has_clones && !has_clones(phase)) {
    add_once(list, std::string("The upper end is that of deterministic batches."));
  } else {
    add_once(list, std::string(phase.sampler->assumption));
  }
  if (has_clones(phase) && run.mechanism == Mechanism::gaussian &&
      (run.records_per_user > 1 || run.adjacency == Adjacency::substitution))
    add_once(list, std::string("That theorem is about single records that are zeroed; others are "
                               "reached one by one, a replaced one by way of the zeroed one."));
  add_once(list, neighbours(phase));
  add_once(list, noise(run.mechanism));
  if (phase.sampler->can_keep_draw && run.epochs > 1) {
    add_once(list,
             std::string(run.redrawn_each_epoch ? "Every epoch draws its batches again."
                                                : "The same batches are used in every epoch."));
  }
  const double parts = phase.given.accumulation_steps.value_or(1) * phase.given.devices.value_or(1);
  if (parts > 1 && phase.schedule.batch_size)
    add_once(list, "A step sums " + spell(parts) + " batches of " + spell(*phase.given.batch_size) +
                       " records, " + spell(*phase.schedule.batch_size) +
                       " in all, before noise of the stated multiplier is added once.");
  if (phase.schedule.left_out > 0 && phase.sampler->cuts_the_data)
    add_once(list, "Each epoch leaves out " + spell(phase.schedule.left_out) +
                       " records that fill no whole batch.");
  if (run.participations > 1)
    add_once(list, "Each record is used in exactly " + std::to_string(run.participations) +
                       " steps of an epoch, chosen at random.");
  for (const std::string& text : translations_of(phase.given, run)) add_once(list, text);
  if (phase.given.records_per_user.value_or(1) > 1)
    add_once(list, "Up to " + std::to_string(run.records_per_user) +
                       " records belong to one person, and neighbours differ in all of them.");
  if (phase.swapped())
    add_once(list,
             std::string("A swapped phase lacks the record where the others have it: what removing "
                         "is to them, adding is to it."));
  if (run.cap)
    add_once(list, "Batches of more than " + spell(run.cap->largest) +
                       " records are cut to that size by leaving records out at random.");
}

bool too_wide(const Interval& value, const Question& question) {
  if (std::isinf(value.upper)) return true;
  return value.upper > kZero && !(value.upper - value.lower <= question.width * value.upper);
}

void warn_of_schedule(const PhaseRun& phase, std::vector<Warning>& warnings) {
  const Schedule& schedule = phase.schedule;
  if (schedule.short_last > 0) {
    const bool out = schedule.left_out > 0;
    const std::string rest = spell(out ? schedule.left_out : schedule.short_last) + " records";
    const std::string what =
        !phase.sampler->cuts_the_data
            ? out ? "rounded down (dropLast)" : "rounded up (dropLast rounds down)"
        : out ? "the last " + rest + " left out (dropLast)"
              : "the last one of " + rest + " (dropLast leaves them out)";
    add_once(warnings, {"batch-does-not-divide",
                        "datasetSize " + spell(*phase.given.dataset_size) +
                            " is not a multiple of the " + spell(*schedule.batch_size) +
                            " records of a step's batch: " + spell(schedule.steps_per_epoch) +
                            " steps an epoch were counted, " + what + "."});
  }
  if (phase.sampler->uses_epochs && (schedule.steps_per_epoch_rounded || schedule.epochs_rounded)) {
    std::string text;
    const bool rounded = schedule.steps_per_epoch_rounded;
    if (rounded) {
      text += "An epoch has " + spell(schedule.steps_per_epoch) + " or " +
              spell(schedule.most_steps_per_epoch) +
              " steps by what was given: the upper end holds for the fewer, the lower end for the "
              "more. ";
    }
    if (schedule.epochs_rounded) {
      text += spell(schedule.steps) + " steps are not whole epochs of " +
              spell(schedule.steps_per_epoch) + ". ";
      if (phase.sampler->knows_batches && !rounded) {
        text += "The records used most often take part in " + std::to_string(phase.run.epochs) +
                " epochs, and both ends hold for them.";
      } else if (phase.run.missing_steps > 0) {
        text += "The last epoch stopped " + std::to_string(phase.run.missing_steps) +
                " steps before its end, and counts as far as it went.";
      } else {
        text += "The upper end counts " + std::to_string(phase.run.epochs) +
                " epochs, the lower end " + std::to_string(phase.least.epochs) + ".";
      }
    } else {
      text.pop_back();
    }
    add_once(warnings, {"schedule-rounded", text});
  }
}

/// Numbers that are possible and rarely meant.
void warn_of_sampling(const PhaseRun& phase, std::vector<Warning>& warnings) {
  const Schedule& schedule = phase.schedule;
  const Number& records = phase.given.dataset_size;
  if (!phase.sampler->knows_batches &&
      (schedule.sampling_probability >= 1 ||
       (phase.sampler->uses_epochs && phase.run.steps_per_epoch == 1))) {
    add_once(warnings, {"every-record-every-step",
                        "Every step uses every record: nothing is hidden by the sampling."});
  }
  if (records && schedule.sampling_probability * *records < 1 - 1e-9) {
    add_once(warnings,
             {"batch-below-one-record",
              "Sampling probability " + spell(schedule.sampling_probability) + " draws " +
                  spell(schedule.sampling_probability * *records) + " of datasetSize " +
                  spell(*records) +
                  " records a step on average: check it against batchSize / datasetSize."});
  }
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
                     [](const Release& r) { return r.rho.has_value(); });
}

namespace {

/// How likely the batches of a phase are cut where it matters.
double cap_failure(const PhaseRun& phase) {
  if (!phase.run.cap || !phase.sampler->cap) return 0;
  const Failure failure = phase.sampler->cap(phase.run);
  return std::max(failure.announced, failure.hidden);
}

/// How wide the gap of shuffled batches is, and where it comes from. What is asked: "epsilon".
std::string shuffle_gap(const Programme& programme, std::string_view asked, const Interval& value,
                        Method method) {
  const auto& phases = programme.phases;
  const bool both = value.lower > 0 && value.upper < kInfinity;
  std::string text = (both ? "Both ends are proved: " : "One end is proved: ");
  text += std::string(asked) + " is ";
  if (both) {
    const double ratio = value.upper / value.lower;
    text += "between " + spell_three(value.lower, false) + " and " + spell_three(value.upper, true);
    text += ratio < 2 ? ", the upper end " + spell(std::ceil(100 * (ratio - 1))) + " % above"
                      : ", the upper end " + spell_three(ratio, true) + " times";
    text += " the lower one.";
  } else {
    text += value.upper < kInfinity ? "at most " + spell_three(value.upper, true)
                                    : "at least " + spell_three(value.lower, false);
    text += ".";
  }
  if (value.lower > 0) {
    const bool bins = std::any_of(phases.begin(), phases.end(), [](const PhaseRun& phase) {
      return phase.sampler->permutes &&
             (phase.run.mechanism != Mechanism::gaussian ||
              phase.run.adjacency == Adjacency::substitution || phase.run.records_per_user > 1);
    });
    const bool either = info_of(method).or_bins;
    text += bins ? " The lower end is that of balls-and-bins, which reveals less."
            : either
                ? " The lower end is that of balls-and-bins, which reveals less, or of an attack "
                  "on the pair of datasets of Chua et al. 2024."
                : " The lower end is an attack on the pair of datasets of Chua et al. 2024.";
  }
  const bool clones = std::any_of(phases.begin(), phases.end(), has_clones);
  if (!clones || info_of(method).known) {
    text += " The upper end is that of deterministic batches, which are never more private.";
  } else if (info_of(method).clones) {
    text += " The upper end is this project's clone theorem.";
  } else {
    text += " The upper end rests on deterministic batches or on this project's clone theorem.";
  }
  return text + " No theorem closes the gap.";
}

void warn_of_gap(const Programme& programme, const Question& question, std::string_view asked,
                 const Interval& value, Method method, bool limited,
                 std::vector<Warning>& warnings) {
  const auto& phases = programme.phases;
  double failure = 0;
  for (const PhaseRun& phase : phases) failure += cap_failure(phase);
  if (question.asks_epsilon && std::isinf(value.upper) && failure >= question.given) {
    add_once(warnings,
             {"cap-too-small",
              "Batches are cut to maxBatchSize too often: that alone may cost a delta of " +
                  spell(failure) + ", and nothing is proved at " + spell(question.given) +
                  ". Raise maxBatchSize."});
    return;
  }
  const bool wide = value.kind == IntervalKind::certified && too_wide(value, question);
  if (programme.tuning.random) {
    if (wide)
      add_once(warnings, {"search-gap",
                          "Both ends are proved: the upper one for every score that may choose the "
                          "best run, the lower one for the worst score."});
    return;
  }
  const bool open = open_by_theory(programme);
  const bool shuffled = std::any_of(phases.begin(), phases.end(), is_shuffled);
  // A cut that costs a percent of delta shows among three digits.
  constexpr double kMatters = 0.01;
  const double delta = question.asks_epsilon ? question.given : value.upper;
  if (wide && failure >= kMatters * delta) {
    add_once(warnings, {"cap-too-small",
                        "Batches are cut to maxBatchSize so often that no narrower interval is "
                        "proved. Raise maxBatchSize."});
    return;
  }
  if (shuffled) {
    if (wide) {
      add_once(warnings, {"shuffle-gap", shuffle_gap(programme, asked, value, method)});
    }
  } else if (open && wide) {
    add_once(warnings, {"theory-gap",
                        "Both ends are proved, and no theorem known here closes the gap between "
                        "them."});
  } else if (limited || wide) {
    add_once(warnings, {"wide-interval", "The interval holds, but it is wider than the width " +
                                             spell(question.width) +
                                             " asked for: a work limit stopped its refinement."});
  }
}

}  // namespace

std::vector<std::string> assumptions_of(const Programme& programme) {
  std::vector<std::string> list;
  for (const PhaseRun& phase : programme.phases) assume(phase, list);
  for (const std::string& text : tuning_assumptions(programme.tuning)) add_once(list, text);
  if (!programme.releases.empty())
    list.emplace_back(
        "The other releases are taken for the worst that their guarantees allow for the same "
        "neighbours, and independent of each other's noise.");
  return list;
}

std::vector<std::string> citations_of(const Programme& programme) {
  std::vector<std::string> list;
  const auto cite = [&](std::string_view keys) {
    while (!keys.empty()) {
      const std::size_t space = std::min(keys.find(' '), keys.size());
      if (space > 0) add_once(list, std::string(keys.substr(0, space)));
      keys.remove_prefix(std::min(space + 1, keys.size()));
    }
  };
  for (const PhaseRun& phase : programme.phases) {
    const Run& run = phase.run;
    cite(phase.sampler->citations);
    if (has_clones(phase)) cite("HE26");
    if (run.redrawn_each_epoch && run.epochs > 1) cite(phase.sampler->epochs_citations);
    if (run.adjacency == Adjacency::substitution) cite("AP24");
    if (run.cap) cite("BB25 CG24 GA25");
    if (run.records_per_user > 1) cite(phase.sampler->groups_citation);
    if (phase.given.bands.value_or(1) > 1) cite("CCG23");
    if (phase.given.count_noise) cite("ATMR21");
    if (run.participations > 1) cite("FS25");
  }
  for (const Release& release : programme.releases)
    cite(release.rho ? "BS16 CKS20" : release.mu ? "DRS22" : "KOV15");
  if (programme.tuning.random) cite("PS22 KRW24 DRS22");
  return list;
}

std::vector<Warning> tradeoff_warnings_of(const Programme& programme, const Interval& advantage,
                                          double width, bool limited) {
  std::vector<Warning> warnings;
  warn_of_neighbours(programme, warnings);
  for (const PhaseRun& phase : programme.phases) warn_of_schedule(phase, warnings);
  warn_of_gap(programme, {false, 0, width}, "the best attack's advantage", advantage, {}, limited,
              warnings);
  return warnings;
}

std::vector<Warning> warnings_of(const Programme& programme, const Question& question,
                                 const Interval& value, Method method) {
  std::vector<Warning> warnings;
  warn_of_neighbours(programme, warnings);
  for (const PhaseRun& phase : programme.phases) {
    warn_of_schedule(phase, warnings);
    warn_of_sampling(phase, warnings);
    const double delta = question.asks_epsilon ? question.given : value.lower;
    const Number& records = phase.given.dataset_size;
    if (records && delta > 1 / *records) {
      add_once(warnings,
               {"delta-above-one-over-n",
                "delta " + spell(delta) + " is above 1 / datasetSize = " + spell(1 / *records) +
                    ": such a delta permits publishing a record outright."});
    }
  }
  if (question.asks_epsilon ? value.lower > kMeaninglessEpsilon : value.lower > kMeaninglessDelta) {
    const std::string noise =
        programme.phases.size() == 1
            ? " at noiseMultiplier " + spell(programme.phases.front().run.noise_multiplier)
            : std::string();
    add_once(warnings, {"nothing-is-private",
                        std::string(question.asks_epsilon ? "epsilon" : "delta") + " is at least " +
                            spell(value.lower) + noise + ": this is practically no privacy."});
  }
  for (const PhaseRun& phase : programme.phases) {
    if (is_shuffled(phase))
      add_once(warnings, {"poisson-meant",
                          "Shuffling is not Poisson sampling: an epsilon computed for Poisson "
                          "batches does not hold for shuffled ones, and is often far too small."});
  }
  warn_of_gap(programme, question, question.asks_epsilon ? "epsilon" : "delta", value, method,
              false, warnings);
  return warnings;
}

}  // namespace honest_epsilon::api
