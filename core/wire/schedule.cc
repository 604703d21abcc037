#include "core/wire/schedule.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/base/spelling.h"
#include "core/wire/check.h"

namespace honest_epsilon::wire {
namespace {

// People type 0.004266667 for 256/60000, and 0.0002 is not exactly 1/5000 in binary.
constexpr double kTypedTolerance = 1e-6;
constexpr double kBinaryTolerance = 1e-9;

bool agree(double a, double b) {
  return std::abs(a - b) <= kTypedTolerance * std::max(a, b);
}

// How many batches make an epoch, at least and at most.
struct Batches {
  double fewest = 1, most = 1;
};

Batches batches_of(double per_epoch) {
  const double nearest = std::round(per_epoch);
  if (std::abs(per_epoch - nearest) <= kBinaryTolerance * nearest) return {nearest, nearest};
  return {std::max(1.0, std::floor(per_epoch)), std::ceil(per_epoch)};
}

/// "batchSize", or the product that a step's batch is.
std::string name_of_batch(const Phase& p) {
  std::string name = "batchSize";
  if (p.accumulation_steps.value_or(1) > 1) name += " times accumulationSteps";
  if (p.devices.value_or(1) > 1) name += " times devices";
  return name;
}

/// Complains of fields that mean nothing without a batch size and a dataset size.
std::optional<Issue> find_stray(const Phase& p) {
  if (p.batch_size && p.dataset_size) return std::nullopt;
  std::string what;
  if (p.accumulation_steps.value_or(1) > 1)
    what = "accumulationSteps " + spell(*p.accumulation_steps) + " multiplies it";
  else if (p.devices.value_or(1) > 1)
    what = "devices " + spell(*p.devices) + " multiplies it";
  else if (p.drop_last)
    what = "dropLast is about what batches leave of the data";
  else
    return std::nullopt;
  return missing(p.batch_size ? &Phase::dataset_size : &Phase::batch_size, what);
}

/// Whether the schedule follows from counts of the data.
bool is_counted(const Phase& p) {
  return p.dataset_size && p.batch_size;
}

std::optional<Issue> find_gap(const Phase& p) {
  const Number batch = step_batch_of(p);
  if (batch && p.dataset_size && *batch > *p.dataset_size) {
    return Issue{"contradiction", "batch_size",
                 name_of_batch(p) + " must be at most datasetSize " + spell(*p.dataset_size) +
                     "; got " + spell(*batch)};
  }
  if (auto issue = find_stray(p)) return issue;
  if (p.batch_size && !p.dataset_size) {
    return missing(&Phase::dataset_size,
                   "batchSize " + spell(*p.batch_size) +
                       " alone does not say the share of the data in a batch");
  }
  if (is_counted(p) || p.steps_per_epoch) return std::nullopt;
  if (p.sampling_probability) {
    if (p.steps || p.epochs) return std::nullopt;
    return missing("steps",
                   "a whole number of at least 1 (samplingProbability "
                   "needs steps, or epochs, beside it)");
  }
  if (p.dataset_size) {
    return missing(&Phase::batch_size, "datasetSize needs batchSize, or stepsPerEpoch, beside it");
  }
  if (p.steps) {
    return missing(&Phase::sampling_probability,
                   "steps needs samplingProbability, or stepsPerEpoch, beside it");
  }
  return missing(
      &Phase::dataset_size,
      "give datasetSize and batchSize, or stepsPerEpoch, or samplingProbability and steps");
}

/// The batches of n records in batches of b, of which the last one may be short.
Batches batches_of_data(const Phase& p, double n, double b, double short_last) {
  // floor(n/b) of whole numbers below 2^53 by remainder: the quotient itself may round up.
  const double whole = (n - short_last) / b;
  Batches batches = {whole, short_last == 0 ? whole : whole + 1};
  if (p.drop_last && *p.drop_last) batches.most = batches.fewest;
  if (p.drop_last && !*p.drop_last) batches.fewest = batches.most;
  // The steps tell whether the short batch was kept, where nothing else does.
  const bool told = !p.drop_last && p.steps && p.epochs;
  if (told && *p.steps == whole * *p.epochs) batches.most = whole;
  return batches;
}

/// How much of the data a batch holds, and how many batches an epoch has.
std::optional<Issue> read_rate(const Phase& p, Schedule& result, Batches& batches) {
  if (is_counted(p)) {
    const double n = *p.dataset_size, b = *step_batch_of(p);
    result.batch_size = b;
    result.sampling_probability = b / n;
    // Exact, as counts are; a quotient that was rounded up leaves less than nothing.
    const double rest = n - b * std::floor(n / b);
    result.short_last = rest < 0 ? rest + b : rest;
    batches = batches_of_data(p, n, b, result.short_last);
    result.steps_per_epoch = batches.most;
    if (p.sampling_probability && !agree(*p.sampling_probability, b / n)) {
      return contradiction(&Phase::sampling_probability, p,
                           "be " + name_of_batch(p) + " / datasetSize = " + spell(b / n) +
                               " when all of them are given",
                           " (drop one of them)");
    }
  } else if (p.sampling_probability) {
    result.sampling_probability = *p.sampling_probability;
    batches = batches_of(1 / result.sampling_probability);
    result.steps_per_epoch = batches.fewest;
    result.steps_per_epoch_rounded = batches.fewest < batches.most;
  } else {
    batches = {*p.steps_per_epoch, *p.steps_per_epoch};
    result.steps_per_epoch = *p.steps_per_epoch;
    result.sampling_probability = 1 / *p.steps_per_epoch;
  }
  return std::nullopt;
}

/// Takes a number of steps per epoch that is given beside the rate.
std::optional<Issue> read_epoch(const Phase& p, Schedule& result, Batches& batches) {
  const bool counts = is_counted(p);
  if (!p.steps_per_epoch || !(counts || p.sampling_probability)) return std::nullopt;
  const double given = *p.steps_per_epoch;
  const double exact = 1 / result.sampling_probability;
  if ((given < batches.fewest || given > batches.most) && !agree(given, exact)) {
    return contradiction(
        "steps_per_epoch",
        "be " + spell(batches.fewest) +
            (batches.fewest < batches.most ? " or " + spell(batches.most) : std::string()) +
            (counts ? " for this datasetSize and " + name_of_batch(p) +
                          (p.drop_last
                               ? *p.drop_last ? ", the last batch dropped" : ", the last batch kept"
                               : "")
                    : " for samplingProbability " + spell(*p.sampling_probability)),
        spell(given) + " (drop one of them)");
  }
  batches = {given, given};
  result.steps_per_epoch = given;
  result.steps_per_epoch_rounded = false;
  return std::nullopt;
}

/// Settles the steps of an epoch where some epochs have one batch more than others.
void settle_epoch(const Phase& p, Schedule& result, const Batches& batches) {
  // Steps that fit neither kind of epoch leave open how many batches one has.
  const bool between = p.steps && p.epochs && *p.steps != result.steps_per_epoch * *p.epochs;
  if (between && batches.fewest < batches.most) {
    result.steps_per_epoch = batches.fewest;
    result.steps_per_epoch_rounded = true;
  }
  result.most_steps_per_epoch =
      result.steps_per_epoch_rounded ? batches.most : result.steps_per_epoch;
  if (is_counted(p)) {
    const double unused = *p.dataset_size - result.steps_per_epoch * *result.batch_size;
    result.left_out = std::max(0.0, unused);
  }
}

/// How many steps and epochs the run has.
std::optional<Issue> read_length(const Phase& p, Schedule& result, const Batches& batches) {
  const bool counts = is_counted(p);
  const double per_epoch = result.steps_per_epoch;
  if (counts && per_epoch > kMostSteps) {
    return Issue{"out-of-domain", "batch_size",
                 name_of_batch(p) + " must be large enough that an epoch has at most " +
                     spell(kMostSteps) + " steps; got " + spell(*result.batch_size) +
                     ", which makes " + spell(per_epoch)};
  }
  if (p.epochs) {
    const double epochs = *p.epochs;
    // Samplers that draw each step afresh know no epochs: epochs/q steps use the data as often.
    const bool by_probability = !counts && !p.steps_per_epoch;
    const double steps = by_probability && result.steps_per_epoch_rounded
                             ? std::ceil(epochs / result.sampling_probability)
                             : per_epoch * epochs;
    if (!p.steps && steps > kMostSteps) {
      return refused("out-of-domain", "epochs",
                     "be small enough that the run has at most " + spell(kMostSteps) + " steps",
                     spell(epochs) + ", which makes " + spell(steps));
    }
    if (p.steps && (*p.steps < batches.fewest * epochs || *p.steps > batches.most * epochs)) {
      const double least = batches.fewest * epochs, most = batches.most * epochs;
      return contradiction(&Phase::steps, p,
                           "be epochs times stepsPerEpoch = " + spell(least) +
                               (least < most ? " to " + spell(most) : std::string()) +
                               " when all are given",
                           " (drop steps or epochs)");
    }
    result.steps = p.steps ? *p.steps : steps;
    result.epochs = static_cast<std::int64_t>(epochs);
  } else if (p.steps) {
    result.steps = *p.steps;
    const double epochs = std::ceil(*p.steps / per_epoch);
    result.epochs = static_cast<std::int64_t>(epochs);
    result.epochs_rounded = epochs * per_epoch != *p.steps;
  } else {
    result.steps = per_epoch;
  }
  return std::nullopt;
}

/// Epochs of a run that may stop in the middle of one.
void count_epochs(const Phase& p, Schedule& result) {
  result.finished_epochs = result.begun_epochs = result.epochs;
  if (p.steps) {
    const double epochs = *p.steps / result.most_steps_per_epoch;
    const auto at_most = [&](double whole) {
      return std::min(result.epochs, static_cast<std::int64_t>(whole));
    };
    result.finished_epochs = at_most(std::floor(epochs));
    result.begun_epochs = at_most(std::ceil(epochs));
  }
}

}  // namespace

Number step_batch_of(const Phase& phase) {
  if (!phase.batch_size) return std::nullopt;
  return *phase.batch_size * phase.accumulation_steps.value_or(1) * phase.devices.value_or(1);
}

std::variant<Schedule, Issue> read_schedule(const Phase& p) {
  if (auto issue = find_gap(p)) return *issue;
  Schedule result;
  Batches batches;
  if (auto issue = read_rate(p, result, batches)) return *issue;
  if (auto issue = read_epoch(p, result, batches)) return *issue;
  settle_epoch(p, result, batches);
  if (auto issue = read_length(p, result, batches)) return *issue;
  count_epochs(p, result);
  return result;
}

std::optional<Issue> check_epochs(const Schedule& schedule) {
  if (schedule.steps_per_epoch <= kMostSteps) return std::nullopt;
  return refused(
      "out-of-domain", "sampling_probability",
      "be at least " + spell(1 / kMostSteps) + " for a sampler that passes over the data",
      spell(schedule.sampling_probability));
}

}  // namespace honest_epsilon::wire
