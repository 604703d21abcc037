#include "core/contour/one_epoch_curve.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>

#include "core/contour/bins_moments.h"
#include "core/contour/inversion.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::OneEpochCurve;

/// The same step with the directions exchanged, and with no curve but what lines tell.
class LinesAlone : public contour::SwappedMoments {
 public:
  using SwappedMoments::SwappedMoments;
  std::unique_ptr<contour::OwnCurve> own_curve(Direction) const override { return nullptr; }
};

}  // namespace

TEST_CASE("one epoch's curve: holds known deltas to nine digits, in both directions") {
  int answered = 0, narrow = 0;
  const auto check = [&](const testing::ReferenceRow& row, double relative_error) {
    OneEpochCurve curve(row.number("steps_per_epoch"), 0, 1 / row.number("sigma"),
                        testing::direction_of(row.text("direction")));
    const auto found = curve.delta(row.number("epsilon"), 1e-9);
    if (!found) return;
    ++answered;
    const double known = row.number("delta"), slack = known * relative_error;
    INFO(row.describe() << testing::show(*found));
    CHECK(found->lower <= known + slack);
    CHECK(found->upper >= known - slack);
    narrow += found->upper - found->lower <= 1e-9 * found->upper ? 1 : 0;
  };
  for (const auto& row : testing::reference_table("bins_contour")) check(row, 1e-12);
  for (const auto& row : testing::reference_table("balls_and_bins_one_epoch"))
    check(row, row.number("relative_error") + 1.5e-6);  // see the sampler's own test

  CHECK(answered >= 250);
  CHECK(50 * narrow >= 49 * answered);
}

TEST_CASE("one epoch's curve: agrees with lines, and a coarse answer with a fine one") {
  std::mt19937 random(20261125);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(random);
  };
  int answered = 0, by_lines = 0;
  for (int i = 0; i < 60; ++i) {
    const double mu = std::exp(uniform(std::log(0.1), std::log(2.5)));
    const double bins = std::floor(std::exp(uniform(std::log(10), std::log(1e6))));
    const double spread = std::sqrt(std::expm1(mu * mu) / bins);
    const double epsilon = std::log1p(spread * uniform(0.1, 6));
    const Direction direction = i % 2 == 0 ? Direction::remove : Direction::add;
    INFO("mu=" << mu << " bins=" << bins << " eps=" << epsilon << " direction " << i % 2);
    OneEpochCurve curve(bins, 0, mu, direction);
    const auto fine = curve.delta(epsilon, 1e-9);
    if (!fine) continue;
    ++answered;
    for (const double width : {1.0, 0.1, 1e-3}) {
      const auto coarse = OneEpochCurve(bins, 0, mu, direction).delta(epsilon, width);
      REQUIRE(coarse);
      INFO("width " << width << testing::show(*coarse) << testing::show(*fine));
      CHECK(testing::overlap(*coarse, *fine));
    }
    const auto moments = std::make_shared<contour::BinsMoments>(bins, mu);
    contour::Inversion lines({{std::make_shared<LinesAlone>(moments), 1}}, opposite(direction));
    if (const auto other = lines.delta(epsilon, 1e-6)) {
      ++by_lines;
      CHECK(testing::overlap(*other, *fine));
    }
  }

  CHECK(answered >= 58);
  CHECK(by_lines >= 30);
}

TEST_CASE("one epoch's curve: an epsilon leads back to its delta") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double delta : {1e-2, 1e-6, 1e-10}) {
      OneEpochCurve curve(1000, 0, 1, direction);
      const auto epsilon = curve.epsilon(delta, 1e-9);
      REQUIRE(epsilon);
      INFO("delta=" << delta << testing::show(*epsilon));
      CHECK(testing::is_narrow(*epsilon, 1e-8));
      CHECK(curve.delta(epsilon->upper, 1e-10)->lower <= delta);
      CHECK(curve.delta(epsilon->lower, 1e-10)->upper >= delta);
    }
  }
}

TEST_CASE("one epoch's curve: blank bins are a share of the others") {
  for (const double epsilon : {0.05, 0.5, 2.0}) {
    OneEpochCurve all(300, 700, 2.2, Direction::remove), seen(300, 0, 2.2, Direction::remove);
    const double q = 0.3, k = std::exp(epsilon);
    const auto whole = all.delta(epsilon, 1e-9);
    const auto part = seen.delta(std::log((k - 0.7) / q), 1e-9);
    REQUIRE(whole);
    REQUIRE(part);
    CHECK(whole->lower <= q * part->upper * (1 + 1e-12));
    CHECK(whole->upper >= q * part->lower * (1 - 1e-12));
  }
  // Where all that is seen is blank nothing is left to tell.
  const auto none = OneEpochCurve(300, 700, 2.2, Direction::add).delta(0.4, 1e-9);
  REQUIRE(none);
  CHECK(none->upper == 0);
}

}  // namespace honest_epsilon
