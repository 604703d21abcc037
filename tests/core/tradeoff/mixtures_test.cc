#include "core/tradeoff/mixtures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/pairs/gaussian.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"
#include "tests/core/tradeoff/laws.h"

namespace honest_epsilon {

using mixtures::Mixtures;

TEST_CASE("mixtures: the exact divergence holds the integral") {
  for (const auto& row : testing::reference_table("mixtures")) {
    INFO(row.describe());
    const Mixtures m{row.number("weight"), row.number("p1"), row.number("p2"), row.number("q1"),
                     row.number("q2")};
    const double epsilon = row.number("epsilon");
    const Interval remove = mixtures::delta(m, Direction::remove, epsilon);
    const Interval add = mixtures::delta(m, Direction::add, epsilon);
    CHECK(testing::contains(remove, row.number("remove")));
    CHECK(testing::contains(add, row.number("add")));
    CHECK(testing::is_narrow(remove, 1e-8, 1e-14));
    CHECK(testing::is_narrow(add, 1e-8, 1e-14));
  }
}

TEST_CASE("mixtures: one component, or none that differs") {
  const Mixtures plain{0, 1.5, 7, 0, 9};
  const Mixtures same{0.3, 1, 2, 1, 2};
  for (const double epsilon : {0.0, 0.8, 3.0}) {
    CAPTURE(epsilon);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Interval found = mixtures::delta(plain, direction, epsilon);
      CHECK(testing::overlap(found, gaussian::delta(1.5, epsilon)));
      CHECK(testing::is_narrow(found, 1e-8));
      CHECK(mixtures::delta(same, direction, epsilon).upper < 1e-12);
      CHECK(mixtures::delta_joint(same, direction, epsilon).upper < 1e-12);
    }
  }
}

TEST_CASE("mixtures: against a single Gaussian it is the subsampled step") {
  const double q = 0.15, mu = 2;
  const pairs::SubsampledGaussian pair(q, mu);
  const pld::PairSource source(pair);
  const Mixtures m{q, 0, mu, 0, 0};
  for (const double epsilon : {0.1, 1.0, 2.0}) {
    CAPTURE(epsilon);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Interval composed = pld::delta({{&source, 1}}, direction, epsilon, {}).value;
      CHECK(testing::overlap(mixtures::delta(m, direction, epsilon), composed));
    }
  }
}

TEST_CASE("mixtures: exact <= advanced joint concavity <= joint concavity") {
  testing::Dice dice(61);
  bool helps = false;
  for (int i = 0; i < 60; ++i) {
    Mixtures m;
    m.weight = dice.uniform(0.02, 0.98);
    m.p1 = dice.uniform(-2, 2);
    m.p2 = dice.uniform(-2, 2);
    m.q1 = dice.uniform(-2, 2);
    m.q2 = dice.uniform(-2, 2);
    const double epsilon = dice.uniform(0, 2.5);
    CAPTURE(m.weight);
    CAPTURE(epsilon);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Interval exact = mixtures::delta(m, direction, epsilon);
      const mixtures::AdvancedBound advanced = mixtures::best_advanced(m, direction, epsilon);
      const double joint = mixtures::delta_joint(m, direction, epsilon).upper;
      CHECK(exact.lower <= advanced.delta_upper);
      CHECK(advanced.delta_upper <= joint);
      CHECK(advanced.gamma <= m.weight);
      CHECK(advanced.eta >= m.weight);
      // [WS23, Lemma 6.2] at the gamma and eta that are said to serve.
      const double k = std::exp(epsilon), w = m.weight, g = advanced.gamma, h = advanced.eta;
      const auto apart = [&](double p, double q, double scale) {
        return scale > 0 ? gaussian::delta(std::abs(p - q), std::log(scale)).upper : 1;
      };
      const bool remove = direction == Direction::remove;
      const double p1 = remove ? m.p1 : m.q1, p2 = remove ? m.p2 : m.q2;
      const double q1 = remove ? m.q1 : m.p1, q2 = remove ? m.q2 : m.p2;
      const double k1 = k * (h - w) / ((1 - w) * (h - g)), k2 = k * (w - g) / (w * (h - g));
      const double by_lemma = (1 - w) * ((1 - g) * apart(p1, q1, k1) + g * apart(p1, q2, k1)) +
                              w * ((1 - h) * apart(p2, q1, k2) + h * apart(p2, q2, k2));
      CHECK(advanced.delta_upper == doctest::Approx(std::min(1.0, by_lemma)).epsilon(1e-10));
      helps = helps || advanced.delta_upper < 0.8 * joint;
    }
  }
  CHECK(helps);
}

TEST_CASE("mixtures: losses beyond the doubles are bounded") {
  const Mixtures far{0.3, -900, 1000, 800, -1000};
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double epsilon : {700.0, 800.0, 1e5}) {
      const Interval exact = delta(far, direction, epsilon);
      CHECK(exact.lower <= exact.upper);
      CHECK(exact.upper > 0.99);
      CHECK(delta_joint(far, direction, epsilon).upper > 0.99);
      CHECK(delta_advanced(far, direction, epsilon).upper > 0.99);
    }
  }
}

TEST_CASE("mixtures: the curves keep that order") {
  const Mixtures m{1.0 / 3, 1, 0, 0, 1};
  tradeoff::Sampling sampling;
  sampling.most = 60;
  const tradeoff::TradeOffCurve exact = mixtures::trade_off(m, sampling);
  const tradeoff::TradeOffCurve joint = mixtures::trade_off(m, sampling, mixtures::delta_joint);
  const tradeoff::TradeOffCurve advanced =
      mixtures::trade_off(m, sampling, mixtures::delta_advanced);
  testing::check_laws(exact);
  testing::check_laws(joint);
  for (int i = 0; i <= 40; ++i) {
    const double alpha = i / 40.0;
    CAPTURE(alpha);
    CHECK(exact.false_negative_rate(alpha).upper >=
          advanced.false_negative_rate(alpha).lower - 1e-12);
    CHECK(exact.false_negative_rate(alpha).upper >= joint.false_negative_rate(alpha).lower);
  }
}

}  // namespace honest_epsilon
