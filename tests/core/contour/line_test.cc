#include "core/contour/line.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/contour/gaussian_moments.h"
#include "core/contour/subsampled_moments.h"
#include "core/pairs/gaussian.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::direction_of;

using contour::Line;
using contour::LineGoal;
using contour::MomentSteps;
using contour::Sketch;

std::vector<MomentSteps> subsampled_alone(double sigma, double q, double steps) {
  return {{std::make_shared<contour::SubsampledGaussianMoments>(q, 1 / sigma), steps}};
}

/// Gaussian moments whose columns tell above a height no more than |K(x + iy)| <= K(x), and of
/// places beyond one K(x) to a factor e^40.
class Blinded : public contour::Moments {
 public:
  Blinded(double squared_shift, double height, double place)
      : whole_(squared_shift), height_(height), place_(place) {}
  std::unique_ptr<const contour::Column> column(Direction direction, double x,
                                                double precision) const override {
    return std::make_unique<Blind>(whole_.column(direction, x, precision), height_,
                                   x > place_ ? 40 : 0);
  }
  double log_moment_estimate(Direction direction, double x) const override {
    return whole_.log_moment_estimate(direction, x);
  }
  double largest_loss(Direction direction) const override { return whole_.largest_loss(direction); }

 private:
  struct Blind : contour::Column {
    Blind(std::unique_ptr<const contour::Column> of, double top, double slack)
        : whole(std::move(of)), height(top), loose(slack) {}
    contour::LogMoment log_moment(double y) const override {
      if (y <= height && loose == 0) return whole->log_moment(y);
      return {whole->log_moment(0).value.real() + loose, 1.1};
    }
    double log_bound_beyond(double y) const override { return whole->log_bound_beyond(y) + loose; }
    std::unique_ptr<const contour::Column> whole;
    double height, loose;
  };

  contour::GaussianMoments whole_;
  double height_, place_;
};

}  // namespace

// Goals far from the question make every charge matter: aliases near and far, what lies beyond the
// last sample, nodes too coarse.
TEST_CASE("line: whatever its goal, the interval holds the truth") {
  testing::Dice dice(72);
  int lines = 0;
  for (const auto& row : testing::in_share(testing::reference_table("poisson_contour"))) {
    const auto components =
        subsampled_alone(row.number("sigma"), row.number("q"), row.number("steps"));
    const double epsilon = row.number("epsilon"), delta = row.number("delta");
    for (int i = 0; i < 4; ++i) {
      const LineGoal goal{epsilon * dice.uniform(0.3, 1.6),
                          std::log(delta) * dice.uniform(0.1, 1.1)};
      const auto line = Line::make(Sketch(components, direction_of(row.text("direction"))), goal);
      if (!line) continue;
      ++lines;
      const Interval found = line->delta(epsilon);
      INFO(row.describe() << testing::show(found) << " goal " << goal.epsilon << " "
                          << goal.log_delta);
      CHECK(testing::contains(found, delta, 1e-14));
    }
  }
  CHECK(lines > testing::rounds(100));
}

TEST_CASE("line: one of a Gaussian's is its closed form, small and large") {
  for (const double mu : {0.01, 0.3, 1.0, 4.0}) {
    const std::vector<MomentSteps> gaussian = {
        {std::make_shared<contour::GaussianMoments>(mu * mu), 1}};
    for (const double z : {-2.0, -0.5, 0.5, 2.0, 5.0}) {
      const double epsilon = 0.5 * mu * mu + z * mu;
      if (epsilon < 0) continue;
      const Interval truth = gaussian::delta(mu, epsilon);
      const auto line =
          Line::make(Sketch(gaussian, Direction::remove), {epsilon, std::log(truth.lower) - 0.1});
      REQUIRE(line);
      const Interval found = line->delta(epsilon);
      INFO("mu=" << mu << " z=" << z << testing::show(found) << testing::show(truth));
      CHECK(testing::overlap(found, truth));
      CHECK(testing::is_narrow(found, 1e-8));
    }
  }
}

TEST_CASE("line: where columns tell nothing more, the bound beyond them is charged") {
  constexpr double kEpsilon = 3;
  const Interval truth = gaussian::delta(1, kEpsilon);
  const auto found_with = [&](double height) {
    const Sketch run({{std::make_shared<Blinded>(1, height, kInfinity), 1}}, Direction::remove);
    const auto line = Line::make(run, {kEpsilon, std::log(truth.lower), 1e-12});
    REQUIRE(line);
    const Interval found = line->delta(kEpsilon);
    INFO("height=" << height << testing::show(found) << testing::show(truth));
    CHECK(testing::overlap(found, truth));
    return (found.upper - found.lower) / truth.upper;
  };
  const double all = found_with(kInfinity);
  CHECK(all < 1e-9);
  double before = kInfinity;
  for (const double height : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
    const double width = found_with(height);
    CHECK(width < before);
    // K falls as e^{-y^2 / 2}.
    CHECK(width < 100 * std::exp(-0.5 * height * height) + all);
    before = width;
  }
}

TEST_CASE("line: aliases are charged by a place where columns know more than was planned") {
  const Interval truth = gaussian::delta(1, 3);
  const Sketch plain({{std::make_shared<contour::GaussianMoments>(1), 1}}, Direction::remove);
  const LineGoal goal{3, std::log(truth.lower), 1e-6};
  const auto known = Line::make(plain, goal);
  REQUIRE(known);
  // Nearer than is planned.
  const double place = 0.6 * known->alias_steepness();
  const Sketch blinded({{std::make_shared<Blinded>(1, kInfinity, place), 1}}, Direction::remove);
  const auto line = Line::make(blinded, goal);
  REQUIRE(line);
  CHECK(line->alias_steepness() < place);
  const Interval found = line->delta(3);
  INFO(testing::show(found) << testing::show(truth));
  CHECK(testing::overlap(found, truth));
  CHECK(testing::is_narrow(found, 5e-2));
}

TEST_CASE("line: its estimate is inside, and its slope is the curve's") {
  const auto components = subsampled_alone(1, 0.01, 5000);
  const Sketch run(components, Direction::remove);
  const auto line = Line::make(run, {4, run.log_delta(4)});
  REQUIRE(line);
  const Line::ValueAndSlope at = line->estimate(4);
  CHECK(testing::contains(line->delta(4), at.delta));
  const double rise = std::log(line->estimate(4.001).delta / line->estimate(3.999).delta) / 0.002;
  CHECK(at.log_slope == doctest::Approx(rise).epsilon(1e-5));
}

}  // namespace honest_epsilon
