#include "core/tradeoff/curve.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "tests/core/support.h"
#include "tests/core/tradeoff/laws.h"

namespace honest_epsilon {
using tradeoff::Knot;
using tradeoff::TradeOffCurve;

namespace {

TradeOffCurve gaussian_curve(double mu) {
  return TradeOffCurve(
      tradeoff::sample_symmetric([mu](double epsilon) { return gaussian::delta(mu, epsilon); }));
}

}  // namespace

TEST_CASE("tradeoff: the Gaussian band holds the Gaussian trade-off function, closely") {
  for (const double mu : {1e-3, 0.1, 1.0, 4.0}) {
    CAPTURE(mu);
    const TradeOffCurve curve = gaussian_curve(mu);
    testing::check_laws(curve);
    for (const double alpha : {1e-9, 1e-4, 0.01, 0.2, 0.5, 0.9, 0.9999}) {
      CAPTURE(alpha);
      const Interval exact = testing::gdp_false_negative_rate(mu, alpha);
      const Interval band = curve.false_negative_rate(alpha);
      CHECK(band.lower <= exact.upper);
      CHECK(band.upper >= exact.lower);
      const Interval hit = curve.true_positive_rate(alpha);
      CHECK(hit.upper - hit.lower <= 4e-3 * hit.upper);
      const double z = normal::upper_quantile_estimate(alpha);
      CHECK(testing::contains(hit, normal::upper_tail(z - mu), 1e-9));
    }
  }
}

TEST_CASE("tradeoff: the Gaussian below a Gaussian is itself, and fits") {
  for (const double mu : {0.02, 1.0, 3.0}) {
    CAPTURE(mu);
    const tradeoff::GaussianBelow fit = gaussian_curve(mu).gaussian_below();
    CHECK(fit.mu.lower <= mu);
    CHECK(fit.mu.upper >= mu);
    CHECK(testing::is_narrow(fit.mu, 5e-3));
    CHECK(fit.misfit < 1e-2 * mu);
  }
  // A guarantee (eps, delta) has a corner that no Gaussian follows, and no Gaussian below it at all
  // once the resolution is finer than delta.
  const Interval delta{1e-4, 1e-4};
  const TradeOffCurve guarantee({{0, {0.3, 0.3}, {0.3, 0.3}}, {1, delta, delta}});
  CHECK(guarantee.gaussian_below(1e-3).misfit > 0.05);
}

TEST_CASE("tradeoff: G_mu at its ends, and its own inverse") {
  CHECK(testing::gdp_false_negative_rate(1, 0).lower == 1);
  CHECK(testing::gdp_false_negative_rate(1, 1).upper == 0);
  for (const double alpha : {1e-30, 1e-3, 0.4, 0.97}) {
    CAPTURE(alpha);
    CHECK(testing::contains(testing::gdp_false_negative_rate(0, alpha), 1 - alpha, 1e-15));
    const Interval beta = testing::gdp_false_negative_rate(2, alpha);
    CHECK(testing::gdp_false_negative_rate(2, beta.upper).lower <= alpha);
    CHECK(testing::gdp_false_negative_rate(2, beta.lower).upper >= alpha);
    CHECK(testing::is_narrow(beta, 1e-8));
  }
}

TEST_CASE("tradeoff: a guarantee's function is that of its two lines") {
  // A band from that one knot is nowhere below [DRS22, Prop 2.5] but through rounding.
  const TradeOffCurve curve({{0, {0, 0.9}, {0, 0.9}}, {1, {0, 0.1}, {0, 0.1}}});
  for (const double alpha : {0.0, 0.1, 0.3, 0.6, 0.8}) {
    CAPTURE(alpha);
    const double steep = 0.9 - std::exp(1.0) * alpha, flat = std::exp(-1.0) * (0.9 - alpha);
    CHECK(curve.false_negative_rate(alpha).lower >= doctest::Approx(std::max({0.0, steep, flat})));
  }
  const auto points = curve.lower_points();
  REQUIRE(points.size() == 4);
  CHECK(points[1].false_positive_rate == doctest::Approx(0.9 / (1 + std::exp(1.0))));
  CHECK(points[2].false_positive_rate == doctest::Approx(0.9));
}

TEST_CASE("tradeoff: of pairs of few outcomes the band is exact, whatever is asked of it") {
  testing::Dice dice(58);
  for (int draw = 0; draw < testing::rounds(60); ++draw) {
    CAPTURE(draw);
    // The outcomes, those that speak most for P first; some prove that it was P, or Q.
    const bool some_prove = draw % 2 == 1;
    std::vector<std::array<double, 2>> laws(4);
    double total_p = 0, total_q = 0;
    for (auto& [p, q] : laws) {
      total_p += p = dice.uniform(0.05, 1);
      total_q += q = dice.uniform(0.05, 1);
    }
    for (auto& [p, q] : laws) {
      p *= (some_prove ? 0.9 : 1) / total_p;
      q *= (some_prove ? 0.8 : 1) / total_q;
    }
    std::vector<double> bends = {1};
    for (const auto& [p, q] : laws) bends.push_back(std::max(p / q, q / p));
    std::sort(bends.begin(), bends.end());
    bends.push_back(2 * bends.back());
    if (some_prove) laws.insert(laws.end(), {{0.1, 0}, {0, 0.2}});
    std::sort(laws.begin(), laws.end(),
              [](const auto& a, const auto& b) { return a[0] * b[1] > b[0] * a[1]; });
    const auto divergence = [&](std::size_t of, double epsilon) {
      double sum = 0;
      for (const auto& law : laws) sum += std::max(0.0, law[of] - std::exp(epsilon) * law[1 - of]);
      return sum;
    };
    // Between its bends delta is linear in e^eps, as two values on each piece show.
    std::vector<Knot> knots, loose_knots;
    for (std::size_t i = 0; i + 1 < bends.size(); ++i) {
      for (const double part : {0.0, 0.3, 0.8}) {
        const double epsilon = std::log(bends[i] + part * (bends[i + 1] - bends[i]));
        const double remove = divergence(0, epsilon), add = divergence(1, epsilon);
        const auto around = [&](double value) -> Interval {
          return {value * dice.uniform(0.9, 1), std::min(1.0, value + dice.uniform(0, 0.02))};
        };
        knots.push_back({epsilon, {remove, remove}, {add, add}});
        loose_knots.push_back({epsilon, around(remove), around(add)});
      }
    }
    const TradeOffCurve curve(knots), loose(loose_knots);
    testing::check_laws(loose);
    // At a knot the privacy curve is what it was.
    for (const Knot& knot : loose.knots()) {
      CHECK(loose.delta(Direction::remove, knot.epsilon).upper == knot.remove.upper);
      CHECK(loose.delta(Direction::add, knot.epsilon).lower == knot.add.lower);
    }
    const TradeOffCurve both(tradeoff::symmetrised(knots));
    for (const Knot& knot : knots)
      CHECK(both.delta(Direction::add, knot.epsilon).upper == maximum(knot.remove, knot.add).upper);
    const auto check = [&](const Interval& found, const Interval& around, double truth) {
      CHECK(std::abs(found.lower - truth) < 1e-12);
      CHECK(std::abs(found.upper - truth) < 1e-12);
      CHECK(around.lower <= truth + 1e-14);
      CHECK(around.upper >= truth - 1e-14);
    };
    const auto polygon = [](const std::vector<tradeoff::ErrorRates>& points, double alpha) {
      std::size_t i = 1;
      while (points[i].false_positive_rate < alpha) ++i;
      const tradeoff::ErrorRates &from = points[i - 1], &to = points[i];
      const double share =
          (alpha - from.false_positive_rate) / (to.false_positive_rate - from.false_positive_rate);
      const double beta =
          from.false_negative_rate + share * (to.false_negative_rate - from.false_negative_rate);
      return Interval{beta, beta};
    };
    check(curve.advantage(), loose.advantage(), divergence(0, 0));
    for (const double known : {0.0, 1.0}) CHECK(curve.bayes_success(known).lower == 1);
    // Next to evens a tenth of a thousandth decides which error is the rarer one.
    for (const double prior : {0.4999, 0.5, 0.5001}) {
      double success = 0;
      for (const auto& [p, q] : laws) success += std::max(prior * p, (1 - prior) * q);
      check(curve.bayes_success(prior), loose.bayes_success(prior), success);
    }
    for (int i = 0; i < 20; ++i) {
      const double alpha = dice.uniform(0, 1),
                   epsilon = dice.uniform(0, 1.2) * knots.back().epsilon;
      CAPTURE(alpha);
      CAPTURE(epsilon);
      double found = 0, left = alpha, success = 0, prior = alpha;
      for (const auto& [p, q] : laws) {
        found += p * (q > 0 ? std::clamp(left / q, 0.0, 1.0) : 1);
        left -= q;
        success += std::max(prior * p, (1 - prior) * q);
      }
      const Interval missed = loose.false_negative_rate(alpha);
      check(curve.false_negative_rate(alpha), missed, 1 - found);
      check(curve.true_positive_rate(alpha), loose.true_positive_rate(alpha), found);
      check(polygon(curve.lower_points(), alpha), missed, 1 - found);
      check(polygon(curve.upper_points(), alpha), missed, 1 - found);
      check(curve.bayes_success(prior), loose.bayes_success(prior), success);
      check(curve.delta(Direction::remove, epsilon), loose.delta(Direction::remove, epsilon),
            divergence(0, epsilon));
      check(curve.delta(Direction::add, epsilon), loose.delta(Direction::add, epsilon),
            divergence(1, epsilon));
    }
  }
}

TEST_CASE("tradeoff: nothing leaks, everything leaks") {
  const TradeOffCurve guessing({{0, {0, 0}, {0, 0}}});
  CHECK(guessing.false_negative_rate(0.3).lower == doctest::Approx(0.7));
  CHECK(guessing.advantage().upper == 0);
  const TradeOffCurve revealed({{0, {1, 1}, {1, 1}}, {1, {1, 1}, {1, 1}}});
  CHECK(revealed.false_negative_rate(0).upper < 1e-14);
  CHECK(revealed.true_positive_rate(0).lower > 1 - 1e-14);
  CHECK(revealed.bayes_success(0.1).upper == 1);
}

}  // namespace honest_epsilon
