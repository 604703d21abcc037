#pragma once

#include <variant>
#include <vector>

#include "core/api/remarks.h"
#include "core/api/schema.h"

namespace honest_epsilon::api {

/// One answer for `epsilon`, `delta` and `calibrate`, one a sampler (in catalog order) for
/// `compare`.
using Outcome = std::variant<std::vector<Answer>, Issue>;

/// Validates a query once and answers it. Never throws on a bad question: it returns the first
/// Issue, naming the field, what was got and what would do.
Outcome answer(const Query& query);

/// The answer to a question that was validated, about a programme that was read.
Answer answer_for(const Programme& programme, const Query& query, const Question& question);

/// What a valid query asks, and with which width.
Question question_of(const Query& query);

}  // namespace honest_epsilon::api
