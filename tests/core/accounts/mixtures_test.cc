#include "core/accounts/mixtures.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/pairs/gaussian.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

MixturesQuery mixture_of(double weight, double p1, double p2, double q1, double q2) {
  MixturesQuery query;
  query.weight = weight;
  query.p1 = p1;
  query.p2 = p2;
  query.q1 = q1;
  query.q2 = q2;
  query.epsilon = {0, 0.2, 1};
  return query;
}

MixturesAnswer answer_of(const MixturesQuery& query) {
  const auto outcome = accounts::mixtures(query);
  REQUIRE_MESSAGE(std::holds_alternative<MixturesAnswer>(outcome), std::get<Issue>(outcome).text);
  return std::get<MixturesAnswer>(outcome);
}

}  // namespace

TEST_CASE(
    "accounts mixtures: exact <= advanced joint concavity <= joint concavity, as delta and curve") {
  testing::Dice dice(77);
  for (int draw = 0; draw < testing::rounds(6); ++draw) {
    const auto mean = [&] { return dice.uniform(-2, 2); };
    const double weight = dice.uniform(0.05, 0.95);
    const double p1 = mean();
    const double p2 = mean();
    const double q1 = mean();
    const MixturesQuery query = mixture_of(weight, p1, p2, q1, mean());
    CAPTURE(weight);
    CAPTURE(p1);
    CAPTURE(p2);
    CAPTURE(q1);
    CAPTURE(*query.q2);
    const MixturesAnswer answer = answer_of(query);
    for (const MixturesDeltas& row : answer.deltas) {
      CAPTURE(row.epsilon);
      for (const MixturesDelta* one : {&row.remove, &row.add}) {
        CHECK(one->delta.lower <= one->advanced_joint.upper);
        CHECK(one->advanced_joint.upper <= one->joint.upper);
        CHECK(one->gamma >= 0);
        CHECK(one->gamma <= weight);
        CHECK(one->eta >= weight);
        CHECK(one->eta <= 1);
      }
    }
    for (std::size_t i = 0; i < answer.trade_off.attack_rates.size(); ++i) {
      const auto at = [i](const Band& band) { return band.attack_rates[i].true_positive_rate; };
      CHECK(at(answer.trade_off).lower <= at(answer.advanced_joint).upper);
      CHECK(at(answer.advanced_joint).upper <= at(answer.joint).upper * (1 + 2e-3));
    }
    CHECK(answer.joint.upper.empty());
  }
}

TEST_CASE("accounts mixtures: one component is a Gaussian, equal mixtures are nothing") {
  const MixturesAnswer one = answer_of(mixture_of(0, 1, 5, 0, 7));
  CHECK(testing::contains(one.deltas[2].remove.delta, gaussian::delta(1, 1).lower, 1e-12));
  const MixturesAnswer swapped = answer_of(mixture_of(0.5, 1, -1, -1, 1));
  CHECK(swapped.trade_off.advantage.upper < 1e-12);
  // Nothing leaks, but joint concavity cannot tell.
  CHECK(swapped.joint.advantage.upper > 0.5);
}

TEST_CASE("accounts mixtures: bad questions are refused by field") {
  MixturesQuery query = mixture_of(0.5, 0, 1, 0, 0);
  query.q2.reset();
  const auto outcome = accounts::mixtures(query);
  REQUIRE(std::holds_alternative<Issue>(outcome));
  CHECK(std::get<Issue>(outcome).text == "q2 is required: a finite number of at least -1000");
  query.q2 = 1001;
  CHECK(std::get<Issue>(accounts::mixtures(query)).field == "q2");
  query.q2 = 0;
  query.weight = 1.5;
  CHECK(std::get<Issue>(accounts::mixtures(query)).field == "weight");
}

}  // namespace honest_epsilon::accounts
