#include "core/wire/tuning.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/core/support.h"

namespace honest_epsilon::wire {
namespace {

using testing::answer_of;
using testing::epsilon_query;

Query tuned(const std::string& tuning, Number runs, const std::string& sampler = "poisson") {
  Query query = epsilon_query(sampler);
  query.tuning = tuning;
  query.runs = runs;
  return query;
}

}  // namespace

TEST_CASE("tuning: a search costs more than one run and less than all of them") {
  for (const char* sampler :
       testing::in_share(std::vector{"deterministic", "shuffle", "poisson", "balls-and-bins"}, 2)) {
    CAPTURE(sampler);
    const Answer one = answer_of(tuned("none", {}, sampler));
    const Answer best = answer_of(tuned("geometric", 10, sampler));
    const Answer all = answer_of(tuned("fixed", 10, sampler));
    CHECK(!one.tuning);
    REQUIRE(best.tuning);
    CHECK(best.tuning->runs == doctest::Approx(10));
    CHECK(*best.tuning->gamma == doctest::Approx(0.1));
    CHECK(best.tuning->one_run.upper == one.epsilon.upper);
    CHECK(best.epsilon.lower > one.epsilon.lower);
    CHECK(best.epsilon.lower <= best.epsilon.upper);
    CHECK(best.epsilon.upper > one.epsilon.upper);
    CHECK(best.epsilon.upper < all.epsilon.upper);
    CHECK(best.rdp == std::nullopt);
  }
}

TEST_CASE("tuning: a fixed number of runs is one run that is as many times as long") {
  Query three = tuned("fixed", 3, "balls-and-bins");
  testing::phase(three).epochs = 2;
  Query longer = epsilon_query("balls-and-bins");
  testing::phase(longer).epochs = 6;
  const Answer a = answer_of(three), b = answer_of(longer);
  CHECK(a.epsilon.lower == b.epsilon.lower);
  CHECK(a.epsilon.upper == b.epsilon.upper);
  CHECK(a.rdp->upper == b.rdp->upper);
  CHECK(a.derived.steps == 200);  // of one run
  Query once = tuned("fixed", 1);
  CHECK(answer_of(once).epsilon.upper == answer_of(epsilon_query()).epsilon.upper);
}

TEST_CASE("tuning: epsilon and delta answer one question, the runs' mean or gamma another's") {
  Query query = tuned("poisson", 5, "deterministic");
  query.delta = 1e-5;
  const Answer there = answer_of(query);
  query.question = "delta";
  query.epsilon = there.epsilon.upper;
  query.delta.reset();
  const Answer back = answer_of(query);
  CHECK(back.delta.upper == doctest::Approx(1e-5).epsilon(0.02));
  CHECK(back.delta.lower <= 1e-5);

  Query by_mean = tuned("negative-binomial", 7);
  by_mean.eta = 0.5;
  const Answer mean = answer_of(by_mean);
  Query by_gamma = tuned("negative-binomial", {});
  by_gamma.eta = 0.5;
  by_gamma.gamma = mean.tuning->gamma;
  CHECK(answer_of(by_gamma).epsilon.upper == mean.epsilon.upper);
}

TEST_CASE("tuning: the noise that a whole search meets its target with") {
  Query query = tuned("geometric", 8, "deterministic");
  query.question = "calibrate";
  query.solve_for = "noise";
  query.epsilon = 2;
  const Answer found = answer_of(query);
  CHECK(found.epsilon.upper <= 2);
  CHECK(found.epsilon.upper > 1.99);
  Query back = tuned("geometric", 8, "deterministic");
  testing::phase(back).noise_multiplier = found.solution->value;
  CHECK(answer_of(back).epsilon.upper == found.epsilon.upper);
}

}  // namespace honest_epsilon::wire
