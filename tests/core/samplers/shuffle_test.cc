#include "core/samplers/shuffle.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/math/invert.h"
#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/deterministic.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::kEffort;
using testing::larger;
using testing::show;

/// delta of two epochs of two batches, the other record's gradient at -1, by the midpoint rule.
std::array<double, 2> composed_attack(double mu, double epsilon) {
  const double h = 0.18, end = 7;
  const auto count = static_cast<int>((2 * end + 2 * mu) / h);
  struct Point {
    double x, y, weight;
  };
  std::vector<Point> epoch;  // both ratios over N(0, I), and the weight
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      const double a = -end + (i + 0.5) * h, b = -end + (j + 0.5) * h;
      const auto of = [&](double m) {
        return 0.5 * (std::exp(m * (a - 0.5 * m)) + std::exp(m * (b - 0.5 * m)));
      };
      epoch.push_back({of(2 * mu), of(mu), h * h * normal::pdf(a) * normal::pdf(b)});
    }
  }
  const double k = std::exp(epsilon);
  double remove = 0, add = 0;
  for (const Point& first : epoch) {
    for (const Point& second : epoch) {
      const double p = first.x * second.x, q = first.y * second.y;
      const double weight = first.weight * second.weight;
      remove += weight * std::max(0.0, p - k * q);
      add += weight * std::max(0.0, q - k * p);
    }
  }
  return {remove, add};
}

}  // namespace

TEST_CASE("shuffle: the lower end is at least the threshold bound") {
  for (const auto& row : testing::reference_table("shuffle_delta")) {
    const Run run = testing::epochs_run(row.number("sigma"), row.number("steps_per_epoch"));
    const Interval delta = larger(shuffle::delta(run, row.number("epsilon"), kEffort));
    INFO(row.describe() << show(delta));
    CHECK(delta.lower >= row.number("delta_lower") * (1 - 1e-3));
  }
  for (const auto& row : testing::reference_table("shuffle_epsilon")) {
    const Run run = testing::epochs_run(row.number("sigma"), row.number("steps_per_epoch"));
    const Interval epsilon = larger(shuffle::epsilon(run, row.number("delta"), kEffort));
    INFO(row.describe() << show(epsilon));
    CHECK(epsilon.lower >= row.number("epsilon_lower") * (1 - 1e-4));
  }
}

TEST_CASE("shuffle: the upper end is that of deterministic batches") {
  for (const bool redrawn : {true, false}) {
    for (const double epochs : {1.0, 4.0}) {
      const Run run = testing::epochs_run(0.8, 500, epochs, redrawn);
      const Interval shuffled = larger(shuffle::delta(run, 1, kEffort));
      const Interval known = larger(deterministic::delta(run, 1, kEffort));
      INFO(show(shuffled) << " " << show(known));
      CHECK(shuffled.upper <= known.upper * (1 + 1e-12));
      CHECK(shuffled.upper >= shuffled.lower);
    }
  }
}

TEST_CASE("shuffle: several epochs do not contradict a reference implementation's lower bound") {
  for (const auto& row : testing::in_share(testing::reference_table("shuffle_epochs"), 2)) {
    const Run run = testing::epochs_run(row.number("sigma"), row.number("steps_per_epoch"),
                                        row.number("epochs"));
    const Interval delta = larger(shuffle::delta(run, row.number("epsilon"), kEffort));
    INFO(row.describe() << show(delta));
    CHECK(delta.upper >= row.number("delta_lower"));
  }
}

TEST_CASE("shuffle: several epochs are proved to reveal what balls-and-bins does") {
  struct Case {
    Run run;
    double delta;
  };
  for (const auto& [run, delta] :
       {Case{testing::epochs_run(1.2, 3000, 8), 1e-6}, {testing::epochs_run(2.5, 3000, 8), 1e-6}}) {
    const Interval shuffled = larger(shuffle::epsilon(run, delta, kEffort));
    const Interval bins = larger(balls_and_bins::epsilon(run, delta, kEffort));
    INFO(show(shuffled) << " " << show(bins));
    CHECK(shuffled.lower > 0);
    CHECK(shuffled.lower >= bins.lower * (1 - 1e-9));
    CHECK(shuffled.upper >= bins.upper * (1 - 1e-9));
  }
}

TEST_CASE("shuffle: one kept permutation is one epoch at sigma / sqrt(k)") {
  const Run kept = testing::epochs_run(2, 100, 4, false);
  const Run once = testing::epochs_run(1, 100, 1);
  for (const double epsilon : {0.5, 2.0}) {
    const Interval a = larger(shuffle::delta(kept, epsilon, kEffort));
    const Interval b = larger(shuffle::delta(once, epsilon, kEffort));
    INFO(show(a) << " " << show(b));
    CHECK(testing::contains(a, b.lower, 1e-9));
    CHECK(testing::contains(b, a.lower, 1e-9));
    CHECK(testing::contains(a, b.upper, 1e-9));
  }
}

TEST_CASE("shuffle: the lower end is never below zero where thresholds are useless") {
  // Small epsilon and large sigma: the best threshold lies below 0.
  const Run run = testing::epochs_run(20, 50);
  for (const double epsilon : {0.0, 1e-4, 1e-2}) {
    const Interval delta = larger(shuffle::delta(run, epsilon, kEffort));
    INFO("epsilon=" << epsilon << " " << show(delta));
    CHECK(testing::is_valid(delta, 1));
    if (epsilon < 1e-3) CHECK(delta.lower > 0);
  }
}

TEST_CASE("shuffle: with hardly any noise the lower end is what a known batch reveals") {
  for (const double mu : {8.0, 45.0, 150.0, 900.0}) {
    for (const double place : {-1.0, 1.0, 6.0}) {
      const double epsilon = 0.5 * mu * mu + mu * place;
      const Interval known = gaussian::delta(mu, epsilon);
      const Run run = testing::epochs_run(1 / mu, 24);
      const Directions found = shuffle::delta(run, epsilon, kEffort).directions;
      const Directions back = shuffle::epsilon(run, known.upper, kEffort).directions;
      INFO("mu=" << mu << " epsilon=" << epsilon << " " << show(known) << show(found.remove)
                 << show(back.remove));
      CHECK(found.remove.lower <= known.upper);
      CHECK(found.remove.lower >= known.lower * (1 - (mu > 8 ? 1e-4 : 0.02)));
      CHECK(back.remove.lower <= epsilon);
      CHECK(back.remove.lower >= epsilon * (1 - 1e-3));
    }
  }
}

// Direction add at a place where the event {max < z} has a gain of 1e-3, and another coordinate
// exceeds z about as often.
TEST_CASE("shuffle: an event that stands out costs what the other batches exceed it by") {
  const double mu = 7;
  for (const double batches : {2.0, 30.0, 1000.0}) {
    for (const double epsilon : {5.0, 20.0, 30.0, 40.0}) {
      const Run run = testing::epochs_run(1 / mu, batches);
      const Directions found = shuffle::delta(run, epsilon, kEffort).directions;
      for (const bool remove : {true, false}) {
        // By events on the largest coordinate.
        double best = 0;
        for (double z = 0; z < 3 * mu; z += 1e-3) {
          const auto log_one_below = [&](double x) {
            return x < 0 ? std::log(normal::upper_tail(-x)) : std::log1p(-normal::upper_tail(x));
          };
          const auto log_below = [&](double shift) {
            return log_one_below(z - shift) + (batches - 1) * log_one_below(z);
          };
          const double p = log_below(2 * mu), q = log_below(mu), k = std::exp(epsilon);
          best = std::max(
              best, remove ? k * std::expm1(q) - std::expm1(p) : std::exp(q) - k * std::exp(p));
        }
        const Interval& side = remove ? found.remove : found.add;
        INFO(batches << " " << epsilon << " " << remove << show(side) << " " << best);
        CHECK(side.lower <= best * (1 + 1e-5));   // the scan's own step
        CHECK(side.lower >= best * 0.9 - 1e-12);  // not at its best place
        CHECK(side.upper >= best * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("shuffle: with two batches the lower end is next to the static attack's, or above it") {
  int beyond = 0;
  for (const auto& row : testing::in_share(testing::reference_table("shuffle_two"))) {
    const double mu = row.number("mu"), epsilon = row.number("epsilon");
    const bool remove = row.text("direction") == "remove";
    const double exact = row.number("delta");
    INFO(row.describe());
    const Run run = testing::epochs_run(1 / mu, 2);
    const Finding found = shuffle::delta(run, epsilon, kEffort);
    const Interval& side = remove ? found.directions.remove : found.directions.add;
    CHECK(side.upper >= exact * (1 - 1e-15));
    // Direction add is looked at coarsely where remove proves more.
    const double proved = remove ? side.lower : found.directions.lower();
    CHECK(proved >= exact * (exact > 1e-7 ? 0.99 : 0.97));
    beyond += side.lower > exact ? 1 : 0;
  }
  CHECK(beyond > testing::rounds(3));
}

TEST_CASE(
    "shuffle: one batch that leaves records out is a mixture, and its lower end the mixture's") {
  for (const double used : {0.999, 0.6, 0.05}) {
    for (const double epsilon : {0.5, 2.0}) {
      CAPTURE(used);
      CAPTURE(epsilon);
      Run run = testing::epochs_run(1, 1);
      run.used_share = used;
      // P = u N(2, 1) + (1 - u) N(0, 1) against Q = u N(1, 1) + (1 - u) N(0, 1), best threshold.
      double best = 0;
      for (double z = -2; z < 8; z += 1e-3) {
        const double none = (1 - used) * normal::upper_tail(z);
        const double p = used * normal::upper_tail(z - 2) + none;
        const double q = used * normal::upper_tail(z - 1) + none;
        best = std::max(best, p - std::exp(epsilon) * q);
      }
      const Interval remove = shuffle::delta(run, epsilon, kEffort).directions.remove;
      INFO(show(remove) << " " << best);
      CHECK(remove.lower <= best * (1 + 1e-5));  // the scan's own step
      CHECK(remove.lower >= best * 0.98);
      CHECK(remove.upper >= best);
    }
  }
}

TEST_CASE("shuffle: the more records are left out, the less is lost for certain") {
  for (const double epochs : {1.0, 3.0}) {
    double last = kInfinity;
    for (const double used : {1.0, 0.99, 0.8, 0.5}) {  // at least a batch is used, so is half
      Run run = testing::epochs_run(0.7, 20, epochs);
      run.used_share = used;
      const Interval epsilon = larger(shuffle::epsilon(run, 1e-6, kEffort));
      INFO(used << " " << show(epsilon));
      CHECK(epsilon.lower <= last);
      CHECK(epsilon.lower > 0);
      CHECK(epsilon.upper >= epsilon.lower);
      last = epsilon.lower;
    }
  }
  Run other = testing::epochs_run(0.7, 20);
  other.used_share = 0.9;
  other.mechanism = Mechanism::laplace;
  CHECK(larger(shuffle::delta(other, 1, kEffort)).lower == 0);
}

TEST_CASE("shuffle: two epochs' lower end is next to the attack's own value") {
  for (const double sigma : {1.0, 2.0}) {
    for (const double epsilon : {0.2, 1.0}) {
      const std::array<double, 2> attack = composed_attack(1 / sigma, epsilon);
      const double remove = attack[0], add = attack[1];
      Run run = testing::epochs_run(sigma, 2);
      run.epochs = 2;
      run.steps = 4;
      const Directions found = shuffle::delta(run, epsilon, {}).directions;
      CAPTURE(sigma);
      CAPTURE(epsilon);
      INFO(testing::show(found.remove)
           << " " << remove << " " << testing::show(found.add) << " " << add);
      constexpr double kRule = 3e-3;
      CHECK(found.remove.lower <= remove * (1 + kRule));
      CHECK(found.remove.lower >= remove * 0.9);
      // Balls-and-bins may be the better attack here.
      CHECK(found.add.upper >= add * (1 - kRule));
      CHECK(found.remove.upper >= remove * (1 - kRule));
    }
  }
}

TEST_CASE("shuffle: no delta is 0, also where a replaced record's leaves the doubles") {
  Run run;
  run.noise_multiplier = 53;
  run.adjacency = Adjacency::substitution;
  run.steps_per_epoch = 1359;
  run.epochs = 3;
  run.steps = 3 * 1359;
  run.sampling_probability = 1.0 / 1359;
  CHECK(shuffle::delta(run, 124.7, Effort{1.0}).directions.upper() > 0);
}

TEST_CASE("shuffle: where the noise is large a sum tells more than any one batch") {
  Run run = testing::epochs_run(1.386, 7177);
  run.epochs = 3;
  run.steps = 3 * 7177;
  const Directions found = shuffle::epsilon(run, 5.07e-7, {}).directions;
  CHECK(found.remove.lower > 0.27);  // by the largest coordinate nothing, by balls-and-bins .062
  CHECK(found.add.lower > 0.14);
  CHECK(found.remove.upper < 0.75);
}

TEST_CASE("shuffle: guesses reach the clones' end however often epochs are composed") {
  double last = 0;
  for (const std::int64_t epochs : {1, 4, 5, 6, 10}) {
    Run run = testing::epochs_run(1, 1e4);
    run.epochs = epochs;
    run.steps = epochs * 10000;
    const Directions found = shuffle::epsilon(run, 1e-5, {}).directions;
    const double upper = std::max(found.remove.upper, found.add.upper);
    CHECK(upper > last);
    last = upper;
  }
  CHECK(last < 5.4);
}

}  // namespace honest_epsilon
