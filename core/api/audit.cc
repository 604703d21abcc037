#include "core/api/audit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/api/account.h"
#include "core/api/answer.h"
#include "core/api/check.h"
#include "core/api/remarks.h"
#include "core/api/sampled.h"
#include "core/api/validate.h"
#include "core/base/spelling.h"
#include "core/tradeoff/audit.h"

namespace honest_epsilon::api {
namespace {

constexpr double kUsualConfidence = 0.95;

std::optional<Issue> check_at_most(const char* name, double value, const char* of, double most) {
  if (value <= most) return std::nullopt;
  return refused("out-of-domain", name, "be at most the " + spell(most) + " " + of, spell(value));
}

/// The run's privacy curve as claims, each of which holds in both directions.
std::vector<tradeoff::Support> claims_of(const std::vector<tradeoff::Knot>& knots) {
  std::vector<tradeoff::Support> claims;
  for (const tradeoff::Knot& knot : tradeoff::symmetrised(knots))
    claims.push_back({knot.epsilon, knot.remove.upper});
  return claims;
}

/// What an audit saw, in one run or over many.
using Seen = std::variant<audit::Record, audit::AttackCounts>;

bool counts_attacks(const Query& query) {
  return query.members || query.non_members || !query.true_positives.empty() ||
         !query.false_positives.empty();
}

Seen seen_by(const Query& query) {
  if (!counts_attacks(query)) return audit::Record{*query.canaries, *query.guesses, *query.correct};
  audit::AttackCounts counts{*query.members, *query.non_members, {}};
  for (std::size_t i = 0; i < query.true_positives.size(); ++i)
    counts.thresholds.push_back({query.true_positives[i], query.false_positives[i]});
  return counts;
}

void judge(const Query& query, const Programme& programme, const Seen& seen, double error,
           AuditAnswer& answer) {
  tradeoff::Sampling sampling;
  sampling.width = 1e-2;
  // A smaller delta does not move the bound.
  sampling.smallest = 1e-4 * error / query.canaries.value_or(query.members.value_or(1));
  sampling.resolution = 1e-6;
  const Sampled sampled = sampled_curve(programme, sampling);
  answer.p_value = std::visit([claims = claims_of(sampled.knots)](
                                  const auto& one) { return audit::least_p_value(one, claims); },
                              seen);
  answer.contradicts = *answer.p_value <= error;
  Query plain = query;
  plain.question = "epsilon";
  const Answer run = answer_for(programme, plain, question_of(plain));
  answer.sampler = run.sampler;
  answer.adjacency = run.adjacency;
  answer.proved = run.epsilon;
  answer.published = run.published;
  answer.warnings = run.warnings;
  answer.assume(assumptions_of(programme, run.published.has_value()));
  answer.citations.insert(answer.citations.end(), run.citations.begin(), run.citations.end());
  answer.work.grid_points =
      std::max(run.work.grid_points, static_cast<double>(sampled.grid_points));
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
        "epsilon", "be absent when the question is audit, since a lower end of it is what is asked",
        spell(*query.epsilon));
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

std::variant<AuditAnswer, Issue> audited(const Query& query) {
  if (auto issue = find_issue(query)) return *issue;
  if (auto issue = require_question(*query.question, "audit")) return *issue;
  const auto read = read_programme(query);
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;

  const Seen seen = seen_by(query);
  AuditAnswer answer;
  answer.delta = *query.delta;
  answer.confidence = query.confidence.value_or(kUsualConfidence);
  const double error = 1 - answer.confidence;
  const auto refuted = [&](const auto& one) {
    return audit::epsilon_lower(one, answer.delta, error);
  };
  answer.epsilon = {std::visit(refuted, seen), kInfinity, IntervalKind::confidence};
  if (counts_attacks(query)) {
    answer.found_by(Method::audit_counts);
    answer.assume(
        {assumption(Assumes::own_runs, spell(*query.members), spell(*query.non_members))});
    answer.citations = {"JUO20", "CP34"};
  } else {
    answer.found_by(Method::audit);
    answer.assume({assumption(Assumes::fair_coins, spell(*query.canaries)),
                   assumption(Assumes::guesses, spell(*query.guesses))});
    answer.citations = {"SNJ23", "MMC25"};
  }
  if (!query.phases.empty()) judge(query, std::get<Programme>(read), seen, error, answer);
  return answer;
}

}  // namespace honest_epsilon::api
