#include "core/accounts/audit.h"

#include <doctest/doctest.h>

#include <string>

#include "core/accounts/answer.h"
#include "core/tradeoff/audit.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

wire::Query audit_query(double canaries, double guesses, double correct) {
  wire::Query query;
  query.question = "audit";
  query.delta = 1e-5;
  query.canaries = canaries;
  query.guesses = guesses;
  query.correct = correct;
  return query;
}

AuditAnswer audit_of(const wire::Query& query) {
  const auto outcome = audited(query);
  REQUIRE_MESSAGE(std::holds_alternative<AuditAnswer>(outcome), std::get<Issue>(outcome).text);
  return std::get<AuditAnswer>(outcome);
}

void expect_audit_issue(const wire::Query& query, const std::string& field,
                        const std::string& part) {
  const auto outcome = audited(query);
  REQUIRE(std::holds_alternative<Issue>(outcome));
  const Issue& issue = std::get<Issue>(outcome);
  CAPTURE(issue.text);
  CHECK(issue.field == field);
  CHECK(issue.text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("audit: without a run, the epsilon that is refuted") {
  const AuditAnswer answer = audit_of(audit_query(1000, 100, 95));
  CHECK(answer.epsilon.lower == audit::epsilon_lower({1000, 100, 95}, 1e-5, 1 - 0.95));
  CHECK(answer.epsilon.lower > 1.5);
  CHECK(answer.epsilon.upper == kInfinity);
  CHECK(answer.epsilon.kind == IntervalKind::confidence);
  CHECK(answer.confidence == 0.95);
  CHECK(!answer.p_value);
  CHECK(!answer.proved);
}

TEST_CASE("audit: the run's own proved curve is contradicted, or not") {
  wire::Query query = audit_query(1000, 100, 95);
  query.phases = testing::epsilon_query("shuffle").phases;
  testing::phase(query).noise_multiplier = 3;
  testing::phase(query).steps_per_epoch = 10;
  query.confidence = 0.999;
  const AuditAnswer many = audit_of(query);
  CHECK(*many.contradicts);
  CHECK(*many.p_value <= 0.001);
  CHECK(*many.sampler == "shuffle");
  CHECK(many.epsilon.lower > many.proved->upper);
  query.correct = 55;
  const AuditAnswer few = audit_of(query);
  CHECK(!*few.contradicts);
  CHECK(few.epsilon.lower == 0);
  // More noise is claimed to hide more.
  testing::phase(query).noise_multiplier = 0.5;
  query.correct = 95;
  CHECK(*audit_of(query).p_value > *many.p_value);
}

TEST_CASE("audit: bad input is one error that names the field, the value and what would do") {
  expect_audit_issue(audit_query(100, 101, 5), "guesses", "at most the 100 canaries; got 101");
  expect_audit_issue(audit_query(100, 50, 51), "correct", "at most the 50 guesses; got 51");
  expect_audit_issue(audit_query(0, 50, 5), "canaries", "of at least 1; got 0");
  expect_audit_issue(audit_query(100, 50, 2.5), "correct", "a whole number");
  for (const double confidence : {0.0, 1.0, 1.5, -1.0}) {
    wire::Query query = audit_query(100, 50, 5);
    query.confidence = confidence;
    expect_audit_issue(query, "confidence", "below 1; got");
  }
  wire::Query query = audit_query(100, 50, 5);
  query.guesses.reset();
  expect_audit_issue(query, "guesses", "is required");
  query = audit_query(100, 50, 5);
  query.delta.reset();
  expect_audit_issue(query, "delta", "is required");
  query = audit_query(100, 50, 5);
  query.epsilon = 1;
  expect_audit_issue(query, "epsilon", "must be absent");
  query = audit_query(100, 50, 5);
  query.accountant = "rdp";
  expect_audit_issue(query, "accountant", "best or pld");
  query = audit_query(100, 50, 5);
  query.phases = testing::epsilon_query().phases;
  testing::phase(query).adjacency = "substitution";
  expect_audit_issue(query, "adjacency", "included or not");
  query = testing::epsilon_query();
  query.canaries = 7;
  const auto outcome = answer(query);
  CHECK(testing::issue_of(outcome).text ==
        "canaries must be absent unless the question is \"audit\"; got 7");
  query = audit_query(100, 50, 5);
  query.question = "audit";
  const auto other = answer(query);
  CHECK(testing::issue_of(other).field == "question");
}

TEST_CASE("audit: true and false positives over many runs, with a run and without") {
  wire::Query query;
  query.question = "audit";
  query.delta = 1e-5;
  query.members = query.non_members = 500;
  query.true_positives = {450};
  query.false_positives = {20};
  const AuditAnswer alone = audit_of(query);
  CHECK(alone.method_code == "audit-counts");
  CHECK(alone.epsilon.lower == audit::epsilon_lower({500, 500, {{{450, 20}}}}, 1e-5, 1 - 0.95));
  CHECK(alone.epsilon.lower > 2);
  query.phases = testing::epsilon_query("deterministic").phases;
  testing::phase(query).noise_multiplier = 3;
  CHECK(*audit_of(query).contradicts);
  testing::phase(query).noise_multiplier = 0.2;
  CHECK_FALSE(*audit_of(query).contradicts);
}

TEST_CASE("audit: counts that cannot be are refused, by field") {
  const auto with = [](auto change) {
    wire::Query query;
    query.question = "audit";
    query.delta = 1e-5;
    query.members = 50;
    query.non_members = 40;
    query.true_positives = {30, 20};
    query.false_positives = {10, 5};
    change(query);
    return query;
  };
  expect_audit_issue(with([](wire::Query& q) { q.true_positives = {51, 2}; }), "true_positives",
                     "at most the 50 members");
  expect_audit_issue(with([](wire::Query& q) { q.false_positives = {41, 2}; }), "false_positives",
                     "at most the 40 non-members");
  expect_audit_issue(with([](wire::Query& q) { q.false_positives = {1}; }), "false_positives",
                     "one a threshold, 2");
  expect_audit_issue(with([](wire::Query& q) { q.true_positives = {1.5, 2}; }), "true_positives",
                     "whole numbers");
  expect_audit_issue(with([](wire::Query& q) { q.members.reset(); }), "members", "required");
  expect_audit_issue(with([](wire::Query& q) { q.false_positives.clear(); }), "false_positives",
                     "required");
  expect_audit_issue(with([](wire::Query& q) { q.canaries = 100; }), "canaries", "absent");
  wire::Query other = testing::epsilon_query("poisson");
  other.true_positives = {3};
  expect_audit_issue(other, "true_positives", "audit");
}

}  // namespace honest_epsilon::accounts
