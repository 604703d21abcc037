#include "core/accounts/catalog.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "tests/core/support.h"

// What holds for every sampler of the catalog, whatever its method, where no random run of
// laws.cc goes.
namespace honest_epsilon::accounts {
namespace {

using testing::is_valid;
using testing::kEffort;
using testing::larger;
using testing::show;

std::string describe(const Run& run) {
  char text[160];
  std::snprintf(text, sizeof text, "sigma=%.17g T=%lld epochs=%lld steps=%lld q=%.17g redrawn=%d",
                run.noise_multiplier, static_cast<long long>(run.steps_per_epoch),
                static_cast<long long>(run.epochs), static_cast<long long>(run.steps),
                run.sampling_probability, run.redrawn_each_epoch);
  return text;
}

void check_both_valid(const Sampler& sampler, const Run& run, double epsilon, double delta) {
  const Finding deltas = sampler.delta(run, epsilon, kEffort);
  const Finding epsilons = sampler.epsilon(run, delta, kEffort);
  for (const Interval& d : {deltas.directions.remove, deltas.directions.add}) {
    CAPTURE(show(d));
    CHECK(is_valid(d, 1));
  }
  // Both directions are one total variation.
  if (epsilon == 0) CHECK(testing::overlap(deltas.directions.remove, deltas.directions.add));
  for (const Interval& e : {epsilons.directions.remove, epsilons.directions.add}) {
    CAPTURE(show(e));
    CHECK(is_valid(e, kInfinity));
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

TEST_CASE("catalog: one batch that holds everything hides nothing but the noise") {
  // T = 1 and q = 1: no sampler has anything to draw. Without replacement counts the record that
  // takes another's place, which doubles the distance.
  const Sampler& deterministic = sampler_named("deterministic");
  for (const double sigma : {0.3, 1.0, 5.0}) {
    for (const double epochs : {1.0, 6.0}) {
      for (const Sampler& sampler : kSamplers) {
        const bool doubled = sampler.name == "without-replacement";
        const Run run = testing::epochs_run(sigma, 1, epochs);
        const Run plain = testing::epochs_run(doubled ? sigma / 2 : sigma, 1, epochs);
        INFO(std::string(sampler.name) << " " << describe(run));
        for (const double epsilon : {0.0, 0.5, 3.0}) {
          const Interval exact = larger(deterministic.delta(plain, epsilon, kEffort));
          const Interval found = larger(sampler.delta(run, epsilon, kEffort));
          INFO(show(found) << " against " << show(exact));
          CHECK(testing::overlap(found, exact));
          CHECK(testing::is_narrow(found, 2e-3, 1e-300));
        }
        const Interval exact = larger(deterministic.epsilon(plain, 1e-5, kEffort));
        const Interval found = larger(sampler.epsilon(run, 1e-5, kEffort));
        INFO(show(found) << " against " << show(exact));
        CHECK(testing::overlap(found, exact));
        CHECK(testing::is_narrow(found, 1e-3, 1e-4));
      }
    }
  }
}

}  // namespace honest_epsilon::accounts
