#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/api/answer.h"
#include "core/api/catalog.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

// Exact values of small runs, through the whole of the core.
namespace honest_epsilon::api {
namespace {

using testing::answer_of;
using testing::contains;
using testing::ReferenceRow;
using testing::show;

Query question_of(const ReferenceRow& row) {
  Query query;
  query.question = "delta";
  query.epsilon = row.number("epsilon");
  Phase phase;
  phase.sampler = row.text("sampler");
  phase.mechanism = row.text("mechanism");
  phase.adjacency = row.text("adjacency");
  phase.noise_multiplier = row.number("sigma");
  const auto put = [&](const char* column, Number& field) {
    if (!row.text(column).empty()) field = row.number(column);
  };
  put("steps_per_epoch", phase.steps_per_epoch);
  put("epochs", phase.epochs);
  put("q", phase.sampling_probability);
  put("steps", phase.steps);
  query.phases = {phase};
  return query;
}

}  // namespace

TEST_CASE("reference: both directions hold the exact value, for every sampler and mechanism") {
  std::set<std::string> seen;
  for (const ReferenceRow& row : testing::reference_table("answers")) {
    const Answer answer = answer_of(question_of(row));
    INFO(row.describe() << show(answer.directions.remove) << " " << show(answer.directions.add));
    for (const auto& [interval, truth] : {std::pair{answer.directions.remove, row.number("remove")},
                                          std::pair{answer.directions.add, row.number("add")}}) {
      // The truth is printed to 40 digits, and read to the nearest double.
      CHECK(contains(interval, truth, 2e-16));
      // What is wider than was asked says so.
      CHECK((testing::is_narrow(interval, 2e-3, 1e-15) || testing::warns(answer, "wide-interval")));
    }
    seen.insert(row.text("sampler") + " " + row.text("mechanism"));
  }
  for (const Sampler& sampler : kSamplers) {
    // No value is known of shuffled batches: shuffle_test.cc has bounds.
    if (sampler.name == "shuffle") continue;
    for (const char* mechanism : {"gaussian", "laplace", "randomized-response"}) {
      // Balls-and-bins with Gaussian noise has tables of its own.
      if (sampler.name == "balls-and-bins" && std::string(mechanism) == "gaussian") continue;
      CHECK_MESSAGE(seen.count(std::string(sampler.name) + " " + mechanism) == 1,
                    std::string(sampler.name) << " " << mechanism);
    }
  }
}

}  // namespace honest_epsilon::api
