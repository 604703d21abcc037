#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/wire/schema.h"

/// What a run may be asked to meet instead of epsilon at delta: what the best attack on it
/// achieves, whichever of the two trade-off functions is worse.
namespace honest_epsilon::wire {

enum class Measure { advantage, true_positive_rate, accuracy, gdp, inference };

struct MeasureInfo {
  Measure measure;
  std::string_view name;  ///< as on the wire
  const char* spoken;
  const char* at;  ///< what `target_at` means; null where nothing is to be said
};
const MeasureInfo& info_of(Measure measure);

struct Target {
  Measure measure = Measure::advantage;
  double limit = 0;  ///< at most this
  double at = 0;     ///< a false positive rate, a prior, or the baseline of inference

  /// What guessing achieves without the run's output: nothing has less.
  double floor() const;
};

/// What is wrong with a query's target, each field being in its domain.
std::optional<Issue> check_target(const Query& query);

/// The target of a valid query; nothing where it is epsilon at delta.
std::optional<Target> target_of(const Query& query);

/// "the advantage", "the true positive rate at false positive rate 0.01"
std::string name_of(const Target& target);

}  // namespace honest_epsilon::wire
