#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/accounts/remarks.h"
#include "core/wire/schema.h"

namespace honest_epsilon::accounts {

/// Relative width of an interval where none is asked: of a single number, and of a curve's points.
inline constexpr double kDefaultWidth = 1e-4;
inline constexpr double kDefaultCurveWidth = 1e-3;

/// One answer for `epsilon`, `delta` and `calibrate`; for `compare` one for each sampler, in
/// catalog order.
using Outcome = std::variant<std::vector<wire::Answer>, Issue>;

/// Validates a query once and answers it. Never throws on a bad question: it returns the first
/// Issue, naming the field, what was got and what would do.
Outcome answer(const wire::Query& query);

/// The same with transforms of at most 2^log2_grid_limit points, for epsilon, delta and compare:
/// wider intervals, sooner.
Outcome answer_within(const wire::Query& query, int log2_grid_limit);

/// The answer to a question that was validated, about a programme that was read.
wire::Answer answer_for(const Programme& programme, const wire::Query& query,
                        const Question& question);

/// The larger direction as it leaves the core (guard.h).
///   most: the largest value there is.   widened: set where an end had to be given up.
Interval guarded_larger(const Directions& directions, double most, bool& widened);

/// The name of the one sampler that draws all batches, or "composition".
std::string sampler_of(const Programme& programme);

/// What the programme's schedule comes to.
wire::Derived derive(const Programme& programme);

/// What a valid query asks, and with which width.
Question question_of(const wire::Query& query);

}  // namespace honest_epsilon::accounts
