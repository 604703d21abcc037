#include "core/api/catalog.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/core/support.h"

// Laws that hold for every sampler of the catalog, whatever its method. Each is a statement about
// the intervals that must hold if both contain their truth.
namespace honest_epsilon::api {
namespace {

using testing::Dice;
using testing::is_valid;
using testing::kEffort;
using testing::show;

// Two ends computed apart may each stray by the rounding they are charged for, no more.
constexpr double kSlack = 1e-12;

struct Setting {
  Run run;
  double epsilon;
  double delta;
};

// Runs that people train, and some that they should not.
Setting roll(Dice& dice) {
  Setting s;
  const double T = dice.whole(1, 20000);
  const double epochs = dice.uniform(0, 1) < 0.6 ? 1 : dice.whole(2, 20);
  s.run = testing::epochs_run(dice.log_uniform(0.3, 8), T, epochs, dice.uniform(0, 1) < 0.5);
  s.epsilon = dice.uniform(0, 1) < 0.1 ? 0 : dice.log_uniform(0.01, 12);
  s.delta = dice.log_uniform(1e-14, 0.1);
  return s;
}

std::string describe(const Run& run) {
  char text[160];
  std::snprintf(text, sizeof text, "sigma=%.17g T=%lld epochs=%lld steps=%lld q=%.17g redrawn=%d",
                run.noise_multiplier, static_cast<long long>(run.steps_per_epoch),
                static_cast<long long>(run.epochs), static_cast<long long>(run.steps),
                run.sampling_probability, run.redrawn_each_epoch);
  return text;
}

Interval value_of(const Finding& finding) {
  return maximum(finding.directions.remove, finding.directions.add);
}

Interval delta_of(const Sampler& sampler, const Run& run, double epsilon) {
  return value_of(sampler.delta(run, epsilon, kEffort));
}

Interval epsilon_of(const Sampler& sampler, const Run& run, double delta) {
  return value_of(sampler.epsilon(run, delta, kEffort));
}

const Sampler& sampler_called(std::string_view name) {
  for (const Sampler& sampler : kSamplers) {
    if (sampler.name == name) return sampler;
  }
  FAIL("no such sampler");
  return kSamplers.front();
}

void check_both_valid(const Sampler& sampler, const Run& run, double epsilon, double delta) {
  const Finding deltas = sampler.delta(run, epsilon, kEffort);
  const Finding epsilons = sampler.epsilon(run, delta, kEffort);
  for (const Interval& d : {deltas.directions.remove, deltas.directions.add}) {
    CAPTURE(show(d));
    CHECK(is_valid(d, 1));
  }
  for (const Interval& e : {epsilons.directions.remove, epsilons.directions.add}) {
    CAPTURE(show(e));
    CHECK(is_valid(e, kInfinity));
  }
}

// Of the samplers every third in turn, or all in the full run: three draws are every sampler's.
template <class Law>
void for_random_runs(std::uint64_t seed, int count, Law law) {
  Dice dice(seed);
  for (int i = 0, runs = testing::rounds(count); i < runs; ++i) {
    const Setting s = roll(dice);
    for (std::size_t place = 0; place < kSamplers.size(); ++place) {
      if (!testing::in_share(static_cast<std::size_t>(i) + place)) continue;
      const Sampler& sampler = kSamplers[place];
      INFO("seed " << seed << ", draw " << i << ", " << std::string(sampler.name) << ", "
                   << describe(s.run) << " epsilon=" << s.epsilon << " delta=" << s.delta);
      law(sampler, s, dice);
    }
  }
}

}  // namespace

TEST_CASE("catalog: names, sentences and citations are in order") {
  for (const Sampler& sampler : kSamplers) {
    CAPTURE(sampler.name);
    CHECK(!sampler.label.empty());
    CHECK(sampler.sentence.back() == '.');
    CHECK(sampler.assumption.back() == '.');
    CHECK(!sampler.citations.empty());
    // Keeping one draw for all epochs means nothing without epochs.
    if (sampler.can_keep_draw) CHECK(sampler.uses_epochs);
  }
}

TEST_CASE("catalog: every interval is ordered and in range, on random runs") {
  for_random_runs(101, 24, [](const Sampler& sampler, const Setting& s, Dice&) {
    check_both_valid(sampler, s.run, s.epsilon, s.delta);
  });
}

TEST_CASE("catalog: every interval is ordered and in range, in the corners") {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double sigma = std::array{0.05, 1.0, 1e4}[i];
      const double T = std::array{1.0, 1000.0, 1e7}[j];
      const Run run = testing::epochs_run(sigma, T);
      for (const Sampler& sampler : kSamplers) {
        if (!testing::in_share(i + j + static_cast<std::size_t>(&sampler - kSamplers.data())))
          continue;
        INFO(std::string(sampler.name) << " " << describe(run));
        const bool all = testing::share_of_cases() >= 1;
        if (all || i >= j) check_both_valid(sampler, run, 0, 1e-30);
        if (all || i <= j) check_both_valid(sampler, run, 100, 0.5);
      }
    }
  }
}

TEST_CASE("catalog: delta falls as epsilon rises") {
  for_random_runs(202, 12, [](const Sampler& sampler, const Setting& s, Dice& dice) {
    const double larger = s.epsilon * dice.uniform(1.01, 2) + 0.01;
    const Interval first = delta_of(sampler, s.run, s.epsilon);
    const Interval second = delta_of(sampler, s.run, larger);
    INFO(show(first) << " at epsilon, " << show(second) << " at epsilon=" << larger);
    CHECK(second.lower <= first.upper * (1 + kSlack));
  });
}

TEST_CASE("catalog: epsilon falls as sigma or delta rises, and rises with the epochs") {
  for_random_runs(303, 10, [](const Sampler& sampler, const Setting& s, Dice& dice) {
    const Interval base = epsilon_of(sampler, s.run, s.delta);
    INFO("epsilon " << show(base));
    Run noisier = s.run;
    noisier.noise_multiplier *= dice.uniform(1.01, 1.5);
    const Interval with_noise = epsilon_of(sampler, noisier, s.delta);
    INFO("noisier " << show(with_noise));
    CHECK(with_noise.lower <= base.upper * (1 + kSlack));
    const Interval at_larger_delta = epsilon_of(sampler, s.run, s.delta * dice.uniform(1.1, 5));
    INFO("larger delta " << show(at_larger_delta));
    CHECK(at_larger_delta.lower <= base.upper * (1 + kSlack));
    Run longer = s.run;
    longer.epochs += 1;
    longer.steps = longer.epochs * longer.steps_per_epoch;
    const Interval with_epochs = epsilon_of(sampler, longer, s.delta);
    INFO("one epoch more " << show(with_epochs));
    CHECK(base.lower <= with_epochs.upper * (1 + kSlack));
  });
}

TEST_CASE("catalog: at epsilon 0 both directions are the same total variation") {
  const auto check = [](const Sampler& sampler, const Run& run) {
    const Directions delta = sampler.delta(run, 0, kEffort).directions;
    INFO(std::string(sampler.name)
         << " " << describe(run) << " " << show(delta.remove) << " " << show(delta.add));
    CHECK(testing::overlap(delta.remove, delta.add));
  };
  for_random_runs(707, 8,
                  [&](const Sampler& sampler, const Setting& s, Dice&) { check(sampler, s.run); });
  constexpr std::array kSigmas = {0.05, 30.0, 1e4};
  constexpr std::array kLengths = {2.0, 1000.0, 1e5};
  for (std::size_t place = 0; place < kSigmas.size() * kLengths.size(); ++place) {
    if (!testing::in_share(place + place / 3)) continue;
    const Run run = testing::epochs_run(kSigmas[place / 3], kLengths[place % 3]);
    for (const Sampler& sampler : kSamplers) check(sampler, run);
  }
}

TEST_CASE("catalog: deterministic is at least shuffle, which is at least balls-and-bins") {
  Dice dice(404);
  const Sampler& deterministic = sampler_called("deterministic");
  const Sampler& shuffle = sampler_called("shuffle");
  const Sampler& bins = sampler_called("balls-and-bins");
  for (int i = 0, runs = testing::rounds(16); i < runs; ++i) {
    const Setting s = roll(dice);
    INFO("draw " << i << ", " << describe(s.run) << " epsilon=" << s.epsilon);
    const Interval known = delta_of(deterministic, s.run, s.epsilon);
    const Interval shuffled = delta_of(shuffle, s.run, s.epsilon);
    const Interval binned = delta_of(bins, s.run, s.epsilon);
    INFO(show(known) << " " << show(shuffled) << " " << show(binned));
    CHECK(shuffled.lower <= known.upper * (1 + kSlack));
    CHECK(binned.lower <= known.upper * (1 + kSlack));
    CHECK(binned.lower <= shuffled.upper * (1 + kSlack));
  }
}

TEST_CASE("catalog: one batch that holds everything hides nothing but the noise") {
  // T = 1 and q = 1: no sampler has anything to draw. Without replacement counts the record that
  // takes another's place, which doubles the distance.
  const Sampler& deterministic = sampler_called("deterministic");
  for (const double sigma : {0.3, 1.0, 5.0}) {
    for (const double epochs : {1.0, 6.0}) {
      for (const Sampler& sampler : kSamplers) {
        const bool doubled = sampler.name == "without-replacement";
        const Run run = testing::epochs_run(sigma, 1, epochs);
        const Run plain = testing::epochs_run(doubled ? sigma / 2 : sigma, 1, epochs);
        INFO(std::string(sampler.name) << " " << describe(run));
        for (const double epsilon : {0.0, 0.5, 3.0}) {
          const Interval exact = delta_of(deterministic, plain, epsilon);
          const Interval found = delta_of(sampler, run, epsilon);
          INFO(show(found) << " against " << show(exact));
          CHECK(testing::overlap(found, exact));
          CHECK(testing::is_narrow(found, 2e-3, 1e-300));
        }
        const Interval exact = epsilon_of(deterministic, plain, 1e-5);
        const Interval found = epsilon_of(sampler, run, 1e-5);
        INFO(show(found) << " against " << show(exact));
        CHECK(testing::overlap(found, exact));
        CHECK(testing::is_narrow(found, 1e-3, 1e-4));
      }
    }
  }
}

TEST_CASE("catalog: an epsilon answer leads back to its delta") {
  for_random_runs(505, 10, [](const Sampler& sampler, const Setting& s, Dice&) {
    const Interval epsilon = epsilon_of(sampler, s.run, s.delta);
    INFO("epsilon " << show(epsilon));
    if (epsilon.upper < 1e4) {
      const Interval above = delta_of(sampler, s.run, epsilon.upper);
      INFO("delta at the upper end " << show(above));
      CHECK(above.lower <= s.delta * (1 + kSlack));
    }
    if (epsilon.lower > 0) {
      const Interval below = delta_of(sampler, s.run, epsilon.lower);
      INFO("delta at the lower end " << show(below));
      CHECK(below.upper >= s.delta * (1 - kSlack));
    }
  });
}

TEST_CASE("catalog: the same question gets the same bits") {
  for_random_runs(606, 9, [](const Sampler& sampler, const Setting& s, Dice&) {
    const Interval first = delta_of(sampler, s.run, s.epsilon);
    const Interval second = delta_of(sampler, s.run, s.epsilon);
    CHECK(first.lower == second.lower);
    CHECK(first.upper == second.upper);
  });
}

}  // namespace honest_epsilon::api
