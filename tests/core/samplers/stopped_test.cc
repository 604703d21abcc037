// Runs that stop in the middle of an epoch.

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
#include "core/pairs/one_step.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/runs/gaussian_limit.h"
#include "core/runs/seen_share.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/shuffle.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {
using testing::ExactDelta;
using testing::kEffort;
using testing::show;

/// k whole epochs of T batches, and `seen` more of the next.
Run stopped_run(double sigma, std::int64_t batches, std::int64_t whole, std::int64_t seen) {
  Run run = testing::epochs_run(sigma, static_cast<double>(batches));
  run.epochs = whole + 1;
  run.missing_steps = batches - seen;
  run.steps = whole * batches + seen;
  return run;
}

/// delta of a pair in `places` dimensions by the midpoint rule, in units of the noise.
///   densities: P's and Q's over that of N(0, I)
using Densities = std::function<std::array<double, 2>(const std::vector<double>& x)>;
ExactDelta integrated(std::size_t places, double mu, double epsilon, const Densities& densities) {
  const double h = places == 1 ? 1e-3 : places == 2 ? 0.02 : 0.16, low = -7.5 - mu, high = 8 + mu;
  const auto count = static_cast<int>((high - low) / h);
  const double scale = std::exp(epsilon);
  std::vector<double> x(places);
  ExactDelta exact;
  const std::function<void(std::size_t, double)> visit = [&](std::size_t place, double weight) {
    if (place < places) {
      for (int i = 0; i < count; ++i) {
        x[place] = low + (i + 0.5) * h;
        visit(place + 1, weight * h * normal::pdf(x[place]));
      }
      return;
    }
    const auto [p, q] = densities(x);
    exact.remove += weight * std::max(0.0, p - scale * q);
    exact.add += weight * std::max(0.0, q - scale * p);
  };
  visit(0, 1);
  return exact;
}

/// N(m) over N(0).
double ratio(double m, double x) {
  return std::exp(m * (x - 0.5 * m));
}

/// Balls-and-bins: whole epochs, then a stopped one.
ExactDelta exact_bins(double sigma, std::int64_t batches, std::int64_t whole, std::int64_t seen,
                      double epsilon) {
  const double mu = 1 / sigma;
  const auto bins = static_cast<std::size_t>(batches), last = static_cast<std::size_t>(seen);
  const auto epochs = static_cast<std::size_t>(whole);
  return integrated(epochs * bins + last, mu, epsilon, [=](const std::vector<double>& x) {
    double p = 1;
    for (std::size_t e = 0; e <= epochs; ++e) {
      const std::size_t here = e < epochs ? bins : last;
      double sum = static_cast<double>(bins - here);
      for (std::size_t t = 0; t < here; ++t) sum += ratio(mu, x[e * bins + t]);
      p *= sum / static_cast<double>(bins);
    }
    return std::array{p, 1.0};
  });
}

/// One shuffled epoch, the other records' gradients all at `other`.
ExactDelta exact_shuffle(double sigma, double batches, std::size_t seen, double other,
                         double epsilon) {
  const double mu = 1 / sigma;
  return integrated(seen, mu, epsilon, [=](const std::vector<double>& x) {
    double others = 1;
    for (const double each : x) others *= ratio(other * mu, each);
    double p = 0, q = 0;
    for (const double each : x) {
      const double rest = others / ratio(other * mu, each);
      p += rest * ratio(mu, each) / batches;
      q += rest / batches;
    }
    const double unseen = (1 - static_cast<double>(seen) / batches) * others;
    return std::array{p + unseen, q + unseen};
  });
}

double largest(const Directions& d) {
  return std::max(d.remove.upper, d.add.upper);
}

constexpr std::array<double, 5> kOthers = {-1, -0.5, 0, 0.5, 1};

}  // namespace

TEST_CASE("stopped runs: Renyi accounting counts the epoch that was begun") {
  // Of order 2, E (S / T)^2 has a closed form, of the bins that were seen as of all of them.
  for (const std::int64_t whole : {0, 2}) {
    for (const double sigma : {0.5, 1.0, 3.0}) {
      const auto square = [&](double seen) {
        return std::log1p(seen * std::expm1(1 / (sigma * sigma)) / 100);
      };
      const double exact = static_cast<double>(whole) * square(10) + square(7);
      const double found = balls_and_bins::renyi(stopped_run(sigma, 10, whole, 7))(2);
      CAPTURE(sigma);
      CHECK(found >= exact);
      CHECK(found <= static_cast<double>(whole + 1) / (sigma * sigma) * (1 + 1e-9));
    }
  }
}

TEST_CASE("stopped: a share of a Gaussian pair is the subsampled pair") {
  for (const double mu : {0.3, 1.2}) {
    for (const double seen : {1.0, 3.0, 99.0}) {
      const SeenShare share(seen, 100 - seen);
      const pairs::SubsampledGaussian pair(seen / 100, mu);
      const auto payoff = [&](double log_k, Direction direction) {
        if (direction == Direction::remove) return gaussian::delta(mu, log_k).lower;
        return std::exp(log_k) * gaussian::delta(mu, -log_k).lower;
      };
      for (const double epsilon : {0.0, 0.004, 0.1, 0.7, 3.0}) {
        CAPTURE(epsilon);
        const Interval remove = pairs::one_step(pair, Direction::remove, epsilon);
        CHECK(share.upper(payoff, epsilon, Direction::remove) ==
              doctest::Approx(remove.upper).epsilon(1e-8));
        const Interval add = pairs::one_step(pair, Direction::add, epsilon);
        const double k = std::exp(epsilon);
        CHECK(k * share.upper(payoff, -epsilon, Direction::add) ==
              doctest::Approx(add.upper).epsilon(1e-8));
        CHECK(share.lower(payoff, -epsilon, Direction::add) <=
              share.upper(payoff, -epsilon, Direction::add));
      }
    }
  }
}

TEST_CASE("stopped: balls-and-bins holds the integral in small cases") {
  std::mt19937_64 random(20261122);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const auto within = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0, cases = testing::rounds(200); i < cases; ++i) {
    const bool after_an_epoch = i % 10 == 0;
    const std::int64_t batches = after_an_epoch ? 2 : between(2, 5);
    const std::int64_t seen =
        after_an_epoch ? 1 : between(1, std::min<std::int64_t>(batches - 1, i % 7 == 0 ? 3 : 2));
    const double sigma = within(0.6, 2.5), epsilon = within(0.02, 1);
    const Run run = stopped_run(sigma, batches, after_an_epoch ? 1 : 0, seen);
    const ExactDelta exact = exact_bins(sigma, batches, run.epochs - 1, seen, epsilon);
    const Directions found = balls_and_bins::delta(run, epsilon, kEffort).directions;
    INFO(i << " T=" << batches << " m=" << seen << " sigma=" << sigma << " eps=" << epsilon << " "
           << show(found.remove) << " " << exact.remove << " " << show(found.add) << " "
           << exact.add);
    const std::int64_t places = (run.epochs - 1) * batches + seen;
    const double rule = places == 3 ? 1e-3 : 1e-5;  // what the midpoint rule is off by
    CHECK(found.remove.lower <= exact.remove * (1 + rule) + 1e-9);
    CHECK(found.remove.upper >= exact.remove * (1 - rule) - 1e-9);
    CHECK(found.add.lower <= exact.add * (1 + rule) + 1e-9);
    CHECK(found.add.upper >= exact.add * (1 - rule) - 1e-9);
    CHECK(found.remove.upper - found.remove.lower <= 2e-3 * found.remove.upper);
    // And back again, in the direction that is the larger one.
    if (exact.remove < 1e-6) continue;
    const Interval back = balls_and_bins::epsilon(run, exact.remove, kEffort).directions.remove;
    CHECK(back.lower <= epsilon * (1 + 100 * rule));
    CHECK(back.upper >= epsilon * (1 - 100 * rule));
    if (exact.add < 1e-6) continue;
    const Interval add = balls_and_bins::epsilon(run, exact.add, kEffort).directions.add;
    INFO(show(back) << " " << show(add));
    CHECK(add.lower <= epsilon * (1 + 100 * rule));
    CHECK(add.upper >= epsilon * (1 - 100 * rule));
    CHECK(add.upper - add.lower <= 5e-3 * add.upper);
  }
}

TEST_CASE("stopped: explicit datasets lie between the ends for shuffled batches") {
  std::size_t place = 0;
  for (const double batches : {2.0, 3.0, 12.0, 60.0}) {
    for (const std::size_t seen : {std::size_t{1}, std::size_t{2}}) {
      ++place;
      if (static_cast<double>(seen) >= batches) continue;
      for (const double sigma : {0.8, 1.5, 3.0}) {
        if (!testing::in_share(place++)) continue;
        const double epsilon = 0.4;
        const Run run = stopped_run(sigma, static_cast<std::int64_t>(batches), 0,
                                    static_cast<std::int64_t>(seen));
        ExactDelta most;
        for (const double other : kOthers) {
          const ExactDelta exact = exact_shuffle(sigma, batches, seen, other, epsilon);
          most = {std::max(most.remove, exact.remove), std::max(most.add, exact.add)};
        }
        const Directions found = shuffle::delta(run, epsilon, kEffort).directions;
        INFO(batches << " " << seen << " " << sigma << " " << show(found.remove) << " "
                     << most.remove << " " << show(found.add) << " " << most.add);
        constexpr double kRule = 1e-4;
        CHECK(found.remove.upper >= most.remove * (1 - kRule));
        CHECK(found.add.upper >= most.add * (1 - kRule));
        // Adaptive attacks may achieve more than fixed datasets, where there is something to see.
        if (seen == 1) CHECK(found.remove.lower <= most.remove * (1 + kRule));
        CHECK(found.remove.lower <= most.remove * 1.1);
        CHECK(found.remove.lower >= most.remove * 0.99);
      }
    }
  }
}

TEST_CASE("stopped: what is seen grows with the steps") {
  for (const std::int64_t batches : {40, 3000}) {
    Directions last_bins;
    for (const double part : {0.1, 0.5, 0.9, 1.0, 1.5, 2.0}) {
      const auto steps = static_cast<std::int64_t>(part * static_cast<double>(batches));
      const std::int64_t whole = steps / batches, seen = steps % batches;
      Run run = stopped_run(1.1, batches, whole, seen);
      if (seen == 0) {
        run.epochs = whole;
        run.missing_steps = 0;
      }
      const Directions bins = balls_and_bins::epsilon(run, 1e-5, kEffort).directions;
      const Directions shuffled = shuffle::epsilon(run, 1e-5, kEffort).directions;
      CAPTURE(batches);
      CAPTURE(part);
      CHECK(bins.remove.upper >= last_bins.remove.lower);
      CHECK(bins.add.upper >= last_bins.add.lower);
      CHECK(largest(shuffled) >= std::max(last_bins.remove.lower, last_bins.add.lower));
      CHECK(shuffled.remove.lower >= bins.remove.lower * (1 - 1e-6));
      CHECK(shuffled.remove.upper >= shuffled.remove.lower);
      last_bins = bins;
    }
    // A whole epoch's last steps hardly matter, by either way of counting them.
    const Run nearly = stopped_run(1.1, batches, 0, batches - 1);
    Run whole = nearly;
    whole.missing_steps = 0;
    const double most = balls_and_bins::epsilon(whole, 1e-5, kEffort).directions.remove.lower;
    const double less = balls_and_bins::epsilon(nearly, 1e-5, kEffort).directions.remove.upper;
    CHECK(less <= most * (1 + 1e-6));
    CHECK(less >= most * 0.97);
  }
}

TEST_CASE("stopped: one epoch is drawn once, whether its draw would be kept or not") {
  for (const std::int64_t seen : {1, 300}) {
    const Run run = stopped_run(0.5, 300, 0, seen);
    Run kept = run;
    kept.redrawn_each_epoch = false;
    for (const auto answer : {shuffle::epsilon, balls_and_bins::epsilon}) {
      const Directions redrawn = answer(run, 1e-4, kEffort).directions;
      const Directions found = answer(kept, 1e-4, kEffort).directions;
      CAPTURE(seen);
      CHECK(found.remove.lower == redrawn.remove.lower);
      CHECK(found.remove.upper == redrawn.remove.upper);
      CHECK(found.add.lower == redrawn.add.lower);
      CHECK(found.add.upper == redrawn.add.upper);
    }
    CHECK(gaussian_limit::balls_and_bins(kept) == gaussian_limit::balls_and_bins(run));
  }
}

TEST_CASE("stopped: an epoch reveals no more than the whole of it, nor than a batch by chance") {
  const auto upper = [](const Run& run) {
    return largest(shuffle::epsilon(run, 1e-5, kEffort).directions);
  };
  // Where swaps gain nothing the record is in a known batch, with that chance.
  CHECK(upper(stopped_run(0.5, 1000, 0, 100)) ==
        doctest::Approx(gaussian::epsilon(2, 1e-4).upper).epsilon(1e-6));
  for (const std::int64_t begun : {1, 3}) {
    for (const bool replaced : {false, true}) {
      if (testing::share_of_cases() < 1 && replaced != (begun == 3)) continue;
      const auto of = [&](std::int64_t seen) {
        Run run = stopped_run(1.2, 500, begun - 1, seen);
        if (replaced) run.adjacency = Adjacency::substitution;
        return run;
      };
      Run whole = of(499);
      whole.missing_steps = 0;
      const double most = upper(whole);
      for (const std::int64_t seen : {50, 499}) {
        INFO(begun << " " << replaced << " " << seen);
        // A stopped run's swaps are followed to fewer aims.
        CHECK(upper(of(seen)) <= most * 1.003);
      }
    }
  }
}

}  // namespace honest_epsilon
