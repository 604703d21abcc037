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
#include "tests/core/accounts/words.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::answers_of;
using testing::asked;
using testing::at_epsilon;
using testing::epsilon_query;
using testing::issue_of;
using testing::query_of;
using testing::warns;
using testing::with;

/// One epoch of full batches at noise 1, where clones lower the upper end.
const std::string kClones = "sampler=shuffle steps_per_epoch=10000 epochs=1 delta=1e-5 ";

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
    const wire::Answer delta = at_epsilon(epsilon_query(name), 1.5);
    CHECK(delta.epsilon.lower == 1.5);
    CHECK(delta.epsilon.upper == 1.5);
    CHECK(delta.delta.upper <= 1);
  }
}

TEST_CASE("answer: without a width four digits are asked") {
  const std::string run =
      "sampler=poisson mechanism=laplace noise_multiplier=2 "
      "sampling_probability=.01 steps=1000 accountant=pld ";
  CHECK(testing::is_narrow(asked(run).epsilon, 1e-4));
  CHECK_FALSE(testing::is_narrow(asked(run + "width=1e-3").epsilon, 1e-4));
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
  const wire::Query query = query_of(
      "sampler=deterministic dataset_size=60000 batch_size=256 noise_multiplier=", 0.05 / 3,
      " delta=", 1.0 / 30000);
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
    return query_of("delta=1e-5 noise_multiplier=.7 sampler=", sampler,
                    " steps_per_epoch=", steps_per_epoch, " steps=", steps);
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

    const auto curve =
        tradeoff(with(with_steps(sampler, 30, 20), "question=tradeoff delta= epsilon=1"));
    REQUIRE(std::holds_alternative<TradeOffAnswer>(curve));
    const Interval remove = std::get<TradeOffAnswer>(curve).delta->remove;
    CHECK(remove.lower > 0);
    CHECK(remove.upper >= remove.lower);

    // One draw kept for all epochs has no theorem for a part of the last one.
    const auto kept = [&](double steps) {
      return answer_of(with(with_steps(sampler, 30, steps), "reshuffle=once")).epsilon;
    };
    const Interval some = kept(100);
    CHECK(some.kind == IntervalKind::certified);
    CHECK(some.lower > 0);
    CHECK(some.upper == kept(120).upper);
  }
  // With known batches the first ones' records take part in every epoch that has begun.
  const wire::Answer known = answer_of(with_steps("deterministic", 30, 100));
  const wire::Answer begun = answer_of(with_steps("deterministic", 30, 120));
  CHECK(known.epsilon.kind == IntervalKind::certified);
  CHECK(known.epsilon.lower == begun.epsilon.lower);
  CHECK(known.epsilon.upper == begun.epsilon.upper);
  // 1/q = 3.3 batches an epoch: three for the upper end, four for the lower one.
  const wire::Answer between = answer_of(
      with(with_steps("balls-and-bins", 30, 12), "steps_per_epoch= sampling_probability=.3"));
  CHECK(between.epsilon.upper == answer_of(with_steps("balls-and-bins", 3, 12)).epsilon.upper);
  CHECK(between.epsilon.lower == answer_of(with_steps("balls-and-bins", 4, 12)).epsilon.lower);
}

TEST_CASE("answer: at the least noise nothing is private") {
  // One step alone: 1e5 less twice the logarithm of what delta leaves.
  CHECK(asked("sampler=deterministic mechanism=laplace noise_multiplier=1e-5 epochs=2")
            .epsilon.upper > 9e4);
  for (const char* sampler : {"balls-and-bins", "shuffle", "poisson", "without-replacement"}) {
    CAPTURE(sampler);
    const auto tiny = [&](double noise) {
      return query_of("sampler=", sampler, " noise_multiplier=", noise);
    };
    const wire::Answer answer = answer_of(tiny(wire::kLeastNoise));
    CHECK(answer.epsilon.upper > 1e6);
    // A record seen or not with mu = 1e6: no likelihood ratio between e^-1000 and e^1000 is likely.
    CHECK(answer.directions.remove.upper > 1e3);
    if (std::string(sampler) == "balls-and-bins") CHECK(answer.directions.add.upper > 1e3);
    const auto refused = accounts::answer(tiny(0.99 * wire::kLeastNoise));
    CHECK(issue_of(refused).field == "noise_multiplier");
  }
}

TEST_CASE("answer: the gap of shuffled batches is said in numbers, with where it comes from") {
  const auto gap = [](const std::string& run) {
    for (const wire::Warning& warning : asked(run).warnings)
      if (warning.code == "shuffle-gap") return warning.text;
    return std::string();
  };
  CHECK(gap(kClones) ==
        "Both ends are proved: epsilon is between 1.132 and 1.151, the upper end 2 % above the "
        "lower one. The lower end comes from an attack. The upper end comes from our own theorem, "
        "which is not yet peer-reviewed. No known theorem closes the gap.");
  CHECK(gap(kClones + "epochs=2 reshuffle=once")
            .find("deterministic batches, which are never more private") != std::string::npos);
  CHECK(gap(kClones + "mechanism=laplace").find("balls-and-bins, which never reveals more") !=
        std::string::npos);
}

TEST_CASE("answer: the clone theorem is cited and assumed where it decides, and only there") {
  const auto rests = [](const std::string& run) {
    const wire::Answer a = asked(run);
    const bool cited =
        std::find(a.citations.begin(), a.citations.end(), "HE26") != a.citations.end();
    const bool assumed = a.assumptions.front().find("peer-reviewed") != std::string::npos;
    CHECK(cited == assumed);
    CHECK(cited == a.published.has_value());
    return cited;
  };
  CHECK(rests(kClones + "width=.1"));
  // By way of the run without the record.
  CHECK(rests(kClones + "width=.1 adjacency=substitution"));
  CHECK(rests(kClones + "width=.1 mechanism=laplace"));
  CHECK_FALSE(rests(kClones + "width=.1 mechanism=laplace epochs=2 reshuffle=once"));
  CHECK_FALSE(rests("sampler=deterministic"));
}

TEST_CASE("answer: a certified interval wider than asked says so, and only then") {
  for (const Sampler& sampler : kSamplers) {
    if (sampler.name == "shuffle") continue;
    CAPTURE(sampler.name);
    for (const double width : {1e-9, 1e-3, 0.5}) {
      CAPTURE(width);
      const wire::Answer a = asked("sampler=", sampler.name, " width=", width);
      if (a.epsilon.kind != IntervalKind::certified) continue;
      const bool wide = !testing::is_narrow(a.epsilon, width, 1e-4);
      if (wide) CHECK(warns(a, "wide-interval"));
      if (width >= 1e-3) CHECK_FALSE(warns(a, "wide-interval"));
    }
  }
}

TEST_CASE("answer: the numbers that the papers state come out") {
  for (const auto& row : testing::in_share(testing::reference_table("papers"), 3)) {
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
  const std::string spent = "sampler=poisson + release epsilon=.5 delta=1e-6 ";
  for (const double delta : {1e-6, 1e-7}) {
    wire::Query query = query_of(spent);
    query.delta = delta;
    const wire::Answer answer = answer_of(query);
    CHECK(warns(answer, "no-finite-epsilon"));
    CHECK(answer.epsilon.lower == 0);
    CHECK(answer.epsilon.upper == kInfinity);
    CHECK(answer.epsilon.kind == IntervalKind::bound);
  }
  CHECK(warns(asked("sampler=shuffle adjacency=add-remove + release epsilon=.5 delta=1e-6"),
              "other-neighbours"));
  wire::Query more = query_of(spent);
  more.delta = 1.5e-6;
  CHECK(answer_of(more).epsilon.upper < kInfinity);
  // Bounded losses have one at a delta that releases spend to the last.
  CHECK(asked("mechanism=laplace ", spent).epsilon.upper < kInfinity);
  const wire::Query alone = query_of("releases epsilon=.5 delta=1e-6");
  CHECK(answer_of(alone).epsilon.upper == doctest::Approx(0.5));
  CHECK(at_epsilon(alone, 1).delta.upper == doctest::Approx(1e-6));
}

TEST_CASE("answer: of two upper ends that hold the smaller one, and calibration follows it") {
  const std::string run =
      "sampler=poisson mechanism=randomized-response adjacency=substitution "
      "sampling_probability=.1 steps=50 delta=1e-5 ";
  const wire::Answer best = asked(run), pld = asked(run + "accountant=pld");
  REQUIRE(best.rdp);
  CHECK(best.rdp->upper < pld.epsilon.upper);
  CHECK(best.epsilon.upper == best.rdp->upper);
  CHECK(best.epsilon.lower == pld.epsilon.lower);
  CHECK(best.epsilon.kind == IntervalKind::certified);
  CHECK(best.method_code == "renyi");
}

TEST_CASE("answer: Renyi accounting charges each release's failure") {
  const auto both = [](const char* of_second) {
    wire::Query query = query_of("releases epsilon=.5 delta=1e-3 + release epsilon=.4 ", of_second);
    query.delta = 5e-3;
    return query;
  };
  const wire::Query query = both("delta=1e-3");
  const wire::Answer best = answer_of(query);
  REQUIRE(best.rdp);
  CHECK(best.rdp->upper >= best.epsilon.lower);
  // Of one of them, or of none, less is left to charge.
  CHECK(best.rdp->upper > answer_of(both("")).rdp->upper);
  const wire::Answer back = at_epsilon(query, 0.8);
  CHECK(back.rdp->upper >= back.delta.lower);
}

// Epsilon and delta rest on one function: what is asked back is what was given, and no more.
TEST_CASE("answer: delta at the epsilon that was given for a delta is no larger") {
  const int runs = testing::share_of_cases() >= 1 ? 200 : 2;
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
      const double back = at_epsilon(query, answers->front().epsilon.upper).delta.upper;
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
      const wire::Query query = query_of(
          "sampler=poisson adjacency=substitution sampling_probability=.5 steps=1 width=.02 ",
          "accountant=pld mechanism=", mechanism, " delta=", delta);
      const double epsilon = answer_of(query).epsilon.upper;
      const double back = at_epsilon(query, epsilon).delta.upper;
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
    const wire::Query query =
        query_of("sampler=shuffle dataset_size=60000 batch_size=256 noise_multiplier=", row.sigma,
                 " epochs=", row.epochs, " delta=", row.delta);
    const double epsilon = answer_of(query).epsilon.upper;
    PrivacyCurveQuery curve;
    static_cast<wire::Query&>(curve) = query;
    curve.question = "delta";
    curve.delta.reset();
    curve.epsilons = {0.5 * epsilon, epsilon};
    const double alone = at_epsilon(query, epsilon).delta.upper;
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
    const std::string run =
        "sampler=shuffle batch_size=256 dataset_size=" + std::to_string(256 * row.batches) +
        " noise_multiplier=";
    wire::Query query = query_of(run, row.sigma);
    for (int i = 1; i < row.phases; ++i)
      query = with(query, "+ noise_multiplier=", row.sigma + 0.01 * i);
    const Interval unlike = answer_of(query).epsilon;
    const auto alike = [&](double sigma) {
      return asked(run, sigma, " epochs=", row.phases).epsilon;
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
  const auto phases_of = [](const std::vector<double>& noises, double epochs) {
    wire::Query query =
        query_of("sampler=shuffle dataset_size=25600 batch_size=256 epochs=", epochs);
    for (const double noise : noises) query = with(query, "noise_multiplier=", noise, " +");
    query.phases.pop_back();
    return answer_of(query).epsilon;
  };
  std::vector<double> pairs, least, most;
  for (int i = 0; i < 6; ++i) {
    least.push_back(2 * std::pow(1.05, i));
    most.push_back(1.001 * least.back());
    pairs.insert(pairs.begin(), {most.back(), least.back()});
  }
  const Interval found = phases_of(pairs, 1);
  CHECK(found.upper == doctest::Approx(phases_of(least, 2).upper).epsilon(1e-9));
  CHECK(found.lower == doctest::Approx(phases_of(most, 2).lower).epsilon(1e-9));
}

TEST_CASE("answer: where swaps gain nothing, unlike shuffled phases cost what known batches do") {
  wire::Query query =
      query_of("sampler=shuffle dataset_size=512 batch_size=256 noise_multiplier=.5");
  for (int i = 1; i < 10; ++i) query = with(query, "+ noise_multiplier=", 0.5 + 0.02 * i);
  const wire::Answer shuffled = answer_of(query);
  for (auto& phase : query.phases) std::get<wire::Phase>(phase).sampler = "deterministic";
  CHECK(shuffled.epsilon.upper <= answer_of(query).epsilon.upper * (1 + 1e-9));
  CHECK_FALSE(shuffled.published);
}

TEST_CASE("answer: the largest advantage is one number, however it is asked") {
  for (const double sigma : {1.0, 1.6}) {
    for (const double epochs : {1.0, 3.0}) {
      if (testing::share_of_cases() < 1 && (sigma == 1) != (epochs == 1)) continue;
      const wire::Query query = query_of(
          "sampler=shuffle dataset_size=60000 batch_size=256 question=delta delta= epsilon=0 ",
          "noise_multiplier=", sigma, " epochs=", epochs);
      const Interval delta = answer_of(query).delta;
      const auto outcome = tradeoff(with(query, "question=tradeoff epsilon="));
      const Interval advantage = std::get<TradeOffAnswer>(outcome).symmetric.advantage;
      INFO(sigma << " " << epochs << testing::show(delta) << testing::show(advantage));
      CHECK(delta.upper <= 1.003 * advantage.upper);
      CHECK(advantage.upper <= 1.003 * delta.upper);
      if (epochs == 1 && sigma == 1) CHECK(delta.upper < 0.157);
    }
  }
}

}  // namespace honest_epsilon::accounts
