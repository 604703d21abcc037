#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

// Exact values of small runs, through the whole of the core.
namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::contains;
using testing::ReferenceRow;
using testing::show;

wire::Query question_of(const ReferenceRow& row) {
  wire::Query query;
  query.question = "delta";
  query.epsilon = row.number("epsilon");
  wire::Phase phase;
  phase.sampler = row.text("sampler");
  phase.mechanism = row.text("mechanism");
  phase.adjacency = row.text("adjacency");
  phase.noise_multiplier = row.number("sigma");
  const auto put = [&](const char* column, wire::Number& field) {
    if (!row.text(column).empty()) field = row.number(column);
  };
  put("steps_per_epoch", phase.steps_per_epoch);
  put("epochs", phase.epochs);
  put("q", phase.sampling_probability);
  put("steps", phase.steps);
  query.phases = {phase};
  return query;
}

/// Two epochs of four batches: where no exact value is known, the answer says why.
wire::Query small_run(const std::string& sampler, const std::string& mechanism,
                      const std::string& adjacency) {
  wire::Query query;
  query.question = "delta";
  query.epsilon = 0.1;
  wire::Phase phase;
  phase.sampler = sampler;
  phase.mechanism = mechanism;
  phase.adjacency = adjacency;
  phase.noise_multiplier = 1.25;
  phase.steps_per_epoch = 4;
  phase.epochs = 2;
  query.phases = {phase};
  return query;
}

}  // namespace

TEST_CASE("reference: both directions hold the exact value, for every sampler and mechanism") {
  std::set<std::string> seen;
  for (const ReferenceRow& row : testing::reference_table("answers")) {
    const wire::Answer answer = answer_of(question_of(row));
    INFO(row.describe() << show(answer.directions.remove) << " " << show(answer.directions.add));
    for (const auto& [interval, truth] : {std::pair{answer.directions.remove, row.number("remove")},
                                          std::pair{answer.directions.add, row.number("add")}}) {
      // The truth is printed to 40 digits, and read to the nearest double.
      CHECK(contains(interval, truth, 2e-16));
      // What is wider than was asked says so.
      CHECK((testing::is_narrow(interval, 2e-3, 1e-15) || testing::warns(answer, "wide-interval")));
    }
    seen.insert(row.text("sampler") + " " + row.text("mechanism") + " " + row.text("adjacency"));
  }
  for (const Sampler& known : kSamplers) {
    const std::string sampler{known.name};
    for (const std::string mechanism : {"gaussian", "laplace", "randomized-response"}) {
      // Balls-and-bins with Gaussian noise has tables of its own.
      if (sampler == "balls-and-bins" && mechanism == "gaussian") continue;
      for (const std::string adjacency : {"zero-out", "add-remove", "substitution"}) {
        const std::string kind = sampler + " " + mechanism + " " + adjacency;
        if (seen.count(kind) == 1) continue;
        const wire::Answer answer = answer_of(small_run(sampler, mechanism, adjacency));
        const bool told =
            testing::warns(answer, "theory-gap") || testing::warns(answer, "wide-interval");
        CHECK_MESSAGE(told, kind);
      }
    }
  }
}

}  // namespace honest_epsilon::accounts
