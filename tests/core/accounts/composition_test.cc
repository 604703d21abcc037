#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"
#include "core/accounts/programme.h"
#include "core/pairs/gaussian.h"
#include "core/samplers/bins_epoch.h"
#include "tests/core/accounts/words.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

// Laws of composition, as a reader of answers sees them.
namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::epsilon_query;
using testing::phase;
using testing::show;

/// One phase of a sampler's own kind of schedule.
wire::Phase phase_of(const std::string& sampler, double sigma, double amount) {
  wire::Phase p;
  p.sampler = sampler;
  p.noise_multiplier = sigma;
  if (sampler == "poisson" || sampler == "without-replacement") {
    p.sampling_probability = 0.01;
    p.steps = 100 * amount;
  } else {
    p.steps_per_epoch = 100;
    p.epochs = amount;
  }
  return p;
}

wire::Query query_of(std::vector<wire::Entry> phases, const std::string& question = "epsilon",
                     double given = 1e-6) {
  wire::Query query;
  query.question = question;
  (question == "epsilon" ? query.delta : query.epsilon) = given;
  query.phases = std::move(phases);
  return query;
}

void check_overlap(const Interval& a, const Interval& b) {
  INFO("a " << show(a) << " b " << show(b));
  CHECK(a.lower <= b.upper);
  CHECK(b.lower <= a.upper);
}

void check_same(const wire::Answer& a, const wire::Answer& b) {
  for (const auto& [x, y] : {std::pair{a.epsilon, b.epsilon}, std::pair{a.delta, b.delta}}) {
    CHECK(x.lower == doctest::Approx(y.lower).epsilon(1e-12));
    CHECK(x.upper == doctest::Approx(y.upper).epsilon(1e-12));
  }
}

wire::Release release_of(double epsilon, double delta) {
  return {epsilon, delta, {}, {}};
}
wire::Release release_of_mu(double mu) {
  return {{}, {}, mu, {}};
}
wire::Release release_of_rho(double rho) {
  return {{}, {}, {}, rho};
}

}  // namespace

TEST_CASE("composition: phases are merged only where they differ in nothing but their length") {
  const auto read = [](const wire::Query& query) {
    return std::get<Programme>(read_programme(query)).phases.front();
  };
  const PhaseRun phase = read(epsilon_query("balls-and-bins"));
  // A new field of a run does not compile here until it is looked at, too.
  const auto& [mechanism, adjacency, noise_multiplier, sampling_probability, places, drawn_from,
               steps, steps_per_epoch, epochs, missing_steps, redrawn_each_epoch, participations,
               records_per_user, used_share, short_batch, published_only, cap, correlation] =
      phase.run;
  CHECK(mechanism == Mechanism::gaussian);
  CHECK(adjacency == Adjacency::zero_out);
  CHECK(noise_multiplier == 1);
  CHECK(sampling_probability == 0.01);
  CHECK(places == 0);
  CHECK(drawn_from == 0);
  CHECK(missing_steps == 0);
  CHECK(redrawn_each_epoch);
  CHECK(participations == 1);
  CHECK(records_per_user == 1);
  CHECK(used_share == 1);
  CHECK_FALSE(short_batch);
  CHECK_FALSE(published_only);
  CHECK_FALSE(cap);
  CHECK_FALSE(correlation);
  const auto more_steps = 2 * steps, more_epochs = 2 * epochs, more_batches = steps_per_epoch + 1;
  const auto count = [&](auto change) {
    PhaseRun other = phase;
    change(other.run);
    change(other.least);
    return merged({phase, other}).size();
  };
  CHECK(count([](Run&) {}) == 1);
  CHECK(count([&](Run& r) { r.steps = more_steps; }) == 1);
  CHECK(count([&](Run& r) { r.epochs = more_epochs; }) == 1);
  CHECK(count([](Run& r) { r.mechanism = Mechanism::laplace; }) == 2);
  CHECK(count([](Run& r) { r.adjacency = Adjacency::substitution; }) == 2);
  CHECK(count([](Run& r) { r.noise_multiplier = 2; }) == 2);
  CHECK(count([&](Run& r) { r.steps_per_epoch = more_batches; }) == 2);
  CHECK(count([](Run& r) { r.redrawn_each_epoch = false; }) == 2);
  CHECK(count([](Run& r) { r.missing_steps = 1; }) == 2);
  CHECK(count([](Run& r) { r.participations = 2; }) == 2);
  CHECK(count([](Run& r) { r.records_per_user = 2; }) == 2);
  CHECK(count([](Run& r) { r.used_share = 0.5; }) == 2);
  CHECK(count([](Run& r) { r.short_batch = true; }) == 2);
  CHECK(count([](Run& r) { r.published_only = true; }) == 2);
  CHECK(count([](Run& r) { r.cap = Cap{100, 10}; }) == 2);
  CHECK(count([](Run& r) { r.places = 10; }) == 2);
  CHECK(count([](Run& r) { r.drawn_from = 100; }) == 2);
  // What only the sampler's own kind of schedule looks at.
  CHECK(count([](Run& r) { r.sampling_probability = 0.5; }) == 1);
  PhaseRun fresh = read(epsilon_query("poisson"));
  PhaseRun other = fresh;
  other.run.sampling_probability = other.least.sampling_probability = 0.5;
  CHECK(merged({fresh, other}).size() == 2);
}

TEST_CASE("composition: k phases are one phase of k times the steps") {
  for (const Sampler& sampler : kSamplers) {
    const std::string name(sampler.name);
    CAPTURE(name);
    const wire::Phase one = phase_of(name, 1.2, 1);
    const wire::Answer apart = answer_of(query_of({one, one, one}));
    const wire::Answer whole = answer_of(query_of({phase_of(name, 1.2, 3)}));
    check_same(apart, whole);
    CHECK(apart.sampler == name);
    CHECK(apart.derived.steps == whole.derived.steps);
  }
}

TEST_CASE("composition: phases a hair apart compose to what merged ones do") {
  // The noise differs in the tenth digit, so that the phases go through the common lattice.
  for (const Sampler& sampler : kSamplers) {
    const std::string name(sampler.name);
    CAPTURE(name);
    const wire::Answer apart =
        answer_of(query_of({phase_of(name, 1.2, 1), phase_of(name, 1.2 * (1 + 1e-10), 2)}));
    const wire::Answer whole = answer_of(query_of({phase_of(name, 1.2, 3)}));
    CHECK(apart.epsilon.lower <= whole.epsilon.upper * (1 + 1e-9));
    CHECK(whole.epsilon.lower <= apart.epsilon.upper * (1 + 1e-9));
    if (name != "shuffle") {
      CHECK(apart.epsilon.upper <= whole.epsilon.upper * (1 + 3e-3));
      CHECK(apart.epsilon.lower >= whole.epsilon.lower * (1 - 3e-3));
    }
  }
}

TEST_CASE("composition: Gaussian releases and known batches add their squares") {
  const double total = std::sqrt(3 / (1.5 * 1.5) + 0.3 * 0.3 + 0.4 * 0.4);
  const wire::Answer found = answer_of(
      query_of({phase_of("deterministic", 1.5, 3), release_of_mu(0.3), release_of_mu(0.4)}));
  const Interval exact = gaussian::epsilon(total, 1e-6);
  check_overlap(found.epsilon, exact);
  CHECK(found.epsilon.upper <= exact.upper * (1 + 1e-9));
  CHECK(found.method == "closed form");
  // One sampler at two noise levels.
  const wire::Answer twice =
      answer_of(query_of({phase_of("deterministic", 1, 1), phase_of("deterministic", 3, 1)}));
  check_overlap(twice.epsilon, gaussian::epsilon(std::sqrt(1 + 1 / 9.0), 1e-6));
}

TEST_CASE("composition: approximate releases compose as [KOV15] has it") {
  // Two of (1, 1e-3): delta(1) = 1 - (1 - d)^2 (1 - d'), d' = (e^2 - e) / (1 + e)^2.
  const double e = std::exp(1.0);
  const double rest = (e * e - e) / ((1 + e) * (1 + e));
  const double exact = 1 - std::pow(1 - 1e-3, 2) * (1 - rest);
  const wire::Answer two =
      answer_of(query_of({release_of(1, 1e-3), release_of(1, 1e-3)}, "delta", 1));
  INFO("delta " << show(two.delta) << " exact " << exact);
  CHECK(two.delta.lower <= exact * (1 + 1e-12));
  CHECK(two.delta.upper >= exact * (1 - 1e-12));
  CHECK(two.delta.upper <= exact * (1 + 1e-3));
  // One alone is itself.
  const wire::Answer one = answer_of(query_of({release_of(1, 1e-3)}, "delta", 1));
  CHECK(one.delta.upper == doctest::Approx(1e-3).epsilon(1e-12));
  const wire::Answer back = answer_of(query_of({release_of(1, 1e-3)}, "epsilon", 1e-3));
  CHECK(back.epsilon.upper <= 1 + 1e-9);
  // More failure than delta allows: no epsilon will do.
  CHECK(testing::warns(answer_of(query_of({release_of(1, 1e-3)}, "epsilon", 1e-4)),
                       "no-finite-epsilon"));
}

TEST_CASE("composition: a concentrated release lies between its Gaussian and its Renyi curve") {
  const double rho = 0.1;
  const wire::Answer found = answer_of(query_of({release_of_rho(rho)}));
  check_overlap(found.epsilon, gaussian::epsilon(std::sqrt(2 * rho), 1e-6));
  CHECK(found.epsilon.upper >= gaussian::epsilon(std::sqrt(2 * rho), 1e-6).upper);
  REQUIRE(found.rdp);
  CHECK(found.epsilon.upper <= found.rdp->upper * (1 + 1e-9));
  const wire::Answer halves =
      answer_of(query_of({release_of_rho(rho / 2), release_of_rho(rho / 2)}));
  check_same(halves, found);
  const wire::Answer beside = answer_of(query_of({phase_of("poisson", 1, 5), release_of_rho(rho)}));
  CHECK(beside.epsilon.upper > found.epsilon.upper);
  CHECK(std::isfinite(beside.epsilon.upper));
  CHECK(beside.epsilon.upper <= beside.rdp->upper * (1 + 1e-3));
}

TEST_CASE("composition: releases of bounded range, against the worst pairs of losses") {
  const double range = 0.8, delta = 1e-2;
  // One law has the loss t with this probability, and else t - range.
  const auto likely = [&](double t) { return (std::exp(range) - std::exp(t)) / std::expm1(range); };
  const auto curve = [](const std::vector<std::pair<double, double>>& losses, double epsilon) {
    double sum = 0;
    for (const auto& [loss, mass] : losses)
      sum += mass * std::max(0.0, -std::expm1(epsilon - loss));
    return sum;
  };
  const wire::Release one{{}, {}, {}, {}, range};
  for (const double epsilon : {0.0, 0.1, 0.5, 0.79}) {
    double worst = 0;
    for (double t = 0; t <= range; t += range / 4000) {
      const double p = likely(t);
      worst = std::max(worst, curve({{t, p}, {t - range, 1 - p}}, epsilon));
    }
    const wire::Answer found = answer_of(query_of({one}, "delta", epsilon));
    CAPTURE(epsilon);
    CHECK(found.delta.upper == doctest::Approx(worst).epsilon(1e-6));
    CHECK(found.delta.lower <= worst * (1 + 1e-12));
  }
  double worst = 0;
  const wire::Answer two = answer_of(query_of({one, one}, "epsilon", delta));
  for (double t = 0; t <= range; t += range / 400) {
    const double p = likely(t);
    worst = std::max(worst, curve({{2 * t, p * p},
                                   {2 * t - range, 2 * p * (1 - p)},
                                   {2 * t - 2 * range, (1 - p) * (1 - p)}},
                                  two.epsilon.upper));
  }
  CHECK(worst <= delta);
  CHECK(two.epsilon.lower > 0);
  CHECK(two.epsilon.lower <= two.epsilon.upper);
  // Less than two releases that are (range, 0)-private, more than nothing.
  const wire::Answer pure =
      answer_of(query_of({release_of(range, 0), release_of(range, 0)}, "epsilon", delta));
  CHECK(two.epsilon.upper < pure.epsilon.lower);
  const wire::Answer many =
      answer_of(query_of(std::vector<wire::Entry>(30, one), "epsilon", delta));
  REQUIRE(many.rdp);
  CHECK(many.epsilon.upper <= many.rdp->upper * (1 + 1e-3));
  CHECK(many.epsilon.lower > 0.7 * many.epsilon.upper);
  // Of Renyi divergence no more than a concentrated release, rho = range^2 / 8.
  wire::Query concentrated = query_of({release_of_rho(30 * range * range / 8)}, "epsilon", delta);
  concentrated.accountant = "rdp";
  CHECK(many.rdp->upper == doctest::Approx(answer_of(concentrated).epsilon.upper).epsilon(1e-9));
}

TEST_CASE("composition: of disjoint parts of the data only the most expensive one counts") {
  const std::string all = "sampler=poisson epochs=1 noise_multiplier=2 part_of_data=";
  const std::string first = "sampler=balls-and-bins epochs=3 noise_multiplier=1 part_of_data=";
  const std::string second = "sampler=shuffle epochs=2 noise_multiplier=.9 part_of_data=";
  const auto asked = [](const std::string& run) { return answer_of(testing::query_of(run)); };
  for (const char* question :
       testing::in_share(std::vector{" accountant=pld proofs=published", "",
                                     " question=delta delta= epsilon=1", " accountant=rdp"},
                         2)) {
    CAPTURE(std::string(question));
    const wire::Answer with_first = asked(all + " + " + first + question);
    const wire::Answer with_second = asked(all + " + " + second + question);
    const wire::Answer apart = asked(all + " + " + first + "1 + " + second + "2" + question);
    CHECK(apart.epsilon.upper == std::max(with_first.epsilon.upper, with_second.epsilon.upper));
    CHECK(apart.epsilon.lower == std::max(with_first.epsilon.lower, with_second.epsilon.lower));
    CHECK(apart.delta.upper == std::max(with_first.delta.upper, with_second.delta.upper));
    CHECK(apart.delta.lower == std::max(with_first.delta.lower, with_second.delta.lower));
    CHECK(apart.derived.steps == std::max(with_first.derived.steps, with_second.derived.steps));
    const wire::Answer together = asked(all + " + " + first + "2 + " + second + "2" + question);
    CHECK(
        (together.epsilon.upper > apart.epsilon.upper || together.delta.upper > apart.delta.upper));
  }
  // Releases that state rho add up within a part alone.
  const auto releases = [&](const std::string& a, const std::string& b) {
    return asked("releases rho=.1 part_of_data=" + a + " + release rho=.2 part_of_data=" + b);
  };
  check_same(releases("7", "3"), asked("releases rho=.2"));
  check_same(releases("3", "3"), asked("releases rho=.3"));
  // One part alone is the run.
  check_same(asked(all + "5"), asked(all));
  // Solving meets the target for every part.
  wire::Query query = testing::query_of(all + "1 + " + second + "2");
  const wire::Answer solved =
      answer_of(testing::with(query, "question=calibrate solve_for=noise epsilon=1"));
  for (wire::Entry& entry : query.phases)
    std::get<wire::Phase>(entry).noise_multiplier = solved.solution->value;
  CHECK(answer_of(query).epsilon.upper <= 1);
}

TEST_CASE("composition: what no lattice bounds from above is not refined on finer ones") {
  // By core_many as WebAssembly, seed 20261201: solving for this noise took 104 seconds.
  wire::Phase tiny = phase_of("without-replacement", 0.06, 3);
  tiny.sampling_probability = 5e-4;
  tiny.adjacency = "substitution";
  wire::Phase laplace = tiny;
  laplace.mechanism = "laplace";
  const wire::Answer found = answer_of(query_of({tiny, laplace}, "epsilon", 0.34));
  CHECK(found.work.grid_points <= 16384);
  // Where rho leaves delta at 1 within rounding, and where it just does not.
  for (const double rho : {3.0, 41.0, 1e3, 1e6}) {
    for (const double below : {39.9, 40.1}) {
      const double epsilon = std::max(0.0, rho - below);
      const wire::Answer known = answer_of(query_of({release_of_rho(rho)}, "delta", epsilon));
      CHECK(known.delta.lower <= known.delta.upper);
      CHECK(known.delta.upper >= gaussian::delta(std::sqrt(2 * rho), epsilon).lower);
      CHECK(known.delta.upper <= 1);
    }
  }
}

TEST_CASE("composition: what an epoch loses beyond its curve's end is not forgotten") {
  // A release spends all of delta: only a loss that nothing exceeds would do, and Gaussian noise
  // and rho-zCDP know none, however far a curve was followed.
  for (const wire::Entry& other :
       {wire::Entry(phase_of("balls-and-bins", 1, 2)), wire::Entry(release_of_rho(0.1))}) {
    const wire::Query query = query_of({other, release_of(0.1, 1e-6)});
    CHECK(testing::warns(answer_of(query), "no-finite-epsilon"));
    wire::Query more = query_of({other, release_of(0.1, 1e-6)}, "delta", 50);
    CHECK(answer_of(more).delta.upper > 1e-6);
  }
  // Laplace losses go on beyond where the epoch's curve has fallen to nothing.
  wire::Phase laplace = phase_of("balls-and-bins", 4.3, 1);
  laplace.mechanism = "laplace";
  laplace.steps_per_epoch = 1500;
  const wire::Answer alone = answer_of(query_of({laplace}, "delta", 0.12));
  const wire::Answer beside = answer_of(query_of({laplace, release_of(0, 0)}, "delta", 0.12));
  CHECK(alone.delta.lower > 0);
  check_overlap(alone.delta, beside.delta);
}

TEST_CASE("composition: more phases never give less, and a comparison redraws every phase") {
  const wire::Phase poisson = phase_of("poisson", 0.8, 5);
  const wire::Phase bins = phase_of("balls-and-bins", 1, 3);
  const wire::Answer one = answer_of(query_of({poisson}));
  const wire::Answer two = answer_of(query_of({poisson, bins}));
  CHECK(two.epsilon.upper >= one.epsilon.lower);
  CHECK(two.epsilon.upper <= 1.005 * two.epsilon.lower);
  wire::Query compare = query_of({poisson, bins, release_of_mu(0.1)});
  compare.question = "compare";
  const Outcome outcome = answer(compare);
  const auto& all = testing::answers_of(outcome);
  REQUIRE(all.size() == kSamplers.size());
  for (const wire::Answer& a : all) {
    CHECK(a.epsilon.upper <= all.front().epsilon.upper * 3);
    CHECK(a.epsilon.lower > 0);
  }
}

TEST_CASE("composition: delta and epsilon are each other's inverse") {
  const std::vector<wire::Entry> phases = {
      phase_of("poisson", 0.9, 4), phase_of("without-replacement", 3, 2),
      phase_of("balls-and-bins", 0.8, 2), release_of(0.2, 1e-9)};
  const wire::Answer forward = answer_of(query_of(phases));
  const wire::Answer back = answer_of(query_of(phases, "delta", forward.epsilon.upper));
  INFO("epsilon " << show(forward.epsilon) << " delta " << show(back.delta));
  CHECK(back.delta.lower <= 1e-6);
  CHECK(back.delta.upper >= 0.98e-6);
}

TEST_CASE("composition: delta is narrow up to the largest loss there is, and beyond") {
  // The add directions of two epochs end near 1.12; the other direction decides there.
  wire::Phase epoch = phase_of("balls-and-bins", 0.7, 1);
  epoch.steps_per_epoch = 1000;
  for (double epsilon = 1.1; epsilon < 1.14; epsilon += 0.01) {
    const wire::Answer a = answer_of(query_of({epoch, epoch}, "delta", epsilon));
    INFO(epsilon << " " << show(a.delta) << " " << show(a.directions.add));
    CHECK(testing::is_narrow(a.delta, 2e-3));
  }
}

TEST_CASE("composition: a swapped phase is the same one seen from the other side") {
  std::size_t place = 0;
  for (const Sampler& sampler : kSamplers) {
    CAPTURE(sampler.name);
    wire::Phase plain = phase_of(std::string(sampler.name), 1.5, 1);
    wire::Phase swapped = plain;
    swapped.swapped = true;
    ++place;
    for (const char* question : {"epsilon", "delta"}) {
      if (!testing::in_share(place++, 2)) continue;
      const double given = question == std::string("delta") ? 0.5 : 1e-6;
      const auto ask = [&](std::vector<wire::Entry> phases) {
        return answer_of(query_of(std::move(phases), question, given));
      };
      const wire::Answer one = ask({plain});
      const wire::Answer other = ask({swapped});
      CHECK(one.directions.remove.lower == other.directions.add.lower);
      CHECK(one.directions.remove.upper == other.directions.add.upper);
      CHECK(one.directions.add.upper == other.directions.remove.upper);
      // Both phases swapped are two phases, swapped.
      const wire::Answer two = ask({plain, plain});
      const wire::Answer both = ask({swapped, swapped});
      check_overlap(two.directions.remove, both.directions.add);
      check_overlap(two.directions.add, both.directions.remove);
      // One each way reveals the same in both directions.
      const wire::Answer mixed = ask({plain, swapped});
      check_overlap(mixed.directions.remove, mixed.directions.add);
    }
  }
}

TEST_CASE("composition: one step each way, the third pair of [AP24, Fig 3]") {
  int worst = 0;
  for (const auto& row : testing::reference_table("laplace_two_steps")) {
    if (row.text("pair") != "subsampled") continue;
    const wire::Answer mixed = testing::asked(
        "sampler=without-replacement mechanism=laplace adjacency=add-remove noise_multiplier=2 ",
        "sampling_probability=.5 steps=1 question=delta delta= epsilon=", row.number("epsilon"),
        " + swapped=true");
    INFO(row.describe() << show(mixed.delta));
    CHECK(testing::contains(mixed.delta, row.number("mixed"), 1e-15));
    CHECK(testing::is_narrow(mixed.delta, 1e-3, 1e-12));
    worst += row.number("mixed") > std::max(row.number("two_remove"), row.number("two_add"));
  }
  CHECK(worst > 0);
}

// The last of the sum's points lay just at the top of the transform's window, and was not charged.
TEST_CASE("composition: a phase of hardly any loss does not lower epsilon") {
  const std::string alone =
      "sampler=deterministic mechanism=laplace adjacency=add-remove delta=1.7596064441147418e-07 "
      "noise_multiplier=6.3413986903697932 steps_per_epoch=20 ";
  const wire::Answer less = testing::asked(alone),
                     more = testing::asked(alone,
                                           "+ sampler=without-replacement steps_per_epoch= steps=1 "
                                           "mechanism=randomized-response "
                                           "noise_multiplier=9.7447237341740536 "
                                           "sampling_probability=2.3838205512596937e-08");
  INFO(testing::show(less.epsilon) << testing::show(more.epsilon));
  CHECK(more.epsilon.upper >= less.epsilon.lower);
  CHECK(more.directions.remove.upper >= less.directions.remove.lower);
}

TEST_CASE("composition: a release beyond the doubles' ratios hides no other phase's loss") {
  const wire::Query alone = testing::query_of(
      "sampler=without-replacement mechanism=randomized-response adjacency=add-remove delta=.015 ",
      "noise_multiplier=.0032 steps_per_epoch=3 epochs=3e6");
  const wire::Query beside = testing::with(alone, "+ release rho=7133");
  const wire::Answer less = answer_of(alone);
  for (const int log2_grid : {11, 16}) {
    const auto outcome = answer_within(beside, log2_grid);
    const wire::Answer& more = std::get<std::vector<wire::Answer>>(outcome).front();
    INFO(log2_grid << testing::show(more.directions.add));
    CHECK(more.directions.remove.upper >= less.directions.remove.lower);
    CHECK(more.directions.add.upper >= less.directions.add.lower);
  }
}

TEST_CASE("composition: where nothing is proved from below, the upper end still counts all") {
  // The best threshold on the largest coordinate has a delta above 8.2e-5 at epsilon 207.
  const wire::Answer answer =
      testing::asked("sampler=balls-and-bins noise_multiplier=.0576 steps_per_epoch=3177 ",
                     "delta=8.2e-5 + release epsilon=4e-5");
  INFO(testing::show(answer.directions.remove));
  CHECK(answer.directions.remove.upper > 207);
}

TEST_CASE("composition: runs that stopped in an epoch each are no run that stopped once") {
  for (const char* sampler : {"shuffle", "balls-and-bins"}) {
    const std::string stopped =
        std::string("steps_per_epoch=100 steps=150 sampler=") + sampler + " + ";
    const Interval equal = testing::asked(stopped).epsilon;
    const Interval unlike = testing::asked(stopped, "noise_multiplier=", 1 + 1e-9).epsilon;
    INFO(sampler << " equal " << show(equal) << " unlike " << show(unlike));
    CHECK(equal.lower == doctest::Approx(unlike.lower).epsilon(1e-3));
    CHECK(equal.upper == doctest::Approx(unlike.upper).epsilon(1e-3));
  }
}

TEST_CASE("composition: beside a release, too, a dropped batch may hold the record") {
  for (const char* adjacency : {"zero-out", "substitution"}) {
    for (const double records : {1.0, 3.0}) {
      const wire::Query dropped =
          testing::query_of("sampler=shuffle noise_multiplier=.5 dataset_size=190 batch_size=100 ",
                            "drop_last=true question=delta delta= epsilon=.5 adjacency=", adjacency,
                            " records_per_user=", records);
      const Interval alone = answer_of(dropped).delta;
      const Interval beside = answer_of(testing::with(dropped, "+ release mu=1e-4")).delta;
      INFO(adjacency << " " << records << " alone " << show(alone) << " beside " << show(beside));
      CHECK(beside.lower <= alone.lower + 1e-3);
    }
  }
}

TEST_CASE("composition: several participations beside other phases") {
  // More than their sum tells, a Gaussian release: (5 / 10)^2 an epoch, four of them.
  const wire::Answer several =
      answer_of(testing::query_of("sampler=balls-and-bins participations=5 epochs=4 + "
                                  "sampler=poisson participations= epochs=1"));
  const wire::Answer release =
      answer_of(testing::query_of("sampler=poisson epochs=1 + release mu=1"));
  CHECK(several.epsilon.lower >= release.epsilon.lower);
  CHECK(several.epsilon.upper >= several.epsilon.lower);
  // Epochs that share a draw are one with less noise.
  const std::string run = "sampler=balls-and-bins participations=2 ";
  const wire::Answer kept =
      answer_of(testing::query_of(run + "reshuffle=once epochs=4 noise_multiplier=.6"));
  const wire::Answer once = answer_of(testing::query_of(run + "noise_multiplier=.3"));
  check_same(kept, once);
}

}  // namespace honest_epsilon::accounts
