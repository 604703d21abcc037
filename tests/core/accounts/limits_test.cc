#include "core/accounts/limits.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"
#include "core/base/work.h"
#include "tests/core/accounts/laws.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::phase;
using testing::query_of;
using testing::show;

/// An answer and what it cost.
struct Costly {
  Outcome outcome;
  double work;
  bool was_cut;
};

Costly asked(const wire::Query& query) {
  const work::Limit all(1'000'000'000'000);
  const std::int64_t before = work::left();
  Outcome outcome = answer(query);
  return {std::move(outcome), static_cast<double>(before - work::left()), all.was_met()};
}

}  // namespace

TEST_CASE("limits: a calibration ends, and what it finds meets the target") {
  for (const char* words : testing::in_share(std::vector{
           "sampler=without-replacement solve_for=steps epsilon=10.8 delta=.999 "
           "noise_multiplier=1.7 "
           "mechanism=randomized-response sampling_probability=.0000361 records_per_user=5",
           "sampler=shuffle solve_for=noise noise_multiplier= epsilon=1 steps_per_epoch=100 "
           "epochs=10 "
           "records_per_user=2",
           "sampler=shuffle solve_for=sampling-probability epsilon=.0122 delta=5.94e-11 steps=3631 "
           "noise_multiplier=710 adjacency=substitution records_per_user=2 dataset_size= "
           "batch_size="})) {
    const wire::Query query = query_of("question=calibrate ", words);
    const Costly found = asked(query);
    CAPTURE(*query.solve_for);
    CHECK(found.work <= static_cast<double>(kSearchWork));
    if (const Issue* issue = std::get_if<Issue>(&found.outcome)) {
      CHECK(issue->text.starts_with("Within the work"));
      continue;
    }
    const wire::Answer& there = testing::answers_of(found.outcome).front();
    CHECK(there.epsilon.upper <= *query.epsilon);
    CHECK(
        (there.epsilon.upper > 0.99 * *query.epsilon || testing::warns(there, "stopped-at-limit")));
  }
}

TEST_CASE("limits: a calibration that is stopped says, once, what it left unsettled") {
  const wire::Query query =
      query_of("sampler=poisson sampling_probability=.01 steps=1000 ",
               "question=calibrate solve_for=noise epsilon=2 ", "noise_multiplier=");
  // The target is settled with the work that a calibration has, and not with a question's.
  CHECK_FALSE(testing::warns(answer_of(query), "stopped-at-limit"));
  const work::Limit little(kQuestionWork);
  const wire::Answer there = answer_of(query);
  CHECK(there.epsilon.upper <= 2);
  std::string said;
  for (const wire::Warning& warning : there.warnings)
    said += warning.code == "stopped-at-limit" ? warning.text : "";
  INFO(said);
  const std::size_t at = said.find(" meets the target; what lies between it and ");
  CHECK(at != std::string::npos);
  CHECK(said.find("The search would", 1) == std::string::npos);
}

TEST_CASE("limits: many unlike phases end within a question's work, and say so where it cut them") {
  // The five samplers by turns, and in the full run each of these alone.
  for (const char* sampler : testing::in_share(std::vector{"mixed", "shuffle", "balls-and-bins"})) {
    wire::Query query = query_of("");
    query.phases.clear();
    const bool bins = sampler == std::string("balls-and-bins");
    for (int i = 0; i < (bins ? 300 : 50); ++i) {
      wire::Phase p;
      p.sampler = sampler == std::string("mixed") ? kSamplers[static_cast<std::size_t>(i) % 5].name
                                                  : sampler;
      p.noise_multiplier = 1 + 0.01 * i;
      p.steps_per_epoch = 100 + i;
      query.phases.emplace_back(p);
    }
    const Costly found = asked(query);
    const wire::Answer& there = testing::answers_of(found.outcome).front();
    INFO(sampler << " " << show(there.epsilon) << " work " << found.work);
    CHECK(found.work <= static_cast<double>(kQuestionWork));
    CHECK(there.epsilon.upper < 60);
    const bool is_wide = !testing::is_narrow(there.epsilon, kDefaultWidth);
    CHECK(testing::warns(there, "stopped-at-limit") == (found.was_cut && is_wide));
  }
}

TEST_CASE("limits: random questions end within a question's work") {
  for (int i = 0; i < testing::rounds(90); ++i) {
    testing::Dice dice(static_cast<std::uint64_t>(58 + i));
    wire::Query query =
        testing::random_run(dice, kSamplers[static_cast<std::size_t>(i) % kSamplers.size()]);
    wire::Phase& one = phase(query);
    one.noise_multiplier = dice.log_uniform(0.05, 1000);
    one.records_per_user = std::floor(dice.log_uniform(1, 60));
    const bool asks_epsilon = dice.happens(0.5);
    query.question = asks_epsilon ? "epsilon" : "delta";
    (asks_epsilon ? query.delta : query.epsilon) =
        asks_epsilon ? dice.log_uniform(1e-30, 0.999) : dice.log_uniform(1e-4, 100);
    const Costly found = asked(query);
    CHECK_MESSAGE(found.work <= static_cast<double>(kQuestionWork),
                  found.work << " " << testing::describe(query));
  }
}

TEST_CASE("limits: correlated noise holds where no work is left to compare bins") {
  const wire::Query query = query_of(
      "sampler=balls-and-bins reshuffle=once matrix=square-root steps_per_epoch=12 epochs=2");
  wire::Answer cut;
  {
    const work::Limit limit(10'000);
    cut = answer_of(query);
  }
  const wire::Answer whole = answer_of(query);
  INFO(show(cut.epsilon) << show(whole.epsilon));
  CHECK(testing::warns(cut, "stopped-at-limit"));
  CHECK_FALSE(testing::warns(whole, "stopped-at-limit"));
  CHECK(cut.epsilon.upper > whole.epsilon.upper);
  CHECK(cut.epsilon.lower <= whole.epsilon.lower);
}

TEST_CASE("limits: whatever work is left, the ends hold") {
  std::size_t place = 0;
  for (const Sampler& sampler : kSamplers) {
    for (const char* mechanism : {"gaussian", "laplace", "randomized-response"}) {
      if (!testing::in_share(place++, 2)) continue;
      const wire::Query query =
          query_of("epochs=3 sampler=", sampler.name, " mechanism=", mechanism,
                   " records_per_user=", sampler.name == "poisson" ? 3 : 1);
      const Interval whole = answer_of(query).epsilon;
      for (const std::int64_t most : {0, 3'000, 100'000, 1'000'000, 10'000'000}) {
        const work::Limit limit(most);
        const wire::Answer cut = answer_of(query);
        const Interval& found = cut.epsilon;
        INFO(sampler.name << " " << mechanism << " " << most << " " << show(found) << " of "
                          << show(whole));
        CHECK(found.upper >= whole.lower);
        CHECK(found.lower <= whole.upper);
        // The smaller end is taken where they are apart.
        if (cut.rdp) CHECK(found.upper <= 1.02 * cut.rdp->upper);
        const bool is_wide = found.upper - found.lower > 2 * (whole.upper - whole.lower) + 1e-6;
        if (is_wide) CHECK(testing::warns(cut, "stopped-at-limit"));
      }
    }
  }
}

}  // namespace honest_epsilon::accounts
