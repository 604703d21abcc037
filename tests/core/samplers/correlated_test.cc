#include "core/samplers/correlated.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/accounts/monte_carlo.h"
#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/monte_carlo/estimator.h"
#include "core/pairs/gaussian.h"
#include "core/samplers/balls_and_bins.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::answer_of;
using testing::contains;
using testing::issue_of;
using testing::kEffort;
using testing::with;

/// m_i as the definition has it: C e_i + C e_{i + B} + ..., cut after the last step.
std::vector<double> sums_of(const std::vector<double>& column, std::size_t bin, std::size_t bins,
                            std::size_t epochs) {
  std::vector<double> sums(bins * epochs);
  for (std::size_t from = bin; from < sums.size(); from += bins) {
    for (std::size_t j = 0; j < column.size() && from + j < sums.size(); ++j)
      sums[from + j] += column[j];
  }
  return sums;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Run run_of(const std::vector<double>& column, std::int64_t bins, std::int64_t epochs,
           double sigma) {
  Run run = testing::epochs_run(sigma, static_cast<double>(bins), static_cast<double>(epochs));
  run.redrawn_each_epoch = false;
  run.correlation = std::make_shared<const Correlation>(column, bins, epochs, 0);
  return run;
}

wire::Query banded(double bands, double sigma) {
  return testing::query_of(
      "sampler=balls-and-bins steps_per_epoch=20 epochs=3 reshuffle=once matrix=square-root ",
      "noise_multiplier=", sigma, " bands=", bands);
}

}  // namespace

TEST_CASE("correlated: every field is above, or below, the whole Gram matrix") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> entry(0, 1);
  struct Shape {
    std::size_t length, bins, epochs;
  };
  for (const Shape& shape : {Shape{1, 5, 1}, {3, 12, 2}, {7, 8, 3}, {40, 10, 4}}) {
    const std::size_t bins = shape.bins, epochs = shape.epochs;
    std::vector<double> column(shape.length);
    std::generate(column.begin(), column.end(), [&] { return entry(random); });
    std::vector<std::vector<double>> sums;
    for (std::size_t i = 0; i < bins; ++i) sums.push_back(sums_of(column, i, bins, epochs));
    const Correlation made(column, static_cast<std::int64_t>(bins),
                           static_cast<std::int64_t>(epochs), 0);
    CHECK(contains(made.known(), product(sums[0], sums[0])));
    for (const GaussianField& field : made.above()) {
      INFO(shape.length << " " << bins << " " << epochs << " " << field.bins);
      const std::size_t residues = bins / static_cast<std::size_t>(field.bins);
      std::size_t least = bins;  // that class of so many bins
      for (std::size_t r = 1; r <= residues; ++r)
        if (bins / r == static_cast<std::size_t>(field.bins)) least = std::min(least, r);
      CHECK(field.blank == 0);
      bool serves = field.bins == 1;
      for (std::size_t r = least; r <= residues && !serves; ++r) {
        bool holds = true;
        for (std::size_t i = 0; i < bins; ++i)
          for (std::size_t l = i + r; l < bins; l += r)
            holds = holds && product(sums[i], sums[l]) <= field.shared * (1 + 1e-14) + 1e-15;
        serves = holds;
      }
      CHECK(serves);
      CHECK(field.shared + field.own >= product(sums[0], sums[0]) * (1 - 1e-15));
    }
    for (const GaussianField& field : made.below()) {
      const auto kept = static_cast<std::size_t>(field.bins);
      CHECK(kept + static_cast<std::size_t>(field.blank) == bins);
      for (std::size_t i = 0; i < kept; ++i) {
        CHECK(field.shared + field.own <= product(sums[i], sums[i]) * (1 + 1e-15));
        for (std::size_t l = 0; l < kept; ++l)
          if (l != i) CHECK(field.shared <= product(sums[i], sums[l]) + 1e-15);
      }
      if (field.blank > 0) CHECK(field.shared == 0);
    }
  }
}

TEST_CASE("correlated: contains the integral over two bins") {
  std::size_t place = 0;
  for (const auto& column : {std::vector<double>{1, 0.5}, {1, 0.5, 0.375, 0.3125}, {0.3, 1}}) {
    for (const std::int64_t epochs : {1, 2}) {
      constexpr double kSigma = 1.2;
      const auto a = sums_of(column, 0, 2, static_cast<std::size_t>(epochs));
      const auto b = sums_of(column, 1, 2, static_cast<std::size_t>(epochs));
      const double aa = product(a, a) / (kSigma * kSigma), bb = product(b, b) / (kSigma * kSigma),
                   ab = product(a, b) / (kSigma * kSigma);
      const double first = std::sqrt(aa), across = ab / first,
                   second = std::sqrt(std::max(0.0, bb - across * across));
      ++place;
      for (const double epsilon : {0.2, 1.0, 2.5}) {
        if (!testing::in_share(place++)) continue;
        double remove = 0, add = 0;
        constexpr double kStep = 0.01;
        for (double x = -9; x < 9 + first; x += kStep) {
          for (double y = -9; y < 9 + second; y += kStep) {
            const double weight = kStep * kStep / (2 * kPi) * std::exp(-0.5 * (x * x + y * y));
            const double ratio = 0.5 * std::exp(first * x - 0.5 * aa) +
                                 0.5 * std::exp(across * x + second * y - 0.5 * bb);
            remove += weight * std::max(0.0, ratio - std::exp(epsilon));
            add += weight * std::max(0.0, 1 - std::exp(epsilon) * ratio);
          }
        }
        const Finding found =
            balls_and_bins::delta(run_of(column, 2, epochs, kSigma), epsilon, kEffort);
        INFO(column.size() << " " << epochs << " " << epsilon << " " << remove << " " << add << " "
                           << testing::show(found.directions.remove));
        CHECK(contains(found.directions.remove, remove, 1e-4));
        CHECK(contains(found.directions.add, add, 1e-4));
      }
    }
  }
}

TEST_CASE("correlated: without correlation this is one draw kept for all epochs") {
  const Run run = run_of({1}, 30, 4, 1.5);
  Run plain = run;
  plain.correlation = nullptr;
  const Interval kept = testing::larger(balls_and_bins::epsilon(plain, 1e-6, kEffort));
  const Interval found = testing::larger(balls_and_bins::epsilon(run, 1e-6, kEffort));
  CHECK(testing::overlap(found, kept));
  CHECK(testing::is_narrow(found, 3 * kEffort.width));
}

TEST_CASE("correlated: reaches the known values, from both sides") {
  // Bands (0: none), bins, epochs, noise over the norm of C e_1 and the square root of the epochs;
  // upper ends of a prototype in another language, and 1e5 samples.
  struct KnownRow {
    double bands, bins, epochs, noise, upper, sampled;
  };
  for (const KnownRow& row : {KnownRow{4, 100, 10, 1, 1.055, 0.705},
                              {4, 100, 10, 2, 0.301, 0.254},
                              {16, 100, 10, 1, 2.094, 1.23},
                              {16, 100, 10, 2, 0.748, 0.475},
                              {0, 100, 4, 1, 4.05, 3.53},
                              {0, 100, 4, 2, 1.780, 1.56}}) {
    const auto steps = static_cast<std::size_t>(row.bins * row.epochs);
    const auto column =
        square_root_column(row.bands > 0 ? static_cast<std::size_t>(row.bands) : steps);
    const double sigma = row.noise * std::sqrt(product(column, column) * row.epochs);
    const Run run = run_of(column, static_cast<std::int64_t>(row.bins),
                           static_cast<std::int64_t>(row.epochs), sigma);
    const Interval found = testing::larger(balls_and_bins::epsilon(run, 1e-4, kEffort));
    INFO(row.bands << " " << row.noise << " " << testing::show(found));
    CHECK(found.upper <= 1.01 * row.upper);
    CHECK(contains(found, row.sampled));
  }
}

TEST_CASE("correlated: samples of the pair agree with integrals and with the proved ends") {
  namespace mc = monte_carlo;
  const auto sampled = [](const std::vector<double>& column, std::int64_t bins, std::int64_t epochs,
                          double sigma, Direction direction, double epsilon, std::int64_t samples) {
    mc::SampleRequest request;
    request.pair = mc::SampledPair::correlated_bins;
    request.method = mc::SampledMean::plain;
    request.direction = direction;
    request.noise_multiplier = sigma;
    request.steps = bins;
    request.kept_epochs = epochs;
    request.column = column;
    request.epsilons = {epsilon};
    REQUIRE_FALSE(check(request).has_value());
    mc::Estimator estimator(request);
    mc::Tally tally = estimator.run_chunk(5, 0);
    for (std::uint64_t chunk = 1; tally.samples < samples; ++chunk)
      merge(tally, estimator.run_chunk(5, chunk));
    return estimator.estimates(tally, {1e-9, false, mc::Ends::best}).front().delta;
  };
  for (const auto direction : {Direction::remove, Direction::add}) {
    // One bin is a Gaussian; without correlation k epochs are one of less noise.
    const double shift = std::sqrt(1.25 + 1 + 2 * 0.5) / 1.5;
    const Interval one = sampled({1, 0.5}, 1, 2, 1.5, direction, 1, 50000);
    CHECK(testing::overlap(one, gaussian::delta(shift, 1)));
    CHECK(one.upper - one.lower < 0.02);
    const Interval kept = sampled({1}, 12, 4, 2, direction, 0.5, 50000);
    const Directions plain =
        balls_and_bins::delta(testing::epochs_run(1, 12, 1), 0.5, kEffort).directions;
    CHECK(testing::overlap(kept, direction == Direction::remove ? plain.remove : plain.add));
  }
  // Proved lower <= sampled <= proved upper, and about 1e-4 where others' samples have it.
  struct SampledRow {
    double bands, epochs, noise, epsilon;
  };
  for (const SampledRow& row : {SampledRow{4, 10, 1, 0.705}, {4, 10, 2, 0.254}, {0, 2, 2, 0.8}}) {
    constexpr std::int64_t kBins = 100;
    const auto epochs = static_cast<std::int64_t>(row.epochs);
    const auto column =
        square_root_column(row.bands > 0 ? static_cast<std::size_t>(row.bands)
                                         : static_cast<std::size_t>(kBins * epochs));
    const double sigma = row.noise * std::sqrt(product(column, column) * row.epochs);
    const Directions proved =
        balls_and_bins::delta(run_of(column, kBins, epochs, sigma), row.epsilon, kEffort)
            .directions;
    const Interval remove =
        sampled(column, kBins, epochs, sigma, Direction::remove, row.epsilon, 30000);
    INFO(row.bands << " " << row.noise << " " << testing::show(remove));
    CHECK(remove.upper >= proved.remove.lower);
    CHECK(remove.lower <= proved.remove.upper);
    if (row.bands > 0) CHECK(contains(remove, 1e-4));
    const Interval add = sampled(column, kBins, epochs, sigma, Direction::add, row.epsilon, 10000);
    CHECK(add.upper >= proved.add.lower);
    CHECK(add.lower <= proved.add.upper);
  }
}

TEST_CASE(
    "correlated: Monte Carlo asks for the same run in every shard, and refuses long columns") {
  accounts::MonteCarloQuery query;
  wire::Query run = banded(4, 3);
  static_cast<wire::Phase&>(query) = testing::phase(run);
  query.epsilons = {0.5};
  query.direction = "remove";
  const auto plan = accounts::monte_carlo_plan(query);
  REQUIRE(std::holds_alternative<accounts::MonteCarloPlan>(plan));
  const accounts::MonteCarloQuery& shard = std::get<accounts::MonteCarloPlan>(plan).query;
  CHECK(shard.matrix == "square-root");
  CHECK(shard.bands == 4);
  CHECK(shard.epochs == 3);
  CHECK(shard.reshuffle == "once");
  const auto again = accounts::monte_carlo_plan(shard);
  REQUIRE(std::holds_alternative<accounts::MonteCarloPlan>(again));
  CHECK(std::get<accounts::MonteCarloPlan>(again).query.epochs == 3);
  query.bands.reset();
  query.steps_per_epoch = 1000;
  const auto refused = accounts::monte_carlo_plan(query);
  REQUIRE(std::holds_alternative<Issue>(refused));
  CHECK(std::get<Issue>(refused).field == "matrix");
  query.bands = 4;
  query.sampler = "deterministic";
  query.reshuffle.reset();
  CHECK(std::holds_alternative<Issue>(accounts::monte_carlo_plan(query)));
}

TEST_CASE("correlated: others' rho of a BLT matrix and two participations") {
  // fcp/confidentialcompute/python/accounting_test.py prints 3.17226586 for 100 steps, 50 apart.
  const auto column = buffered_column(
      {0.0070314825502323835, 0.10613806907600574, 0.1898159060327625, 0.1966594748073734},
      {0.9999999999921251, 0.9944453083640997, 0.8985923474607591, 0.4912001418098778}, 100);
  const Interval known = Correlation(column, 50, 2, 0).known();
  CHECK(known.lower / 2 == doctest::Approx(3.17226586).epsilon(1e-8));
}

TEST_CASE("correlated: a published upper end is that of known bins") {
  Run run = run_of({1, 0.5}, 50, 2, 1.5);
  run.published_only = true;
  // Two columns of norm^2 1.25 that do not overlap.
  const double shift = std::sqrt(2 * 1.25) / 1.5;
  const Interval known = gaussian::epsilon(shift, 1e-5);
  CHECK(testing::overlap(testing::larger(balls_and_bins::epsilon(run, 1e-5, kEffort)), known));
  CHECK(balls_and_bins::epsilon(run, 1e-5, kEffort).directions.upper() ==
        doctest::Approx(known.upper).epsilon(1e-9));
}

TEST_CASE("correlated: the square root's square is the matrix of partial sums") {
  const std::vector<double> column = square_root_column(200);
  for (std::size_t d = 0; d < column.size(); ++d) {
    double sum = 0;
    for (std::size_t j = 0; j <= d; ++j) sum += column[j] * column[d - j];
    CHECK(std::abs(sum - 1) <= 4 * square_root_error(column.size()));
  }
}

TEST_CASE("correlated: known bins are one Gaussian release, whatever else is asked") {
  const wire::Query query = with(banded(4, 2), "sampler=deterministic reshuffle=");
  const std::vector<double> column = square_root_column(4);
  const double shift = std::sqrt(3 * product(column, column)) / 2;
  const wire::Answer answer = answer_of(query);
  CHECK(testing::overlap(answer.epsilon, gaussian::epsilon(shift, *query.delta)));
  CHECK(testing::is_narrow(answer.epsilon, 1e-9));
  CHECK_FALSE(answer.published);
  // Epochs of one run do not compose: bands reach into the next.
  const auto whole = sums_of(column, 0, 2, 3);
  CHECK(testing::overlap(answer_of(with(query, "steps_per_epoch=2")).epsilon,
                         gaussian::epsilon(std::sqrt(product(whole, whole)) / 2, *query.delta)));
}

TEST_CASE("correlated: bands of a matrix are no groups of records") {
  const wire::Answer answer =
      answer_of(with(banded(4, 3), "steps_per_epoch= dataset_size=2000 batch_size=100"));
  CHECK(answer.batch_sizes->mean == doctest::Approx(100));
  CHECK(answer.derived.steps == 60);
  CHECK(answer.epsilon.upper == answer_of(banded(4, 3)).epsilon.upper);
}

TEST_CASE("correlated: where an epoch's batches round, each end has a matrix of its own") {
  // Four epochs of three batches above and three of four below: twelve steps both.
  const wire::Query query =
      with(banded(1, 2), "steps_per_epoch= epochs= sampling_probability=.28 steps=12");
  const wire::Answer found = answer_of(query);
  const wire::Answer plain = answer_of(with(query, "matrix= bands="));
  CHECK(found.epsilon.lower <= plain.epsilon.lower * 1.001);
  CHECK(found.epsilon.upper >= plain.epsilon.upper * 0.999);
}

TEST_CASE("correlated: two such phases are two runs, not a longer one") {
  const wire::Query query = with(banded(4, 2), "sampler=deterministic steps_per_epoch=2 +");
  const auto whole = sums_of(square_root_column(4), 0, 2, 3);
  const double shift = std::sqrt(2 * product(whole, whole)) / 2;
  CHECK(testing::overlap(answer_of(query).epsilon, gaussian::epsilon(shift, *query.delta)));
}

TEST_CASE("correlated: beside a release the answer is above that of either") {
  const wire::Answer alone = answer_of(banded(4, 3));
  CHECK(alone.published);
  CHECK(alone.epsilon.upper < alone.published->lower + alone.published->upper);
  const wire::Query both = with(banded(4, 3), "+ release mu=.5");
  const wire::Answer answer = answer_of(both);
  CHECK(answer.epsilon.lower >= gaussian::epsilon(0.5, *both.delta).lower);
  CHECK(answer.epsilon.upper > alone.epsilon.upper);
}

TEST_CASE("correlated: noise is found that meets a target") {
  const wire::Answer found = answer_of(
      with(banded(4, 1), "question=calibrate solve_for=noise epsilon=1 noise_multiplier="));
  CHECK(found.epsilon.upper <= 1);
  CHECK(answer_of(banded(4, 0.98 * found.solution->value)).epsilon.upper > 1);
}

TEST_CASE("correlated: what does not fit is refused, by field") {
  const auto refused = [](const std::string& words) {
    return issue_of(accounts::answer(with(banded(4, 2), words))).field;
  };
  for (const char* words :
       {"matrix_column=1,0.5", "reshuffle=", "adjacency=substitution", "records_per_user=2",
        "mechanism=laplace", "sampler=poisson", "sampler=shuffle", "count_noise=2",
        "sampling_workers=2", "buffer_weights=.5 buffer_decays=.5"}) {
    CAPTURE(words);
    CHECK(refused(words) == "matrix");
  }
  CHECK(refused("bands=61") == "bands");
  CHECK(refused("steps_per_epoch=1e6") == "epochs");
  const std::string own = "matrix= bands= ", column = own + "matrix_column=";
  CHECK(refused(column + "0,1") == "matrix_column");
  // Its square would be 0.
  CHECK(refused(column + "1e-200,1") == "matrix_column");
  CHECK(refused(column + "1,-0.5") == "matrix_column");
  CHECK(refused(own + "buffer_weights=.4,.1 buffer_decays=.5") == "buffer_weights");
  CHECK(refused(own + "buffer_decays=.5") == "buffer_decays");
  CHECK(refused(own + "buffer_weights=-.4 buffer_decays=.5") == "buffer_weights");
  CHECK(refused(own + "buffer_weights=.4 buffer_decays=1.5") == "buffer_decays");
  CHECK(refused("matrix=column") == "matrix_column");
  CHECK(refused("matrix=buffers") == "buffer_weights");
  // A matrix may be named beside what gives it.
  CHECK(refused(column + "1,0.5 matrix=buffers") == "buffer_weights");
  CHECK(refused(column + "1,0.5 matrix=identity") == "matrix");
  CHECK(answer_of(with(banded(4, 2), column + "1,0.5 matrix=column")).epsilon.upper ==
        answer_of(with(banded(4, 2), column + "1,0.5")).epsilon.upper);
  // Entries written out are the same matrix.
  const auto written_out = [&](std::vector<double> entries) {
    wire::Query query = with(banded(4, 2), own);
    testing::phase(query).matrix_column = std::move(entries);
    return answer_of(query);
  };
  std::vector<double> entries = {1};
  for (int j = 0; j < 59; ++j) entries.push_back(0.4 * std::pow(0.5, j) + 0.1 * std::pow(0.95, j));
  const wire::Answer buffered =
      answer_of(with(banded(4, 2), own, "buffer_weights=.4,.1 buffer_decays=.5,.95"));
  const wire::Answer written = written_out(entries);
  CHECK(buffered.epsilon.upper == doctest::Approx(written.epsilon.upper).epsilon(1e-9));
  CHECK(buffered.epsilon.lower == doctest::Approx(written.epsilon.lower).epsilon(1e-9));
  // More entries than the run has steps: those after its last are cut.
  CHECK(written_out(std::vector<double>(100, 0.1)).epsilon.upper ==
        written_out(std::vector<double>(60, 0.1)).epsilon.upper);
}

}  // namespace honest_epsilon
