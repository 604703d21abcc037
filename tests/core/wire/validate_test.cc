#include "core/wire/validate.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/spelling.h"
#include "tests/core/support.h"

namespace honest_epsilon::wire {
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
  Query query = well_formed("compare");
  testing::phase(query).sampler.reset();  // asks every sampler
  CHECK_FALSE(find_issue(query));
  query = well_formed("epsilon");
  query.question = "calibrate";
  query.epsilon = 2;
  query.solve_for = "noise";
  testing::phase(query).noise_multiplier.reset();
  CHECK_FALSE(find_issue(query));
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
  CHECK(tried == 20);
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
  CHECK(tried == 15);
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

TEST_CASE("validate: of several phases and releases, the wrong one is named") {
  Query query = well_formed("epsilon");
  query.phases.emplace_back(Release{1.0, 1e-6, {}, {}});
  CHECK_FALSE(find_issue(query));
  query.phases.back() = Release{{}, {}, {}, -1.0};
  expect_refused(query, "rho", "-1");
  CHECK(find_issue(query)->entry == 1);
  query.phases.back() = query.phases.front();
  CHECK_FALSE(find_issue(query));
  std::get<Phase>(query.phases.back()).adjacency = "substitution";
  CHECK(find_issue(query)->entry == 1);
  query.phases.assign(1000, well_formed("epsilon").phases.front());
  CHECK_FALSE(find_issue(query));
  query.phases.push_back(query.phases.front());
  expect_refused(query, "phases", "1001");
  CHECK_FALSE(find_issue(query)->entry);
  query.phases.clear();
  CHECK(find_issue(query)->field == "phases");
}

}  // namespace honest_epsilon::wire
