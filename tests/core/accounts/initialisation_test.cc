#include "core/accounts/initialisation.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/tradeoff/random_initialisation.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

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
      InitialisationQuery query;
      query.offset = offset;
      query.clip = clip;
      query.epsilon = {0, 0.1, 1};
      query.delta = {1e-5};
      const InitialisationAnswer answer = answer_of(query);
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
  InitialisationQuery query;
  query.offset = 1;
  query.epsilon = {0.5};
  query.clip = 2;
  const InitialisationAnswer clipped = answer_of(query);
  REQUIRE(clipped.gdp_mu);
  for (const RenyiOrder& row : clipped.renyi) {
    REQUIRE(row.clipped);
    CHECK(*row.clipped == doctest::Approx(0.5 * row.order * *clipped.gdp_mu * *clipped.gdp_mu));
  }
  query.clip.reset();
  for (const RenyiOrder& row : answer_of(query).renyi) CHECK_FALSE(row.clipped);
}

TEST_CASE(
    "accounts initialisation: without clipping delta is small where Renyi divergence is infinite") {
  InitialisationQuery query;
  query.offset = 1;
  query.epsilon = {0.5, 2};
  for (const double examples : {1.0, 2.0, 5.0}) {
    CAPTURE(examples);
    query.examples = examples;
    query.noise_multiplier = 1.5;
    const double last = examples - 1, before = examples - 2;
    CHECK(answer_of(query).unclipped[0].output_remove ==
          random_initialisation::delta_estimate({examples, last * last + 2.25},
                                                {last, before * before + 2.25}, 0.5));
    query.noise_multiplier = 1;
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
        InitialisationQuery query;
        query.offset = offset;
        query.clip = clip;
        query.noise_multiplier = noise;
        query.epsilon = {0, 1, 700};
        query.delta = {1e-12, 0.5};
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
  InitialisationQuery query;
  const auto refused = [&](const char* field) {
    const auto outcome = accounts::initialisation(query);
    REQUIRE(std::holds_alternative<Issue>(outcome));
    CHECK(std::get<Issue>(outcome).field == field);
  };
  refused("offset");
  query.offset = 1;
  query.clip = 0;
  refused("clip");
  query.clip = 1;
  query.noise_multiplier = -1;
  refused("noise_multiplier");
  query.noise_multiplier.reset();
  query.epsilon = {701};
  refused("epsilon");
  query.epsilon = {1};
  CHECK(answer_of(query).deltas.size() == 1);
}

}  // namespace honest_epsilon::accounts
