#include "core/accounts/initialisation.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/tradeoff/random_initialisation.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::with;

InitialisationAnswer answer_of(const InitialisationQuery& query) {
  const auto outcome = accounts::initialisation(query);
  REQUIRE_MESSAGE(std::holds_alternative<InitialisationAnswer>(outcome),
                  std::get<Issue>(outcome).text);
  return std::get<InitialisationAnswer>(outcome);
}

}  // namespace

TEST_CASE("accounts initialisation: a random start helps") {
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      if (!testing::in_share(row + column)) continue;
      const double clip = std::array{0.25, 1.0, 3.0}[row];
      const double offset = std::array{-1.0, 0.0, 1.0}[column];
      CAPTURE(clip);
      CAPTURE(offset);
      const InitialisationAnswer answer = answer_of(with(
          InitialisationQuery(), "epsilon=0,0.1,1 delta=1e-5 offset=", offset, " clip=", clip));
      CHECK(*answer.gdp_mu == clip);
      for (const InitialisationDelta& found : answer.deltas) {
        CAPTURE(found.epsilon);
        CHECK(testing::is_narrow(found.delta, 1e-5));
        CHECK(found.delta.upper < found.gdp->lower);
      }
      CHECK(answer.epsilons[0].epsilon.upper <= answer.epsilons[0].gdp->upper);
      REQUIRE(answer.gdp);
      for (std::size_t i = 0; i < answer.gdp->attack_rates.size(); ++i) {
        CHECK(answer.trade_off.attack_rates[i].true_positive_rate.upper <
              answer.gdp->attack_rates[i].true_positive_rate.lower);
      }
    }
  }
}

TEST_CASE(
    "accounts initialisation: with clipping Renyi divergence is that of the Gaussian pair, or "
    "none") {
  const auto query = with(InitialisationQuery(), "offset=1 epsilon=.5 clip=2");
  const InitialisationAnswer clipped = answer_of(query);
  REQUIRE(clipped.gdp_mu);
  for (const RenyiOrder& row : clipped.renyi) {
    REQUIRE(row.clipped);
    CHECK(*row.clipped == doctest::Approx(0.5 * row.order * *clipped.gdp_mu * *clipped.gdp_mu));
  }
  for (const RenyiOrder& row : answer_of(with(query, "clip=")).renyi) CHECK_FALSE(row.clipped);
}

TEST_CASE(
    "accounts initialisation: without clipping delta is small where Renyi divergence is infinite") {
  for (const double examples : testing::in_share(std::vector{5.0, 1.0})) {
    CAPTURE(examples);
    const auto query =
        with(InitialisationQuery(), "offset=1 epsilon=.5,2 noise_multiplier=1 examples=", examples);
    const double last = examples - 1, before = examples - 2;
    CHECK(answer_of(with(query, "noise_multiplier=1.5")).unclipped[0].output_remove ==
          random_initialisation::delta_estimate({examples, last * last + 2.25},
                                                {last, before * before + 2.25}, 0.5));
    const InitialisationAnswer answer = answer_of(query);
    CHECK_FALSE(answer.gdp);
    CHECK_FALSE(answer.gdp_mu);
    // order (order - 1) = 1: the golden ratio.
    CHECK(answer.renyi_infinite_from == doctest::Approx(1.6180339887).epsilon(1e-9));
    for (const RenyiOrder& row : answer.renyi)
      CHECK(row.unclipped.has_value() == (row.order < answer.renyi_infinite_from));
    for (std::size_t i = 0; i < 2; ++i) {
      const UnclippedDelta& row = answer.unclipped[i];
      CHECK(row.output_remove <= row.delta.upper * (1 + 1e-9));
      CHECK(row.output_add <= row.delta.upper * (1 + 1e-9));
      CHECK(row.delta.upper == answer.deltas[i].delta.upper);
    }
  }
}

TEST_CASE("accounts initialisation: corners are answered") {
  std::size_t place = 0;
  for (const double offset : {-1e6, 0.0, 1e6}) {
    for (const double clip : {1e-6, 1e6}) {
      for (const double noise : {1e-3, 1e6}) {
        if (!testing::in_share(place++)) continue;
        const auto query =
            with(InitialisationQuery(), "epsilon=0,1,700 delta=1e-12,0.5 offset=", offset,
                 " clip=", clip, " noise_multiplier=", noise);
        CAPTURE(offset);
        CAPTURE(clip);
        CAPTURE(noise);
        const InitialisationAnswer answer = answer_of(query);
        for (const InitialisationDelta& row : answer.deltas) CHECK(testing::is_valid(row.delta, 1));
        CHECK(testing::is_valid(answer.trade_off.advantage, 1));
      }
    }
  }
}

TEST_CASE("accounts initialisation: bad questions are refused by field") {
  const auto refused = [&](const char* words) {
    const auto outcome = accounts::initialisation(with(InitialisationQuery(), words));
    REQUIRE(std::holds_alternative<Issue>(outcome));
    return std::get<Issue>(outcome).field;
  };
  CHECK(refused("") == "offset");
  CHECK(refused("offset=1 clip=0") == "clip");
  CHECK(refused("offset=1 clip=1 noise_multiplier=-1") == "noise_multiplier");
  CHECK(refused("offset=1 clip=1 epsilon=701") == "epsilon");
  CHECK(answer_of(with(InitialisationQuery(), "offset=1 clip=1 epsilon=1")).deltas.size() == 1);
}

}  // namespace honest_epsilon::accounts
