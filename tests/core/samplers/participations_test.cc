#include "core/samplers/participations.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/math/normal.h"
#include "core/runs/attack.h"
#include "core/samplers/balls_and_bins.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using balls_and_bins::participation_events;
using testing::kEffort;
using testing::show;

/// H(P against Q) and H(Q against P) of two of three steps, by a sum over all outputs.
double by_sum(double mu, double epsilon, Direction direction) {
  constexpr double kStep = 0.1, kEnd = 8;
  const double a = std::exp(epsilon);
  std::vector<std::pair<double, double>> points;  // density and likelihood ratio
  for (double x = -kEnd; x < kEnd + mu; x += kStep)
    points.emplace_back(normal::pdf(x), std::exp(mu * x - 0.5 * mu * mu));
  double sum = 0;
  for (const auto& [p, u] : points) {
    for (const auto& [q, v] : points) {
      for (const auto& [r, w] : points) {
        const double mean = (u * v + v * w + u * w) / 3;
        sum += p * q * r * std::max(0.0, direction == Direction::remove ? mean - a : 1 - a * mean);
      }
    }
  }
  return sum * kStep * kStep * kStep;
}

}  // namespace

TEST_CASE("participations: the events are two laws, each of mass one") {
  for (const double mu : {0.1, 1.0, 3.0}) {
    for (const std::int64_t hits : {1, 7, 40}) {
      double p = 0, q = 0, off = 0;
      for (const pairs::Cell& cell : participation_events(mu, 40, hits)) {
        p += cell.p.value;
        q += cell.q.value;
        off += cell.p.error + cell.q.error;
      }
      CAPTURE(mu);
      CAPTURE(hits);
      CHECK(std::abs(p - 1) <= off);
      CHECK(std::abs(q - 1) <= off);
      CHECK(off < 1e-8);
    }
  }
}

TEST_CASE("participations: one step of an epoch is balls-and-bins, seen by a weaker attack") {
  for (const double mu : {0.3, 1.0, 2.0}) {
    for (const std::int64_t steps : {5, 100, 3000}) {
      const Steps attack = attack_steps(participation_events(mu, steps, 1), 1);
      for (const double epsilon : {0.0, 0.05, 0.5}) {
        const Finding exact = balls_and_bins::delta(
            testing::epochs_run(1 / mu, static_cast<double>(steps)), epsilon, kEffort);
        for (const Direction direction : {Direction::remove, Direction::add}) {
          const bool remove = direction == Direction::remove;
          const Interval& truth = remove ? exact.directions.remove : exact.directions.add;
          const double found = attack_lower({attack}, Asked::delta, epsilon, kEffort, direction);
          INFO(mu << " " << steps << " " << epsilon << " " << show(truth) << " " << found);
          CHECK(found <= truth.upper);
          if (truth.lower > 1e-6) CHECK(found >= 0.6 * truth.lower);
        }
      }
    }
  }
}

TEST_CASE("participations: two of three steps, against the sum over all outputs") {
  Run run = testing::epochs_run(1, 3);
  run.participations = 2;
  for (const double epsilon : {0.0, 1.0, 3.0}) {
    const Finding found = balls_and_bins::delta(run, epsilon, kEffort);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const bool remove = direction == Direction::remove;
      const Interval& ends = remove ? found.directions.remove : found.directions.add;
      const double truth = by_sum(1, epsilon, direction);
      INFO(epsilon << " " << show(ends) << " " << truth);
      CHECK(ends.lower <= truth * (1 + 1e-6));
      CHECK(ends.lower >= 0.8 * truth);
      CHECK(ends.upper >= truth * (1 - 1e-6));
    }
  }
}

TEST_CASE("participations: ten steps of a thousand, to a thousandth") {
  Run run = testing::epochs_run(2, 1000);
  run.participations = 10;
  const Finding found = balls_and_bins::epsilon(run, 1e-6, kEffort);
  // By importance sampling epsilon is .6945 +- .0007 in direction remove.
  CHECK(found.directions.remove.lower > 0.695 * (1 - 1e-4));
  CHECK(found.directions.remove.upper - found.directions.remove.lower < 1e-3);
  CHECK(found.directions.add.upper - found.directions.add.lower < 1e-3);
}

TEST_CASE("participations: where round-off hides the sum, the largest step tells more") {
  const auto lower = [](double sigma, std::int64_t hits, double delta) {
    Run run = testing::epochs_run(sigma, 1000);
    run.participations = hits;
    return balls_and_bins::epsilon(run, delta, kEffort).directions.remove.lower;
  };
  CHECK(lower(0.5, 3, 1e-8) > 7.3);
  CHECK(lower(0.2, 2, 1e-5) > 27.6);
  CHECK(lower(1, 4, 1e-11) > 1.77);
}

TEST_CASE("participations: beside other phases a run proves what it proves alone") {
  for (const char* run :
       {"sampler=balls-and-bins participations=2 dataset_size= batch_size= steps_per_epoch=3",
        "sampler=balls-and-bins participations=5 dataset_size= batch_size= steps_per_epoch=40",
        "sampler=balls-and-bins participations=3 dataset_size= batch_size= steps_per_epoch=3"}) {
    const std::string alone = std::string(run) + " epochs=1 noise_multiplier=1";
    const wire::Answer one = testing::answer_of(testing::query_of(alone));
    const wire::Answer both = testing::answer_of(testing::query_of(alone + " + release mu=1e-6"));
    CAPTURE(std::string(run));
    CHECK(both.epsilon.lower == doctest::Approx(one.epsilon.lower).epsilon(1e-2));
    CHECK(both.epsilon.upper == doctest::Approx(one.epsilon.upper).epsilon(1e-3));
  }
}

}  // namespace honest_epsilon
