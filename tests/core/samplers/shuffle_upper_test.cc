#include "core/samplers/shuffle_upper.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/math/binomial.h"
#include "core/samplers/clones.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/shuffle.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {
using testing::ExactDelta;
using testing::kEffort;
using testing::show;

/// P and Q of [HP24]'s kind, sampled: the record is at 1 in one batch of T, or at `instead`, and
/// all other records are at `others`. Estimates delta in both directions, five deviations down.
ExactDelta sampled_delta(const Run& run, double instead, double others, double epsilon, int samples,
                         std::uint64_t seed) {
  const auto batches = static_cast<std::size_t>(run.steps_per_epoch);
  const bool gaussian = run.mechanism == Mechanism::gaussian;
  const double shift = run.shift();
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential;
  std::uniform_real_distribution<double> unit(0, 1);
  // Noise of scale 1.
  const auto noise = [&] {
    return gaussian ? normal(random) : exponential(random) * (unit(random) < 0.5 ? -1 : 1);
  };
  const auto log_ratio = [&](double x, double at) {  // density at `at` over that at `others`
    const double a = x - at * shift, b = x - others * shift;
    return gaussian ? 0.5 * (b * b - a * a) : std::abs(b) - std::abs(a);
  };
  const auto people = static_cast<std::size_t>(run.records_per_user);
  double sum[2] = {0, 0}, squares[2] = {0, 0};
  for (int i = 0; i < 2 * samples; ++i) {
    const bool with = i % 2 == 0;
    double ones[2] = {0, 0}, pairs[2] = {0, 0};
    for (std::size_t t = 0; t < batches; ++t) {
      // Which batches hold these records does not matter: they are put into the first ones.
      const double mean = t < people ? (with ? 1 : instead) : others;
      const double x = mean * shift + noise();
      const double r[2] = {std::exp(log_ratio(x, 1)), std::exp(log_ratio(x, instead))};
      for (int k : {0, 1}) {
        pairs[k] += r[k] * ones[k];
        ones[k] += r[k];
      }
    }
    const double ratio = people == 1 ? ones[0] / ones[1] : pairs[0] / pairs[1];
    const double value = std::max(0.0, 1 - std::exp(epsilon) * (with ? 1 / ratio : ratio));
    sum[with ? 0 : 1] += value / samples;
    squares[with ? 0 : 1] += value * value / samples;
  }
  const auto low = [&](int k) {
    return sum[k] - 5 * std::sqrt((squares[k] - sum[k] * sum[k]) / samples);
  };
  return {low(0), low(1)};
}

}  // namespace

TEST_CASE("shuffle: what an epoch leaves out, and a short batch") {
  Run run = testing::epochs_run(1.5, 1000);
  const double whole = shuffle::delta(run, 0.5, kEffort).directions.upper();
  run.used_share = 0.8;
  const double part = shuffle::delta(run, 0.5, kEffort).directions.upper();
  CHECK(part <= whole * 1.01);
  run.used_share = 1;
  run.short_batch = true;
  const double with_short = shuffle::delta(run, 0.5, kEffort).directions.upper();
  const double fewer =
      shuffle::delta(testing::epochs_run(1.5, 999), 0.5, kEffort).directions.upper();
  CHECK(with_short == doctest::Approx(fewer).epsilon(1e-3));
  run.short_batch = false;
  run.steps_per_epoch = 3;
  const double three = shuffle::delta(run, 0.5, kEffort).directions.upper();
  run.short_batch = true;
  CHECK(shuffle::delta(run, 0.5, kEffort).directions.upper() > 1.01 * three);
}

TEST_CASE("shuffle: two batches, one of them short, are as good as known") {
  Run run = testing::epochs_run(1.5, 2);
  run.short_batch = true;
  CHECK(
      shuffle::epsilon(run, 1e-5, kEffort).directions.upper() ==
      doctest::Approx(deterministic::epsilon(run, 1e-5, kEffort).directions.upper()).epsilon(1e-9));
}

TEST_CASE("shuffle: clones of steps of pure differential privacy have a binomial number of them") {
  for (const double batches : {2.0, 30.0, 1000.0}) {
    for (const double epsilon_0 : {0.3, 1.0, 4.0}) {
      const double failure = 1e-6, w = std::exp(-epsilon_0);
      const shuffle::PureClones clones = shuffle::pure_clones(batches, epsilon_0, failure);
      double below = 0;
      const auto others = static_cast<std::int64_t>(batches) - 1;
      for (std::int64_t m = 1; m < static_cast<std::int64_t>(clones.bins); ++m)
        below += binomial::pmf(others, w, m - 1).value;
      const double next =
          below + binomial::pmf(others, w, static_cast<std::int64_t>(clones.bins) - 1).value;
      INFO(batches << " " << epsilon_0 << " " << clones.bins);
      CHECK(below <= clones.failure);
      CHECK(clones.failure <= failure);
      CHECK(next > failure * (1 - 1e-6));
    }
  }
}

TEST_CASE("shuffle: sampled datasets of up to fifty batches never reveal more") {
  struct Case {
    double batches, noise, epsilon;
    Adjacency adjacency = Adjacency::zero_out;
    Mechanism mechanism = Mechanism::gaussian;
    std::int64_t people = 1;
  };
  constexpr int kSamples = 1500;
  std::uint64_t seed = 1;
  int close = 0;
  for (const Case& c : {
           Case{10, 1.5, 0.3},
           Case{50, 1.5, 0.3},
           Case{50, 3, 0.05},
           Case{50, 3, 0.2, Adjacency::substitution},
           Case{50, 4, 0.1, Adjacency::zero_out, Mechanism::gaussian, 2},
           Case{50, 1, 0.1, Adjacency::zero_out, Mechanism::laplace},
           Case{50, 3, 0.02, Adjacency::zero_out, Mechanism::laplace},
       }) {
    Run run = testing::epochs_run(c.noise, c.batches);
    run.adjacency = c.adjacency;
    run.mechanism = c.mechanism;
    run.records_per_user = c.people;
    const Directions d = shuffle::delta(run, c.epsilon, kEffort).directions;
    const double known = deterministic::delta(run, c.epsilon, kEffort).directions.upper();
    double most = 0;
    for (const double others : {-1.0, -0.5, 0.0, 0.5}) {
      const double instead = c.adjacency == Adjacency::substitution ? -1 : 0;
      const ExactDelta low = sampled_delta(run, instead, others, c.epsilon, kSamples, seed++);
      INFO(c.batches << " " << c.noise << " " << others << " " << show(d.remove) << " "
                     << show(d.add) << " " << low.remove << " " << low.add);
      CHECK(low.remove <= d.remove.upper);
      CHECK(low.add <= d.add.upper);
      most = std::max({most, low.remove, low.add});
    }
    const double found = std::max(d.remove.upper, d.add.upper);
    CHECK(found < 0.7 * known);
    close += most > 0.29 * found;
  }
  CHECK(close >= 4);
}

TEST_CASE("shuffle: records one at a time lie between one record and known batches") {
  for (const double epochs : testing::in_share(std::vector{3.0, 1.0})) {
    Run run = testing::epochs_run(2, 10000, epochs);
    const double one = shuffle::epsilon(run, 1e-6, kEffort).directions.upper();
    run.records_per_user = 2;
    const Finding both = shuffle::epsilon(run, 1e-6, kEffort);
    const double known = deterministic::epsilon(run, 1e-6, kEffort).directions.upper();
    INFO(epochs << " " << one << " " << show(both.directions.remove) << " " << known);
    CHECK(both.directions.upper() < 0.5 * known);
    CHECK(both.directions.upper() > 2 * one);
    CHECK(both.directions.upper() < 4 * one);
    // The same question the other way round.
    const double back = shuffle::delta(run, both.directions.upper(), kEffort).directions.upper();
    CHECK(back < 1.5e-6);
    // A replaced record is one step, not two.
    run.records_per_user = 1;
    run.adjacency = Adjacency::substitution;
    const double replaced = shuffle::epsilon(run, 1e-6, kEffort).directions.upper();
    CHECK(replaced > one);
    CHECK(replaced < 0.95 * both.directions.upper());
  }
}

TEST_CASE("shuffle: with a lot of noise few batches hide nearly as much as theory leaves open") {
  struct Case {
    double sigma, batches, epochs, delta;
    Adjacency adjacency;
    double upper;
  };
  // Known batches: 0.096, 0.28 and 0.20.
  for (const Case& c : {Case{51.5, 22, 1, 1.5e-9, Adjacency::zero_out, 0.0215},
                        Case{39, 7, 4, 1.6e-10, Adjacency::zero_out, 0.122},
                        Case{51.5, 22, 1, 1.5e-9, Adjacency::substitution, 0.045}}) {
    Run run = testing::epochs_run(c.sigma, c.batches, c.epochs);
    run.adjacency = c.adjacency;
    const Directions found = shuffle::epsilon(run, c.delta, kEffort).directions;
    INFO(c.sigma << " " << show(found.remove) << " " << show(found.add));
    CHECK(found.lower() > 0);
    CHECK(found.upper() < c.upper);
  }
}

TEST_CASE("shuffle: more batches, more noise and fewer epochs reveal less") {
  std::size_t place = 0;
  const auto at = [](double sigma, double batches, double epochs) {
    return shuffle::epsilon(testing::epochs_run(sigma, batches, epochs), 1e-5, kEffort)
        .directions.upper();
  };
  constexpr double kJitter = 1.01;  // the ladder of M's moves with the run
  for (const double sigma : {1.0, 2.5}) {
    for (const double batches : {100.0, 2000.0}) {
      if (!testing::in_share(place++, 3)) continue;
      const double here = at(sigma, batches, 1);
      CHECK(at(sigma, 3 * batches, 1) <= here * kJitter);
      CHECK(at(1.2 * sigma, batches, 1) <= here * kJitter);
      CHECK(at(sigma, batches, 2) * kJitter >= here);
    }
  }
}

}  // namespace honest_epsilon
