#include "core/api/schedule.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/api/spelling.h"

namespace honest_epsilon::api {
namespace {

// People type 0.004266667 for 256/60000, and 0.0002 is not exactly 1/5000 in binary.
constexpr double kTypedTolerance = 1e-6;
constexpr double kBinaryTolerance = 1e-9;

bool agree(double a, double b) {
  return std::abs(a - b) <= kTypedTolerance * std::max(a, b);
}

Issue missing(const char* field, const std::string& text) {
  return {"missing", field, text};
}

Issue contradiction(const char* field, const std::string& text) {
  return {"contradiction", field, text};
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

std::optional<Issue> find_gap(const Phase& p) {
  if (p.batch_size && p.dataset_size && *p.batch_size > *p.dataset_size) {
    return contradiction("batch_size", "batchSize must be at most datasetSize " +
                                           spell(*p.dataset_size) + "; got " +
                                           spell(*p.batch_size));
  }
  if (p.batch_size && !p.dataset_size) {
    return missing("dataset_size",
                   "datasetSize must be a whole number of at least 1; got nothing (batchSize " +
                       spell(*p.batch_size) +
                       " alone does not say the share of the data in a batch)");
  }
  const bool counts = p.dataset_size && p.batch_size;
  if (counts || p.steps_per_epoch) return std::nullopt;
  if (p.sampling_probability) {
    if (p.steps || p.epochs) return std::nullopt;
    return missing("steps",
                   "steps must be a whole number of at least 1; got nothing (samplingProbability "
                   "needs steps, or epochs, beside it)");
  }
  if (p.dataset_size) {
    return missing("batch_size",
                   "batchSize must be a whole number of at least 1; got nothing (datasetSize needs "
                   "batchSize, or stepsPerEpoch, beside it)");
  }
  if (p.steps) {
    return missing("sampling_probability",
                   "samplingProbability must be a finite number above 0 and at most 1; got nothing "
                   "(steps needs samplingProbability, or stepsPerEpoch, beside it)");
  }
  return missing("dataset_size",
                 "datasetSize must be a whole number of at least 1; got nothing (give datasetSize "
                 "and batchSize, or stepsPerEpoch, or samplingProbability and steps)");
}

}  // namespace

std::variant<Schedule, Issue> read_schedule(const Phase& p) {
  if (auto issue = find_gap(p)) return *issue;
  const bool counts = p.dataset_size && p.batch_size;
  Schedule result;
  Batches batches;

  if (counts) {
    const double n = *p.dataset_size, b = *p.batch_size;
    result.sampling_probability = b / n;
    result.batch_divides = std::fmod(n, b) == 0;
    // floor(n/b) of whole numbers below 2^53 by remainder: the quotient itself may round up.
    const double whole = (n - std::fmod(n, b)) / b;
    batches = {whole, result.batch_divides ? whole : whole + 1};
    result.steps_per_epoch = batches.most;
    if (p.sampling_probability && !agree(*p.sampling_probability, b / n)) {
      return contradiction("sampling_probability",
                           "samplingProbability must be batchSize / datasetSize = " + spell(b / n) +
                               " when all three are given; got " + spell(*p.sampling_probability) +
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

  if (p.steps_per_epoch && (counts || p.sampling_probability)) {
    const double given = *p.steps_per_epoch;
    const double exact = 1 / result.sampling_probability;
    if ((given < batches.fewest || given > batches.most) && !agree(given, exact)) {
      return contradiction(
          "steps_per_epoch",
          "stepsPerEpoch must be " + spell(batches.fewest) +
              (batches.fewest < batches.most ? " or " + spell(batches.most) : std::string()) +
              (counts ? " for this datasetSize and batchSize"
                      : " for samplingProbability " + spell(*p.sampling_probability)) +
              "; got " + spell(given) + " (drop one of them)");
    }
    batches = {given, given};
    result.steps_per_epoch = given;
    result.steps_per_epoch_rounded = false;
  }

  const double per_epoch = result.steps_per_epoch;
  if (counts && per_epoch > kMostSteps) {
    return Issue{"out-of-domain", "batch_size",
                 "batchSize must be large enough that datasetSize / batchSize is at most " +
                     spell(kMostSteps) + " steps an epoch; got " + spell(*p.batch_size) +
                     ", which makes " + spell(per_epoch)};
  }
  if (p.epochs) {
    const double epochs = *p.epochs;
    // Samplers that draw each step afresh know no epochs: epochs/q steps use the data as often.
    const bool by_probability = !counts && !p.steps_per_epoch;
    const double steps = by_probability && result.steps_per_epoch_rounded
                             ? std::ceil(epochs / result.sampling_probability)
                             : per_epoch * epochs;
    if (!p.steps && std::max(steps, per_epoch * epochs) > kMostSteps) {
      return Issue{"out-of-domain", "epochs",
                   "epochs must be small enough that the run has at most " + spell(kMostSteps) +
                       " steps; got " + spell(epochs) + ", which makes " + spell(steps)};
    }
    if (p.steps && (*p.steps < batches.fewest * epochs || *p.steps > batches.most * epochs)) {
      return contradiction(
          "steps", "steps must be epochs times stepsPerEpoch = " + spell(per_epoch * epochs) +
                       " when all are given; got " + spell(*p.steps) + " (drop steps or epochs)");
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
  return result;
}

std::optional<Issue> check_epochs(const Schedule& schedule) {
  if (schedule.steps_per_epoch <= kMostSteps) return std::nullopt;
  return Issue{"out-of-domain", "sampling_probability",
               "samplingProbability must be at least " + spell(1 / kMostSteps) +
                   " for a sampler that passes over the data; got " +
                   spell(schedule.sampling_probability)};
}

}  // namespace honest_epsilon::api
