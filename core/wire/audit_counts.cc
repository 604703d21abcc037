#include "core/wire/audit_counts.h"

#include <cmath>
#include <string>

#include "core/base/spelling.h"
#include "core/wire/check.h"

namespace honest_epsilon::wire {
namespace {

std::optional<Issue> check_at_most(const char* name, double value, const char* of, double most) {
  if (value <= most) return std::nullopt;
  return refused("out-of-domain", name, "be at most the " + spell(most) + " " + of, spell(value));
}

/// What is wrong with the counts of an audit over many runs.
std::optional<Issue> check_counts(const Query& query) {
  if (auto issue = require_absent({&Query::canaries, &Query::guesses, &Query::correct}, query,
                                  "the audit is of one run",
                                  " beside true and false positives, which are of many"))
    return issue;
  for (const auto member : {&Query::members, &Query::non_members}) {
    if (auto issue = require(member, query)) return issue;
  }
  const auto check = [](const char* name, const Numbers& counts, const char* total_name,
                        double total) -> std::optional<Issue> {
    if (counts.empty()) return missing(name, "a whole number, or a list with one a threshold");
    for (const double count : counts) {
      if (count != std::floor(count))
        return Issue{"not-whole", name,
                     camel_case(name) + " must be whole numbers; got " + spell(count)};
      if (auto issue = check_at_most(name, count, total_name, total)) return issue;
    }
    return std::nullopt;
  };
  if (auto issue = check("true_positives", query.true_positives, "members", *query.members))
    return issue;
  if (auto issue =
          check("false_positives", query.false_positives, "non-members", *query.non_members))
    return issue;
  if (query.true_positives.size() == query.false_positives.size()) return std::nullopt;
  return contradiction("false_positives",
                       "be as many as truePositives, one a threshold, " +
                           std::to_string(query.true_positives.size()),
                       std::to_string(query.false_positives.size()));
}

}  // namespace

bool counts_attacks(const Query& query) {
  return query.members || query.non_members || !query.true_positives.empty() ||
         !query.false_positives.empty();
}

std::optional<Issue> check_audit(const Query& query) {
  if (*query.question != "audit") {
    const std::string only = "the question is \"audit\"";
    if (auto issue = require_absent({&Query::canaries, &Query::guesses, &Query::correct,
                                     &Query::confidence, &Query::members, &Query::non_members},
                                    query, only))
      return issue;
    if (!counts_attacks(query)) return std::nullopt;
    const bool hits = !query.true_positives.empty();
    return contradiction(hits ? "true_positives" : "false_positives", "be absent unless " + only,
                         spell((hits ? query.true_positives : query.false_positives).front()));
  }
  if (counts_attacks(query)) return check_counts(query);
  for (const auto member : {&Query::canaries, &Query::guesses, &Query::correct}) {
    if (auto issue = require(member, query)) return issue;
  }
  if (auto issue = check_at_most("guesses", *query.guesses, "canaries", *query.canaries))
    return issue;
  return check_at_most("correct", *query.correct, "guesses", *query.guesses);
}

std::optional<Issue> check_audited_run(const Query& query) {
  if (query.epsilon)
    return contradiction(
        &Query::epsilon, query,
        "be absent when the question is audit, since a lower end of it is what is asked");
  if (auto issue = require_proof(query, " when the question is audit")) return issue;
  for (const Entry& entry : query.phases) {
    const Phase* phase = std::get_if<Phase>(&entry);
    if (phase && phase->adjacency.value_or("zero-out") == "substitution")
      return contradiction("adjacency",
                           "be zero-out or add-remove when the question is audit, since canaries "
                           "are included or not",
                           "\"substitution\"");
  }
  return require(&Query::delta, query);
}

}  // namespace honest_epsilon::wire
