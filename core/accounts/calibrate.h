#pragma once

#include "core/accounts/answer.h"

namespace honest_epsilon::accounts {

/// Answers a valid calibration: the answer at the found value, with the value as its solution. The
/// value meets the target with the proved upper end, on the safe side. Phases that leave the
/// sought field out get it; if none does, all do.
Outcome calibrated(const wire::Query& query);

}  // namespace honest_epsilon::accounts
