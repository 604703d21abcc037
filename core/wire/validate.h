#pragma once

#include <optional>

#include "core/wire/schema.h"

namespace honest_epsilon::wire {

/// The first field of a query, or of its one phase, that is missing where it is required or lies
/// outside the domain its `fields()` list states. Each field by itself: how the fields of
/// a schedule fit together is for schedule.h.
std::optional<Issue> find_issue(const Query& query);

}  // namespace honest_epsilon::wire
