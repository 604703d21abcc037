#include "core/tradeoff/selection.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "core/rdp/convert.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::rounds;
using tradeoff::gamma_of_mean;
using tradeoff::NumberOfRuns;
using tradeoff::Selection;
using tradeoff::TradeOffCurve;

TradeOffCurve fine_gaussian_curve(double mu, double smallest = 1e-12) {
  tradeoff::Sampling sampling;
  sampling.smallest = smallest;
  sampling.resolution = 1e-20;
  return TradeOffCurve(tradeoff::sample_symmetric(
      [mu](double epsilon) { return gaussian::delta(mu, epsilon); }, sampling));
}

/// Pr[K = k] by its definition.
std::vector<double> masses(bool is_poisson, double eta, double parameter, int most) {
  std::vector<double> mass(static_cast<std::size_t>(most) + 1, 0);
  if (is_poisson) {
    mass[0] = std::exp(-parameter);
    for (std::size_t k = 1; k < mass.size(); ++k)
      mass[k] = mass[k - 1] * parameter / static_cast<double>(k);
    return mass;
  }
  const double gamma = parameter;
  double total = 0;
  double term = 1 - gamma;  // (1-gamma)^k prod_{l=1}^{k-1} (l + eta)/(l + 1), up to a factor
  for (std::size_t k = 1; k < mass.size(); ++k) {
    mass[k] = term;
    total += term;
    term *= (1 - gamma) * (static_cast<double>(k) + eta) / static_cast<double>(k + 1);
  }
  for (double& m : mass) m /= total;
  return mass;
}

double upper_tail(double x) {
  return normal::upper_tail(x);
}

double density(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2 * 3.14159265358979323846);
}

/// How the outputs of a Gaussian run are scored: those below `low` first, then those above `high`,
/// then the rest; among themselves, larger ones first.
struct Order {
  double low;
  double high;
};

/// The share of outputs that score above y, where the run's output is N(mean, 1).
double share_above(const Order& order, double y, double mean) {
  const double first = upper_tail(mean - order.low);
  const double second = upper_tail(std::max(order.high, order.low) - mean);
  if (y < order.low) return std::max(0.0, first - upper_tail(mean - y));
  if (y > order.high) return first + upper_tail(y - mean);
  return std::min(1.0, first + second + std::max(0.0, upper_tail(y - mean) - second));
}

/// The exact delta of the best of K runs N(mu, 1) against N(0, 1), scored by `order`.
double brute_force(const NumberOfRuns& runs, double mu, const Order& order, double epsilon) {
  constexpr int kPoints = 8000;
  const double low = -9, step = (mu + 18) / kPoints;
  const double scale = std::exp(epsilon);
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double y = low + (i + 0.5) * step;
    const double with = runs.slope(share_above(order, y, mu)) * density(y - mu);
    const double without = runs.slope(share_above(order, y, 0)) * density(y);
    sum += std::max(0.0, with - scale * without);
  }
  return sum * step;
}

}  // namespace

TEST_CASE("selection: the law of K is the sum over its probabilities") {
  struct Law {
    bool is_poisson;
    double eta;
    double parameter;
  };
  for (const Law& law : {Law{true, 0, 0.3}, Law{true, 0, 12}, Law{false, 1, 0.1},
                         Law{false, 0, 0.05}, Law{false, -0.6, 0.2}, Law{false, 2.5, 0.7}}) {
    CAPTURE(law.eta);
    CAPTURE(law.parameter);
    const NumberOfRuns runs = law.is_poisson
                                  ? NumberOfRuns::poisson(law.parameter)
                                  : NumberOfRuns::negative_binomial(law.eta, law.parameter);
    const std::vector<double> mass = masses(law.is_poisson, law.eta, law.parameter, 1500);
    const auto phi = [&](double x) {
      double sum = 0;
      for (std::size_t k = 0; k < mass.size(); ++k)
        sum += mass[k] * std::pow(x, static_cast<double>(k));
      return sum;
    };
    double mean = 0, slope = 0;
    for (std::size_t k = 1; k < mass.size(); ++k) {
      mean += static_cast<double>(k) * mass[k];
      slope += static_cast<double>(k) * mass[k] * std::pow(0.8, static_cast<double>(k) - 1);
    }
    CHECK(runs.mean() == doctest::Approx(mean).epsilon(1e-10));
    CHECK(runs.some() == doctest::Approx(1 - mass[0]).epsilon(1e-10));
    CHECK(runs.slope(0) == doctest::Approx(mean).epsilon(1e-10));
    CHECK(runs.slope(0.2) == doctest::Approx(slope).epsilon(1e-10));
    CHECK(runs.between(0.1, 0.25) == doctest::Approx(phi(0.9) - phi(0.65)).epsilon(1e-10));
    const double step = 1e-6;
    CHECK(runs.decay(0.3) == doctest::Approx((runs.slope(0.3 - step) - runs.slope(0.3 + step)) /
                                             (2 * step * runs.slope(0.3)))
                                 .epsilon(1e-6));
  }
}

TEST_CASE("selection: gamma_of_mean meets the mean") {
  for (const double eta : {-0.5, 0.0, 1.0, 3.0}) {
    for (const double mean : {1.001, 2.0, 50.0, 1e4}) {
      const double gamma = gamma_of_mean(eta, mean);
      CHECK(NumberOfRuns::negative_binomial(eta, gamma).mean() ==
            doctest::Approx(mean).epsilon(1e-9));
    }
  }
}

TEST_CASE("selection: no score of 200 brute-force searches exceeds the upper end") {
  std::mt19937 random(18);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < rounds(200); ++i) {
    const double mu = uniform(0.2, 2.5);
    const double mean = uniform(1.1, 20);
    const bool is_poisson = i % 2 == 0;
    const double eta = i % 4 == 1 ? 1 : uniform(-0.8, 2);
    const NumberOfRuns runs = is_poisson
                                  ? NumberOfRuns::poisson(mean)
                                  : NumberOfRuns::negative_binomial(eta, gamma_of_mean(eta, mean));
    const Selection best(fine_gaussian_curve(mu), runs);
    const double epsilon = uniform(0, 5) * mu;
    const Interval delta = best.delta(Direction::remove, epsilon);
    CAPTURE(mu);
    CAPTURE(mean);
    CAPTURE(eta);
    CAPTURE(epsilon);
    CHECK(testing::is_valid(delta, 1));
    // The likelihood ratio itself, its reverse, and classes near the worst ones.
    CHECK(brute_force(runs, mu, {-100, -100}, epsilon) <= delta.upper * (1 + 1e-6));
    for (int j = 0; j < testing::rounds(9); ++j) {
      const Order order{uniform(-3, 0.5), uniform(0.5, 5)};
      CAPTURE(order.low);
      CAPTURE(order.high);
      CHECK(brute_force(runs, mu, order, epsilon) <= delta.upper * (1 + 1e-6));
    }
  }
}

TEST_CASE("selection: every order of a lopsided pair's outcomes is covered, in each direction") {
  const std::vector<double> p = {0.03, 0.005, 0.965};
  const std::vector<double> q = {0.01, 0.645, 0.345};
  const auto divergence = [](const std::vector<double>& a, const std::vector<double>& b, double e) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::max(0.0, a[i] - std::exp(e) * b[i]);
    return sum;
  };
  std::vector<tradeoff::Knot> knots;
  for (const double epsilon : {0.0, std::log(0.965 / 0.345), std::log(3.0), std::log(129.0), 6.0}) {
    const double remove = divergence(p, q, epsilon), add = divergence(q, p, epsilon);
    knots.push_back({epsilon,
                     {remove * (1 - 1e-15), remove * (1 + 1e-15) + 1e-300},
                     {add * (1 - 1e-15), add * (1 + 1e-15) + 1e-300}});
  }
  for (const bool is_poisson : {true, false}) {
    const NumberOfRuns runs =
        is_poisson ? NumberOfRuns::poisson(3) : NumberOfRuns::negative_binomial(1, 0.2);
    const Selection best(TradeOffCurve(knots), runs);
    // The best run's law: an outcome is published when nothing above it came, and it did.
    const auto published = [&](const std::vector<double>& law, const std::vector<std::size_t>& by) {
      std::vector<double> result(law.size());
      double above = 0;
      for (const std::size_t i : by) {
        result[i] = runs.between(std::min(above, 1 - law[i]), law[i]);
        above += law[i];
      }
      return result;
    };
    for (const double epsilon : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0}) {
      CAPTURE(is_poisson);
      CAPTURE(epsilon);
      double remove = 0, add = 0;
      std::vector<std::size_t> order = {0, 1, 2};
      do {
        const auto with = published(p, order), without = published(q, order);
        remove = std::max(remove, divergence(with, without, epsilon));
        add = std::max(add, divergence(without, with, epsilon));
      } while (std::next_permutation(order.begin(), order.end()));
      const Interval found_remove = best.delta(Direction::remove, epsilon);
      const Interval found_add = best.delta(Direction::add, epsilon);
      CHECK(remove <= found_remove.upper * (1 + 1e-9));
      CHECK(add <= found_add.upper * (1 + 1e-9));
      CHECK(testing::is_valid(found_remove, 1));
      CHECK(testing::is_valid(found_add, 1));
    }
  }
}

TEST_CASE("selection: both ends meet within a few percents, and some score attains the lower one") {
  for (std::size_t place = 0; place < 12; ++place) {
    if (!testing::in_share(place + place / 3)) continue;
    const double mean = std::array{2.0, 10.0, 20.0}[place % 3];
    const double mu = place / 3 % 2 == 0 ? 0.5 : 1.0;
    const bool is_poisson = place < 6;
    CAPTURE(mu);
    CAPTURE(mean);
    CAPTURE(is_poisson);
    const NumberOfRuns runs =
        is_poisson ? NumberOfRuns::poisson(mean) : NumberOfRuns::negative_binomial(1, 1 / mean);
    const Selection best(fine_gaussian_curve(mu), runs);
    const Interval epsilon = best.epsilon(Direction::remove, 1e-6);
    CHECK(testing::is_narrow(epsilon, 0.03));
    // The proved attack's delta is attained by an order of the scan, nearly.
    double attained = 0;
    const double step = testing::share_of_cases() >= 1 ? 0.25 : 0.5;
    for (double low = -4; low < 1; low += step) {
      for (double high = 2; high < 6.5; high += step)
        attained = std::max(attained, brute_force(runs, mu, {low, high}, epsilon.lower));
    }
    CHECK(attained > 0.7e-6);
  }
}

TEST_CASE("selection: one run for certain is the run itself, and less noise costs more") {
  const TradeOffCurve curve = fine_gaussian_curve(1);
  // gamma near 1: K = 1 almost always.
  const Selection one(curve, NumberOfRuns::negative_binomial(1, 1 - 1e-9));
  const Interval alone = gaussian::epsilon(1, 1e-5);
  const Interval found = one.epsilon(Direction::add, 1e-5);
  CHECK(testing::overlap(found, alone));
  CHECK(testing::is_narrow(found, 1e-2));
  double before = alone.lower;
  for (const double mean : {1.5, 4.0, 16.0, 64.0}) {
    const Selection more(curve, NumberOfRuns::negative_binomial(1, 1 / mean));
    const Interval epsilon = more.epsilon(Direction::add, 1e-5);
    CHECK(epsilon.lower > before);
    before = epsilon.lower;
  }
}

TEST_CASE("selection: a pure guarantee costs twice or thrice, as Papernot and Steinke prove") {
  // [PS22, Thm 2] at infinite orders: (2 + eta) epsilon for a truncated negative binomial.
  for (const double eta : {0.0, 1.0}) {
    constexpr double kEpsilon = 0.5;
    const double delta = std::tanh(kEpsilon / 2);
    const TradeOffCurve curve({{0, {delta, delta}, {delta, delta}}, {kEpsilon, {0, 0}, {0, 0}}});
    const Selection best(curve, NumberOfRuns::negative_binomial(eta, 0.01));
    const Interval epsilon = best.epsilon(Direction::remove, 1e-9);
    CAPTURE(eta);
    CHECK(epsilon.upper <= (2 + eta) * kEpsilon * (1 + 1e-3));
    CHECK(epsilon.lower >= 0.9 * (2 + eta) * kEpsilon);
  }
}

TEST_CASE("selection: narrower than the bounds by Renyi divergences of Papernot and Steinke") {
  constexpr double kDelta = 1e-6;
  for (const double mu : {0.3, 1.0}) {
    const auto renyi = [mu](double order) { return 0.5 * order * mu * mu; };
    for (const double mean : {5.0, 100.0}) {
      for (const double eta : {0.0, 1.0}) {
        // [PS22, Thm 2]: another order for the penalty, the best one.
        const double gamma = gamma_of_mean(eta, mean);
        double penalty = kInfinity;
        for (double other = 1.01; other < 400; other *= 1.05)
          penalty = std::min(
              penalty, (1 + eta) * ((1 - 1 / other) * renyi(other) + std::log(1 / gamma) / other));
        const auto theirs = [&](double order) {
          return renyi(order) + penalty + std::log(mean) / (order - 1);
        };
        const Selection best(fine_gaussian_curve(mu), NumberOfRuns::negative_binomial(eta, gamma));
        const Interval ours = best.epsilon(Direction::remove, kDelta);
        const double bound = rdp::epsilon_upper(theirs, kDelta).value;
        CAPTURE(mu);
        CAPTURE(mean);
        CAPTURE(eta);
        CAPTURE(bound);
        CHECK(ours.upper < bound);
        CHECK(ours.lower > 0.5 * bound);
      }
    }
  }
}

}  // namespace honest_epsilon
