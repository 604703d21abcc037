// An epoch of balls-and-bins in which a record is replaced.

#include "core/samplers/bins_replaced.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "core/samplers/balls_and_bins.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using balls_and_bins::replaced_delta;
using balls_and_bins::replaced_epsilon;
using balls_and_bins::ReplacedEpoch;
using testing::kEffort;
using testing::show;

/// X_u - a X_v at x, X_m = dN(m) / dN(0).
double gain(double u, double v, double scale, double x) {
  return std::exp(u * (x - 0.5 * u)) - scale * std::exp(v * (x - 0.5 * v));
}

/// A mean over N(0) by the midpoint rule.
double mean(double mu, double step, const std::function<double(double)>& f) {
  double sum = 0;
  for (double x = -8 - mu + 0.5 * step; x < 8 + mu; x += step) sum += step * normal::pdf(x) * f(x);
  return sum;
}

Run replaced_run(double sigma, std::int64_t batches, std::int64_t epochs) {
  Run run = testing::epochs_run(sigma, static_cast<double>(batches));
  run.adjacency = Adjacency::substitution;
  run.epochs = epochs;
  run.steps = batches * epochs;
  return run;
}

}  // namespace

TEST_CASE("replaced bins: of two batches the sum is all there is to know") {
  // (X_1 + X_2) / (1/X_1 + 1/X_2) = X_1 X_2
  std::size_t place = 0;
  for (const double mu : {0.02, 0.05, 0.2, 0.5, 1.0, 2.0, 3.0}) {
    for (const double part : {0.0, 0.1, 0.5, 1.0, 2.0, 4.0, 6.0}) {
      if (!testing::in_share(place++)) continue;
      const double epsilon = part * mu * (1 + 0.5 * mu);
      const Interval sum = gaussian::delta(std::sqrt(2.0) * mu, epsilon);
      const Interval delta = replaced_delta({2, 0, mu}, epsilon);
      CAPTURE(mu);
      CAPTURE(epsilon);
      INFO(show(delta) << " " << show(sum));
      CHECK(delta.lower <= sum.upper);
      CHECK(delta.upper >= sum.lower);
      CHECK(delta.upper - delta.lower <= 1e-6 * sum.upper);
    }
    const Interval sum = gaussian::epsilon(std::sqrt(2.0) * mu, 1e-6);
    const Interval epsilon = replaced_epsilon({2, 0, mu}, 1e-6);
    INFO(show(epsilon) << " " << show(sum));
    CHECK(epsilon.lower <= sum.upper);
    CHECK(epsilon.upper >= sum.lower);
    CHECK(epsilon.upper - epsilon.lower <= 1e-6 * sum.upper);
  }
}

TEST_CASE("replaced bins: values of plain lattices, to four digits") {
  // In floating point, on two spacings and extrapolated.
  struct Known {
    double batches, sigma, epsilon, delta;
  };
  for (const Known& known :
       {Known{2, 1, 1, .286208}, Known{10, 1, 1, .0297204}, Known{10, 1, 2, 6.8208e-4},
        Known{100, 1, .5, 1.00508e-3}, Known{100, 1, 1, 1.0500e-6}, Known{1000, .7, 1, 8.988e-7},
        Known{1000, 1, .3, 1.42026e-7}, Known{20, 2, .3, .0109516}}) {
    const ReplacedEpoch epoch{known.batches, 0, 1 / known.sigma};
    const Interval delta = replaced_delta(epoch, known.epsilon);
    CAPTURE(known.batches);
    CAPTURE(known.epsilon);
    INFO(show(delta));
    CHECK(delta.lower <= known.delta * (1 + 1e-4));
    CHECK(delta.upper >= known.delta * (1 - 1e-4));
    CHECK(delta.upper - delta.lower <= 1e-6 * known.delta);
    const Interval epsilon = replaced_epsilon(epoch, delta.upper);
    CHECK(epsilon.lower <= known.epsilon);
    CHECK(epsilon.upper >= known.epsilon * (1 - 1e-6));
    CHECK(epsilon.upper - epsilon.lower <= 1e-6 * known.epsilon);
  }
}

TEST_CASE("replaced bins: three batches, seen or not, by the midpoint rule") {
  std::size_t place = 0;
  for (const double mu : {0.5, 1.0, 1.6}) {
    ++place;
    for (const double epsilon : {0.0, 0.4, 1.5}) {
      const double scale = std::exp(epsilon);
      for (const int blank : {0, 1}) {
        if (!testing::in_share(place++)) continue;
        // Over the last of three outputs, of which `blank` are not seen.
        const double exact = mean(mu, 0.12, [&](double x) {
          return mean(mu, 0.12, [&](double y) {
            const double two = gain(mu, -mu, scale, x) + gain(mu, -mu, scale, y);
            if (blank == 1) return std::max(0.0, two + 1 - scale) / 3;
            return mean(mu, 0.05,
                        [&](double z) { return std::max(0.0, two + gain(mu, -mu, scale, z)) / 3; });
          });
        });
        const Interval delta = replaced_delta({3.0 - blank, 1.0 * blank, mu}, epsilon);
        CAPTURE(mu);
        CAPTURE(epsilon);
        CAPTURE(blank);
        INFO(show(delta));
        CHECK(delta.lower <= exact * (1 + 2e-3));
        CHECK(delta.upper >= exact * (1 - 2e-3));
        CHECK(delta.upper - delta.lower <= 1e-4 * exact);
      }
    }
  }
}

// Charges are a ten-billionth of what is found, unless more may be left out: then what is missing
// shows.
TEST_CASE("replaced bins: what coarse sums and polynomials leave out is charged") {
  std::mt19937_64 random(20261129);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto between = [&](double low, double high) {
    return low * std::exp(unit(random) * std::log(high / low));
  };
  const int rounds = testing::rounds(120);
  for (int i = 0; i < rounds; ++i) {
    const double mu = between(0.05, 2.5), bins = std::floor(between(2, i % 10 == 0 ? 20'000 : 300));
    // No blank bins, hardly any, so that a point has no polynomial, or many.
    const std::array blanks{0.0, 1e-9, std::floor(unit(random) * bins)};
    ReplacedEpoch epoch{bins, blanks[static_cast<std::size_t>(i) % 3], mu};
    const double epsilon =
        1.5 * unit(random) * gaussian::epsilon(mu, between(1e-12, 0.3)).upper / std::sqrt(bins);
    const Interval exact = replaced_delta(epoch, epsilon);
    CAPTURE(bins);
    CAPTURE(epoch.blank);
    CAPTURE(mu);
    CAPTURE(epsilon);
    for (const double log_left_out : {-8.0, -4.0, -1.5}) {
      epoch.log_left_out = log_left_out;
      const Interval coarse = replaced_delta(epoch, epsilon);
      CAPTURE(log_left_out);
      INFO(show(coarse) << " " << show(exact));
      CHECK(testing::overlap(coarse, exact));
    }
  }
}

TEST_CASE("replaced bins: what coarse curves leave out is charged, over all of a stretch") {
  std::mt19937_64 random(20261201);
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = testing::rounds(36);
  for (int i = 0; i < rounds; ++i) {
    const double mu = 0.1 * std::exp(3 * unit(random)), bins = std::floor(3 + 60 * unit(random));
    const ReplacedEpoch epoch{bins, i % 4 == 3 ? 2.0 : 0.0, mu};
    ReplacedEpoch coarse = epoch;
    coarse.log_left_out = -1 - 5 * unit(random);
    const Steps steps = balls_and_bins::replaced_steps(coarse, -20);
    for (int j = 0; j < 6; ++j) {
      const double epsilon = 5 * unit(random) * mu / std::sqrt(bins) * (1 + mu);
      const Interval exact = replaced_delta(epoch, epsilon);
      const Interval found = steps.curve(Direction::remove, epsilon);
      INFO(bins << " " << epoch.blank << " " << mu << " " << coarse.log_left_out << " " << epsilon
                << " " << show(found) << " " << show(exact));
      CHECK(testing::overlap(found, exact));
    }
  }
}

// Charges are a thousand times and more what coarse sums are off by, so that no truth shows one
// that is too small: they are on record.
TEST_CASE("replaced bins: what coarse sums and curves charge is as it is on record") {
  struct Row {
    ReplacedEpoch epoch;
    bool of_curve;
    double epsilon;
    Interval delta;
  };
  for (const Row& row :
       {Row{{2, 0, 0.3, -6.3}, false, 0.482, {0.0339168729396, 0.0340229945213}},
        Row{{2, 0, 1.85, -3.1}, false, 10.49, {0.00145336162058, 0.00167256473553}},
        Row{{31, 11, 2.18, -6.9}, false, 3.391, {0.00769417768067, 0.00770490839776}},
        Row{{131, 0, 2.36, -3.3}, false, 0.239, {0.217796003168, 0.341409711951}},
        Row{{4, 2, 0.46, -6.2}, true, 0.788, {0, 0.010958345293}},
        Row{{6, 0, 2.44, -4.7}, true, 0.446, {0.664823120295, 0.799117123037}}}) {
    const Interval found =
        row.of_curve
            ? balls_and_bins::replaced_steps(row.epoch, -4).curve(Direction::remove, row.epsilon)
            : replaced_delta(row.epoch, row.epsilon);
    INFO(row.epoch.bins << " " << row.epsilon << " " << show(found));
    CHECK(found.lower == doctest::Approx(row.delta.lower).epsilon(1e-9));
    CHECK(found.upper == doctest::Approx(row.delta.upper).epsilon(1e-9));
  }
}

TEST_CASE("replaced bins: a height whose path takes too many nodes is passed by") {
  const Steps steps = balls_and_bins::replaced_steps({3871, 0, 1 / 0.533082, -18.4}, -20);
  for (const double epsilon : {0.56, 0.65, 0.78, 1.4}) {
    const Interval delta = steps.curve(Direction::remove, epsilon);
    CAPTURE(epsilon);
    INFO(show(delta));
    CHECK(testing::is_narrow(delta, 1e-3));
  }
}

TEST_CASE("replaced bins: no adaptive strategy in two batches tells more") {
  for (const double mu : {0.5, 1.0, 2.0}) {
    const double epsilon = 0.7 * mu, scale = std::exp(epsilon);
    const double most = replaced_delta({2, 0, mu}, epsilon).upper;
    const std::array kSizes{-1.0, -0.5, 0.0, 0.5, 1.0};
    double best = 0;
    struct Sizes {
      double first, second;
    };
    for (const Sizes& shown : {Sizes{1, -1}, {1, 0}, {0.5, -1}, {1, 1}, {-0.5, 0.5}}) {
      // What is shown second may depend on the first output: the best is taken at each.
      const double told = mean(mu, 0.1, [&](double x) {
        const double first = gain(shown.first * mu, shown.second * mu, scale, x);
        double largest = 0;
        for (const double later : kSizes) {
          for (const double other : kSizes)
            largest =
                std::max(largest, mean(mu, 0.1, [&](double y) {
                           return std::max(0.0, first + gain(later * mu, other * mu, scale, y));
                         }));
        }
        return 0.5 * largest;
      });
      best = std::max(best, told);
    }
    CAPTURE(mu);
    CHECK(best <= most * (1 + 1e-3));
    CHECK(best >= most * (1 - 1e-2));
  }
}

TEST_CASE("replaced bins: agree with samples of the pair") {
  std::mt19937_64 random(20261128);
  std::normal_distribution<double> normal;
  constexpr int kSamples = 60'000;
  for (const auto& [batches, mu, epsilon] :
       {std::array{7.0, 1.0, 0.8}, std::array{40.0, 1.5, 0.5}, std::array{5.0, 2.5, 6.0}}) {
    double sum = 0, squares = 0;
    for (int i = 0; i < kSamples; ++i) {
      double above = 0, below = 0;
      for (int t = 0; t < batches; ++t) {
        const double x = normal(random) + (t == 0 ? mu : 0);
        above += std::exp(mu * x);
        below += std::exp(-mu * x);
      }
      const double gained = std::max(0.0, 1 - std::exp(epsilon) * below / above);
      sum += gained;
      squares += gained * gained;
    }
    const double average = sum / kSamples;
    const double error = std::sqrt((squares / kSamples - average * average) / kSamples);
    const Interval delta = replaced_delta({batches, 0, mu}, epsilon);
    INFO(show(delta) << " " << average << " +- " << error);
    CHECK(std::abs(average - delta.upper) < 5 * error);
  }
}

TEST_CASE("replaced bins: epochs compose, and a draw that is kept is one epoch") {
  const Run two = replaced_run(1, 2, 5);
  const Interval sum = gaussian::epsilon(std::sqrt(10.0), 1e-5);
  const Directions epochs = balls_and_bins::epsilon(two, 1e-5, kEffort).directions;
  INFO(show(epochs.remove) << " " << show(sum));
  CHECK(epochs.lower() <= sum.upper);
  CHECK(epochs.upper() >= sum.lower);
  CHECK(epochs.upper() - epochs.lower() <= 1e-4 * sum.upper);

  Run kept = replaced_run(2, 50, 4);
  kept.redrawn_each_epoch = false;
  const Directions once = balls_and_bins::epsilon(kept, 1e-5, kEffort).directions;
  const Interval alone = replaced_epsilon({50, 0, 1}, 1e-5);
  CHECK(testing::overlap(once.remove, alone));
  CHECK(testing::is_narrow(once.remove, 1e-5));

  // Both directions are one, and the parts say so.
  for (const std::int64_t k : {1, 3}) {
    const Run run = replaced_run(1, 20, k);
    const Directions d = balls_and_bins::delta(run, 1, kEffort).directions;
    CHECK(d.remove.upper == d.add.upper);
    CHECK(d.remove.lower == d.add.lower);
    const Parts parts = balls_and_bins::parts(run, {-41, kEffort});
    CHECK(parts.tight);
    CHECK(parts.symmetric);
  }
}

TEST_CASE("replaced bins: a stopped epoch lies between what was seen and the whole") {
  Run run = replaced_run(1, 30, 2);
  run.missing_steps = 12;
  run.steps -= 12;
  const Directions stopped = balls_and_bins::epsilon(run, 1e-5, kEffort).directions;
  const Directions one = balls_and_bins::epsilon(replaced_run(1, 30, 1), 1e-5, kEffort).directions;
  const Directions both = balls_and_bins::epsilon(replaced_run(1, 30, 2), 1e-5, kEffort).directions;
  CHECK(stopped.lower() > one.upper());
  CHECK(stopped.upper() < both.lower());
  CHECK(stopped.upper() - stopped.lower() <= 1e-3 * stopped.upper());
}

TEST_CASE("replaced bins: published theorems prove less, and bracket the same") {
  for (const std::int64_t k : {1, 4}) {
    Run run = replaced_run(1.2, 40, k);
    const Directions tight = balls_and_bins::epsilon(run, 1e-5, kEffort).directions;
    CHECK_FALSE(balls_and_bins::has_gap(run));
    CHECK(balls_and_bins::has_own_proof(run));
    run.published_only = true;
    const Directions published = balls_and_bins::epsilon(run, 1e-5, kEffort).directions;
    CHECK(balls_and_bins::has_gap(run));
    CHECK(published.lower() <= tight.upper());
    CHECK(published.lower() >= tight.lower() * (1 - 1e-3));
    CHECK(published.upper() > 1.05 * tight.upper());
  }
}

TEST_CASE("replaced bins: vanishing deltas are no larger than by published theorems") {
  struct Row {
    double sigma;
    std::int64_t batches, epochs;
    double epsilon;
  };
  // By the pair's sums alone the first one was 2e-51, known batches' being 8e-115.
  for (const Row& row :
       testing::in_share(std::vector{Row{4.48, 784, 2, 9.56}, Row{36.1, 4, 5, 2.05}})) {
    Run run = replaced_run(row.sigma, row.batches, row.epochs);
    const double found = balls_and_bins::delta(run, row.epsilon, kEffort).directions.upper();
    run.published_only = true;
    const double most = balls_and_bins::delta(run, row.epsilon, kEffort).directions.upper();
    INFO(row.sigma << " " << row.batches << " " << found << " " << most);
    CHECK(found <= most * (1 + 1e-9));
  }
}

}  // namespace honest_epsilon
