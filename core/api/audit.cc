#include "core/api/audit.h"

#include <algorithm>

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

void judge(const Query& query, const Programme& programme, const audit::Record& record,
           double error, AuditAnswer& answer) {
  tradeoff::Sampling sampling;
  sampling.width = 1e-2;
  // A smaller delta does not move the bound.
  sampling.smallest = 1e-4 * error / record.canaries;
  sampling.resolution = 1e-6;
  const Sampled sampled = sampled_curve(programme, sampling);
  answer.p_value = audit::least_p_value(record, claims_of(sampled.knots));
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

}  // namespace

std::optional<Issue> check_audit(const Query& query) {
  if (*query.question != "audit")
    return require_absent({&Query::canaries, &Query::guesses, &Query::correct, &Query::confidence},
                          query, "the question is \"audit\"");
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

  const audit::Record record{*query.canaries, *query.guesses, *query.correct};
  AuditAnswer answer;
  answer.delta = *query.delta;
  answer.confidence = query.confidence.value_or(kUsualConfidence);
  const double error = 1 - answer.confidence;
  answer.epsilon = {audit::epsilon_lower(record, answer.delta, error), kInfinity,
                    IntervalKind::confidence};
  answer.found_by(Method::audit);
  answer.assume({assumption(Assumes::fair_coins, spell(record.canaries)),
                 assumption(Assumes::guesses, spell(record.guesses))});
  answer.citations = {"SNJ23", "MMC25"};
  if (!query.phases.empty()) judge(query, std::get<Programme>(read), record, error, answer);
  return answer;
}

}  // namespace honest_epsilon::api
