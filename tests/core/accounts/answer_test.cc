#include "core/accounts/answer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/accounts/catalog.h"
#include "core/accounts/privacy_curve.h"
#include "core/accounts/tradeoff.h"
#include "tests/core/accounts/laws.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::answers_of;
using testing::epsilon_query;
using testing::issue_of;
using testing::warns;

wire::Query delta_query(const std::string& sampler, double epsilon) {
  wire::Query query = epsilon_query(sampler);
  query.question = "delta";
  query.delta.reset();
  query.epsilon = epsilon;
  return query;
}

// n = 1000, b = 10 in place of 100 steps an epoch.
wire::Query with_data(wire::Query query, double n, double b) {
  testing::phase(query).steps_per_epoch.reset();
  testing::phase(query).dataset_size = n;
  testing::phase(query).batch_size = b;
  return query;
}

/// One epoch of full batches at noise 1, where clones lower the upper end.
wire::Query with_clones() {
  wire::Query query = epsilon_query("shuffle");
  testing::phase(query).noise_multiplier = 1;
  testing::phase(query).steps_per_epoch = 10000;
  testing::phase(query).epochs = 1;
  query.delta = 1e-5;
  return query;
}

bool has(const std::vector<std::string>& list, const std::string& part) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("answer: the given quantity comes back as it was given") {
  for (const Sampler& sampler : kSamplers) {
    const std::string name(sampler.name);
    CAPTURE(name);
    const wire::Answer epsilon = answer_of(epsilon_query(name));
    CHECK(epsilon.sampler == name);
    CHECK(epsilon.delta.lower == 1e-6);
    CHECK(epsilon.delta.upper == 1e-6);
    CHECK(epsilon.delta.kind == IntervalKind::certified);
    const wire::Answer delta = answer_of(delta_query(name, 1.5));
    CHECK(delta.epsilon.lower == 1.5);
    CHECK(delta.epsilon.upper == 1.5);
    CHECK(delta.delta.upper <= 1);
  }
}

TEST_CASE("answer: without a width four digits are asked") {
  wire::Query query = epsilon_query("poisson");
  wire::Phase& phase = testing::phase(query);
  phase.mechanism = "laplace";
  phase.noise_multiplier = 2;
  phase.sampling_probability = 0.01;
  phase.steps = 1000;
  phase.steps_per_epoch.reset();
  query.accountant = "pld";
  const wire::Answer answer = answer_of(query);
  CHECK(testing::is_narrow(answer.epsilon, 1e-4));
  query.width = 1e-3;
  CHECK_FALSE(testing::is_narrow(answer_of(query).epsilon, 1e-4));
}

TEST_CASE("answer: everything a report needs is filled in") {
  for (const Sampler& sampler : kSamplers) {
    CAPTURE(sampler.name);
    const wire::Answer a = answer_of(epsilon_query(std::string(sampler.name)));
    CHECK(!a.method.empty());
    const bool known_above = sampler.permutes && !a.published;
    CHECK((a.assumptions.front() == sampler.assumption) == !known_above);
    CHECK(a.assumption_codes.front() == (known_above ? "upper-end" : "batches"));
    CHECK(a.assumption_codes.size() == a.assumptions.size());
    CHECK(a.assumption_codes[1] == "neighbours");
    CHECK(has(a.assumptions, "clipping norm"));
    REQUIRE(!a.citations.empty());
    for (const std::string& key : a.citations) CHECK(key.find(' ') == std::string::npos);
    CHECK(a.derived.steps == 100);
    CHECK(a.derived.steps_per_epoch == 100);
    CHECK(a.derived.epochs == 1);
    CHECK(a.derived.sampling_probability == 0.01);
  }
}

TEST_CASE("answer: compare answers for every sampler, in the catalog's order") {
  wire::Query query = epsilon_query();
  query.question = "compare";
  for (const bool with_own_sampler : {true, false}) {
    if (!with_own_sampler) testing::phase(query).sampler.reset();
    const Outcome outcome = answer(query);
    const auto& answers = answers_of(outcome);
    REQUIRE(answers.size() == kSamplers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      CHECK(answers[i].sampler == kSamplers[i].name);
      const wire::Answer alone = answer_of(epsilon_query(answers[i].sampler));
      CHECK(answers[i].epsilon.lower == alone.epsilon.lower);
      CHECK(answers[i].epsilon.upper == alone.epsilon.upper);
      CHECK(answers[i].warnings.size() == alone.warnings.size());
    }
  }
  query.delta.reset();
  query.epsilon = 1;
  const Outcome deltas = answer(query);
  for (const wire::Answer& a : answers_of(deltas)) {
    CHECK(a.epsilon.lower == 1);
    CHECK(a.delta.upper <= 1);
  }
}

TEST_CASE("answer: remarks have four digits, on the side of what is proved") {
  wire::Query query = with_data(epsilon_query("deterministic"), 60000, 256);
  testing::phase(query).noise_multiplier = 0.05 / 3;
  query.delta = 1.0 / 30000;
  const auto said = [&](const char* code) {
    for (const wire::Warning& warning : answer_of(query).warnings)
      if (warning.code == code) return warning.text;
    return std::string();
  };
  CHECK(said("batch-does-not-divide") ==
        "The dataset size, 60000, is not a multiple of the batch size, 256: each epoch has 235 "
        "steps, the last with 96 records. If your loader drops that batch, set dropLast.");
  CHECK(said("delta-above-one-over-n") ==
        "delta 3.333e-5 is above 1/60000, one over the dataset size: such a delta permits "
        "publishing a record outright.");
  const std::string little = said("nothing-is-private");
  CHECK(little.find("epsilon is at least 20") == 0);
  CHECK(little.find(" at noise multiplier 0.01667: this") != std::string::npos);
}

TEST_CASE("answer: says which neighbours it holds for, and warns where others were asked") {
  const auto check = [](const std::vector<std::pair<const char*, const char*>>& asked,
                        const char* answered, bool differs) {
    wire::Query query = epsilon_query("poisson");
    query.phases.clear();
    for (const auto& [sampler, adjacency] : asked) {
      wire::Query one = epsilon_query(sampler);
      testing::phase(one).adjacency = adjacency;
      // The warnings are the same for any number of batches, and this is answered at once.
      testing::phase(one).steps_per_epoch = 1;
      query.phases.push_back(one.phases.front());
    }
    CAPTURE(asked.front().first);
    CAPTURE(asked.front().second);
    const wire::Answer answer = answer_of(query);
    CHECK(answer.adjacency == answered);
    CHECK(warns(answer, "other-neighbours") == differs);
    wire::Query drawn = query;
    drawn.question = "tradeoff";
    drawn.delta.reset();
    const auto curve = tradeoff(drawn);
    REQUIRE(std::holds_alternative<TradeOffAnswer>(curve));
    CHECK(std::get<TradeOffAnswer>(curve).adjacency == answered);
    const auto& warnings = std::get<TradeOffAnswer>(curve).warnings;
    CHECK(std::any_of(warnings.begin(), warnings.end(), [](const wire::Warning& w) {
            return w.code == "other-neighbours";
          }) == differs);
  };
  check({{"poisson", "add-remove"}}, "add-remove", false);
  check({{"shuffle", "add-remove"}}, "zero-out", true);
  for (const Sampler& sampler : kSamplers)
    check({{sampler.name.data(), "substitution"}}, "substitution", false);
  check({{"shuffle", "zero-out"}, {"without-replacement", "zero-out"}}, "mixed", true);
  check({{"poisson", "add-remove"}, {"poisson", "zero-out"}}, "add-remove", true);
}

TEST_CASE("answer: steps that are not whole epochs end between whole ones") {
  const auto with_steps = [](const char* sampler, double steps_per_epoch, double steps) {
    wire::Query query = epsilon_query(sampler);
    query.delta = 1e-5;
    testing::phase(query).noise_multiplier = 0.7;
    testing::phase(query).steps_per_epoch = steps_per_epoch;
    testing::phase(query).steps = steps;
    return query;
  };
  // A tenth of an epoch: the record may be in none of its batches.
  const wire::Answer part = answer_of(with_steps("shuffle", 1000, 100));
  CHECK(part.epsilon.kind == IntervalKind::certified);
  CHECK(part.epsilon.lower > 5.5);
  CHECK(part.epsilon.upper < 5.85);
  CHECK(warns(part, "schedule-rounded"));
  for (const char* sampler : {"shuffle", "balls-and-bins"}) {
    CAPTURE(sampler);
    const wire::Answer found = answer_of(with_steps(sampler, 30, 100));
    const wire::Answer begun = answer_of(with_steps(sampler, 30, 120));
    const wire::Answer finished = answer_of(with_steps(sampler, 30, 90));
    CHECK(found.epsilon.kind == IntervalKind::certified);
    CHECK(found.epsilon.lower > finished.epsilon.lower);
    CHECK(found.epsilon.lower < begun.epsilon.upper);
    CHECK(found.epsilon.upper <= begun.epsilon.upper);
    CHECK(warns(found, "schedule-rounded"));

    wire::Query drawn = with_steps(sampler, 30, 20);
    drawn.question = "tradeoff";
    drawn.delta.reset();
    drawn.epsilon = 1;
    const auto curve = tradeoff(drawn);
    REQUIRE(std::holds_alternative<TradeOffAnswer>(curve));
    const Interval remove = std::get<TradeOffAnswer>(curve).delta->remove;
    CHECK(remove.lower > 0);
    CHECK(remove.upper >= remove.lower);

    // One draw kept for all epochs has no theorem for a part of the last one.
    wire::Query kept = with_steps(sampler, 30, 100);
    testing::phase(kept).reshuffle = "once";
    wire::Query whole = with_steps(sampler, 30, 120);
    testing::phase(whole).reshuffle = "once";
    const wire::Answer between = answer_of(kept);
    CHECK(between.epsilon.kind == IntervalKind::certified);
    CHECK(between.epsilon.lower > 0);
    CHECK(between.epsilon.upper == answer_of(whole).epsilon.upper);
  }
  // With known batches the first ones' records take part in every epoch that has begun.
  const wire::Answer known = answer_of(with_steps("deterministic", 30, 100));
  const wire::Answer begun = answer_of(with_steps("deterministic", 30, 120));
  CHECK(known.epsilon.kind == IntervalKind::certified);
  CHECK(known.epsilon.lower == begun.epsilon.lower);
  CHECK(known.epsilon.upper == begun.epsilon.upper);
  // 1/q = 3.3 batches an epoch: three for the upper end, four for the lower one.
  wire::Query loose = with_steps("balls-and-bins", 30, 12);
  testing::phase(loose).steps_per_epoch.reset();
  testing::phase(loose).sampling_probability = 0.3;
  const wire::Answer between = answer_of(loose);
  CHECK(between.epsilon.upper == answer_of(with_steps("balls-and-bins", 3, 12)).epsilon.upper);
  CHECK(between.epsilon.lower == answer_of(with_steps("balls-and-bins", 4, 12)).epsilon.lower);
}

TEST_CASE("answer: at the least noise nothing is private") {
  wire::Query query = epsilon_query("deterministic");
  testing::phase(query).mechanism = "laplace";
  testing::phase(query).noise_multiplier = 1e-5;
  testing::phase(query).epochs = 2;
  // One step alone: 1e5 less twice the logarithm of what delta leaves.
  CHECK(answer_of(query).epsilon.upper > 9e4);
  for (const char* sampler : {"balls-and-bins", "shuffle", "poisson", "without-replacement"}) {
    CAPTURE(sampler);
    wire::Query tiny = epsilon_query(sampler);
    testing::phase(tiny).noise_multiplier = wire::kLeastNoise;
    const wire::Answer answer = answer_of(tiny);
    CHECK(answer.epsilon.upper > 1e6);
    // A record seen or not with mu = 1e6: no likelihood ratio between e^-1000 and e^1000 is likely.
    CHECK(answer.directions.remove.upper > 1e3);
    if (std::string(sampler) == "balls-and-bins") CHECK(answer.directions.add.upper > 1e3);
    testing::phase(tiny).noise_multiplier = 0.99 * wire::kLeastNoise;
    CHECK(issue_of(accounts::answer(tiny)).field == "noise_multiplier");
  }
}

TEST_CASE("answer: the gap of shuffled batches is said in numbers, with where it comes from") {
  const auto gap = [](const wire::Query& query) {
    for (const wire::Warning& warning : answer_of(query).warnings)
      if (warning.code == "shuffle-gap") return warning.text;
    return std::string();
  };
  CHECK(gap(with_clones()) ==
        "Both ends are proved: epsilon is between 1.133 and 1.157, the upper end 3 % above the "
        "lower one. The lower end comes from an attack. The upper end comes from our own theorem, "
        "which is not yet peer-reviewed. No known theorem closes the gap.");
  wire::Query kept = with_clones();
  testing::phase(kept).epochs = 2;
  testing::phase(kept).reshuffle = "once";
  CHECK(gap(kept).find("deterministic batches, which are never more private") != std::string::npos);
  wire::Query laplace = with_clones();
  testing::phase(laplace).mechanism = "laplace";
  CHECK(gap(laplace).find("balls-and-bins, which never reveals more") != std::string::npos);
}

TEST_CASE("answer: the clone theorem is cited and assumed where it decides, and only there") {
  const auto rests = [](const wire::Query& query) {
    const wire::Answer a = answer_of(query);
    const bool cited =
        std::find(a.citations.begin(), a.citations.end(), "HE26") != a.citations.end();
    const bool assumed = a.assumptions.front().find("peer-reviewed") != std::string::npos;
    CHECK(cited == assumed);
    CHECK(cited == a.published.has_value());
    return cited;
  };
  wire::Query query = with_clones();
  query.width = 0.1;
  CHECK(rests(query));
  // By way of the run without the record.
  testing::phase(query).adjacency = "substitution";
  CHECK(rests(query));
  testing::phase(query).adjacency = std::nullopt;
  testing::phase(query).mechanism = "laplace";
  CHECK(rests(query));
  testing::phase(query).epochs = 2;
  testing::phase(query).reshuffle = "once";
  CHECK_FALSE(rests(query));
  CHECK_FALSE(rests(epsilon_query("deterministic")));
}

TEST_CASE("answer: a certified interval wider than asked says so, and only then") {
  for (const Sampler& sampler : kSamplers) {
    if (sampler.name == "shuffle") continue;
    CAPTURE(sampler.name);
    for (const double width : {1e-9, 1e-3, 0.5}) {
      CAPTURE(width);
      wire::Query query = epsilon_query(std::string(sampler.name));
      query.width = width;
      const wire::Answer a = answer_of(query);
      if (a.epsilon.kind != IntervalKind::certified) continue;
      const bool wide = !testing::is_narrow(a.epsilon, width, 1e-4);
      if (wide) CHECK(warns(a, "wide-interval"));
      if (width >= 1e-3) CHECK_FALSE(warns(a, "wide-interval"));
    }
  }
}

TEST_CASE("answer: the numbers that the papers state come out") {
  for (const auto& row : testing::reference_table("papers")) {
    wire::Query query;
    query.question = row.text("question");
    (*query.question == "epsilon" ? query.delta : query.epsilon) = row.number("given");
    wire::Phase phase;
    phase.sampler = row.text("sampler");
    phase.noise_multiplier = row.number("sigma");
    if (row.text("q") == "-") {
      phase.steps_per_epoch = row.number("steps_per_epoch");
      phase.epochs = row.number("epochs");
    } else {
      phase.sampling_probability = row.number("q");
      phase.steps = row.number("steps");
    }
    query.phases = {phase};
    const wire::Answer a = answer_of(query);
    const Interval value = row.text("direction") == "remove" ? a.directions.remove
                           : *query.question == "epsilon"    ? a.epsilon
                                                             : a.delta;
    INFO(row.describe() << testing::show(value));
    const std::string& relation = row.text("relation");
    if (relation == "value") {
      CHECK(testing::overlap(value, {row.number("low"), row.number("high")}));
      if (phase.epochs.value_or(1) == 1) {
        CHECK(testing::is_narrow(value, 1e-3, query.delta ? 1e-4 : 0));
      }
    } else if (relation == "lower") {
      CHECK(value.lower >= row.number("low"));
    } else {
      REQUIRE(relation == "upper");
      CHECK(value.upper <= row.number("high"));
    }
  }
}

TEST_CASE("answer: where releases spend delta no epsilon is finite, and the reader is told") {
  wire::Query query = epsilon_query();
  query.phases.emplace_back(wire::Release{0.5, *query.delta, {}, {}});
  for (const double delta : {1e-6, 1e-7}) {
    query.delta = delta;
    const wire::Answer spent = answer_of(query);
    CHECK(warns(spent, "no-finite-epsilon"));
    CHECK(spent.epsilon.lower == 0);
    CHECK(spent.epsilon.upper == kInfinity);
    CHECK(spent.epsilon.kind == IntervalKind::bound);
  }
  wire::Query shuffled = query;
  testing::phase(shuffled).sampler = "shuffle";
  testing::phase(shuffled).adjacency = "add-remove";
  CHECK(warns(answer_of(shuffled), "other-neighbours"));
  query.delta = 1.5e-6;
  CHECK(answer_of(query).epsilon.upper < kInfinity);
  // Bounded losses have one at a delta that releases spend to the last.
  query.delta = 1e-6;
  wire::Query bounded = query;
  testing::phase(bounded).mechanism = "laplace";
  CHECK(answer_of(bounded).epsilon.upper < kInfinity);
  query.phases.erase(query.phases.begin());
  CHECK(answer_of(query).epsilon.upper == doctest::Approx(0.5));
  query.question = "delta";
  query.delta.reset();
  query.epsilon = 1;
  CHECK(answer_of(query).delta.upper == doctest::Approx(1e-6));
}

TEST_CASE("answer: of two upper ends that hold the smaller one, and calibration follows it") {
  wire::Query query = epsilon_query();
  testing::phase(query).mechanism = "randomized-response";
  testing::phase(query).adjacency = "substitution";
  testing::phase(query).noise_multiplier = 1;
  testing::phase(query).steps_per_epoch.reset();
  testing::phase(query).sampling_probability = 0.1;
  testing::phase(query).steps = 50;
  query.delta = 1e-5;
  const wire::Answer best = answer_of(query);
  query.accountant = "pld";
  const wire::Answer pld = answer_of(query);
  REQUIRE(best.rdp);
  CHECK(best.rdp->upper < pld.epsilon.upper);
  CHECK(best.epsilon.upper == best.rdp->upper);
  CHECK(best.epsilon.lower == pld.epsilon.lower);
  CHECK(best.epsilon.kind == IntervalKind::certified);
  CHECK(best.method_code == "renyi");
}

TEST_CASE("answer: Renyi accounting charges each release's failure") {
  wire::Query query = epsilon_query();
  query.delta = 5e-3;
  query.phases = {wire::Release{0.5, 1e-3, {}, {}}, wire::Release{0.4, 1e-3, {}, {}}};
  const wire::Answer best = answer_of(query);
  REQUIRE(best.rdp);
  CHECK(best.rdp->upper >= best.epsilon.lower);
  // Of one of them, or of none, less is left to charge.
  wire::Query fewer = query;
  std::get<wire::Release>(fewer.phases.back()).delta.reset();
  const wire::Answer one = answer_of(fewer);
  CHECK(best.rdp->upper > one.rdp->upper);
  query.question = "delta";
  query.delta.reset();
  query.epsilon = 0.8;
  CHECK(answer_of(query).rdp->upper >= answer_of(query).delta.lower);
}

// Epsilon and delta rest on one function: what is asked back is what was given, and no more.
TEST_CASE("answer: delta at the epsilon that was given for a delta is no larger") {
  const int runs = testing::share_of_cases() >= 1 ? 200 : 4;
  for (const Sampler& sampler : kSamplers) {
    int asked = 0;
    for (int i = 0; i < runs; ++i) {
      testing::Dice dice(static_cast<std::uint64_t>(20261128 + i));
      wire::Query query = testing::random_run(dice, sampler);
      // Delta of pure steps jumps at their largest losses, which lattices round up.
      if (sampler.name == "balls-and-bins") testing::phase(query).mechanism.reset();
      query.question = "epsilon";
      query.accountant = "pld";
      const double delta = dice.log_uniform(1e-10, 1e-2);
      query.delta = delta;
      const Outcome there = answer(query);
      const auto* answers = std::get_if<std::vector<wire::Answer>>(&there);
      if (answers == nullptr || !(answers->front().epsilon.upper < 1e4)) continue;
      query.question = "delta";
      query.delta.reset();
      query.epsilon = answers->front().epsilon.upper;
      const double back = answer_of(query).delta.upper;
      INFO(testing::describe(query) << " " << delta << " " << back);
      CHECK(back <= 1.02 * delta);
      ++asked;
    }
    CHECK(asked > runs / 2);
  }
}

TEST_CASE("answer: a replaced record's step of pure noise is asked back alike") {
  for (const std::string mechanism : {"laplace", "randomized-response"}) {
    for (const double delta : {1e-2, 8e-4, 1e-5}) {
      wire::Query query = epsilon_query("poisson");
      wire::Phase& phase = testing::phase(query);
      phase.mechanism = mechanism;
      phase.adjacency = "substitution";
      phase.noise_multiplier = 1;
      phase.sampling_probability = 0.5;
      phase.steps_per_epoch.reset();
      phase.epochs.reset();
      phase.steps = 1;
      query.delta = delta;
      query.width = 0.02;
      query.accountant = "pld";
      query.question = "epsilon";
      const double epsilon = answer_of(query).epsilon.upper;
      query.question = "delta";
      query.delta.reset();
      query.epsilon = epsilon;
      const double back = answer_of(query).delta.upper;
      INFO(mechanism << " " << epsilon << " " << delta << " " << back);
      CHECK(back <= 1.02 * delta);
    }
  }
}

TEST_CASE("answer: reshuffled epochs at tiny deltas are asked back alike, alone and on a curve") {
  struct Row {
    double sigma, epochs, delta;
  };
  // Asked back, the first was 1.7e-6 and the second 2.4e-8.
  for (const Row& row :
       testing::in_share(std::vector{Row{1.6, 10, 1e-9}, Row{1.1, 10, 1e-9}, Row{1.1, 10, 1e-7}})) {
    wire::Query query = with_data(epsilon_query("shuffle"), 60000, 256);
    testing::phase(query).noise_multiplier = row.sigma;
    testing::phase(query).epochs = row.epochs;
    query.delta = row.delta;
    const double epsilon = answer_of(query).epsilon.upper;
    PrivacyCurveQuery curve;
    static_cast<wire::Query&>(curve) = query;
    curve.question = "delta";
    curve.delta.reset();
    curve.epsilons = {0.5 * epsilon, epsilon};
    query.question = "delta";
    query.delta.reset();
    query.epsilon = epsilon;
    const double alone = answer_of(query).delta.upper;
    const auto drawn = std::get<PrivacyCurveAnswer>(privacy_curve_at(curve));
    INFO(row.sigma << " " << epsilon << " " << alone << " " << drawn.points.back().delta.upper);
    CHECK(alone <= 1.02 * row.delta);
    CHECK(drawn.points.back().delta.upper <= 1.02 * alone);
    CHECK(drawn.points.back().delta.upper >= alone / 1.02);
  }
}

TEST_CASE("answer: shuffled phases of rising noise reveal no more than all of them at the least") {
  // Phase by phase the second one took 26 s, and known batches 25.2.
  struct Row {
    int phases;
    double sigma, batches;
  };
  for (const Row& row : testing::in_share(std::vector{Row{14, 1.6, 250}, Row{30, 1.2, 1000}})) {
    wire::Query query = with_data(epsilon_query("shuffle"), 256 * row.batches, 256);
    const wire::Phase first = testing::phase(query);
    query.phases.clear();
    for (int i = 0; i < row.phases; ++i) {
      wire::Phase phase = first;
      phase.noise_multiplier = row.sigma + 0.01 * i;
      query.phases.push_back(phase);
    }
    const Interval unlike = answer_of(query).epsilon;
    const auto alike = [&](double sigma) {
      wire::Phase phase = first;
      phase.noise_multiplier = sigma;
      phase.epochs = row.phases;
      query.phases = {phase};
      return answer_of(query).epsilon;
    };
    const Interval most = alike(row.sigma), least = alike(row.sigma + 0.01 * row.phases);
    INFO(row.phases << testing::show(unlike) << testing::show(most) << testing::show(least));
    CHECK(unlike.upper < most.upper);
    CHECK(unlike.upper > least.lower);
    CHECK(unlike.lower < most.lower);
    CHECK(unlike.lower > least.lower);
  }
}

TEST_CASE(
    "answer: shuffled phases of nearly the same noise count with the least above, the most below") {
  const auto asked = [](const std::vector<double>& noises, double epochs) {
    wire::Query query = with_data(epsilon_query("shuffle"), 25600, 256);
    const wire::Phase first = testing::phase(query);
    query.phases.clear();
    for (const double noise : noises) {
      wire::Phase phase = first;
      phase.noise_multiplier = noise;
      phase.epochs = epochs;
      query.phases.push_back(phase);
    }
    return answer_of(query).epsilon;
  };
  std::vector<double> pairs, least, most;
  for (int i = 0; i < 6; ++i) {
    least.push_back(2 * std::pow(1.05, i));
    most.push_back(1.001 * least.back());
    pairs.insert(pairs.begin(), {most.back(), least.back()});
  }
  const Interval found = asked(pairs, 1);
  CHECK(found.upper == doctest::Approx(asked(least, 2).upper).epsilon(1e-9));
  CHECK(found.lower == doctest::Approx(asked(most, 2).lower).epsilon(1e-9));
}

TEST_CASE("answer: where swaps gain nothing, unlike shuffled phases cost what known batches do") {
  wire::Query query = with_data(epsilon_query("shuffle"), 512, 256);
  const wire::Phase first = testing::phase(query);
  query.phases.clear();
  for (int i = 0; i < 10; ++i) {
    wire::Phase phase = first;
    phase.noise_multiplier = 0.5 + 0.02 * i;
    query.phases.push_back(phase);
  }
  const wire::Answer shuffled = answer_of(query);
  for (auto& phase : query.phases) std::get<wire::Phase>(phase).sampler = "deterministic";
  CHECK(shuffled.epsilon.upper <= answer_of(query).epsilon.upper * (1 + 1e-9));
  CHECK_FALSE(shuffled.published);
}

TEST_CASE("answer: the largest advantage is one number, however it is asked") {
  for (const double sigma : {1.0, 1.6}) {
    for (const double epochs : {1.0, 3.0}) {
      if (testing::share_of_cases() < 1 && (sigma == 1) != (epochs == 1)) continue;
      wire::Query query = with_data(delta_query("shuffle", 0), 60000, 256);
      testing::phase(query).noise_multiplier = sigma;
      testing::phase(query).epochs = epochs;
      const Interval delta = answer_of(query).delta;
      query.question = "tradeoff";
      query.epsilon.reset();
      const auto outcome = tradeoff(query);
      const Interval advantage = std::get<TradeOffAnswer>(outcome).symmetric.advantage;
      INFO(sigma << " " << epochs << testing::show(delta) << testing::show(advantage));
      CHECK(delta.upper <= 1.003 * advantage.upper);
      CHECK(advantage.upper <= 1.003 * delta.upper);
      if (epochs == 1 && sigma == 1) CHECK(delta.upper < 0.157);
    }
  }
}

}  // namespace honest_epsilon::accounts
