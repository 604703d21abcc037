#include "core/api/validate.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/spelling.h"
#include "tests/core/support.h"

namespace honest_epsilon::api {
namespace {

using testing::kNan;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Asks with one value in one field and everything else in order, and expects a refusal that names
// the field, the value and what would do.
void expect_refused(const Query& query, const std::string& field, const std::string& value) {
  CAPTURE(field);
  CAPTURE(value);
  const auto issue = find_issue(query);
  REQUIRE(issue);
  CHECK(issue->field == field);
  CHECK(has(issue->text, camel_case(field) + " must be "));
  CHECK(has(issue->text, "; got " + value));
  CHECK(!issue->code.empty());
}

void expect_missing(const Query& query, const char* field) {
  CAPTURE(field);
  const auto issue = find_issue(query);
  REQUIRE(issue);
  CHECK(issue->field == field);
  CHECK(has(issue->text, camel_case(field) + " is required: "));
  CHECK(issue->code == "missing");
}

void try_bad_numbers(const char* name, double least, double most, bool open_least, bool count,
                     bool open_most, const std::function<Query(double)>& ask) {
  std::vector<double> bad = {kNan,      kInfinity, -kInfinity, -1,   -1e-300,
                             least - 1, most + 1,  most * 2,   1e308};
  if (open_least) bad.push_back(least);
  if (open_most) bad.push_back(most);
  if (least > 0) bad.push_back(0);
  if (count) {
    bad.push_back(1.5);
    bad.push_back(least + 0.5);
    bad.push_back(most - 0.5);
  }
  for (const double value : bad) expect_refused(ask(value), name, spell(value));
}

template <class Owner>
void try_field(const InputField<Owner, Number>& field,
               const std::function<Query(Number Owner::*, double)>& ask) {
  // 1 - delta must leave something to fail.
  const bool open_most = std::string(field.name) == "delta" || std::string(field.name) == "gamma" ||
                         std::string(field.name) == "confidence";
  try_bad_numbers(field.name, field.least, field.most, field.open_least,
                  field.type == FieldType::count, open_most,
                  [&](double value) { return ask(field.member, value); });
}

Query well_formed(const std::string& question) {
  Query query = testing::epsilon_query();
  query.question = question;
  if (question == "delta") {
    query.delta.reset();
    query.epsilon = 1;
  }
  return query;
}

}  // namespace

TEST_CASE("validate: a query in order has no issue") {
  CHECK_FALSE(find_issue(well_formed("epsilon")));
  CHECK_FALSE(find_issue(well_formed("delta")));
  CHECK_FALSE(find_issue(well_formed("compare")));
}

TEST_CASE("validate: every number of a phase is refused when it is outside its domain") {
  int tried = 0;
  std::apply(
      [&](const auto&... field) {
        const auto one = [&](const auto& f) {
          if constexpr (std::is_same_v<std::decay_t<decltype(f)>, InputField<Phase, Number>>) {
            ++tried;
            try_field<Phase>(f, [](Number Phase::* member, double value) {
              Query query = well_formed("epsilon");
              testing::phase(query).*member = value;
              return query;
            });
          }
        };
        (one(field), ...);
      },
      fields(static_cast<const Phase*>(nullptr)));
  CHECK(tried == 15);
}

TEST_CASE("validate: every number of a query is refused when it is outside its domain") {
  int tried = 0;
  std::apply(
      [&](const auto&... field) {
        const auto one = [&](const auto& f) {
          if constexpr (std::is_same_v<std::decay_t<decltype(f)>, InputField<Query, Number>>) {
            ++tried;
            try_field<Query>(f, [](Number Query::* member, double value) {
              Query query = well_formed(member == &Query::epsilon ? "delta" : "epsilon");
              query.*member = value;
              return query;
            });
          }
        };
        (one(field), ...);
      },
      fields(static_cast<const Query*>(nullptr)));
  CHECK(tried == 13);
}

TEST_CASE("validate: choices are refused when they are not listed") {
  for (const std::string bad : {"", " ", "Poisson", "poisson shuffle", "poisso", "poissons"}) {
    Query query = well_formed("epsilon");
    testing::phase(query).sampler = bad;
    expect_refused(query, "sampler", "\"" + bad + "\"");
    query = well_formed("epsilon");
    testing::phase(query).reshuffle = bad;
    expect_refused(query, "reshuffle", "\"" + bad + "\"");
    query = well_formed("epsilon");
    query.question = bad;
    expect_refused(query, "question", "\"" + bad + "\"");
  }
}

TEST_CASE("validate: what is required and missing is named") {
  expect_missing(Query{}, "question");
  Query query = well_formed("epsilon");
  query.phases.clear();
  expect_missing(query, "phases");
  query = well_formed("epsilon");
  testing::phase(query).sampler.reset();
  expect_missing(query, "sampler");
  query.question = "compare";  // asks every sampler
  CHECK_FALSE(find_issue(query));
  testing::phase(query).noise_multiplier.reset();
  expect_missing(query, "noise_multiplier");
  query = well_formed("epsilon");
  query.delta.reset();
  expect_missing(query, "delta");
  query.question = "compare";
  expect_missing(query, "delta");
  query = well_formed("delta");
  query.epsilon.reset();
  expect_missing(query, "epsilon");
}

TEST_CASE("validate: of epsilon and delta, the one that is asked must be absent") {
  Query query = well_formed("epsilon");
  query.epsilon = 0.5;
  expect_refused(query, "epsilon", "0.5");
  query.question = "delta";
  expect_refused(query, "delta", "1e-6");
  query.question = "compare";
  expect_refused(query, "epsilon", "delta 1e-6 and epsilon 0.5");
  CHECK(find_issue(query)->code == "contradiction");
}

TEST_CASE("validate: several phases and releases, of one relation") {
  Query query = well_formed("epsilon");
  query.phases.push_back(query.phases.front());
  CHECK_FALSE(find_issue(query));
  std::get<Phase>(query.phases.back()).adjacency = "substitution";
  expect_refused(query, "adjacency", "\"substitution\" after \"zero-out\"");
  CHECK(find_issue(query)->entry == 1);
  std::get<Phase>(query.phases.back()).adjacency.reset();
  std::get<Phase>(query.phases.back()).records_per_user = 3;
  expect_refused(query, "records_per_user", "3 after 1");
  query.phases.pop_back();
  query.phases.emplace_back(Release{1.0, 1e-6, {}, {}});
  CHECK_FALSE(find_issue(query));
  query.phases.back() = Release{{}, 1e-6, {}, {}};
  expect_missing(query, "epsilon");
  query.phases.back() = Release{1.0, {}, 2.0, {}};
  expect_refused(query, "mu", "2");
  query.phases.back() = Release{{}, {}, {}, -1.0};
  expect_refused(query, "rho", "-1");
  CHECK(find_issue(query)->entry == 1);
  query.phases.assign(1000, query.phases.front());
  CHECK_FALSE(find_issue(query));
  query.phases.push_back(query.phases.front());
  expect_refused(query, "phases", "1001");
  CHECK_FALSE(find_issue(query)->entry);
}

TEST_CASE("validate: calibration is told what to find and both ends of its target") {
  Query query = well_formed("epsilon");
  query.question = "calibrate";
  query.epsilon = 2;
  expect_missing(query, "solve_for");
  query.solve_for = "noise";
  CHECK_FALSE(find_issue(query));
  testing::phase(query).noise_multiplier.reset();
  CHECK_FALSE(find_issue(query));
  query.delta.reset();
  expect_missing(query, "delta");
  query.delta = 1e-6;
  query.solve_for = "delta";
  testing::phase(query).noise_multiplier = 1;
  expect_refused(query, "delta", "1e-6");
  query.solve_for = "steps";
  query.cap_delta = 1e-9;
  expect_refused(query, "cap_delta", "1e-9");
  query.cap_delta.reset();
  query.question = "epsilon";
  query.epsilon.reset();
  expect_refused(query, "solve_for", "\"steps\"");
}

TEST_CASE("validate: the sentences read as documented") {
  const auto text = [](auto change) {
    Query query = well_formed("epsilon");
    change(query);
    const auto issue = find_issue(query);
    REQUIRE(issue);
    return issue->text;
  };
  CHECK(text([](Query& q) { testing::phase(q).noise_multiplier = -1; }) ==
        "noiseMultiplier must be a finite number of at least 1e-6; got -1");
  CHECK(text([](Query& q) { testing::phase(q).noise_multiplier = kNan; }) ==
        "noiseMultiplier must be a finite number of at least 1e-6; got NaN");
  CHECK(
      text([](Query& q) { testing::phase(q).noise_multiplier = 2e6; }) ==
      "noiseMultiplier must be a finite number of at least 1e-6 and at most 1000000; got 2000000");
  CHECK(text([](Query& q) { testing::phase(q).batch_size = 2.5; }) ==
        "batchSize must be a whole number of at least 1; got 2.5");
  CHECK(text([](Query& q) { testing::phase(q).sampling_probability = 1.5; }) ==
        "samplingProbability must be a finite number above 0 and at most 1; got 1.5");
  CHECK(text([](Query& q) { q.delta = 1; }) ==
        "delta must be a finite number above 0 and below 1; got 1");
  CHECK(has(text([](Query& q) { testing::phase(q).sampler.reset(); }),
            "sampler is required: one of poisson, shuffle, "));
}

}  // namespace honest_epsilon::api
