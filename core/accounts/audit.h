#pragma once

#include <optional>
#include <variant>

#include "core/wire/schema.h"

/// What an audit with one run proves: of any claim, and of the run as it is described.
namespace honest_epsilon::accounts {

struct AuditAnswer : wire::Explanation {
  Interval epsilon;  ///< at `delta`, lower end only: false with probability 1 - confidence at most
  double delta = 0;
  double confidence = 0;
  // Of the run, where there is one:
  wire::Choice sampler;
  wire::Choice adjacency;
  std::optional<Interval> proved;     ///< its epsilon at `delta`
  std::optional<Interval> published;  ///< the same by published theorems alone, as in Answer
  wire::Number p_value;               ///< Pr[as many right guesses], at most, by its proved curve
  wire::Flag contradicts;             ///< p_value is at most 1 - confidence
};
constexpr auto fields(const AuditAnswer*) {
  using A = AuditAnswer;
  return wire::explained_fields<&A::epsilon, &A::delta, &A::confidence, &A::sampler, &A::adjacency,
                                &A::proved, &A::published, &A::p_value, &A::contradicts>();
}

/// Answers a query whose question is audit; its phases may be left out.
std::variant<AuditAnswer, Issue> audited(const wire::Query& query);

}  // namespace honest_epsilon::accounts
