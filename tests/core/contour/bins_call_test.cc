#include "core/contour/bins_call.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>

#include "core/contour/bins_moments.h"
#include "core/contour/inversion.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon {
namespace {

using contour::BinsCall;

/// The same step with the directions exchanged, and with no curve but what lines tell.
class LinesAlone : public contour::SwappedMoments {
 public:
  using SwappedMoments::SwappedMoments;
  std::unique_ptr<contour::OwnCurve> own_curve(Direction) const override { return nullptr; }
};

}  // namespace

TEST_CASE("bins call: holds known deltas of removal, to nine digits where few ratios decide") {
  int answered = 0, narrow = 0;
  const auto check = [&](const testing::ReferenceRow& row, double relative_error) {
    if (row.text("direction") != "remove" || !(row.number("sigma") < 3)) return;
    BinsCall call(row.number("steps_per_epoch"), 0, 1 / row.number("sigma"));
    const auto found = call.delta(row.number("epsilon"), 1e-9);
    if (!found) return;
    ++answered;
    const double known = row.number("delta"), slack = known * relative_error;
    INFO(row.describe() << " [" << found->lower << ", " << found->upper << "]");
    CHECK(found->lower <= known + slack);
    CHECK(found->upper >= known - slack);
    CHECK(found->upper - found->lower <= 1e-7 * found->upper);
    narrow += found->upper - found->lower <= 1e-9 * found->upper ? 1 : 0;
  };
  for (const auto& row : testing::reference_table("bins_contour")) check(row, 1e-12);
  for (const auto& row : testing::reference_table("balls_and_bins_one_epoch"))
    check(row, row.number("relative_error") + 1.5e-6);  // see the sampler's own test
  CHECK(answered >= 30);
  CHECK(10 * narrow >= 9 * answered);
}

TEST_CASE("bins call: agrees with lines, and a coarse answer with a fine one") {
  std::mt19937 random(11);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(random);
  };
  int answered = 0, both = 0;
  for (int i = 0; i < 60; ++i) {
    const double mu = std::exp(uniform(std::log(0.5), std::log(3.5)));
    const double bins = std::floor(std::exp(uniform(std::log(4), std::log(1e7))));
    const double epsilon = std::exp(uniform(std::log(0.2), std::log(9)));
    INFO("mu=" << mu << " bins=" << bins << " eps=" << epsilon);
    BinsCall call(bins, 0, mu);
    const auto fine = call.delta(epsilon, 1e-10);
    if (!fine) continue;
    ++answered;
    for (const double width : {0.3, 1e-3, 1e-6}) {
      BinsCall other(bins, 0, mu);
      const auto coarse = other.delta(epsilon, width);
      REQUIRE(coarse);
      CHECK(coarse->lower <= fine->upper);
      CHECK(coarse->upper >= fine->lower);
      CHECK(coarse->upper - coarse->lower <= width * coarse->upper);
    }
    const auto moments = std::make_shared<contour::BinsMoments>(bins, mu);
    contour::Inversion lines({{std::make_shared<LinesAlone>(moments), 1}}, Direction::add);
    const auto other = lines.delta(epsilon, 1e-6);
    if (!other || other->upper - other->lower > 1e-3 * other->upper) continue;
    ++both;
    CHECK(other->lower <= fine->upper);
    CHECK(other->upper >= fine->lower);
  }
  CHECK(answered >= 40);
  CHECK(both >= 5);
}

TEST_CASE("bins call: an epsilon leads back to its delta") {
  for (const double delta : {1e-3, 1e-6, 1e-12, 1e-60}) {
    BinsCall call(1000, 0, 2);
    const auto epsilon = call.epsilon(delta, 1e-9);
    REQUIRE(epsilon);
    INFO("delta=" << delta << " eps [" << epsilon->lower << ", " << epsilon->upper << "]");
    CHECK(epsilon->upper - epsilon->lower <= 1e-9 * epsilon->upper);
    CHECK(call.delta(epsilon->upper, 1e-10)->lower <= delta);
    CHECK(call.delta(epsilon->lower, 1e-10)->upper >= delta);
  }
}

TEST_CASE("bins call: blank bins are a share of the others") {
  for (const double epsilon : {0.5, 2.0}) {
    BinsCall all(300, 700, 2.2), seen(300, 0, 2.2);
    const double q = 0.3, k = std::exp(epsilon);
    const auto whole = all.delta(epsilon, 1e-9);
    const auto part = seen.delta(std::log((k - 0.7) / q), 1e-9);
    REQUIRE(whole);
    REQUIRE(part);
    CHECK(whole->lower <= q * part->upper * (1 + 1e-12));
    CHECK(whole->upper >= q * part->lower * (1 - 1e-12));
  }
}

TEST_CASE("bins call: has no answer where many ratios decide, or where e^eps is no double") {
  BinsCall call(1e6, 0, 1);
  CHECK(!call.delta(0.003, 1e-3));
  CHECK(!call.epsilon(1e-3, 1e-3));
  CHECK(call.delta(1, 1e-9));
  for (const double epsilon : {650.0, 720.0, 1e4}) CHECK(!BinsCall(1e6, 0, 1).delta(epsilon, 1e-3));
}

}  // namespace honest_epsilon
