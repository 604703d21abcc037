#include "core/accounts/audit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/accounts/account.h"
#include "core/accounts/answer.h"
#include "core/accounts/remarks.h"
#include "core/accounts/sampled.h"
#include "core/base/spelling.h"
#include "core/tradeoff/audit.h"
#include "core/wire/audit_counts.h"
#include "core/wire/check.h"

namespace honest_epsilon::accounts {
namespace {

constexpr double kUsualConfidence = 0.95;

/// The run's privacy curve as claims, each of which holds in both directions.
std::vector<tradeoff::Support> claims_of(const std::vector<tradeoff::Knot>& knots) {
  std::vector<tradeoff::Support> claims;
  for (const tradeoff::Knot& knot : tradeoff::symmetrised(knots))
    claims.push_back({knot.epsilon, knot.remove.upper});
  return claims;
}

/// What an audit saw, in one run or over many.
using Seen = std::variant<audit::Record, audit::AttackCounts>;

Seen seen_by(const wire::Query& query) {
  if (!counts_attacks(query)) return audit::Record{*query.canaries, *query.guesses, *query.correct};
  audit::AttackCounts counts{*query.members, *query.non_members, {}};
  for (std::size_t i = 0; i < query.true_positives.size(); ++i)
    counts.thresholds.push_back({query.true_positives[i], query.false_positives[i]});
  return counts;
}

void judge(const wire::Query& query, const Programme& programme, const Seen& seen, double error,
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
  wire::Query plain = query;
  plain.question = "epsilon";
  const wire::Answer run = answer_for(programme, plain, question_of(plain));
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

std::variant<AuditAnswer, Issue> audited(const wire::Query& query) {
  const auto read = read_asking(query, "audit");
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
    answer.assume({wire::assumes::own_runs(spell(*query.members), spell(*query.non_members))});
    answer.citations = {"JUO20", "CP34"};
  } else {
    answer.found_by(Method::audit);
    answer.assume({wire::assumes::fair_coins(spell(*query.canaries)),
                   wire::assumes::guesses(spell(*query.guesses))});
    answer.citations = {"SNJ23", "MMC25"};
  }
  if (!query.phases.empty()) judge(query, std::get<Programme>(read), seen, error, answer);
  return answer;
}

}  // namespace honest_epsilon::accounts
