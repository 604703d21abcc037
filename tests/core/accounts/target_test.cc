#include "core/wire/target.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/target_met.h"
#include "core/accounts/tradeoff.h"
#include "core/math/normal.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::show;

/// Noise for four epochs of ten batches.
wire::Query aimed(const std::string& target, double value, wire::Number at = std::nullopt) {
  wire::Query query = testing::query_of(
      "sampler=deterministic steps_per_epoch=10 epochs=4 noise_multiplier= question=calibrate ",
      "solve_for=noise delta=1e-5 target=", target, " target_value=", value);
  query.target_at = at;
  return query;
}

/// What the question "tradeoff", or "delta" at one epsilon, says of the same run and quantity.
Interval confirmed(wire::Query query, double noise) {
  const wire::Target target = *target_of(query);
  query = testing::with(query, "question=tradeoff solve_for= delta= target= target_value= ",
                        "noise_multiplier=", noise);
  if (query.target_at) query.false_positive_rates = {*query.target_at};
  query.target_at.reset();
  if (target.measure == wire::Measure::advantage || target.measure == wire::Measure::accuracy) {
    const double prior = target.measure == wire::Measure::accuracy ? target.at : 0.5;
    query.question = "delta";
    query.epsilon = std::abs(std::log(prior / (1 - prior)));
    query.false_positive_rates.clear();
    const double delta = answer_of(query).delta.upper;
    if (target.measure == wire::Measure::advantage) return {0, delta};
    const double floor = std::max(prior, 1 - prior);
    return {0, floor + (1 - floor) * delta};
  }
  const auto answer = tradeoff(query);
  REQUIRE(std::holds_alternative<TradeOffAnswer>(answer));
  const Band& band = std::get<TradeOffAnswer>(answer).symmetric;
  if (target.measure == wire::Measure::gdp) return band.gaussian.mu;
  return band.attack_rates.front().true_positive_rate;
}

/// Four epochs of deterministic batches are one Gaussian of shift 2 / sigma.
struct Closed {
  const char* target;
  wire::Number at;
  std::function<double(double mu)> value;
};

const std::vector<Closed> kClosed = {
    {"advantage", std::nullopt, [](double mu) { return std::erf(mu / std::sqrt(8.0)); }},
    // Above these a standard normal lies with probability 0.01 and 0.1.
    {"true-positive-rate", 0.01,
     [](double mu) { return normal::upper_tail(2.3263478740408411 - mu); }},
    {"inference", 0.1, [](double mu) { return normal::upper_tail(1.2815515655446004 - mu); }},
    {"accuracy", 0.25,
     [](double mu) {
       const double cut = std::log(3.0);
       return 0.75 * normal::upper_tail(-mu / 2 - cut / mu) +
              0.25 * normal::upper_tail(cut / mu - mu / 2);
     }},
    {"gdp", std::nullopt, [](double mu) { return mu; }},
};

/// A prior over records, what each does to a finite output, and which guesses hit it.
struct World {
  std::vector<double> prior, without;
  std::vector<std::vector<double>> with;  ///< by record
};

std::vector<double> some_law(std::mt19937& random, int size) {
  std::vector<double> law(static_cast<std::size_t>(size));
  double sum = 0;
  for (double& p : law) sum += p = std::exp(2.0 * std::uniform_real_distribution<>()(random));
  for (double& p : law) p /= sum;
  return law;
}

/// sup over tests and records of P(E) - K Q(E), in either direction.
double delta_of(const World& world, double epsilon, bool remove) {
  double most = 0;
  for (const auto& with : world.with) {
    double sum = 0;
    for (std::size_t y = 0; y < with.size(); ++y) {
      const double gain = remove ? with[y] - std::exp(epsilon) * world.without[y]
                                 : world.without[y] - std::exp(epsilon) * with[y];
      sum += std::max(0.0, gain);
    }
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

TEST_CASE("target: closed forms of a Gaussian run, and the trade-off question confirms them") {
  for (const Closed& closed : kClosed) {
    CAPTURE(closed.target);
    const double limit = closed.value(2 / 1.7);
    const wire::Query query = aimed(closed.target, limit, closed.at);
    const wire::Answer answer = answer_of(query);
    REQUIRE(answer.solution);
    REQUIRE(answer.target);
    const auto cited = std::count(answer.citations.begin(), answer.citations.end(), "KGK25");
    CHECK(cited == (std::string(closed.target) == "inference" ? 1 : 0));
    const double noise = answer.solution->value;
    CHECK(noise >= 1.7 * (1 - 1e-12));
    CHECK(noise <= 1.7 * (1 + 5e-3));
    CHECK(answer.target->value.upper <= limit);
    CHECK(answer.target->value.upper >= closed.value(2 / noise) * (1 - 1e-12));
    const Interval asked = confirmed(query, noise);
    CHECK(asked.upper == doctest::Approx(answer.target->value.upper).epsilon(1e-13));
    CHECK(asked.upper <= limit);
    CHECK(answer.target->gap.has_value() == (std::string(closed.target) == "gdp"));
  }
}

TEST_CASE("target: met by every sampler whose curve is proved, and confirmed") {
  for (const std::string sampler : {"poisson", "shuffle"}) {
    // Its curves take a hundred times as long.
    if (sampler == "shuffle" && testing::share_of_cases() < 1) continue;
    CAPTURE(sampler);
    const wire::Query query =
        testing::with(aimed("true-positive-rate", 0.05, 0.01),
                      "steps_per_epoch=2 epochs=1 width=.1 sampler=", sampler);
    const wire::Answer answer = answer_of(query);
    REQUIRE(answer.solution);
    const Interval asked = confirmed(query, answer.solution->value);
    CHECK(asked.upper <= 0.05);
    CHECK(asked.upper >= 0.049);
  }
}

TEST_CASE("target: the worse direction counts") {
  // At so high a false positive rate f is flat, and direction add costs less.
  const wire::Query query = testing::with(aimed("inference", 0.95, 0.9), "sampler=poisson");
  const wire::Answer answer = answer_of(query);
  REQUIRE(answer.solution);
  CHECK(confirmed(query, answer.solution->value).upper <= 0.95);
}

TEST_CASE("target: the last number of epochs that meets it") {
  wire::Query query = testing::with(aimed("advantage", 0.4), "solve_for=epochs noise_multiplier=3");
  const wire::Answer answer = answer_of(query);
  REQUIRE(answer.solution);
  const auto advantage = [](double epochs) { return std::erf(std::sqrt(epochs / 72)); };
  CHECK(advantage(answer.solution->value) <= 0.4);
  CHECK(advantage(answer.solution->value + 1) > 0.4);
  query.target_value = 0.01;
  const auto outcome = honest_epsilon::accounts::answer(query);
  REQUIRE(std::holds_alternative<Issue>(outcome));
  CHECK(std::get<Issue>(outcome).code == "unreachable");
  CHECK(std::get<Issue>(outcome).text.find("advantage exceeds 0.01") != std::string::npos);
}

TEST_CASE("target: no attack infers more than 1 - f(baseline), over all attacks on small worlds") {
  std::mt19937 random(18);
  for (int round = 0; round < 60; ++round) {
    const int records = 2 + round % 3, outputs = 2 + round % 5;
    World world{some_law(random, records), some_law(random, outputs), {}};
    for (int z = 0; z < records; ++z) world.with.push_back(some_law(random, outputs));
    // An attack guesses the record itself: the best one takes the likeliest after each output.
    double success = 0;
    for (std::size_t y = 0; y < world.without.size(); ++y) {
      double best = 0;
      for (std::size_t z = 0; z < world.prior.size(); ++z)
        best = std::max(best, world.prior[z] * world.with[z][y]);
      success += best;
    }
    const double baseline = *std::max_element(world.prior.begin(), world.prior.end());
    const auto at = [&world](double epsilon) -> tradeoff::Knot {
      const double remove = delta_of(world, epsilon, true), add = delta_of(world, epsilon, false);
      return {epsilon, {remove, remove}, {add, add}};
    };
    const tradeoff::TradeOffCurve f(tradeoff::sample(at));
    CAPTURE(round);
    CHECK(success <= f.true_positive_rate(baseline).upper * (1 + 1e-12));
  }
}

TEST_CASE("target: the closed form of a calculator elsewhere is below what is proved") {
  // The methods page has these numbers: p = 1/100, T = 1000, sigma = 1, one record substituted.
  const Interval advantage =
      testing::asked("sampler=poisson sampling_probability=.01 steps=1000 adjacency=substitution ",
                     "question=delta delta= epsilon=0 width=1e-6")
          .delta;
  CHECK(advantage.lower >= 0.26435);
  CHECK(advantage.upper <= 0.26436);
  CHECK(std::erf(0.01 * std::sqrt(1000 / 2.0)) < 0.2482);
}

TEST_CASE("target: an accuracy is the delta of the direction that decides, at both ends") {
  // A shuffled run's ends differ, and so do a subsampled step's directions.
  for (const char* run :
       {"sampler=shuffle batch_size=100", "sampler=poisson steps=1 batch_size=100",
        "sampler=poisson steps=1 batch_size=100 swapped=true",
        "sampler=poisson steps=1 batch_size=100 + noise_multiplier=2"}) {
    for (const char* prior : {"0.2", "0.5", "0.7"}) {
      CAPTURE(run);
      CAPTURE(prior);
      wire::Query query =
          testing::query_of(std::string(run) + " delta= question=calibrate solve_for=noise" +
                            " target=accuracy target_value=0.9 target_at=" + prior);
      const wire::TargetMet found =
          target_met(*target_of(query), query, testing::programme_of(run));
      const Interval met = found.value;
      const double p = std::stod(prior), floor = std::max(p, 1 - p);
      wire::Query asked = testing::query_of(std::string(run) + " delta= question=delta");
      asked.epsilon = std::abs(std::log(p / (1 - p)));
      const wire::Answer answer = testing::answer_of(asked);
      const Directions d{answer.directions.remove, answer.directions.add};
      CHECK(found.at == p);
      CHECK(found.limit == 0.9);
      CHECK(found.own_proofs == answer.published.has_value());
      CHECK(met.lower == doctest::Approx(floor + (1 - floor) * d.lower()).epsilon(1e-4));
      CHECK(met.upper == doctest::Approx(floor + (1 - floor) * d.upper()).epsilon(1e-4));
      CHECK(met.upper >= floor + (1 - floor) * d.lower());
    }
  }
}

}  // namespace honest_epsilon::accounts
