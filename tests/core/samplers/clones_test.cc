#include "core/samplers/clones.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "core/contour/inversion.h"
#include "core/math/binomial.h"
#include "core/math/normal.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/shuffle.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {
using testing::ExactDelta;
using testing::kEffort;
using testing::show;

/// The theorem's upper end at one epsilon, for what may be spent on the variation.
double bound(const shuffle::Clones& clones, Direction direction, double epsilon) {
  contour::Inversion curve({{clones.moments, 1}}, direction);
  const auto delta = curve.delta(epsilon, 1e-4);
  REQUIRE(delta);
  return clones.failure + (1 + std::exp(epsilon)) * clones.variation + delta->upper;
}

/// The other records of a dataset of T records in batches of one: record i's gradient at step t,
/// which may depend on what was seen before.
using Others = std::function<double(int record, int step, const double* seen)>;

/// All orders of 0, 1, ..., n - 1.
std::vector<std::vector<int>> orders(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
  std::vector<std::vector<int>> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

/// delta of an explicit dataset in both directions, by the midpoint rule over all outputs; record 0
/// is the one that is zeroed, from 1.
ExactDelta exact_delta(int steps, double sigma, double epsilon, const Others& others) {
  const double h = steps == 2 ? 0.1 : 0.3, end = sigma > 1 ? 7 : 8;
  const auto count = static_cast<int>(2 * end / h);
  const auto all = orders(steps);
  const double scale = std::exp(epsilon);
  std::array<double, 3> x{};
  ExactDelta exact;
  const std::function<void(int)> visit = [&](int step) {
    if (step < steps) {
      for (int i = 0; i < count; ++i) {
        x[static_cast<std::size_t>(step)] = sigma * (-end + (i + 0.5) * h);
        visit(step + 1);
      }
      return;
    }
    double with = 0, without = 0;
    for (const auto& order : all) {
      double p = 1, q = 1;
      for (int t = 0; t < steps; ++t) {
        const int record = order[static_cast<std::size_t>(t)];
        const double z = x[static_cast<std::size_t>(t)] / sigma;
        const double m = record == 0 ? 1 : others(record, t, x.data());
        p *= normal::pdf(z - m / sigma) * h;
        q *= normal::pdf(z - (record == 0 ? 0 : m) / sigma) * h;
      }
      with += p / static_cast<double>(all.size());
      without += q / static_cast<double>(all.size());
    }
    exact.remove += std::max(0.0, with - scale * without);
    exact.add += std::max(0.0, without - scale * with);
  };
  visit(0);
  return exact;
}

}  // namespace

TEST_CASE("clones: the theorem's own table") {
  struct Row {
    double batches, sigma, upper;
  };
  for (const Row& row :
       {Row{100, 1.5, 2.27}, Row{100, 2, 0.92}, Row{1e3, 0.7, 6.65}, Row{1e3, 1, 3.64},
        Row{1e3, 1.25, 1.35}, Row{1e3, 1.5, 0.59}, Row{1e4, 0.7, 6.36}, Row{1e4, 0.85, 3.30},
        Row{1e4, 1, 1.34}, Row{1e5, 0.7, 4.30}, Row{1e5, 0.85, 1.29}}) {
    const Run run = testing::epochs_run(row.sigma, row.batches);
    const Finding finding = shuffle::epsilon(run, 1e-5, kEffort);
    CAPTURE(row.batches);
    CAPTURE(row.sigma);
    CHECK(finding.directions.upper() <= row.upper * 1.02);
    CHECK(finding.directions.remove.lower < finding.directions.upper());
  }
}

TEST_CASE("clones: explicit datasets of two and three records never reveal more") {
  const std::array<double, 5> places = {-1, -0.5, 0, 0.5, 1};
  for (const int steps : {2, 3}) {
    for (const double sigma : {0.7, 1.5}) {
      for (const double epsilon : {0.3, 1.0}) {
        std::vector<shuffle::Clones> tried;
        for (const double variation : {1e-4, 1e-2, 0.1, 0.3}) {
          if (auto clones = shuffle::clones(steps, 1 / sigma, variation))
            tried.push_back(std::move(*clones));
        }
        REQUIRE(tried.size() >= 2);
        std::vector<double> remove, add;
        for (const shuffle::Clones& clones : tried) {
          remove.push_back(bound(clones, Direction::remove, epsilon));
          add.push_back(bound(clones, Direction::add, epsilon));
        }
        std::vector<Others> datasets;
        for (const double m : places)
          datasets.push_back([m](int, int, const double*) { return m; });
        // Unlike records, and gradients that turn with what was seen.
        datasets.push_back([](int i, int, const double*) { return i == 1 ? -1.0 : 1.0; });
        datasets.push_back(
            [](int, int t, const double* x) { return t > 0 && x[t - 1] > 0.5 ? -1.0 : 1.0; });
        datasets.push_back(
            [](int, int t, const double* x) { return t > 0 && x[t - 1] < 0.5 ? -1.0 : 0.3; });
        for (const Others& others : datasets) {
          const ExactDelta exact = exact_delta(steps, sigma, epsilon, others);
          for (std::size_t i = 0; i < tried.size(); ++i) {
            CHECK(exact.remove <= remove[i] + 1e-9);
            CHECK(exact.add <= add[i] + 1e-9);
          }
        }
      }
    }
  }
}

TEST_CASE("clones: no less than the average over M, and not much more") {
  std::size_t place = 2;
  for (const double batches : {8.0, 40.0, 300.0}) {
    for (const double sigma : {0.8, 1.6}) {
      const double variation = 1e-6;
      const auto clones = shuffle::clones(batches, 1 / sigma, variation);
      if (!clones) continue;
      const auto others = static_cast<std::int64_t>(batches) - 1;
      for (const Direction direction : {Direction::remove, Direction::add}) {
        if (!testing::in_share(place++)) continue;
        contour::Inversion curve({{clones->moments, 1}}, direction);
        const double epsilon = 0.7;
        const auto found = curve.delta(epsilon, 1e-4);
        REQUIRE(found);
        Interval average = {0, 0};
        for (std::int64_t m = 1; m <= others + 1; ++m) {
          const double p = binomial::pmf(others, clones->weight, m - 1).value;
          if (p < 1e-13) continue;
          const Run bins = testing::epochs_run(sigma, static_cast<double>(m));
          const Directions d = balls_and_bins::delta(bins, epsilon, kEffort).directions;
          const Interval& one = direction == Direction::remove ? d.remove : d.add;
          average.lower += p * one.lower;
          average.upper += p * one.upper;
        }
        INFO(batches << " " << sigma << " " << show(*found) << " " << show(average));
        CHECK(found->upper + clones->failure >= average.lower * (1 - 1e-9));
        CHECK(found->lower <= 1.12 * average.upper);
      }
    }
  }
}

TEST_CASE("clones: few batches, whose average over M is known to fifty digits") {
  for (const auto& row : testing::reference_table("clones")) {
    INFO(row.describe());
    const double batches = row.number("batches"), epsilon = row.number("epsilon");
    // A twentieth of what may be spent pays for rounding M.
    const double spent = 1.05 * (batches - 1) * row.number("kappa");
    const auto clones = shuffle::clones(batches, row.number("mu"), spent);
    REQUIRE(clones);
    CHECK(clones->weight <= row.number("weight"));
    CHECK(clones->weight >= 0.999 * row.number("weight"));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      contour::Inversion curve({{clones->moments, 1}}, direction);
      const auto found = curve.delta(epsilon, 1e-9);
      REQUIRE(found);
      const double average = row.number(direction == Direction::remove ? "remove" : "add");
      CHECK(found->upper + clones->failure >= average);
      // What M is rounded down to costs most where it is hardly ever above 1.
      CHECK(found->upper <= 1.35 * average);
    }
  }
}

TEST_CASE("clones: the variation is what the maximum of two densities adds") {
  for (const double mu : {0.3, 1.0, 2.0}) {
    for (const double variation : {1e-8, 1e-3, 0.2}) {
      const double batches = 1000;
      const auto clones = shuffle::clones(batches, mu, variation);
      if (!clones) continue;
      const double kappa = clones->variation / (batches - 1);
      const double lambda = clones->weight * (1 + kappa);
      CHECK(clones->variation <= variation);
      // Of every other record, wherever its gradient points.
      for (const double m : {-mu, -0.4 * mu, 0.0, 0.7 * mu, mu}) {
        const double h = 1e-3;
        double added = 0;
        for (double z = -12; z < 12; z += h)
          added += h * std::max(0.0, lambda * normal::pdf(z) - normal::pdf(z - m));
        CHECK(added <= kappa * (1 + 1e-6));
        if (m == mu) CHECK(added >= kappa * (1 - 1e-3));
      }
    }
  }
}

TEST_CASE("clones: what an epoch leaves out, and a short batch") {
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

TEST_CASE("clones: two batches, one of them short, are as good as known") {
  Run run = testing::epochs_run(1.5, 2);
  run.short_batch = true;
  CHECK(
      shuffle::epsilon(run, 1e-5, kEffort).directions.upper() ==
      doctest::Approx(deterministic::epsilon(run, 1e-5, kEffort).directions.upper()).epsilon(1e-9));
}

TEST_CASE("clones: of a kept permutation, those that are clones in every epoch") {
  const double batches = 10000, mu = 0.5, epochs = 2, variation = 1e-7;
  const auto kept = shuffle::clones(batches, mu, variation, epochs);
  const auto once = shuffle::clones(batches, mu, variation / epochs);
  REQUIRE(kept);
  REQUIRE(once);
  CHECK(kept->weight == doctest::Approx(once->weight * once->weight));
  CHECK(kept->variation == doctest::Approx(epochs * once->variation));
  const Run run = testing::epochs_run(1 / mu, batches, epochs, false);
  CHECK(shuffle::epsilon(run, 1e-5, kEffort).directions.upper() <
        0.5 * deterministic::epsilon(run, 1e-5, kEffort).directions.upper());
  // Balls-and-bins over so many bins, and those of all batches, lie on either side.
  const double found = bound(*kept, Direction::remove, 0.5);
  const double mean = 1 + (batches - 1) * kept->weight;
  const auto bins = [&](double count) {
    const Run spread = testing::epochs_run(1 / mu, std::floor(count), epochs, false);
    return balls_and_bins::delta(spread, 0.5, kEffort).directions.remove;
  };
  CHECK(found > bins(mean).lower);
  CHECK(found < bins(0.6 * mean).upper + 1.01 * (1 + std::exp(0.5)) * kept->variation);
}

TEST_CASE("clones: steps of pure differential privacy have a binomial number of them") {
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

/// P and Q of [HP24]'s kind, sampled: the record is at 1 in one batch of T, or at `instead`, and
/// all other records are at `others`. Estimates delta in both directions, five deviations down.
ExactDelta sampled_delta(const Run& run, double instead, double others, double epsilon, int samples,
                         std::uint64_t seed) {
  const auto batches = static_cast<std::size_t>(run.steps_per_epoch);
  const bool gaussian = run.mechanism == Mechanism::gaussian;
  const double mu = run.shift(), rounds = static_cast<double>(run.epochs);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential;
  std::uniform_real_distribution<double> unit(0, 1);
  // Noise of scale 1. A kept permutation of several epochs adds the same batches up.
  const double shift = mu * std::sqrt(rounds);
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

TEST_CASE("clones: sampled datasets of up to fifty batches never reveal more") {
  struct Case {
    double batches, noise, epsilon;
    Adjacency adjacency = Adjacency::zero_out;
    Mechanism mechanism = Mechanism::gaussian;
    std::int64_t people = 1;
    double epochs = 1;
  };
  constexpr int kSamples = 3000;
  std::uint64_t seed = 1;
  int close = 0;
  for (const Case& c : {
           Case{10, 1.5, 0.3},
           Case{50, 1.5, 0.3},
           Case{50, 3, 0.05},
           Case{50, 3, 0.2, Adjacency::substitution},
           Case{50, 4, 0.1, Adjacency::zero_out, Mechanism::gaussian, 2},
           Case{50, 3, 0.1, Adjacency::zero_out, Mechanism::gaussian, 1, 2},
           Case{50, 1, 0.1, Adjacency::zero_out, Mechanism::laplace},
           Case{50, 3, 0.02, Adjacency::zero_out, Mechanism::laplace},
       }) {
    Run run = testing::epochs_run(c.noise, c.batches, c.epochs, false);
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

TEST_CASE("clones: records one at a time lie between one record and known batches") {
  for (const double epochs : {1.0, 3.0}) {
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
    CHECK(replaced < 0.9 * both.directions.upper());
  }
}

TEST_CASE("clones: with a lot of noise few batches hide nearly as much as theory leaves open") {
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

TEST_CASE("clones: between the lower ends and known batches over random runs") {
  std::mt19937_64 random(20261122);
  std::uniform_real_distribution<double> unit(0, 1);
  const int runs = testing::rounds(60);
  int better = 0;
  for (int i = 0; i < runs; ++i) {
    const double batches = std::floor(std::exp(std::log(2) + unit(random) * std::log(5e5)));
    const double sigma = 0.4 + 2.6 * unit(random);
    const double epochs = unit(random) < 0.6 ? 1 : std::floor(2 + 8 * unit(random));
    const double delta = std::pow(10, -4 - 4 * unit(random));
    const Run run = testing::epochs_run(sigma, batches, epochs);
    const Finding finding = shuffle::epsilon(run, delta, kEffort);
    const double known = deterministic::epsilon(run, delta, kEffort).directions.upper();
    const Directions& d = finding.directions;
    INFO(batches << " " << sigma << " " << epochs << " " << delta << " " << show(d.remove));
    CHECK(finding.directions.upper() <= known * (1 + 1e-9));
    CHECK(std::max(d.remove.lower, d.add.lower) <= finding.directions.upper());
    if (finding.directions.upper() < 0.95 * known) ++better;
    // The attack is not cut down to the upper end.
    const double attack = d.remove.lower;
    CHECK(attack < finding.directions.upper());
  }
  CHECK(better > runs / 4);
}

TEST_CASE("clones: more batches, more noise and fewer epochs reveal less") {
  const auto at = [](double sigma, double batches, double epochs) {
    return shuffle::epsilon(testing::epochs_run(sigma, batches, epochs), 1e-5, kEffort)
        .directions.upper();
  };
  constexpr double kJitter = 1.01;  // the ladder of M's moves with the run
  for (const double sigma : {1.0, 1.6, 2.5}) {
    for (const double batches : {100.0, 2000.0}) {
      const double here = at(sigma, batches, 1);
      CHECK(at(sigma, 3 * batches, 1) <= here * kJitter);
      CHECK(at(1.2 * sigma, batches, 1) <= here * kJitter);
      CHECK(at(sigma, batches, 2) * kJitter >= here);
    }
  }
}

}  // namespace honest_epsilon
