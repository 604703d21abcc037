#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "core/wire/schema.h"

namespace honest_epsilon::wire {

/// The schedule: sampling rate and number of steps, whichever way it was given:
///   datasetSize n and batchSize [and epochs, or steps]:    q = b/n,  T = ceil(n/b), or floor(n/b)
///     where the last, short batch is dropped;  b = batchSize accumulationSteps devices
///   stepsPerEpoch T [and epochs, or steps]:                q = 1/T
///   samplingProbability q and steps, or epochs:            T = floor(1/q), the safe side: an epoch
///                                                          of fewer batches hides a record less
/// What is given twice must agree, up to one batch per epoch (a short last batch kept or dropped).
struct Schedule {
  double sampling_probability = 1;
  double steps_per_epoch = 1;  ///< whole
  double steps = 1;            ///< whole; as taken by samplers that draw each step afresh
  std::int64_t epochs = 1;     ///< as taken by samplers that pass over the data; rounded up
  bool steps_per_epoch_rounded = false;  ///< 1/q was not whole
  bool epochs_rounded = false;           ///< the steps do not make whole epochs
  /// The schedule that a lower end holds for, where the run's own is only bracketed: the most steps
  /// that an epoch can have, and the epochs of that many that are certainly finished, or begun.
  double most_steps_per_epoch = 1;
  std::int64_t finished_epochs = 1;
  std::int64_t begun_epochs = 1;
  Number batch_size;      ///< of a step, where it was given
  double short_last = 0;  ///< records that fill no whole batch, where both sizes were given
  double left_out = 0;    ///< and how many of these an epoch does not use
};

/// The records that a step sums: batchSize accumulationSteps devices, where batchSize is given.
Number step_batch_of(const Phase& phase);

/// The schedule of a phase whose fields are each valid by themselves, or what is missing or
/// contradictory in it.
std::variant<Schedule, Issue> read_schedule(const Phase& phase);

/// Whether a sampler that counts epochs can take this schedule: its steps are bounded too.
std::optional<Issue> check_epochs(const Schedule& schedule);

}  // namespace honest_epsilon::wire
