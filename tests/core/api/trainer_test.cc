#include "core/api/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/api/validate.h"
#include "core/pairs/gaussian.h"
#include "tests/core/support.h"

namespace honest_epsilon::api {
namespace {

using testing::answer_of;
using testing::phase;

Query run_of(const std::string& sampler) {
  Query query;
  query.question = "epsilon";
  query.delta = 1e-5;
  Phase p;
  p.sampler = sampler;
  p.noise_multiplier = 1.3;
  query.phases = {p};
  return query;
}

void check_same(const Query& a, const Query& b) {
  const Answer left = answer_of(a), right = answer_of(b);
  CHECK(left.epsilon.lower == right.epsilon.lower);
  CHECK(left.epsilon.upper == right.epsilon.upper);
  CHECK(left.adjacency == right.adjacency);
}

std::string refused(const Query& query) {
  const auto outcome = answer(query);
  return std::holds_alternative<Issue>(outcome) ? std::get<Issue>(outcome).field : "none";
}

}  // namespace

TEST_CASE("trainer: bands are as many groups that take turns") {
  Query banded = run_of("poisson");
  phase(banded).dataset_size = 8003;
  phase(banded).batch_size = 100;
  phase(banded).steps = 81;
  phase(banded).bands = 4;
  Query plain = run_of("poisson");
  phase(plain).sampling_probability = 0.05;
  phase(plain).steps = 21;
  check_same(banded, plain);
  CHECK(answer_of(banded).derived.steps == 81);
  CHECK(answer_of(banded).batch_sizes->mean == 100);
  Query by_rate = plain;
  phase(by_rate).bands = 4;
  phase(by_rate).steps = 84;
  check_same(by_rate, plain);
  CHECK_FALSE(answer_of(by_rate).derived.epochs);
}

TEST_CASE("trainer: an epoch of bands is one of all groups") {
  Query counted = run_of("poisson");
  phase(counted).dataset_size = 8000;
  phase(counted).batch_size = 100;
  phase(counted).epochs = 2;
  phase(counted).bands = 4;
  Query by_epoch = run_of("poisson");
  phase(by_epoch).steps_per_epoch = 80;
  phase(by_epoch).epochs = 2;
  phase(by_epoch).bands = 4;
  check_same(by_epoch, counted);
  phase(by_epoch).bands = 81;
  CHECK(refused(by_epoch) == "bands");
  Query by_rate = run_of("poisson");
  phase(by_rate).sampling_probability = 0.05;
  phase(by_rate).epochs = 2;
  phase(by_rate).bands = 4;
  CHECK(refused(by_rate) == "bands");
  phase(by_rate).epochs.reset();
  phase(by_rate).steps = 160;
  check_same(by_rate, counted);
}

TEST_CASE("trainer: with unit columns a record's turns are orthogonal, and of norm 1 each") {
  std::mt19937 random(4);
  std::normal_distribution<> normal;
  for (const std::size_t bands : {1U, 2U, 5U}) {
    const std::size_t steps = 23;
    // Columns of a lower triangular matrix of so many bands.
    std::vector<std::vector<double>> columns(steps, std::vector<double>(steps, 0));
    for (std::size_t t = 0; t < steps; ++t) {
      double squares = 0;
      for (std::size_t row = t; row < std::min(steps, t + bands); ++row) {
        columns[t][row] = normal(random);
        squares += columns[t][row] * columns[t][row];
      }
      for (double& entry : columns[t]) entry /= std::sqrt(squares);
    }
    for (std::size_t s = 0; s < steps; ++s) {
      for (std::size_t t = s; t < steps; t += bands) {
        double product = 0;
        for (std::size_t row = 0; row < steps; ++row) product += columns[s][row] * columns[t][row];
        CHECK(product == doctest::Approx(s == t ? 1 : 0));
      }
    }
  }
}

TEST_CASE("trainer: the noise of a count and of a sum are one Gaussian") {
  for (const double noise : {0.4, 5.0}) {
    Query query = run_of("deterministic");
    phase(query).steps_per_epoch = 10;
    phase(query).epochs = 3;
    phase(query).count_noise = noise;
    const double shift = std::sqrt(3 * (1 / (1.3 * 1.3) + 1 / (4 * noise * noise)));
    const Interval exact = gaussian::epsilon(shift, 1e-5);
    const Interval found = answer_of(query).epsilon;
    CHECK(found.lower == doctest::Approx(exact.lower).epsilon(1e-9));
    CHECK(found.upper == doctest::Approx(exact.upper).epsilon(1e-9));
  }
}

TEST_CASE("trainer: workers that draw from the whole dataset are records of one person") {
  for (const char* sampler : {"poisson", "balls-and-bins"}) {
    Query workers = run_of(sampler);
    phase(workers).steps_per_epoch = 50;
    phase(workers).sampling_workers = 3;
    Query person = workers;
    phase(person).sampling_workers.reset();
    phase(person).records_per_user = 3;
    check_same(workers, person);
  }
}

TEST_CASE("trainer: a batch's places draw from all records, whatever the others do") {
  Query query = run_of("without-replacement");
  phase(query).dataset_size = 500;
  phase(query).batch_size = 10;
  phase(query).devices = 2;
  phase(query).epochs = 3;
  const double distinct = answer_of(query).epsilon.upper;
  phase(query).replacement = true;
  const Answer found = answer_of(query);
  CHECK(found.epsilon.lower > distinct);
  CHECK(found.derived.sampling_probability == 0.04);
  CHECK(found.derived.steps == 75);
  CHECK_FALSE(found.rdp);
  CHECK_FALSE(found.gdp);
  Query person = run_of("poisson");
  phase(person).noise_multiplier = 0.65;
  phase(person).sampling_probability = 1.0 / 500;
  phase(person).records_per_user = 20;
  phase(person).steps = 75;
  phase(person).adjacency = "add-remove";
  check_same(query, person);
  phase(query).records_per_user = 3;
  phase(person).sampling_probability = 3.0 / 500;
  check_same(query, person);
  // A response tells of any of the places.
  phase(query).mechanism = phase(person).mechanism = "randomized-response";
  phase(person).noise_multiplier = 1.3;
  check_same(query, person);

  phase(query).mechanism = "laplace";
  CHECK(refused(query) == "replacement");
  phase(query).mechanism.reset();
  phase(query).adjacency = "substitution";
  CHECK(refused(query) == "replacement");
  phase(query).adjacency.reset();
  phase(query).sampler = "poisson";
  CHECK(refused(query) == "replacement");
  query.question = "compare";
  CHECK(refused(query) == "none");
  query.question = "epsilon";
  phase(query).sampler = "without-replacement";
  phase(query).dataset_size = 20;
  phase(query).records_per_user = 20;
  CHECK(refused(query) == "dataset_size");
  phase(query).records_per_user = 19;
  CHECK(refused(query) == "none");
  const auto warnings = answer_of(query).warnings;
  CHECK(std::none_of(warnings.begin(), warnings.end(),
                     [](const Warning& w) { return w.code == "every-record-every-step"; }));
  phase(query).dataset_size.reset();
  phase(query).batch_size.reset();
  phase(query).devices.reset();
  phase(query).steps_per_epoch = 25;
  CHECK(refused(query) == "dataset_size");
}

TEST_CASE("trainer: what is not covered is refused in its own field") {
  Query query = run_of("shuffle");
  phase(query).steps_per_epoch = 10;
  phase(query).sampling_workers = 2;
  CHECK(refused(query) == "sampling_workers");
  phase(query).sampling_workers = 1;
  CHECK(refused(query) == "none");
  phase(query).bands = 2;
  CHECK(refused(query) == "bands");
  phase(query).sampler = "poisson";
  CHECK(refused(query) == "none");
  phase(query).records_per_user = 2;
  CHECK(refused(query) == "bands");
  phase(query).records_per_user = 1;
  phase(query).drawn_divisor = true;
  CHECK(refused(query) == "drawn_divisor");
  phase(query).drawn_divisor = false;
  phase(query).bands = 1;
  phase(query).mechanism = "laplace";
  CHECK(refused(query) == "none");
  phase(query).count_noise = 3;
  CHECK(refused(query) == "count_noise");
}

}  // namespace honest_epsilon::api
