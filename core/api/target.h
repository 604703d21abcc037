#pragma once

#include <optional>
#include <string_view>

#include "core/api/programme.h"
#include "core/api/schema.h"
#include "core/calibrate/solve.h"

/// What a run may be asked to meet instead of epsilon at delta: what the best attack on it
/// achieves, whichever of the two trade-off functions is worse. Advantage and accuracy are a delta
/// at one epsilon; the others are read off the proved curve that answers the question "tradeoff",
/// at the same points, so that this question confirms them.
namespace honest_epsilon::api {

enum class Measure { advantage, true_positive_rate, accuracy, gdp, inference };

struct Target {
  Measure measure = Measure::advantage;
  double limit = 0;  ///< at most this
  double at = 0;     ///< a false positive rate, a prior, or the baseline of inference
};

/// What is wrong with a query's target, each field being in its domain.
std::optional<Issue> check_target(const Query& query);

/// The target of a valid query; nothing where it is epsilon at delta.
std::optional<Target> target_of(const Query& query);

/// How far a programme is from its target: the logarithm of what it gives an attack over guessing,
/// over what it may give. At most 0 only if the target is proved to be met.
double target_excess(const Target& target, const Query& query, const Programme& programme,
                     calibrate::Care care);

/// What a programme comes to, as an answer says it.
TargetMet target_met(const Target& target, const Query& query, const Programme& programme);

/// "the advantage", "the true positive rate at false positive rate 0.01"
std::string name_of(const Target& target);

}  // namespace honest_epsilon::api
