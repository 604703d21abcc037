#include "core/pld/curve_source.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/pairs/gaussian.h"
#include "core/pairs/randomized_response.h"
#include "tests/core/pld/exact.h"

namespace honest_epsilon::pld {
namespace {

using testing::delta_of;

constexpr double kMu = 1.2;

/// The Gaussian pair's call or put on its ratio, which is known in closed form.
Interval gaussian_curve(double log_k, Direction direction) {
  if (direction == Direction::remove) return gaussian::delta(kMu, log_k);
  const Interval mirrored = gaussian::delta(kMu, -log_k);
  const double k = std::exp(log_k);
  return {k * mirrored.lower * (1 - 1e-15), k * mirrored.upper * (1 + 1e-15)};
}

CurveSource gaussian_source(double reach) {
  return {gaussian_curve, -reach, reach};
}

}  // namespace

TEST_CASE("curve_source: its laws enclose the curve they were drawn from, between points, too") {
  for (const double spacing : {0.5, 0.06, 0.004}) {
    const CurveSource source = gaussian_source(6);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const LatticeLaw upper = source.upper(direction, spacing, {-6, 6});
      const LatticeLaw lower = source.lower(direction, spacing, {-6, 6}, 0);
      for (double epsilon = 0; epsilon < 5; epsilon += 0.0371) {
        const Interval truth = gaussian::delta(kMu, epsilon);
        INFO("spacing " << spacing << " epsilon " << epsilon << ": " << delta_of(lower, epsilon)
                        << " " << testing::show(truth) << " " << delta_of(upper, epsilon));
        CHECK(delta_of(upper, epsilon) >= truth.lower * (1 - 1e-12));
        CHECK(delta_of(lower, epsilon) <= truth.upper * (1 + 1e-12));
        if (spacing < 0.01 && epsilon < 3) {
          CHECK(delta_of(upper, epsilon) <= truth.upper * 1.001);
          CHECK(delta_of(lower, epsilon) >= truth.lower * 0.999);
        }
      }
    }
  }
}

// Where a run has millions of epochs a coarse plan's lattice reaches beyond the doubles.
TEST_CASE(
    "curve_source: however coarse the lattice, an upper law loses no mass, a lower one gains "
    "none") {
  const CurveSource source = gaussian_source(6);
  for (const double spacing : {3.0, 40.0, 350.0, 699.0, 701.0, 4500.0, 1e8}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const LatticeLaw upper = source.upper(direction, spacing, {-6, 6});
      double mass = upper.infinite;
      for (const double m : upper.mass) mass += m;
      INFO("spacing " << spacing);
      CHECK(mass >= 1 - 1e-12);
      double least = 0;
      for (const double m : source.lower(direction, spacing, {-6, 6}, 0).mass) least += m;
      CHECK(least <= 1 + 1e-12);
      for (const double epsilon : {0.0, 1.0, 5.0})
        CHECK(delta_of(upper, epsilon) >= gaussian::delta(kMu, epsilon).lower * (1 - 1e-12));
    }
  }
}

TEST_CASE("curve_source: a range is followed alone, and its laws still enclose the curve") {
  const CurveSource source = gaussian_source(6);
  constexpr double kSpacing = 0.01;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const bool remove = direction == Direction::remove;
    // In direction add losses are those of the swapped pair, and a cut at small ones is at large K.
    for (const double least : {-1.0, -0.2, 0.4}) {
      const Range range = remove ? Range{least, 6} : Range{-6, -least};
      const LatticeLaw whole = source.upper(direction, kSpacing, {-6, 6});
      const LatticeLaw upper = source.upper(direction, kSpacing, range);
      const LatticeLaw lower = source.lower(direction, kSpacing, range, 0);
      const LatticeLaw whole_lower = source.lower(direction, kSpacing, {-6, 6}, 0);
      INFO("remove " << remove << " from " << least);
      CHECK(upper.mass.size() < whole.mass.size());
      CHECK(upper.point(0) >= least - 4 * kSpacing);
      for (double epsilon = 0; epsilon < 5; epsilon += 0.0371) {
        const Interval truth = gaussian::delta(kMu, epsilon);
        INFO("epsilon " << epsilon << ": " << delta_of(lower, epsilon) << " "
                        << testing::show(truth) << " " << delta_of(upper, epsilon));
        CHECK(delta_of(upper, epsilon) >= truth.lower * (1 - 1e-12));
        CHECK(delta_of(lower, epsilon) <= truth.upper * (1 + 1e-12));
        if (epsilon > std::max(least, 0.0) + 2 * kSpacing && epsilon < 4) {
          CHECK(delta_of(upper, epsilon) ==
                doctest::Approx(delta_of(whole, epsilon)).epsilon(1e-9));
          // A lower law keeps what it has at large losses.
          CHECK(delta_of(lower, epsilon) >= delta_of(whole_lower, epsilon) * (1 - 1e-6));
        }
      }
      // Small losses are raised to the range's end, none is lost.
      double mass = upper.infinite;
      for (const double m : upper.mass) mass += m;
      CHECK(mass >= 1 - 1e-12);
    }
  }
}

TEST_CASE("curve_source: a range's laws are the same, whatever was asked before") {
  constexpr double kSpacing = 0.01;
  const CurveSource kept = gaussian_source(6);
  // Apart, next to each other, overlapping on either side, inside, and around all.
  for (const Range& range : {Range{2, 3}, Range{-3, -1}, Range{-0.99, 0.5}, Range{0.2, 1.5},
                             Range{-4, -2.5}, Range{-1, 1}, Range{-5, 5}}) {
    const CurveSource fresh = gaussian_source(6);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const bool up : {true, false}) {
        const auto law_of = [&](const CurveSource& source) {
          return up ? source.upper(direction, kSpacing, range)
                    : source.lower(direction, kSpacing, range, 0);
        };
        const LatticeLaw law = law_of(kept), alone = law_of(fresh);
        INFO(range.low << " to " << range.high << " " << up);
        CHECK(law.first == alone.first);
        REQUIRE(law.mass.size() == alone.mass.size());
        for (const double epsilon : {0.0, 0.3, 1.0, 2.5})
          CHECK(delta_of(law, epsilon) == doctest::Approx(delta_of(alone, epsilon)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("curve_source: where the curve is followed to is not where its losses end") {
  const CurveSource source = gaussian_source(2);
  const CurveSource bounded(gaussian_curve, -2, 2, -3, 5);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    CHECK(source.highest(direction) == kInfinity);
    CHECK(source.upper(direction, 0.1, {-2, 2}).infinite >= gaussian::delta(kMu, 2).lower);
  }
  CHECK(bounded.highest(Direction::remove) == 5);
  CHECK(bounded.highest(Direction::add) == 3);
}

TEST_CASE("curve_source: an atom at the end of the losses keeps its loss") {
  constexpr double kEnd = 1.3;
  const auto response = [](double log_k, Direction direction) -> Interval {
    const bool call = log_k >= 0;
    const double k = std::exp(log_k);
    const double small =
        randomized_response::delta(1, kEnd, 1, Direction::remove, std::abs(log_k)).upper *
        (call ? 1 : k);
    const double value = call == (direction == Direction::remove) ? small : small + std::abs(k - 1);
    return {value * (1 - 1e-12), value * (1 + 1e-12)};
  };
  const CurveSource source(response, -kEnd, kEnd, -kEnd, kEnd);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double spacing : {0.3, 0.07, 0.011}) {
      const LatticeLaw upper = source.upper(direction, spacing, {-kEnd, kEnd});
      INFO("spacing " << spacing);
      CHECK(upper.infinite < 1e-12);
      CHECK(upper.point(upper.mass.size() - 1) <= kEnd + 2 * spacing);
      for (const double epsilon : {0.0, 0.5, 1.2}) {
        const Interval truth = randomized_response::delta(1, kEnd, 1, direction, epsilon);
        CHECK(delta_of(upper, epsilon) >= truth.lower * (1 - 1e-12));
        // Split between two points: of second order.
        CHECK(delta_of(upper, epsilon) <= truth.upper + spacing * spacing);
      }
      // Where the ends lie between two points a chord is above the curve's kink.
      const LatticeLaw lower = source.lower(direction, spacing, {-kEnd, kEnd}, 0);
      for (double epsilon = 0; epsilon < kEnd + spacing; epsilon += 0.0137) {
        const Interval truth = randomized_response::delta(1, kEnd, 1, direction, epsilon);
        CHECK(delta_of(lower, epsilon) <= truth.upper * (1 + 1e-12));
      }
    }
  }
}

}  // namespace honest_epsilon::pld
