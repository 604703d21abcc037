#include "core/runs/gaussian_limit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "core/runs/run.h"
#include "tests/core/support.h"

namespace honest_epsilon {

TEST_CASE("gaussian limit: each sampler's squared distance by its formula, or none") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const double sigma = 1.6, q = 0.01, one = 1 / (sigma * sigma);
  // The variance of the ratio, less one, of a step in which a record is drawn.
  const auto drawn = [](double rate, double squared_shift, double steps) {
    return rate * rate * steps * (std::exp(squared_shift) - 1);
  };
  const auto kept = [](Run& run) { run.redrawn_each_epoch = false; };
  struct Case {
    double (*estimate)(const Run&);
    std::function<void(Run&)> with;
    double expected;
  };
  const auto plain = [](Run&) {};
  const auto replaced = [](Run& run) { run.adjacency = Adjacency::substitution; };
  const auto grouped = [](Run& run) { run.records_per_user = 3; };
  const auto placed = [](Run& run) { run.places = 3; };
  const auto laplace = [](Run& run) { run.mechanism = Mechanism::laplace; };
  const auto repeated = [](Run& run) { run.participations = 3; };
  const auto stopped = [](Run& run) {
    run.missing_steps = 10;
    run.steps -= 10;
  };
  namespace limit = gaussian_limit;
  const std::vector<Case> cases = {
      {limit::known_batches, plain, 4 * one},
      {limit::known_batches, replaced, 16 * one},
      {limit::known_batches, grouped, 36 * one},
      {limit::known_batches, laplace, kInf},
      {limit::poisson, plain, drawn(q, one, 400)},
      {limit::poisson, replaced, q * q * 400 * (std::exp(one) - std::exp(-one))},
      {limit::poisson, grouped, kInf},
      {limit::poisson, placed, kInf},
      {limit::poisson, laplace, kInf},
      {limit::without_replacement, plain, drawn(q, 4 * one, 400)},
      {limit::without_replacement, replaced, drawn(q, 4 * one, 400)},
      {limit::without_replacement, grouped, kInf},
      {limit::balls_and_bins, plain, drawn(q, one, 400)},
      {limit::balls_and_bins, repeated, drawn(3 * q, one, 400)},
      {limit::balls_and_bins, stopped, drawn(q, one, 390)},
      {limit::balls_and_bins, kept, drawn(q, 4 * one, 100)},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    Run run = testing::epochs_run(sigma, 1 / q, 4);
    cases[i].with(run);
    const double found = cases[i].estimate(run);
    CHECK(
        (found == cases[i].expected || testing::relative_error(found, cases[i].expected) < 1e-12));
  }
}

TEST_CASE("gaussian limit: far away it is its formula, or infinite where that overflows") {
  const auto squared = [](double q, double noise, std::int64_t steps) {
    return gaussian_limit::poisson(
        Run{.noise_multiplier = noise, .sampling_probability = q, .steps = steps});
  };
  CHECK(squared(0.01, 1, 10000) == doctest::Approx(std::exp(1.0) - 1));
  CHECK(testing::relative_error(squared(0.01, 1e9, 10000), 1e-18) < 1e-12);
  CHECK(testing::relative_error(squared(1e-100, 1.0 / 20, 1), 1e-200 * std::exp(400)) < 1e-12);
  CHECK(squared(1e-300, 1.0 / 37, 1) == kInfinity);
  CHECK(squared(0.5, 0.01, 1) == kInfinity);
  CHECK(gaussian_limit::poisson(Run{.adjacency = Adjacency::substitution,
                                    .noise_multiplier = 1.0 / 37,
                                    .sampling_probability = 1e-300}) == kInfinity);
}

}  // namespace honest_epsilon
