#pragma once

#include <optional>

#include "core/wire/schema.h"

/// What an audit counted, in one run or over many.
namespace honest_epsilon::wire {

/// Whether many runs were attacked, with and without the record.
bool counts_attacks(const Query& query);

/// What is wrong with a query's audit, each field being in its domain; or that it has one where
/// another question is asked.
std::optional<Issue> check_audit(const Query& query);

/// What is wrong with the rest of a query that asks for an audit.
std::optional<Issue> check_audited_run(const Query& query);

}  // namespace honest_epsilon::wire
