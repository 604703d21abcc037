#pragma once

#include <variant>
#include <vector>

#include "core/api/schema.h"

namespace honest_epsilon::api {

/// One answer for `epsilon` and `delta`, one a sampler (in catalog order) for `compare`.
using Outcome = std::variant<std::vector<Answer>, Issue>;

/// Validates a query once and answers it. Never throws on a bad question: it returns the first
/// Issue, naming the field, what was got and what would do.
Outcome answer(const Query& query);

}  // namespace honest_epsilon::api
