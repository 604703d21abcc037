#include "core/contour/inversion.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/contour/gaussian_moments.h"
#include "core/contour/subsampled_moments.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/shift_mixture.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "core/pld/source.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::direction_of;

using contour::Inversion;
using contour::MomentSteps;

MomentSteps subsampled(double sigma, double q, double steps) {
  return {std::make_shared<contour::SubsampledGaussianMoments>(q, 1 / sigma), steps};
}

/// Checks a row's delta and epsilon; whether delta is eight digits narrow.
bool holds_value(Inversion& run, const testing::ReferenceRow& row) {
  const double truth = row.number("delta");
  const auto delta = run.delta(row.number("epsilon"));
  INFO(row.describe());
  if (!delta) return false;
  INFO(testing::show(*delta));
  CHECK(testing::contains(*delta, truth, 1e-14));
  if (const auto epsilon = run.epsilon(truth)) {
    INFO(testing::show(*epsilon));
    CHECK(testing::contains(*epsilon, row.number("epsilon"), 1e-12));
  }
  return testing::is_narrow(*delta, 1e-8);
}

}  // namespace

TEST_CASE("inversion: holds the values of a plain contour in 30 digits, nine digits narrow") {
  int narrow = 0, rows = 0;
  for (const auto& row : testing::in_share(testing::reference_table("poisson_contour"), 2)) {
    Inversion run({subsampled(row.number("sigma"), row.number("q"), row.number("steps"))},
                  direction_of(row.text("direction")));
    ++rows;
    if (holds_value(run, row)) ++narrow;
  }
  CHECK(narrow > 0.9 * rows);
}

TEST_CASE("inversion: holds a plain contour's values for several records and replaced ones") {
  int narrow = 0, rows = 0;
  for (const auto& row : testing::in_share(testing::reference_table("records_contour"))) {
    const bool replaced = row.text("change") == "replaced";
    Inversion run(
        {{std::make_shared<contour::SubsampledGaussianMoments>(
              pairs::Records{row.number("q"), static_cast<std::int64_t>(row.number("records"))},
              1 / row.number("sigma"), replaced),
          row.number("steps")}},
        direction_of(row.text("direction")));
    ++rows;
    if (holds_value(run, row)) ++narrow;
  }
  CHECK(narrow > 0.9 * rows);
}

TEST_CASE("inversion: at epsilon 0 little noise or much of it, to eight digits") {
  const auto truth = [](double sigma, double steps, Direction direction) {
    Inversion run({subsampled(sigma, 1 / steps, steps)}, direction);
    return run.delta(0);
  };
  for (const double sigma : {0.7, 1.0, 2.0, 10.0}) {
    for (const double steps : {1e2, 1e4, 1e6}) {
      const auto remove = truth(sigma, steps, Direction::remove);
      const auto add = truth(sigma, steps, Direction::add);
      INFO(sigma << " " << steps);
      REQUIRE(remove);
      REQUIRE(add);
      // The total variation knows no direction.
      CHECK(remove->lower <= add->upper);
      CHECK(add->lower <= remove->upper);
      CHECK(testing::is_narrow(*remove, 1e-8));
      CHECK(testing::is_narrow(*add, 1e-8));
    }
  }
}

// Moments explode long before the saddle. Both values by a cut-off contour of another program.
TEST_CASE("inversion: many steps of which few matter, as narrow as asked") {
  constexpr double kAsked = 1e-4;
  struct Value {
    double epsilon, delta;
  };
  for (const Value& value : {Value{3.67e-3, 1.0307662327e-6}, Value{0.006, 6.9747798756e-10}}) {
    Inversion run({subsampled(1, 1e-6, 1e6)}, Direction::remove);
    const auto delta = run.delta(value.epsilon, kAsked);
    REQUIRE(delta);
    INFO(testing::show(*delta));
    CHECK(testing::contains(*delta, value.delta, 3e-10));
    CHECK(testing::is_narrow(*delta, kAsked));
    const auto epsilon = run.epsilon(value.delta, kAsked);
    REQUIRE(epsilon);
    INFO(testing::show(*epsilon));
    CHECK(testing::contains(*epsilon, value.epsilon, 1e-9));
    CHECK(testing::is_narrow(*epsilon, kAsked));
  }
}

TEST_CASE(
    "inversion: an answer is as narrow as asked, and lines have no more digits than that takes") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double width : {1e-2, 1e-4, 1e-6, 1e-8}) {
      Inversion run({subsampled(0.9, 0.01, 3000)}, direction);
      const auto delta = run.delta(1.5, width);
      const auto epsilon = Inversion({subsampled(0.9, 0.01, 3000)}, direction).epsilon(1e-5, width);
      REQUIRE((delta && epsilon));
      INFO(width << testing::show(*delta) << testing::show(*epsilon));
      CHECK(testing::is_narrow(*delta, width));
      CHECK(testing::is_narrow(*epsilon, width));
      CHECK_FALSE(testing::is_narrow(*delta, 1e-6 * width));
    }
  }
}

TEST_CASE("inversion: both ends of an epsilon are proved by the deltas there") {
  for (const double target : {0.3, 1e-3, 1e-6, 1e-12, 1e-40}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      Inversion run({subsampled(1.2, 0.02, 4000)}, direction);
      const auto epsilon = run.epsilon(target);
      REQUIRE(epsilon);
      INFO(target << testing::show(*epsilon));
      CHECK(testing::is_narrow(*epsilon, 1e-7));
      CHECK(run.delta(epsilon->upper * (1 + 1e-12))->lower <= target);
      CHECK(run.delta(epsilon->lower * (1 - 1e-12))->upper >= target);
    }
  }
}

TEST_CASE("inversion: of many steps with one batch in all, as narrow as asked") {
  for (const double steps : {1e3, 1e4, 1e5}) {
    Inversion run({subsampled(1, 1 / steps, steps)}, Direction::remove);
    const auto epsilon = run.epsilon(1e-6, 1e-5);
    INFO("steps=" << steps);
    REQUIRE(epsilon);
    INFO(testing::show(*epsilon));
    CHECK(testing::is_narrow(*epsilon, 1e-5));
  }
}

TEST_CASE("inversion: epsilons up to the millions are the closed form's") {
  // Exponentials of such an epsilon overflow.
  for (const double mu : {20.0, 60.0, 390.0, 4000.0, 3e4}) {
    Inversion run({{std::make_shared<contour::GaussianMoments>(mu * mu / 100), 100}},
                  Direction::remove);
    for (const double delta : {0.05, 1e-3, 1e-10}) {
      const Interval truth = gaussian::epsilon(mu, delta);
      const auto found = run.epsilon(delta);
      INFO("mu=" << mu << " delta=" << delta << testing::show(truth));
      REQUIRE(found);
      INFO(testing::show(*found));
      CHECK(testing::overlap(*found, truth));
      CHECK(testing::is_narrow(*found, 1e-8));
    }
  }
}

TEST_CASE("inversion: of epsilons in the thousands delta keeps nine digits, and they do") {
  struct Row {
    double sigma, q, steps, width;
  };
  const double target = 1e-6;
  for (const Row& row : {Row{2.1, 0.13, 3e6, 2e-9}, Row{1.33, 0.29, 8e4, 2e-9},
                         Row{3.28, 0.36, 4e5, 2e-9}, Row{0.49, 0.12, 8.5e7, 1e-6}}) {
    Inversion run({subsampled(row.sigma, row.q, row.steps)}, Direction::remove);
    const auto epsilon = run.epsilon(target);
    INFO("sigma=" << row.sigma);
    REQUIRE(epsilon);
    CHECK(epsilon->lower > 2e3);
    CHECK(testing::is_narrow(*epsilon, 1e-10));
    const auto delta = run.delta(halfway(epsilon->lower, epsilon->upper));
    REQUIRE(delta);
    INFO(testing::show(*epsilon) << testing::show(*delta));
    CHECK(testing::contains(*delta, target, row.width));
    CHECK(testing::is_narrow(*delta, row.width));
  }
}

TEST_CASE("inversion: an epsilon near the mean of losses that vary by thousands keeps its digits") {
  // Planned by the wrong side of the mean, or not at all, they were left to lattices.
  struct Row {
    double sigma, q, steps, delta;
    Interval by_lattice;
  };
  for (const Row& row : {Row{0.1474079758531264,
                             0.3680531649058597,
                             177759,
                             0.0220601362054607,
                             {1398525.00395, 1398532.5094}},
                         Row{0.15504144812953235,
                             0.4126582094947707,
                             11920358,
                             0.003321811282611002,
                             {94353004.0886, 94380101.1333}}}) {
    Inversion run({subsampled(row.sigma, row.q, row.steps)}, Direction::remove);
    const auto epsilon = run.epsilon(row.delta);
    INFO("sigma=" << row.sigma);
    REQUIRE(epsilon);
    INFO(testing::show(*epsilon));
    CHECK(testing::is_narrow(*epsilon, 1e-10));
    CHECK(testing::overlap(*epsilon, row.by_lattice));
  }
}

TEST_CASE("inversion: phases multiply, and Gaussian shifts stand beside them") {
  Inversion whole({subsampled(0.9, 0.01, 3000)}, Direction::remove);
  Inversion parts({subsampled(0.9, 0.01, 1000), subsampled(0.9, 0.01, 2000)}, Direction::remove);
  CHECK(testing::overlap(*whole.delta(3), *parts.delta(3)));
  CHECK(testing::is_narrow(*parts.delta(3), 1e-8));
  // A shift of nothing changes nothing; a large one decides.
  Inversion beside(
      {subsampled(0.9, 0.01, 3000), {std::make_shared<contour::GaussianMoments>(1e-20), 1}},
      Direction::remove);
  CHECK(testing::overlap(*whole.delta(3), *beside.delta(3)));
  Inversion larger(
      {subsampled(0.9, 0.01, 3000), {std::make_shared<contour::GaussianMoments>(4), 1}},
      Direction::remove);
  CHECK(larger.delta(3)->lower > whole.delta(3)->upper);
  // Phases of unlike noise.
  Inversion mixed({subsampled(0.6, 0.01, 500), subsampled(30, 0.3, 5000)}, Direction::add);
  CHECK(testing::is_narrow(*mixed.delta(4), 1e-8));
}

TEST_CASE("inversion: epsilon is 0 from the total variation on, and above 0 below delta at 0") {
  const double sigma = 0.15, q = 3e-4;
  const std::int64_t steps = 50;
  const MomentSteps run = subsampled(sigma, q, static_cast<double>(steps));
  const double most = -std::expm1(run.copies * std::log1p(-run.moments->total_variation()));
  const pairs::SubsampledGaussian pair(q, 1 / sigma);
  const pld::PairSource source(pair);
  const Interval delta =
      pld::delta({{&source, steps}}, Direction::remove, 0, Effort{1e-3, 16}).value;
  CHECK(delta.lower <= most);
  // Few steps jump, and hardly ever two of them.
  CHECK(delta.upper >= 0.97 * most);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto at_most = Inversion({run}, direction).epsilon(most * (1 + 1e-9), 1e-6);
    REQUIRE(at_most);
    CHECK(at_most->upper == 0);
    const auto below = Inversion({run}, direction).epsilon(0.97 * delta.lower, 1e-3);
    CHECK_FALSE((below && below->upper == 0));
  }
}

TEST_CASE("inversion: no loss exceeds the largest, and delta is 0 there") {
  Inversion add({subsampled(1, 0.01, 100)}, Direction::add);
  const double largest = -100 * std::log1p(-0.01);
  CHECK(add.delta(largest * 1.001)->upper == 0);
  const auto below = add.delta(largest * 0.5);
  if (below) CHECK(below->upper > 0);
}

// The second opinion: nothing of the one is in the other.
TEST_CASE("inversion: contour and transform agree wherever both answer") {
  testing::Dice dice(73);
  int answered = 0;
  const int rounds = testing::rounds(400);
  for (int i = 0; i < rounds; ++i) {
    const double sigma = dice.log_uniform(0.3, 30), q = dice.log_uniform(1e-5, 0.9);
    const double steps = std::round(dice.log_uniform(5, 1e6));
    const double variance = steps * q * q * std::expm1(std::min(10.0, 1 / (sigma * sigma)));
    const double epsilon = 0.5 * variance + std::sqrt(variance) * dice.uniform(0, 6);
    const Direction direction = i % 3 == 0 ? Direction::add : Direction::remove;
    Inversion run({subsampled(sigma, q, steps)}, direction);
    const auto contour = run.delta(epsilon);
    if (!contour) continue;
    ++answered;
    const pairs::SubsampledGaussian pair(q, 1 / sigma);
    const pld::PairSource source(pair);
    const Effort effort{1e-3, 14};
    const auto transform =
        pld::delta({{&source, static_cast<std::int64_t>(steps)}}, direction, epsilon, effort);
    INFO("sigma=" << sigma << " q=" << q << " steps=" << steps << " epsilon=" << epsilon
                  << testing::show(*contour) << testing::show(transform.value));
    CHECK(testing::is_valid(*contour, 1));
    CHECK(testing::overlap(*contour, transform.value));
  }
  CHECK(answered > rounds / 2);
}

TEST_CASE("inversion: so they do for several records, and for replaced ones") {
  testing::Dice dice(75);
  int answered = 0;
  const int rounds = testing::rounds(120);
  for (int i = 0; i < rounds; ++i) {
    const bool replaced = i % 2 == 0;
    const auto records = static_cast<std::int64_t>(i % 3 == 0 ? 1 : dice.log_uniform(2, 24));
    const double sigma = dice.log_uniform(0.5, 20) * std::sqrt(static_cast<double>(records));
    const double q = dice.log_uniform(1e-4, 0.8);
    const double steps = std::round(dice.log_uniform(20, 1e6));
    const auto moments = std::make_shared<contour::SubsampledGaussianMoments>(
        pairs::Records{q, records}, 1 / sigma, replaced);
    const double variance = steps * moments->log_moment_estimate(Direction::remove, 1);
    const double epsilon = 0.5 * variance + std::sqrt(variance) * dice.uniform(0, 5);
    const Direction direction = i % 5 == 0 ? Direction::add : Direction::remove;
    const auto contour = Inversion({{moments, steps}}, direction).delta(epsilon);
    if (!contour || !(contour->lower > 0)) continue;
    ++answered;
    const pairs::GaussianMixture pair =
        replaced ? pairs::replaced_group<pairs::GaussianMixture>({q, records}, 1 / sigma)
                 : pairs::group<pairs::GaussianMixture>({q, records}, 1 / sigma);
    const pld::PairSource source(pair);
    const auto transform = pld::delta({{&source, static_cast<std::int64_t>(steps)}}, direction,
                                      epsilon, Effort{1e-3, 14});
    INFO("sigma=" << sigma << " q=" << q << " records=" << records << " replaced=" << replaced
                  << " steps=" << steps << " epsilon=" << epsilon << testing::show(*contour)
                  << testing::show(transform.value));
    CHECK(testing::is_valid(*contour, 1));
    CHECK(testing::overlap(*contour, transform.value));
  }
  CHECK(answered > rounds / 3);
}

TEST_CASE("inversion: Chernoff's bound is above the truth, and all that is said of tiny deltas") {
  for (const double epsilon : {0.5, 2.0, 6.0}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const std::vector<MomentSteps> run = {subsampled(0.9, 0.01, 3000)};
      const Interval truth = *Inversion(run, direction).delta(epsilon);
      const auto bound = contour::best_chernoff(contour::Sketch(run, direction), epsilon);
      REQUIRE(bound);
      const double log_bound = bound->log_bound(epsilon);
      INFO(epsilon << testing::show(truth) << log_bound);
      CHECK(log_bound >= std::log(truth.upper));
      // Within a factor of a few of it, unless delta is next to 1.
      if (truth.upper < 0.1) CHECK(log_bound <= std::log(truth.lower) + 8);
    }
  }
  // The place that one epsilon chose serves others, which it bounds as well.
  for (const Direction direction : {Direction::remove, Direction::add}) {
    constexpr double kNegligible = 1e-6;
    const std::vector<MomentSteps> run = {subsampled(0.9, 0.01, 3000)};
    Inversion asked_in_turn(run, direction);
    for (double epsilon = 8; epsilon > 2; epsilon -= 0.25) {
      const Interval truth = *Inversion(run, direction).delta(epsilon);
      const Interval found = *asked_in_turn.delta(epsilon, 1e-9, kNegligible);
      INFO(epsilon << testing::show(truth) << testing::show(found));
      CHECK(found.upper >= truth.lower);
      CHECK(found.lower <= truth.upper);
      if (truth.upper < 1e-9) CHECK(found.upper <= kNegligible);
    }
  }
  // Between e^-640 and the largest loss; and beyond it, where there is none.
  const std::vector<MomentSteps> few = {subsampled(0.7, 1e-3, 1000)};
  const auto tiny = Inversion(few, Direction::add).delta(0.98);
  REQUIRE(tiny);
  CHECK(tiny->lower == 0);
  CHECK(tiny->upper > 0);
  CHECK(tiny->upper < 1e-270);
  CHECK(Inversion(few, Direction::add).delta(1.01)->upper == 0);
}

TEST_CASE("inversion: a line that is narrow enough answers for other epsilons, too") {
  const std::vector<MomentSteps> run = {subsampled(1.1, 256.0 / 60000, 2344)};
  Inversion curve(run, Direction::remove);
  const double width = 1e-3;
  for (const double epsilon : {1.4, 1.1, 0.8, 0.4, 0.1, 0.0}) {
    const Interval found = *curve.delta(epsilon, width);
    const Interval alone = *Inversion(run, Direction::remove).delta(epsilon, width);
    INFO(epsilon << testing::show(found) << testing::show(alone));
    CHECK(testing::overlap(found, alone));
    CHECK(testing::is_narrow(found, 0.1 * width));
  }
}

}  // namespace honest_epsilon
