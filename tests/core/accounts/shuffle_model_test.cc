#include "core/accounts/shuffle_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/wire/assumption.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::with;

ShuffleModelQuery paper(const std::string& words = "") {
  return with(ShuffleModelQuery(), "local_epsilon=4.444 users=1e4 clone=stronger ", words);
}

ShuffleModelAnswer answer_of(const ShuffleModelQuery& query) {
  const auto outcome = accounts::shuffle_model(query);
  REQUIRE_MESSAGE(std::holds_alternative<ShuffleModelAnswer>(outcome),
                  std::get<Issue>(outcome).text);
  return std::get<ShuffleModelAnswer>(outcome);
}

Issue issue_of(const ShuffleModelQuery& query) {
  const auto outcome = accounts::shuffle_model(query);
  REQUIRE(std::holds_alternative<Issue>(outcome));
  return std::get<Issue>(outcome);
}

}  // namespace

TEST_CASE("accounts shuffle model: the paper's setting, seven epsilons by both bounds") {
  const ShuffleModelQuery query = paper("epsilon=0.4,0.5,0.6,0.7,0.8,0.9,1");
  const double paper_bound[] = {4.9467e-05, 3.0309e-06, 1.2711e-07, 3.8255e-09,
                                8.7009e-11, 1.5854e-12, 2.4455e-14};
  const double exact[] = {4.6749e-05, 2.7446e-06, 1.0844e-07, 3.0215e-09,
                          6.2431e-11, 1.0155e-12, 1.3746e-14};
  const ShuffleModelAnswer answer = answer_of(query);
  REQUIRE(answer.deltas.size() == 7);
  CHECK(answer.clone_probability == doctest::Approx(2 / (std::exp(4.444) + 1)).epsilon(1e-14));
  for (std::size_t i = 0; i < 7; ++i) {
    const ShuffleDelta& row = answer.deltas[i];
    CAPTURE(row.epsilon);
    CHECK(testing::contains(row.delta, exact[i], 1e-4));
    REQUIRE(row.advanced_joint);
    CHECK(testing::contains(*row.advanced_joint, paper_bound[i], 1e-4));
    CHECK(row.delta.upper < row.advanced_joint->lower);
    CHECK(row.advanced_joint->lower < row.joint->upper);
  }
}

TEST_CASE("accounts shuffle model: the paper's first table, and what differs from its print") {
  const ShuffleModelQuery query = paper("epsilon=0.5,0.6,0.7,0.8,0.9,1");
  // Printed to one digit: 1.27 is printed as 1, 2.45 as 2.
  const double printed[] = {3e-6, 1e-7, 4e-9, 9e-11, 2e-12, 2e-14};
  const ShuffleModelAnswer answer = answer_of(query);
  for (std::size_t i = 0; i < 6; ++i) {
    const ShuffleDelta& row = answer.deltas[i];
    CAPTURE(row.epsilon);
    CHECK(row.advanced_joint->upper < printed[i] * 1.5);
    CHECK(row.advanced_joint->lower > printed[i] * 0.5);
    CHECK(row.closed_form->covered);
  }
  // With eps0 = 4.444 the closed form gives .10358 at .7; the print's .1038 has the unrounded eps0,
  // the largest that its condition allows at delta = n^-1.5.
  CHECK(answer.deltas[2].closed_form->value == doctest::Approx(0.10358).epsilon(1e-4));
  CHECK(answer.deltas[4].closed_form->value == doctest::Approx(0.0018).epsilon(0.03));
  CHECK(answer.deltas[5].closed_form->value == doctest::Approx(8e-5).epsilon(0.03));
  CHECK(answer_of(with(query, "local_epsilon=4.4445")).deltas[2].closed_form->value ==
        doctest::Approx(0.1038).epsilon(1e-3));
}

TEST_CASE("accounts shuffle model: the paper's second table") {
  const ShuffleModelQuery query = paper("delta=5e-5,3e-6,1e-7,4e-9,9e-11");
  const double corollary[] = {0.4, 0.5, 0.6, 0.7, 0.8};
  const double closed[] = {1.014, 1.085, 4.444, 4.444, 4.444};
  const double lower[] = {0.369, 0.470, 0.575, 0.664, 0.758};
  const ShuffleModelAnswer answer = answer_of(query);
  REQUIRE(answer.epsilons.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const ShuffleEpsilon& row = answer.epsilons[i];
    CAPTURE(row.delta);
    // The deltas are rounded, hence the last digit of the epsilons.
    CHECK(row.advanced_joint->upper == doctest::Approx(corollary[i]).epsilon(0.015));
    CHECK(row.closed_form->covered == (i < 2));
    CHECK((i < 2 ? row.closed_form->value : 4.444) == doctest::Approx(closed[i]).epsilon(1e-3));
    CHECK(row.epsilon.upper < row.advanced_joint->lower);
    CHECK(row.epsilon.lower > lower[i]);
  }
}

TEST_CASE(
    "accounts shuffle model: exact below advanced joint concavity below joint concavity, always") {
  testing::Dice dice(424242);
  for (int draw = 0; draw < 12; ++draw) {
    ShuffleModelQuery query;
    query.local_epsilon = dice.log_uniform(0.01, 20);
    query.users = dice.whole(1, 1e6);
    query.clone = draw % 2 == 0 ? "standard" : "stronger";
    for (int i = 0; i < 5; ++i) query.epsilon.push_back(dice.uniform(0, *query.local_epsilon));
    CAPTURE(*query.local_epsilon);
    CAPTURE(*query.users);
    const ShuffleModelAnswer answer = answer_of(query);
    for (const ShuffleDelta& row : answer.deltas) {
      CAPTURE(row.epsilon);
      CHECK(testing::is_valid(row.delta, 1));
      CHECK(row.delta.lower <= row.advanced_joint->upper);
      CHECK(row.advanced_joint->lower <= row.joint->upper);
    }
    REQUIRE(answer.advanced_joint);
    CHECK(answer.trade_off.advantage.lower <= answer.advanced_joint->advantage.upper);
    for (std::size_t i = 0; i < answer.trade_off.attack_rates.size(); ++i) {
      CHECK(answer.trade_off.attack_rates[i].true_positive_rate.lower <=
            answer.advanced_joint->attack_rates[i].true_positive_rate.upper);
    }
    CHECK(answer.advanced_joint->upper.empty());
    CHECK(answer.advanced_joint->advantage.kind == IntervalKind::bound);
  }
}

TEST_CASE("accounts shuffle model: several rounds cost more than one, and less than their sum") {
  const ShuffleModelAnswer once = answer_of(paper("delta=1e-6 epsilon=.5"));
  const ShuffleModelAnswer four = answer_of(paper("delta=1e-6 epsilon=.5 rounds=4"));
  CHECK_FALSE(four.advanced_joint);
  CHECK(four.knots.empty());
  CHECK(four.assumptions.back() == wire::assumes::fresh_rounds().text);
  CHECK(once.assumptions.size() + 1 == four.assumptions.size());
  CHECK(four.epsilons[0].epsilon.lower > once.epsilons[0].epsilon.upper);
  CHECK(four.epsilons[0].epsilon.upper < 4 * once.epsilons[0].epsilon.upper);
  CHECK(testing::is_narrow(four.epsilons[0].epsilon, 2e-3));
  CHECK(four.deltas[0].delta.lower > once.deltas[0].delta.upper);
  CHECK(four.trade_off.advantage.lower > once.trade_off.advantage.upper);
  CHECK(four.trade_off.advantage.upper < 4 * once.trade_off.advantage.upper);
}

TEST_CASE("accounts shuffle model: which clones are assumed, and cited") {
  const std::string local = wire::assumes::local_privacy().text;
  const std::string one = wire::assumes::one_user().text;
  const ShuffleModelAnswer standard = answer_of(paper("clone=standard users=100"));
  CHECK(standard.assumptions == wire::Texts{local, one, wire::assumes::standard_clones().text});
  CHECK(standard.citations == wire::Texts{"WS23", "FMT21"});
  const ShuffleModelAnswer stronger = answer_of(paper("users=100"));
  CHECK(stronger.assumptions == wire::Texts{local, one, wire::assumes::stronger_clones().text});
  CHECK(stronger.citations == wire::Texts{"WS23", "FMT23"});
}

TEST_CASE("accounts shuffle model: bad questions are refused by field") {
  const auto refused = [](const char* words) { return issue_of(with(ShuffleModelQuery(), words)); };
  CHECK(refused("").text == "localEpsilon is required: a finite number of at least 0.001");
  CHECK(refused("local_epsilon=1").field == "users");
  CHECK(refused("local_epsilon=1 users=1.5").text ==
        "users must be a whole number of at least 1; got 1.5");
  CHECK(refused("local_epsilon=1 users=100 clone=weaker").text ==
        "clone must be one of standard or stronger; got \"weaker\"");
  CHECK(refused("local_epsilon=1 users=100 delta=1e-5,1").field == "delta");
  CHECK(refused("local_epsilon=1 users=100 delta=1e-5 rounds=0").field == "rounds");
  CHECK(answer_of(with(ShuffleModelQuery(), "local_epsilon=1 users=100 delta=1e-5"))
            .epsilons.size() == 1);
}

}  // namespace honest_epsilon::accounts
