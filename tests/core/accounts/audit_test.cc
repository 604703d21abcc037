#include "core/accounts/audit.h"

#include <doctest/doctest.h>

#include <string>

#include "core/accounts/answer.h"
#include "core/tradeoff/audit.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::with;

/// Without a run, but for these words.
wire::Query audit_query(const std::string& words) {
  wire::Query query;
  query.question = "audit";
  query.delta = 1e-5;
  return with(query, words);
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
  const AuditAnswer answer = audit_of(audit_query("canaries=1000 guesses=100 correct=95"));
  CHECK(answer.epsilon.lower == audit::epsilon_lower({1000, 100, 95}, 1e-5, 1 - 0.95));
  CHECK(answer.epsilon.lower > 1.5);
  CHECK(answer.epsilon.upper == kInfinity);
  CHECK(answer.epsilon.kind == IntervalKind::confidence);
  CHECK(answer.confidence == 0.95);
  CHECK(!answer.p_value);
  CHECK(!answer.proved);
}

TEST_CASE("audit: the run's own proved curve is contradicted, or not") {
  const auto audited_run = [](int correct, double sigma) {
    return audit_of(testing::query_of(
        "sampler=shuffle steps_per_epoch=10 question=audit delta=1e-5 canaries=1000 guesses=100 ",
        "confidence=.999 correct=", correct, " noise_multiplier=", sigma));
  };
  const AuditAnswer many = audited_run(95, 3);
  CHECK(*many.contradicts);
  CHECK(*many.p_value <= 0.001);
  CHECK(*many.sampler == "shuffle");
  CHECK(many.epsilon.lower > many.proved->upper);
  const AuditAnswer few = audited_run(55, 3);
  CHECK(!*few.contradicts);
  CHECK(few.epsilon.lower == 0);
  // More noise is claimed to hide more.
  CHECK(*audited_run(95, 0.5).p_value > *many.p_value);
}

TEST_CASE("audit: bad input is one error that names the field, the value and what would do") {
  const auto expect = [](const std::string& words, const char* field, const char* part) {
    expect_audit_issue(audit_query("canaries=100 guesses=50 correct=5 " + words), field, part);
  };
  expect("guesses=101", "guesses", "at most the 100 canaries; got 101");
  expect("correct=51", "correct", "at most the 50 guesses; got 51");
  expect("canaries=0", "canaries", "of at least 1; got 0");
  expect("correct=2.5", "correct", "a whole number");
  for (const char* confidence : {"0", "1", "1.5", "-1"})
    expect(std::string("confidence=") + confidence, "confidence", "below 1; got");
  expect("guesses=", "guesses", "is required");
  expect("delta=", "delta", "is required");
  expect("epsilon=1", "epsilon", "must be absent");
  expect("accountant=rdp", "accountant", "best or pld");
  const wire::Query run =
      testing::query_of("sampler=poisson question=audit canaries=100 guesses=50 correct=5");
  expect_audit_issue(with(run, "adjacency=substitution"), "adjacency", "included or not");
  const auto outcome = answer(testing::query_of("sampler=poisson canaries=7"));
  CHECK(testing::issue_of(outcome).text ==
        "canaries must be absent unless the question is \"audit\"; got 7");
  const auto other = answer(audit_query("canaries=100 guesses=50 correct=5"));
  CHECK(testing::issue_of(other).field == "question");
}

TEST_CASE("audit: true and false positives over many runs, with a run and without") {
  const std::string counts = "members=500 non_members=500 true_positives=450 false_positives=20 ";
  const AuditAnswer alone = audit_of(audit_query(counts));
  CHECK(alone.method_code == "audit-counts");
  CHECK(alone.epsilon.lower ==
        audit::epsilon_lower(audit::AttackCounts{500, 500, {{450, 20}}}, 1e-5, 1 - 0.95));
  CHECK(alone.epsilon.lower > 2);
  const auto contradicts = [&](const char* noise) {
    return *audit_of(testing::query_of("sampler=deterministic question=audit delta=1e-5 ", counts,
                                       "noise_multiplier=", noise))
                .contradicts;
  };
  CHECK(contradicts("3"));
  CHECK_FALSE(contradicts("0.2"));
}

TEST_CASE("audit: counts that cannot be are refused, by field") {
  const auto expect = [](const std::string& words, const char* field, const char* part) {
    expect_audit_issue(audit_query("members=50 non_members=40 true_positives=30,20 "
                                   "false_positives=10,5 " +
                                   words),
                       field, part);
  };
  expect("true_positives=51,2", "true_positives", "at most the 50 members");
  expect("false_positives=41,2", "false_positives", "at most the 40 non-members");
  expect("false_positives=1", "false_positives", "one a threshold, 2");
  expect("true_positives=1.5,2", "true_positives", "whole numbers");
  expect("members=", "members", "required");
  expect("false_positives=", "false_positives", "required");
  expect("canaries=100", "canaries", "absent");
  expect_audit_issue(testing::query_of("sampler=poisson true_positives=3"), "true_positives",
                     "audit");
}

}  // namespace honest_epsilon::accounts
