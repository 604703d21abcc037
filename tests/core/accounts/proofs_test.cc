#include <doctest/doctest.h>

#include <string>
#include <variant>

#include "core/accounts/answer.h"
#include "core/accounts/audit.h"
#include "core/accounts/catalog.h"
#include "core/accounts/privacy_curve.h"
#include "core/accounts/tradeoff.h"
#include "tests/core/accounts/laws.h"
#include "tests/core/accounts/words.h"
#include "tests/core/chance.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::phase;
using testing::with;

wire::Query shuffled(double epochs = 1, double delta = 1e-5) {
  return testing::query_of("sampler=shuffle steps_per_epoch=1000 epochs=", epochs,
                           " delta=", delta);
}

wire::Query published(const wire::Query& query) {
  return with(query, "proofs=published");
}

wire::Query with_deterministic_batches(wire::Query query) {
  for (wire::Entry& entry : query.phases)
    if (wire::Phase* p = std::get_if<wire::Phase>(&entry)) p->sampler = "deterministic";
  return query;
}

const Interval& asked(const wire::Query& query, const wire::Answer& a) {
  return *query.question == "epsilon" ? a.epsilon : a.delta;
}

}  // namespace

TEST_CASE("proofs: published theorems prove of shuffled batches what they prove of known ones") {
  testing::Dice chance(20261128);
  int narrowed = 0;
  for (int i = 0; i < testing::rounds(60); ++i) {
    wire::Query query = testing::random_run(chance, sampler_named("shuffle"));
    query.question = i % 3 == 0 ? "delta" : "epsilon";
    if (i % 3 == 0) {
      query.epsilon = 0.5 * (i % 4);
    } else {
      query.delta = i % 2 == 0 ? 1e-5 : 1e-8;
    }
    CAPTURE(testing::describe(query));
    const Outcome first = answer(query);
    if (!std::holds_alternative<std::vector<wire::Answer>>(first)) continue;
    const wire::Answer all = std::get<std::vector<wire::Answer>>(first).front();
    const wire::Answer alone = answer_of(published(query));
    const Interval by_all = asked(query, all);
    const Interval by_published = asked(query, alone);
    CHECK_FALSE(alone.published);
    const Outcome known = answer(with_deterministic_batches(query));
    if (std::holds_alternative<std::vector<wire::Answer>>(known)) {
      const double most = asked(query, std::get<std::vector<wire::Answer>>(known).front()).upper;
      CHECK(by_published.upper <= most * (1 + 1e-6));
      // Where the ends are apart, Rényi divergences may prove what the width leaves open.
      CHECK(by_published.upper >= most * (1 - query.width.value_or(kDefaultWidth)));
    }
    CHECK(by_published.lower == by_all.lower);
    // The number rests on a theorem of our own exactly where published ones prove less.
    CHECK(all.published.has_value() == (by_published.upper > by_all.upper));
    if (!all.published) continue;
    ++narrowed;
    CHECK(all.published->upper == by_published.upper);
    CHECK(all.published->lower == by_all.lower);
    CHECK(all.published->kind == by_all.kind);
  }
  CHECK(narrowed > testing::rounds(60) / 4);
}

TEST_CASE("proofs: a replaced record of balls-and-bins has a pair of this project's own") {
  for (const double epochs : {1.0, 5.0}) {
    const wire::Query query =
        with(shuffled(epochs), "sampler=balls-and-bins steps_per_epoch=200 adjacency=substitution");
    const wire::Answer all = answer_of(query), alone = answer_of(published(query));
    REQUIRE(all.published);
    CHECK(all.published->upper == alone.epsilon.upper);
    CHECK(alone.epsilon.upper > 1.1 * all.epsilon.upper);
    CHECK(all.epsilon.upper - all.epsilon.lower <= 1.1e-4 * all.epsilon.upper);
    CHECK_FALSE(alone.published);
    // Zeroed records rest on published theorems.
    CHECK_FALSE(answer_of(with(query, "adjacency=zero-out")).published);
  }
}

TEST_CASE("proofs: published theorems prove of composed runs what they prove of known batches") {
  for (const double delta : {1e-5, 1e-9}) {
    CAPTURE(delta);
    const wire::Query query = with(shuffled(3, delta), "+ noise_multiplier=1.5 + release mu=.5");
    const wire::Answer all = answer_of(query);
    const Interval alone = answer_of(published(query)).epsilon;
    const Interval known = answer_of(with_deterministic_batches(query)).epsilon;
    CHECK(alone.upper == doctest::Approx(known.upper).epsilon(1e-3));
    REQUIRE(all.published);
    CHECK(all.published->upper == doctest::Approx(alone.upper).epsilon(1e-3));
    CHECK(all.published->upper > 1.2 * all.epsilon.upper);
  }
  // Where clones gain nothing, nothing is marked.
  for (const char* beside : {"", "+ release mu=.5"})
    CHECK_FALSE(answer_of(with(shuffled(), "steps_per_epoch=2 ", beside)).published);
}

TEST_CASE("proofs: whatever is asked may rest on published theorems alone") {
  const auto known_of = [](const wire::Query& query) { return with_deterministic_batches(query); };
  const wire::Query calibrated =
      with(shuffled(4), "question=calibrate solve_for=noise noise_multiplier=");
  const wire::Query noise = with(calibrated, "epsilon=2");
  const wire::Answer least = answer_of(noise);
  const double known_least = answer_of(known_of(noise)).solution->value;
  CHECK(answer_of(published(noise)).solution->value == known_least);
  CHECK(least.solution->value < 0.8 * known_least);
  REQUIRE(least.published);
  CHECK(least.published->upper > 2.5);

  const wire::Query advantage = with(calibrated, "target=advantage target_value=.2");
  const wire::Answer by_published = answer_of(published(advantage));
  CHECK(by_published.solution->value == answer_of(known_of(advantage)).solution->value);
  CHECK(answer_of(advantage).target->own_proofs);
  CHECK_FALSE(by_published.target->own_proofs);

  const wire::Query search = with(shuffled(2), "tuning=geometric runs=10");
  REQUIRE(answer_of(search).published);
  CHECK(answer_of(published(search)).epsilon.upper ==
        doctest::Approx(answer_of(known_of(search)).epsilon.upper).epsilon(0.01));

  const wire::Query rates = with(shuffled(2), "question=tradeoff delta=");
  const auto curve_of = [](const wire::Query& query) {
    return std::get<TradeOffAnswer>(tradeoff(query));
  };
  const TradeOffAnswer all = curve_of(rates), alone = curve_of(published(rates)),
                       of_known = curve_of(known_of(rates));
  CHECK(all.own_proofs);
  CHECK_FALSE(alone.own_proofs);
  CHECK(alone.symmetric.advantage.upper ==
        doctest::Approx(of_known.symmetric.advantage.upper).epsilon(1e-6));
  CHECK_FALSE(of_known.own_proofs);

  PrivacyCurveQuery deltas;
  static_cast<wire::Query&>(deltas) = with(shuffled(3), "question=delta delta=");
  deltas.epsilons = {1, 2, 4};
  const auto points_of = [](PrivacyCurveQuery query, const char* proofs, const char* sampler) {
    query.proofs = proofs;
    phase(query).sampler = sampler;
    return std::get<PrivacyCurveAnswer>(privacy_curve_at(query));
  };
  CHECK(points_of(deltas, "all", "shuffle").own_proofs);
  const PrivacyCurveAnswer points = points_of(deltas, "published", "shuffle");
  CHECK_FALSE(points.own_proofs);
  const PrivacyCurveAnswer known = points_of(deltas, "all", "deterministic");
  for (std::size_t i = 0; i < points.points.size(); ++i)
    CHECK(points.points[i].delta.upper ==
          doctest::Approx(known.points[i].delta.upper).epsilon(1e-6));

  const wire::Query audit =
      with(shuffled(2), "question=audit canaries=1000 guesses=100 correct=60");
  const auto audit_of = [](const wire::Query& query) {
    return std::get<AuditAnswer>(audited(query));
  };
  const AuditAnswer found = audit_of(audit), by_known = audit_of(published(audit));
  REQUIRE(found.published);
  CHECK(found.published->upper == by_known.proved->upper);
  CHECK(*by_known.p_value > *found.p_value);

  CHECK(std::get<Issue>(answer(with(shuffled(), "proofs=refereed"))).field == "proofs");
}

}  // namespace honest_epsilon::accounts
