#include "core/samplers/without_replacement.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "core/math/normal.h"
#include "core/samplers/poisson.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::kEffort;
using testing::show;

/// Batches of so many places, drawn from n records with replacement.
Run replacing(double sigma, double n, std::int64_t places, std::int64_t steps) {
  Run run = testing::steps_run(sigma, 1 / n, static_cast<double>(steps));
  run.adjacency = Adjacency::add_remove;
  run.places = places;
  return run;
}

/// The sums of all batches that may be drawn from these gradients, and their probabilities.
std::map<double, double> sums_of(const std::vector<double>& gradients, std::int64_t places) {
  std::map<double, double> sums = {{0, 1}};
  for (std::int64_t place = 0; place < places; ++place) {
    std::map<double, double> next;
    for (const auto& [sum, probability] : sums) {
      for (const double gradient : gradients)
        next[sum + gradient] += probability / static_cast<double>(gradients.size());
    }
    sums = std::move(next);
  }
  return sums;
}

/// The same of all subsets of so many of the gradients, each as probable as the others.
std::map<double, double> subset_sums_of(const std::vector<double>& gradients, std::size_t batch) {
  std::vector<bool> in(gradients.size());
  std::fill(in.end() - static_cast<std::ptrdiff_t>(batch), in.end(), true);
  std::map<double, double> sums;
  double subsets = 0;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < gradients.size(); ++i) sum += in[i] ? gradients[i] : 0;
    sums[sum] += 1;
    ++subsets;
  } while (std::next_permutation(in.begin(), in.end()));
  for (auto& [sum, probability] : sums) probability /= subsets;
  return sums;
}

/// A person's `own` of n records, `batch` of which are in each step.
Run group_of(double sigma, std::size_t n, std::size_t own, std::size_t batch) {
  Run run = testing::steps_run(sigma, static_cast<double>(batch) / static_cast<double>(n), 1);
  run.adjacency = Adjacency::add_remove;
  run.records_per_user = static_cast<std::int64_t>(own);
  run.drawn_from = static_cast<std::int64_t>(n);
  return run;
}

/// How far off the next one may be.
constexpr double kQuadrature = 1e-6;

/// H(P || Q) at e^epsilon of two such laws with Gaussian noise, by the trapezoid rule.
double divergence(const std::map<double, double>& p, const std::map<double, double>& q,
                  double sigma, double epsilon) {
  const auto density = [&](const std::map<double, double>& law, double x) {
    double sum = 0;
    for (const auto& [mean, probability] : law)
      sum += probability * normal::pdf((x - mean) / sigma) / sigma;
    return sum;
  };
  const double end = std::max({std::abs(p.begin()->first), std::abs(p.rbegin()->first),
                               std::abs(q.begin()->first), std::abs(q.rbegin()->first)}) +
                     9 * sigma;
  const double step = sigma / 200;
  double sum = 0;
  for (double x = -end; x <= end; x += step)
    sum += std::max(0.0, density(p, x) - std::exp(epsilon) * density(q, x));
  return sum * step;
}

/// Of how many records so many are one person's.
struct Dataset {
  std::size_t n, own;
};

/// Whatever all gradients are, no interval lies below what batches reveal of the person's; where
/// the person's are 1 and all others -1, it holds that.   sums_of: of the batches drawn from
/// gradients
template <class SumsOf>
void check_datasets(const Directions& found, const Dataset& dataset, double sigma, double epsilon,
                    std::mt19937& random, SumsOf sums_of) {
  std::uniform_real_distribution<> any(-1, 1);
  for (int attempt = 0; attempt < 4; ++attempt) {
    const bool worst = attempt == 0;
    std::vector<double> others(dataset.n - dataset.own);
    for (double& gradient : others) gradient = worst ? -1 : any(random);
    std::vector<double> with = others;
    for (std::size_t i = 0; i < dataset.own; ++i) with.push_back(worst ? 1 : any(random));
    const auto p = sums_of(with), q = sums_of(others);
    const double remove = divergence(p, q, sigma, epsilon);
    const double add = divergence(q, p, sigma, epsilon);
    INFO(remove << " " << add << show(found.remove) << show(found.add));
    CHECK(remove <= found.remove.upper + kQuadrature);
    CHECK(add <= found.add.upper + kQuadrature);
    if (!worst) continue;
    CHECK(remove >= found.remove.lower - kQuadrature);
    CHECK(add >= found.add.lower - kQuadrature);
  }
}

}  // namespace

TEST_CASE("without replacement: is Poisson sampling at half the noise") {
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const Run run = testing::steps_run(2 * row.number("sigma"), row.number("q"), 1);
    const Finding found = without_replacement::delta(run, row.number("epsilon"), kEffort);
    INFO(row.describe() << show(found.directions.remove) << " " << show(found.directions.add));
    CHECK(testing::contains(found.directions.remove, row.number("remove")));
    CHECK(testing::contains(found.directions.add, row.number("add")));
  }
  for (const auto& row : testing::reference_table("poisson_composed")) {
    const Run run =
        testing::steps_run(2 * row.number("sigma"), row.number("q"), row.number("steps"));
    const Finding found = without_replacement::delta(run, row.number("epsilon"), kEffort);
    const Interval& delta =
        row.text("direction") == "add" ? found.directions.add : found.directions.remove;
    INFO(row.describe() << show(delta));
    CHECK(testing::contains(delta, row.number("delta"), row.number("relative_error")));
    CHECK(
        testing::is_narrow(maximum(found.directions.remove, found.directions.add), kEffort.width));
  }
}

TEST_CASE("without replacement: costs far more than Poisson at the same noise") {
  const Run run = testing::steps_run(0.8, 1e-3, 10000);
  const Finding fixed = without_replacement::epsilon(run, 1e-6, kEffort);
  const Finding poisson = poisson::epsilon(run, 1e-6, kEffort);
  INFO(show(fixed.directions.remove) << " against " << show(poisson.directions.remove));
  CHECK(fixed.directions.remove.lower > 10 * poisson.directions.remove.upper);
}

TEST_CASE("without replacement: a single place is a batch of one") {
  const Run run = replacing(1.3, 50, 1, 200);
  Run alone = run;
  alone.places = 0;
  Run poisson = alone;
  poisson.noise_multiplier /= 2;
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    const Directions found = without_replacement::delta(run, epsilon, kEffort).directions;
    const Directions one = without_replacement::delta(alone, epsilon, kEffort).directions;
    const Directions half = poisson::delta(poisson, epsilon, kEffort).directions;
    for (const Directions& other : {one, half}) {
      CHECK(found.remove.upper == other.remove.upper);
      CHECK(found.add.lower == other.add.lower);
    }
  }
}

// Every batch that can be drawn: no gradients exceed the bound, and the worst ones meet it.
TEST_CASE("without replacement: places that draw again, by enumeration") {
  std::mt19937 random(18);
  for (const std::size_t n : {2U, 3U, 5U}) {
    for (const std::int64_t places : {1, 2, 4}) {
      for (const std::size_t own : {1U, 2U}) {
        if (own >= n) continue;
        for (const double sigma : {0.8, 2.5}) {
          Run run = replacing(sigma, static_cast<double>(n), places, 1);
          run.sampling_probability *= static_cast<double>(own);
          run.records_per_user = static_cast<std::int64_t>(own);
          for (const double epsilon : {0.0, 0.4, 1.5}) {
            const Directions found = without_replacement::delta(run, epsilon, kEffort).directions;
            INFO("n=" << n << " places=" << places << " own=" << own << " sigma=" << sigma
                      << " epsilon=" << epsilon);
            check_datasets(found, {n, own}, sigma, epsilon, random,
                           [=](const auto& gradients) { return sums_of(gradients, places); });
          }
        }
      }
    }
  }
}

TEST_CASE("without replacement: a person's records among others, by enumeration") {
  struct Case {
    std::size_t n, own, batch;
  };
  std::mt19937 random(19);
  for (const Case& c : testing::in_share(
           std::vector<Case>{{7, 2, 4}, {4, 2, 2}, {12, 2, 5}, {8, 3, 3}, {9, 3, 6}, {6, 3, 1}})) {
    for (const double sigma : {0.8, 2.5}) {
      const Run run = group_of(sigma, c.n, c.own, c.batch);
      for (const double epsilon : {0.0, 0.4, 1.5}) {
        const Directions found = without_replacement::delta(run, epsilon, kEffort).directions;
        INFO("n=" << c.n << " own=" << c.own << " batch=" << c.batch << " sigma=" << sigma
                  << " epsilon=" << epsilon);
        check_datasets(
            found, {c.n, c.own}, sigma, epsilon, random,
            [size = c.batch](const auto& gradients) { return subset_sums_of(gradients, size); });
      }
    }
  }
}

TEST_CASE("without replacement: a gap of theory is not asked for digits that it does not have") {
  Run run = testing::steps_run(2.25, 1 / 7907.0, 63256);
  run.adjacency = Adjacency::substitution;
  Effort effort = kEffort;
  effort.width = 1e-6;
  const Finding found = without_replacement::epsilon(run, 5.85e-6, effort);
  const Interval epsilon = found.directions.remove;
  INFO(show(epsilon) << " " << found.grid_points);
  CHECK(testing::contains(epsilon, 0.1144));
  CHECK(testing::contains(epsilon, 0.148));
  CHECK(epsilon.upper < 0.149);
  CHECK(found.grid_points <= 65536);
}

TEST_CASE("without replacement: among very many records each joins about on its own") {
  Run among = group_of(1.2, 1'000'000'000, 3, 4'000'000);
  Run alone = among;
  alone.drawn_from = 0;
  among.steps = alone.steps = 2000;
  Effort effort = kEffort;
  effort.width = 1e-8;
  for (const double delta : {1e-3, 1e-9}) {
    const Interval epsilon = without_replacement::epsilon(among, delta, effort).directions.remove;
    const Interval limit = without_replacement::epsilon(alone, delta, effort).directions.remove;
    INFO(show(epsilon) << show(limit));
    CHECK(testing::is_narrow(epsilon, 1e-8));
    CHECK(epsilon.upper == doctest::Approx(limit.upper).epsilon(1e-6));
    CHECK(epsilon.upper < limit.lower);
  }
}

TEST_CASE("without replacement: few of a person's many records are in a batch") {
  // All in one would be 600 units away.
  const Run many = [] {
    Run run = group_of(1, 60000, 300, 256);
    run.steps = 235;
    return run;
  }();
  for (const double delta : {1e-3, 1e-6, 1e-12}) {
    const Interval found = without_replacement::epsilon(many, delta, kEffort).directions.remove;
    INFO(show(found));
    CHECK(testing::is_narrow(found, 1e-3));
  }
}

TEST_CASE("without replacement: few of many places matter, and what is cut is charged") {
  // All places in one batch would shift its sum by thousands of units of the noise.
  const double q = 1.0 / 5000;
  std::map<double, double> sums;
  double weight = std::pow(1 - q, 1000);
  for (int k = 0; k < 20; ++k) {
    sums[2.0 * k] = weight;
    weight *= (1000.0 - k) / (k + 1) * q / (1 - q);
  }
  for (const double sigma : {0.5, 0.2}) {
    const Run run = replacing(sigma, 5000, 1000, 1);
    for (const double epsilon : {0.5, 3.0, 9.0}) {
      const double exact = divergence(sums, {{0, 1}}, sigma, epsilon);
      const Interval found = without_replacement::delta(run, epsilon, kEffort).directions.remove;
      INFO("sigma=" << sigma << " epsilon=" << epsilon << " " << exact << show(found));
      CHECK(found.lower <= exact + kQuadrature);
      CHECK(found.upper >= exact - kQuadrature);
      CHECK(found.upper <= found.lower + 5e-3);
    }
  }
  const Run usual = replacing(1.1, 60000, 256, 14100);
  const Interval found = without_replacement::epsilon(usual, 1e-30, kEffort).directions.remove;
  INFO(show(found));
  CHECK(testing::is_narrow(found, kEffort.width));
  const Run loud = replacing(1e-3, 60000, 65536, 10);
  CHECK(without_replacement::epsilon(loud, 1e-5, kEffort).directions.remove.upper < 1e12);
}

TEST_CASE("without replacement: more places are less private, and more than distinct records") {
  double before = 0;
  for (const std::int64_t places : {1, 5, 25, 125, 625}) {
    const Run run = replacing(1.2, 2000, places, 300);
    const Directions found = without_replacement::epsilon(run, 1e-6, kEffort).directions;
    CHECK(found.lower() > before);
    before = found.upper();
    if (places == 1) continue;
    Run distinct = run;
    distinct.sampling_probability *= static_cast<double>(places);
    distinct.places = 0;
    const auto fixed = without_replacement::epsilon(distinct, 1e-6, kEffort).directions;
    CHECK(found.remove.lower > fixed.remove.upper);
  }
  // Where a batch gives a record away, one that draws it twice has seen it only once.
  const Run loud = replacing(0.4, 10, 4, 1);
  Run distinct = loud;
  distinct.sampling_probability = 0.4;
  distinct.places = 0;
  CHECK(without_replacement::delta(loud, 1, kEffort).directions.upper() <
        without_replacement::delta(distinct, 1, kEffort).directions.lower());
}

// Either direction of the pair is an attack, and adding may show more than removing does.
TEST_CASE("without replacement: a replaced record is no safer than one put in or taken out") {
  int by_adding = 0;
  for (const double scale : {1.0, 2.0, 5.0}) {
    for (const double q : {0.1, 0.5, 0.9}) {
      for (const double epsilon : {0.05, 0.5, 1.0}) {
        Run run = testing::steps_run(scale, q, 2);
        run.mechanism = Mechanism::laplace;
        const Directions around = without_replacement::delta(run, epsilon, kEffort).directions;
        run.adjacency = Adjacency::substitution;
        const Directions replaced = without_replacement::delta(run, epsilon, kEffort).directions;
        INFO("scale=" << scale << " q=" << q << " epsilon=" << epsilon << show(around.remove)
                      << show(around.add) << show(replaced.remove) << show(replaced.add));
        for (const Interval& either : {replaced.remove, replaced.add}) {
          CHECK(either.lower >= around.remove.lower * (1 - 1e-3));
          CHECK(either.lower >= around.add.lower * (1 - 1e-3));
        }
        if (around.add.lower > around.remove.upper * 1.01) ++by_adding;
      }
    }
  }
  CHECK(by_adding > 0);
}

}  // namespace honest_epsilon
