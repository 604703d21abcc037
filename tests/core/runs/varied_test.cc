#include "core/runs/varied.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/contour/gaussian_moments.h"
#include "core/pairs/gaussian.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

/// A Gaussian run of shift 2, whose shift falls with the logarithm of what may be spent.
double shift_beside(double variation) {
  return std::clamp(-std::log(variation) / 20, 0.5, 2.0);
}

class Falling {
 public:
  Varied varied() {
    return {[this](double variation) {
              ++made;
              Parts parts;
              parts.tight = parts.symmetric = true;
              parts.upper.squared_shift = std::pow(shift_beside(variation), 2);
              parts.variation = variation;
              return parts;
            },
            Effort{1e-2}, 1e-14};
  }
  int made = 0;
};

Directions known_at(double epsilon) {
  const Interval known = gaussian::delta(2, epsilon);
  return {known, known};
}

/// The least of delta and charge together.
double least_at(double epsilon) {
  double least = 1;
  for (double log_variation = -60; log_variation < 0; log_variation += 0.01) {
    const double variation = std::exp(log_variation);
    least = std::min(least, gaussian::delta(shift_beside(variation), epsilon).lower +
                                (1 + std::exp(epsilon)) * variation);
  }
  return least;
}

const std::vector<double> kEpsilons = {0, 0.5, 1, 2, 3, 4, 5, 6, 8};

}  // namespace

TEST_CASE("profile: where a variation alone costs what is known, it is not lowered below it") {
  Parts parts;
  parts.tight = true;
  parts.upper.squared_shift = 1;
  parts.variation = 1e-3;
  Profile profile(std::move(parts), Effort{1e-2}, 1e-14);
  const double epsilon = 1, charge = charge_of(1e-3, epsilon);
  const Directions whole = profile.delta(epsilon).directions;
  for (const double part : {0.5, 0.9, 1.0, 1.1, 20.0}) {
    const double known = part * charge;
    const Directions found = profile.delta(epsilon, {{0, known}, {0, kInfinity}}).directions;
    INFO(part);
    CHECK(found.remove.upper >= std::min(known, whole.remove.upper));
    CHECK(found.remove.upper == (part > 1 ? whole.remove.upper : charge));
    CHECK(found.add.upper == whole.add.upper);
  }
}

TEST_CASE("varied: what is found is charged, in whatever order it is asked, and hardly more") {
  std::vector<double> falling = kEpsilons;
  std::reverse(falling.begin(), falling.end());
  for (const auto& epsilons : {kEpsilons, falling}) {
    Falling run;
    Varied varied = run.varied();
    for (const double epsilon : epsilons) {
      Directions found = known_at(epsilon);
      const double known = found.upper();
      const bool lowered = varied.lower(epsilon, found, 1e-3 * known);
      INFO(epsilon << " " << found.upper() << " " << least_at(epsilon) << " " << known);
      CHECK(found.upper() >= least_at(epsilon));
      CHECK(found.upper() <= std::min(known, 2 * least_at(epsilon)));
      CHECK(lowered == (found.upper() < known));
    }
  }
}

TEST_CASE("varied: a guess that is far off costs a bounded number of compositions") {
  for (const double expected : {1e-320, 1e-30, 1.0}) {
    Falling run;
    Varied varied = run.varied();
    Directions found = known_at(2);
    varied.lower(2, found, expected);
    CHECK(run.made < 300);
    CHECK(found.upper() >= least_at(2));
  }
}

TEST_CASE("varied: where it lowers nothing, it is not asked at every epsilon") {
  int asked = 0;
  const auto make = [&](double variation) {
    const double shift = shift_beside(variation);
    Steps steps;
    steps.curve = [&asked, shift](Direction, double epsilon) {
      ++asked;
      return gaussian::delta(shift, epsilon);
    };
    steps.moments = std::make_shared<contour::GaussianMoments>(shift * shift, 16 * kUnit);
    Parts parts;
    parts.tight = parts.symmetric = true;
    parts.upper.steps = {steps};
    parts.variation = variation;
    return parts;
  };
  Varied varied(make, Effort{1e-2}, 1e-14);
  int epsilons = 0, before = 0, attempts = 0;
  for (double epsilon = 0; epsilon < 6; epsilon += 0.1, ++epsilons) {
    const double less = 0.1 * least_at(epsilon);
    Directions found{{0, less}, {0, less}};
    CHECK_FALSE(varied.lower(epsilon, found, less));
    CHECK(found.upper() == less);
    if (asked > before) ++attempts;
    before = asked;
  }
  INFO(attempts << " of " << epsilons);
  CHECK(attempts > 0);
  CHECK(attempts < epsilons / 2);
}

TEST_CASE("varied: nothing to lower, or an epsilon beyond all powers, is left alone") {
  Falling run;
  Varied varied = run.varied();
  Directions nothing;
  nothing.remove = nothing.add = {0, 0};
  CHECK_FALSE(varied.lower(1, nothing, 1e-5));
  CHECK(nothing.upper() == 0);
  Directions far = known_at(700);
  CHECK_FALSE(varied.lower(700, far, 1e-5));
}

}  // namespace honest_epsilon
