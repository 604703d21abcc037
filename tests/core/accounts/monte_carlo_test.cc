#include "core/accounts/monte_carlo.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/accounts/answer.h"
#include "core/base/spelling.h"
#include "core/monte_carlo/estimator.h"
#include "tests/core/accounts/words.h"

namespace honest_epsilon::accounts {
namespace {

using testing::with;

MonteCarloQuery bins_query(const std::string& words = "") {
  return with(MonteCarloQuery(),
              "sampler=balls-and-bins noise_multiplier=.5 steps_per_epoch=50 epsilons=.5,2 ",
              words);
}

MonteCarloPlan plan_of(const MonteCarloQuery& query) {
  const auto planned = monte_carlo_plan(query);
  if (const Issue* issue = std::get_if<Issue>(&planned)) FAIL(issue->text);
  return std::get<MonteCarloPlan>(planned);
}

MonteCarloShard shard_of(const MonteCarloQuery& query, double first, double count) {
  MonteCarloShard shard;
  static_cast<MonteCarloQuery&>(shard) = query;
  shard.first_chunk = first;
  shard.chunk_count = count;
  return shard;
}

MonteCarloDrawn drawn(const MonteCarloQuery& query, double first, double count) {
  const auto outcome = monte_carlo_chunks(shard_of(query, first, count));
  if (const Issue* issue = std::get_if<Issue>(&outcome)) FAIL(issue->text);
  return std::get<MonteCarloDrawn>(outcome);
}

MonteCarloSums sums_of(const MonteCarloQuery& query, const MonteCarloDrawn& what) {
  MonteCarloSums sums;
  static_cast<MonteCarloQuery&>(sums) = query;
  sums.samples = what.samples;
  sums.sums = what.sums;
  return sums;
}

std::vector<MonteCarloEstimate> estimates_of(const MonteCarloSums& sums) {
  const auto outcome = monte_carlo_estimates(sums);
  if (const Issue* issue = std::get_if<Issue>(&outcome)) FAIL(issue->text);
  return std::get<0>(outcome);
}

}  // namespace

TEST_CASE("accounts monte_carlo: however a schedule is said, the shortest full query is the same") {
  const MonteCarloQuery by_counts = bins_query(
      "steps_per_epoch= dataset_size=5000 batch_size=100 epochs=1 direction=remove "
      "seed=9 samples=12345 adjacency=add-remove");
  const MonteCarloQuery by_device = with(
      by_counts, "dataset_size=5050 batch_size=5 devices=4 accumulation_steps=5 drop_last=true");
  for (const MonteCarloQuery& query : {bins_query(), by_counts, by_device}) {
    const MonteCarloQuery shortest = plan_of(query).query;
    CHECK(shortest.sampler == "balls-and-bins");
    CHECK(shortest.mechanism == "gaussian");
    CHECK(shortest.steps_per_epoch == 50);
    CHECK(shortest.epochs == 1);
    CHECK(shortest.direction == "remove");
    CHECK(shortest.method == "conditional");
    CHECK(shortest.epsilons == wire::Numbers{0.5, 2});
    CHECK_FALSE(shortest.order_statistics);
    for (const wire::Number& absent :
         {shortest.dataset_size, shortest.batch_size, shortest.steps, shortest.sampling_probability,
          shortest.samples, shortest.seed}) {
      CHECK_FALSE(absent);
    }
    CHECK(drawn(shortest, 3, 1).sums == drawn(bins_query(), 3, 1).sums);
  }
  const MonteCarloQuery shortest = plan_of(bins_query("sampler=poisson epochs=3")).query;
  CHECK(shortest.sampling_probability == 0.02);
  CHECK(shortest.steps == 150);
  CHECK(shortest.method == "plain");
  CHECK(plan_of(shortest).query.steps == 150);
}

TEST_CASE("accounts monte_carlo: epochs are whole") {
  const auto plan = monte_carlo_plan(bins_query("steps=75"));
  REQUIRE(std::holds_alternative<Issue>(plan));
  CHECK(std::get<Issue>(plan).field == "steps");
  CHECK(plan_of(bins_query("steps=100")).query.epochs == 2);
}

TEST_CASE("accounts monte_carlo: a plan has whole chunks, and at least the samples asked for") {
  MonteCarloQuery query = bins_query();
  for (const double samples : {1.0, 4096.0, 4097.0, 1e6, 1e15}) {
    query.samples = samples;
    const MonteCarloPlan plan = plan_of(query);
    CHECK(plan.samples >= samples);
    CHECK(plan.samples - plan.samples_per_chunk < samples);
    CHECK(plan.samples == plan.chunks * plan.samples_per_chunk);
  }
  CHECK(plan_of(query).orders.empty());
  query.order_statistics = {true, {}};
  CHECK(plan_of(query).orders.front() == 1);
  CHECK(plan_of(query).sums == 2 * plan_of(bins_query()).sums);
}

TEST_CASE("accounts monte_carlo: the method left out is the best one that the query allows") {
  MonteCarloQuery query = bins_query();
  CHECK(plan_of(query).query.method == "conditional");
  query.direction = "add";
  CHECK(plan_of(query).query.method == "conditional");
  query.order_statistics = {true, {}};
  CHECK(plan_of(query).query.method == "plain");
  CHECK(plan_of(bins_query("epochs=2")).query.method == "plain");
}

TEST_CASE(
    "accounts monte_carlo: chunks are those of the core's estimator, whatever was asked before") {
  const MonteCarloQuery one = bins_query();
  const MonteCarloDrawn before = drawn(one, 2, 3);
  drawn(bins_query("noise_multiplier=.7"), 0, 1);
  CHECK(drawn(one, 2, 3).sums == before.sums);

  monte_carlo::SampleRequest query;
  query.noise_multiplier = 0.5;
  query.steps = 50;
  query.epsilons = one.epsilons;
  monte_carlo::Tally tally = monte_carlo::Estimator(query).run_chunk(1, 2);
  for (const std::uint64_t chunk : {3U, 4U}) {
    REQUIRE(merge(tally, monte_carlo::Estimator(query).run_chunk(1, chunk)));
  }
  CHECK(before.samples == static_cast<double>(tally.samples));
  CHECK(before.sums[0] == tally.upper[0].sum.text());
  CHECK(before.sums[1] == tally.upper[0].squares.text());
  CHECK(before.sums.back() == tally.upper.back().squares.text());
}

TEST_CASE("accounts monte_carlo: estimates hold the certified delta and say what they are") {
  struct Row {
    const char *sampler, *mechanism, *direction;
    wire::Numbers ranks;
  };
  for (const Row& row :
       {Row{"balls-and-bins", "gaussian", "remove", {}},
        Row{"balls-and-bins", "gaussian", "add", {1, 3, 10, 25}},
        Row{"poisson", "gaussian", "add", {}}, Row{"poisson", "laplace", "remove", {}}}) {
    MonteCarloQuery query = bins_query();
    query.sampler = row.sampler;
    query.mechanism = row.mechanism;
    query.direction = row.direction;
    if (!row.ranks.empty()) query.order_statistics = {false, row.ranks};
    query.epsilons = {0.2, 0.6};
    query.confidence = 1 - 1e-9;
    const auto found = estimates_of(sums_of(query, drawn(query, 0, 4)));
    REQUIRE(found.size() == 2);
    for (const MonteCarloEstimate& one : found) {
      wire::Query certified;
      certified.question = "delta";
      certified.epsilon = one.epsilon;
      certified.phases = {static_cast<const wire::Phase&>(query)};
      const auto outcome = answer(certified);
      const wire::Answer& truth = std::get<0>(outcome).front();
      const Interval& delta =
          query.direction == "add" ? truth.directions.add : truth.directions.remove;
      CHECK(one.delta.kind == IntervalKind::confidence);
      CHECK(one.mean.kind == IntervalKind::estimate);
      CHECK(one.delta.lower <= delta.upper);
      CHECK(one.delta.upper >= delta.lower);
      CHECK(one.delta.lower <= one.mean.lower);
      CHECK(one.mean.lower <= one.mean.upper);
      CHECK(one.mean.upper <= one.delta.upper);
      if (row.ranks.empty()) CHECK(one.mean.lower >= 0.5 * one.mean.upper);
      CHECK(one.standard_error.value() > 0);
    }
  }
}

TEST_CASE("accounts monte_carlo: of an attack the samples prove a lower end alone") {
  const MonteCarloQuery query = bins_query("sampler=shuffle");
  const MonteCarloPlan plan = plan_of(query);
  CHECK(plan.assumption_codes.front() == "attack-sampled");
  const MonteCarloEstimate one = estimates_of(sums_of(query, drawn(query, 0, 1))).front();
  CHECK(std::isinf(one.delta.upper));
  CHECK(one.delta.lower > 0);
  CHECK(one.mean.upper < 1);
}

TEST_CASE(
    "accounts monte_carlo: more confidence, and of all epsilons at once, makes wider intervals") {
  MonteCarloQuery query = bins_query();
  const MonteCarloDrawn what = drawn(query, 0, 1);
  double width = 0;
  for (const char* words :
       {"confidence=.9", "confidence=.99", "simultaneous=true", "ends=hoeffding"}) {
    query = with(query, words);
    const Interval delta = estimates_of(sums_of(query, what)).front().delta;
    CHECK(delta.upper - delta.lower > width);
    width = delta.upper - delta.lower;
  }
}

TEST_CASE(
    "accounts monte_carlo: what cannot be sampled is refused, with the field and what would do") {
  struct Case {
    const char *field, *words;
  };
  const Case cases[] = {
      {"sampler", "sampler="},
      {"sampler", "sampler=deterministic"},
      {"sampler", "sampler=possion"},
      {"mechanism", "mechanism=laplace"},
      {"noise_multiplier", "noise_multiplier="},
      {"noise_multiplier", "noise_multiplier=.001"},
      {"dataset_size", "steps_per_epoch="},
      {"steps_per_epoch", "steps_per_epoch=1e9"},
      {"epochs", "epochs=0"},
      {"adjacency", "adjacency=substitution"},
      {"participations", "participations=20 steps_per_epoch=1e7"},
      {"method", "participations=2 method=importance"},
      {"records_per_user", "records_per_user=2"},
      {"noise_end", "epochs=3 noise_end=2"},
      {"max_batch_size", "dataset_size=100 max_batch_size=3"},
      {"reshuffle", "epochs=2 reshuffle=once"},
      {"drop_last",
       "sampler=shuffle steps_per_epoch= dataset_size=105 batch_size=10 drop_last=true"},
      {"direction", "direction=both"},
      {"method", "method=magic"},
      {"method", "epochs=2 method=importance"},
      {"epsilons", "epsilons="},
      {"epsilons", "epsilons=1,-1"},
      {"epsilons", "epsilons=nan"},
      {"samples", "samples=0"},
      {"samples", "samples=1e16"},
      {"seed", "seed=.5"},
      {"seed", "seed=-1"},
      {"confidence", "confidence=1"},
      {"confidence", "confidence=0"},
      {"ends", "ends=normal"},
  };
  MonteCarloQuery many = bins_query();
  many.epsilons.assign(1001, 1.0);
  CHECK(std::get<Issue>(monte_carlo_plan(many)).field == "epsilons");
  for (const Case& one : cases) {
    INFO(one.words);
    const auto outcome = monte_carlo_plan(bins_query(one.words));
    REQUIRE(std::holds_alternative<Issue>(outcome));
    const Issue& issue = std::get<Issue>(outcome);
    INFO(issue.text);
    CHECK(issue.field == one.field);
    CHECK(issue.text.starts_with(camel_case(one.field)));
    const char* said = issue.code == "missing" ? " is required: " : "; got ";
    CHECK(issue.text.find(said) != std::string::npos);
  }
}

TEST_CASE("accounts monte_carlo: a shard is told by its chunks") {
  MonteCarloShard shard = shard_of(bins_query(), 0, 1);
  shard.chunk_count.reset();
  CHECK(std::get<Issue>(monte_carlo_chunks(shard)).field == "chunk_count");
  shard = shard_of(bins_query(), -1, 1);
  CHECK(std::get<Issue>(monte_carlo_chunks(shard)).field == "first_chunk");
}

TEST_CASE("accounts monte_carlo: sums that no samples make are refused") {
  const MonteCarloQuery query = bins_query();
  const MonteCarloSums good = sums_of(query, drawn(query, 0, 1));
  CHECK(estimates_of(good).size() == 2);
  const std::function<void(MonteCarloSums&)> spoils[] = {
      [](auto& s) { s.samples.reset(); },  [](auto& s) { *s.samples += 1; },
      [](auto& s) { s.sums.pop_back(); },  [](auto& s) { s.sums.clear(); },
      [](auto& s) { s.sums[0] = "12"; },   [](auto& s) { s.sums[1][7] = 'x'; },
      [](auto& s) { s.sums[0][3] = 'f'; }, [](auto& s) { std::swap(s.sums[0], s.sums[1]); },
  };
  for (const auto& spoil : spoils) {
    MonteCarloSums sums = good;
    spoil(sums);
    const auto outcome = monte_carlo_estimates(sums);
    REQUIRE(std::holds_alternative<Issue>(outcome));
    // The last exchanges a sum and its squares.
    if (&spoil != std::end(spoils) - 1) continue;
    CHECK(std::get<Issue>(outcome).text.ends_with(" samples make " + good.sums[1] +
                                                  " with squares " + good.sums[0]));
  }
}

TEST_CASE("accounts monte_carlo: several participations stay in the query, one is left out") {
  MonteCarloQuery query = bins_query();
  for (const double times : {1.0, 2.0, 3.0}) {
    query.participations = times;
    const MonteCarloQuery shortest = plan_of(query).query;
    CHECK(shortest.participations.value_or(1) == times);
    CHECK(shortest.participations.has_value() == (times > 1));
  }
}

TEST_CASE("accounts monte_carlo: ranks are whole, from 1 to the steps, and not too many") {
  MonteCarloQuery query = bins_query();
  const auto refused = [&](const wire::Numbers& ranks) {
    query.order_statistics = {false, ranks};
    const auto planned = monte_carlo_plan(query);
    const Issue* issue = std::get_if<Issue>(&planned);
    CHECK((issue == nullptr || issue->field == "order_statistics"));
    return issue != nullptr;
  };
  CHECK_FALSE(refused({1}));
  CHECK_FALSE(refused({1, 2, 50}));
  MonteCarloQuery many = query;
  many.steps_per_epoch = 1e6;
  many.order_statistics = {false, wire::Numbers(10'000)};
  std::iota(many.order_statistics->list.begin(), many.order_statistics->list.end(), 1);
  CHECK(std::holds_alternative<MonteCarloPlan>(monte_carlo_plan(many)));
  CHECK(refused({}));
  CHECK(refused({0}));
  CHECK(refused({1.5}));
  CHECK(refused({51}));
  CHECK(refused({1, 51}));
  CHECK(refused({1, 1}));
  CHECK(refused({1, 2.5}));
  CHECK(refused({2e9}));
  CHECK(refused(wire::Numbers(10001, 1)));
}

TEST_CASE("accounts monte_carlo: epochs that are not whole are told of as they were said") {
  const auto told = [](const char* words) {
    const auto plan = monte_carlo_plan(bins_query(words));
    REQUIRE(std::holds_alternative<Issue>(plan));
    return std::get<Issue>(plan);
  };
  const Issue by_steps = told("steps=70");
  CHECK(by_steps.field == "steps");
  CHECK(by_steps.text.find("steps must make whole epochs") == 0);
  CHECK(by_steps.text.find("got 70 (an epoch has 50 steps)") != std::string::npos);
  const Issue by_rate = told("steps_per_epoch= sampling_probability=.3 epochs=2");
  CHECK(by_rate.field == "sampling_probability");
  CHECK(by_rate.text.find("1 / samplingProbability must") == 0);
  CHECK(by_rate.text.find("got 3.33") != std::string::npos);
}

}  // namespace honest_epsilon::accounts
