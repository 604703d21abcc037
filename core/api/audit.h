#pragma once

#include <optional>
#include <variant>

#include "core/api/schema.h"

/// What an audit with one run proves: of any claim, and of the run as it is described.
namespace honest_epsilon::api {

struct AuditAnswer : Explanation {
  Interval epsilon;  ///< at `delta`, lower end only: false with probability 1 - confidence at most
  double delta = 0;
  double confidence = 0;
  // Of the run, where there is one:
  Choice sampler;
  Choice adjacency;
  std::optional<Interval> proved;     ///< its epsilon at `delta`
  std::optional<Interval> published;  ///< the same by published theorems alone, as in Answer
  Number p_value;                     ///< Pr[as many right guesses], at most, by its proved curve
  Flag contradicts;                   ///< p_value is at most 1 - confidence
};
constexpr auto fields(const AuditAnswer*) {
  using A = AuditAnswer;
  return explained_fields<&A::epsilon, &A::delta, &A::confidence, &A::sampler, &A::adjacency,
                          &A::proved, &A::published, &A::p_value, &A::contradicts>();
}

/// What is wrong with a query's audit, each field being in its domain; or that it has one where
/// another question is asked.
std::optional<Issue> check_audit(const Query& query);

/// What is wrong with the rest of a query that asks for an audit.
std::optional<Issue> check_audited_run(const Query& query);

/// Answers a query whose question is audit; its phases may be left out.
std::variant<AuditAnswer, Issue> audited(const Query& query);

}  // namespace honest_epsilon::api
