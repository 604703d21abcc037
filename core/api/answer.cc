#include "core/api/answer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/catalog.h"
#include "core/api/guard.h"
#include "core/api/schedule.h"
#include "core/api/spelling.h"
#include "core/api/validate.h"

namespace honest_epsilon::api {
namespace {

constexpr double kDefaultWidth = 1e-3;
// An epsilon interval this narrow serves every use, however small epsilon is.
constexpr double kNarrowEpsilon = 1e-4;
// At e^50 the guarantee says nothing about any event of probability above 2e-22.
constexpr double kMeaninglessEpsilon = 50;
constexpr double kMeaninglessDelta = 0.9;
// Below this every delta is zero to whoever reads it, and its relative width says nothing.
constexpr double kVanishingDelta = 1e-300;

struct Question {
  bool asks_epsilon = true;
  double given = 0;
  double width = kDefaultWidth;
};

Question asked(const Query& query) {
  Question question;
  question.asks_epsilon = query.delta.has_value();
  question.given = question.asks_epsilon ? *query.delta : *query.epsilon;
  question.width = query.width.value_or(kDefaultWidth);
  return question;
}

// The interval of the larger direction. Its kind is the weaker one, unless that direction lies
// below the other one for certain and so has no say.
Interval larger(const Interval& a, const Interval& b) {
  Interval result = maximum(a, b);
  if (b.upper <= a.lower) {
    result.kind = a.kind;
  } else if (a.upper <= b.lower) {
    result.kind = b.kind;
  } else {
    result.kind = std::max(a.kind, b.kind);
  }
  return result;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    if (space > 0) result.emplace_back(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return result;
}

Run make_run(const Sampler& sampler, const Phase& phase, const Schedule& schedule) {
  Run run;
  run.noise_multiplier = *phase.noise_multiplier;
  run.sampling_probability = schedule.sampling_probability;
  run.steps_per_epoch = static_cast<std::int64_t>(std::min(schedule.steps_per_epoch, kMostSteps));
  run.epochs = schedule.epochs;
  run.steps = sampler.uses_epochs ? run.steps_per_epoch * run.epochs
                                  : static_cast<std::int64_t>(schedule.steps);
  run.redrawn_each_epoch = phase.reshuffle.value_or("each-epoch") != "once";
  return run;
}

Derived derive(const Sampler& sampler, const Schedule& schedule, const Run& run) {
  Derived derived;
  derived.steps = static_cast<double>(run.steps);
  derived.sampling_probability = schedule.sampling_probability;
  derived.steps_per_epoch = schedule.steps_per_epoch;
  derived.epochs = sampler.uses_epochs ? static_cast<double>(run.epochs)
                                       : schedule.steps / schedule.steps_per_epoch;
  return derived;
}

std::vector<std::string> assume(const Sampler& sampler, const Run& run) {
  std::vector<std::string> result = {std::string(sampler.assumption)};
  // A sampler that is accounted for other neighbours says so in the catalog.
  if (sampler.assumption.find("neighbours") == std::string_view::npos) {
    result.emplace_back("Zero-out neighbours: one record's gradient is replaced by zero.");
  }
  result.emplace_back(
      "The noise is Gaussian; its standard deviation is the noise multiplier times the clipping "
      "norm.");
  if (sampler.can_keep_draw && run.epochs > 1) {
    result.emplace_back(run.redrawn_each_epoch ? "The batches are drawn afresh for each epoch."
                                               : "One draw of the batches serves all epochs.");
  }
  return result;
}

bool too_wide(const Interval& value, const Question& question) {
  if (std::isinf(value.upper)) return true;
  const double gap = value.upper - value.lower;
  if (question.asks_epsilon) {
    return !(gap <= std::max(question.width * value.upper, kNarrowEpsilon));
  }
  return value.upper > kVanishingDelta && !(gap <= question.width * value.upper);
}

void warn_of_schedule(const Sampler& sampler, const Phase& phase, const Schedule& schedule,
                      const Run& run, std::vector<Warning>& warnings) {
  if (!schedule.batch_divides) {
    warnings.push_back({"batch-does-not-divide",
                        "datasetSize " + spell(*phase.dataset_size) +
                            " is not a multiple of batchSize " + spell(*phase.batch_size) + ": " +
                            spell(schedule.steps_per_epoch) + " steps an epoch were counted."});
  }
  if (sampler.uses_epochs && (schedule.steps_per_epoch_rounded || schedule.epochs_rounded)) {
    std::string text;
    if (schedule.steps_per_epoch_rounded) {
      text += "1 / samplingProbability = " + spell(1 / schedule.sampling_probability) +
              " is not whole: " + spell(schedule.steps_per_epoch) +
              " steps an epoch were counted, the safe side. ";
    }
    if (schedule.epochs_rounded) {
      text += spell(schedule.steps) + " steps are not whole epochs: " + std::to_string(run.epochs) +
              " were counted, rounded up. ";
    }
    text.pop_back();
    warnings.push_back({"schedule-rounded", text});
  }
}

void warn_of_value(const Sampler& sampler, const Phase& phase, const Question& question,
                   const Run& run, const Finding& finding, const Interval& value,
                   std::vector<Warning>& warnings) {
  if (phase.dataset_size) {
    const double delta = question.asks_epsilon ? question.given : value.lower;
    if (delta > 1 / *phase.dataset_size) {
      warnings.push_back({"delta-above-one-over-n",
                          "delta " + spell(delta) +
                              " is above 1 / datasetSize = " + spell(1 / *phase.dataset_size) +
                              ": such a delta allows publishing some record outright."});
    }
  }
  if (question.asks_epsilon ? value.lower > kMeaninglessEpsilon : value.lower > kMeaninglessDelta) {
    warnings.push_back({"nothing-is-private",
                        std::string(question.asks_epsilon ? "epsilon" : "delta") + " is at least " +
                            spell(value.lower) + " at noiseMultiplier " +
                            spell(run.noise_multiplier) + ": practically nothing is private."});
  }
  if (sampler.name == "shuffle") {
    if (run.steps_per_epoch > 1) {
      warnings.push_back({"poisson-meant",
                          "Shuffling is not Poisson sampling: an epsilon computed for Poisson "
                          "batches does not hold for shuffled ones, and is often far too small."});
    }
    if (too_wide(value, question)) {
      warnings.push_back(
          {"shuffle-gap",
           "Both ends are proved, and no theorem closes the gap: the lower end is an "
           "attack on shuffled batches, the upper end is proved for known batches, "
           "which are never more private."});
    }
  } else if (finding.limited ||
             (value.kind == IntervalKind::certified && too_wide(value, question))) {
    warnings.push_back({"wide-interval", "The interval holds, but it is wider than the width " +
                                             spell(question.width) +
                                             " asked for: a work limit stopped its refinement."});
  }
}

Answer answer_for(const Sampler& sampler, const Phase& phase, const Schedule& schedule,
                  const Question& question) {
  const Run run = make_run(sampler, phase, schedule);
  Effort effort;
  effort.width = question.width;
  const Finding finding =
      (question.asks_epsilon ? sampler.epsilon : sampler.delta)(run, question.given, effort);

  const double most = question.asks_epsilon ? kInfinity : 1.0;
  bool widened = false;
  Answer answer;
  answer.sampler = std::string(sampler.name);
  answer.directions.remove = guarded(finding.directions.remove, most, widened);
  answer.directions.add = guarded(finding.directions.add, most, widened);
  const Interval value = larger(answer.directions.remove, answer.directions.add);
  const Interval given = {question.given, question.given, IntervalKind::certified};
  answer.epsilon = question.asks_epsilon ? value : given;
  answer.delta = question.asks_epsilon ? given : value;
  if (finding.conjecture) answer.conjecture = guarded(*finding.conjecture, most, widened);
  answer.method = finding.method;
  answer.derived = derive(sampler, schedule, run);
  answer.assumptions = assume(sampler, run);
  answer.citations = words(sampler.citations);
  answer.work.grid_points = static_cast<double>(finding.grid_points);

  warn_of_schedule(sampler, phase, schedule, run, answer.warnings);
  warn_of_value(sampler, phase, question, run, finding, value, answer.warnings);
  if (widened) {
    answer.warnings.push_back({"interval-widened",
                               "The computation lost its precision here; the interval was widened "
                               "until it certainly holds."});
  }
  return answer;
}

}  // namespace

Outcome answer(const Query& query) {
  if (auto issue = find_issue(query)) return *issue;
  const Phase& phase = query.phases.front();
  const auto read = read_schedule(phase);
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;
  const Schedule& schedule = std::get<Schedule>(read);

  const bool compare = *query.question == "compare";
  std::vector<Answer> answers;
  for (const Sampler& sampler : kSamplers) {
    if (!compare && sampler.name != *phase.sampler) continue;
    if (sampler.uses_epochs) {
      if (auto issue = check_epochs(schedule)) return *issue;
    }
    answers.push_back(answer_for(sampler, phase, schedule, asked(query)));
  }
  return answers;
}

}  // namespace honest_epsilon::api
