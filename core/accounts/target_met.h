#pragma once

#include "core/accounts/programme.h"
#include "core/calibrate/solve.h"
#include "core/wire/schema.h"
#include "core/wire/target.h"

/// How well a programme meets a target. Advantage and accuracy are a delta at one epsilon; the
/// other measures are read off the proved curve that answers the question "tradeoff", at the same
/// points, so that this question confirms them.
namespace honest_epsilon::accounts {

/// What a measurement of a search is worth.
Effort effort_of(calibrate::Care care, double width);

/// How far a programme is from its target: the logarithm of what it gives an attack over guessing,
/// over what it may give. At most 0 only if the target is proved to be met.
double target_excess(const wire::Target& target, const wire::Query& query,
                     const Programme& programme, calibrate::Care care);

/// What a programme comes to, as an answer says it.
wire::TargetMet target_met(const wire::Target& target, const wire::Query& query,
                           const Programme& programme);

}  // namespace honest_epsilon::accounts
