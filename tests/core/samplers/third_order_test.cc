#include "core/samplers/third_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/math/constants.h"
#include "core/math/normal.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {
using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector less(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// What the record in question shows with and without itself, and what another one does.
struct Shifts {
  Vector u, v, m;
};

/// E f(V), V = (X_u - a X_v) / X_m under N(m), by sums over the noise.
template <class Function>
double mean_of(const Shifts& shifts, double a, Function f) {
  const Vector p = less(shifts.u, shifts.m), q = less(shifts.v, shifts.m);
  const double x = dot(p, p), y = dot(q, q), along = x > 0 ? dot(p, q) / std::sqrt(x) : 0;
  const double across = std::sqrt(std::max(0.0, y - along * along));
  constexpr double kStep = 0.1, kEnd = 8.5;
  double sum = 0;
  for (double z = -kEnd; z <= kEnd; z += kStep) {
    const double weight = normal::pdf(z) * kStep, with = std::exp(std::sqrt(x) * z - 0.5 * x);
    for (double t = -kEnd; t <= kEnd; t += kStep)
      sum += f(with - a * std::exp(along * z + across * t - 0.5 * y)) * weight * normal::pdf(t) *
             kStep;
  }
  return sum;
}

template <class Function>
double mean_of(const shuffle::GridLaw& law, Function f) {
  double sum = 0;
  for (std::size_t i = 0; i < law.values.size(); ++i) sum += law.masses[i] * f(law.values[i]);
  return sum;
}

enum class RecordKind { remove, add, replaced };

shuffle::Shown shown_of(RecordKind kind, double mu) {
  return {mu, kind == RecordKind::add ? 0 : mu, kind == RecordKind::remove ? 0 : -mu};
}

/// (s - t)+^2 / 2
auto bend_at(double t) {
  return [t](double s) { return 0.5 * std::max(0.0, s - t) * std::max(0.0, s - t); };
}

}  // namespace

TEST_CASE("third order: no step is worth more to a payoff that bends ever more") {
  std::mt19937_64 random(20261130);
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<double> normal;
  const int rounds = testing::rounds(90);
  std::array<double, 3> closest{};
  for (int i = 0; i < rounds; ++i) {
    const auto kind = static_cast<RecordKind>(i % 3);
    const double mu = 0.15 + 0.6 * unit(random), a = std::exp(0.5 * unit(random) * unit(random));
    const auto on_circle = [mu](double angle) {
      return Vector{mu * std::cos(angle), mu * std::sin(angle), 0};
    };
    const auto anywhere = [&] {
      const Vector v{normal(random), normal(random), normal(random)};
      const double size = mu * (i % 2 == 0 ? 1 : unit(random)) / std::sqrt(dot(v, v));
      return Vector{size * v[0], size * v[1], size * v[2]};
    };
    // The dearest calls, the dearest puts, near both, opposite u and v, m on the far side of both,
    // and any.
    const double half = 0.5 * kPi * unit(random), near = 0.4 * unit(random);
    std::vector<Shifts> all = {
        {on_circle(0), on_circle(kPi), on_circle(kPi)},
        {on_circle(0), on_circle(kPi), on_circle(0)},
        {on_circle(0), on_circle(kPi), on_circle(near)},
        {on_circle(0), on_circle(kPi - near), on_circle(kPi)},
        {on_circle(0), on_circle(kPi), on_circle(kPi * unit(random))},
        {on_circle(half), on_circle(-half), on_circle(kPi + half * (unit(random) - 0.5))},
        {anywhere(), anywhere(), anywhere()},
        {anywhere(), anywhere(), anywhere()}};
    for (Shifts& shifts : all) {
      if (kind == RecordKind::remove) shifts.v = {};
      if (kind == RecordKind::add) shifts.u = {};
    }
    const shuffle::Shown shown = shown_of(kind, mu);
    const shuffle::ThirdOrder order = shuffle::third_order(shown, a);
    const double negligible = i % 4 == 0 ? 0.01 * unit(random) : 1e-10;
    const shuffle::GridLaw law = shuffle::third_order_law(shown, a, order, negligible);
    // What is left out beyond this is charged apart.
    const double end = law.values[law.values.size() - 2];
    for (const double t : {-30.0, -a, -0.3 * a * unit(random), 0.0, unit(random)}) {
      const auto f = [&](double s) { return bend_at(t)(std::min(s, end)); };
      const double bound = mean_of(law, bend_at(t));
      double most = 0;
      for (std::size_t k = 0; k < all.size(); ++k) {
        const double mean = mean_of(all[k], a, f);
        INFO(i << " " << mu << " " << a << " " << order.share << " " << t << " " << k << " " << mean
               << " " << bound);
        CHECK(mean <= bound * (1 + 1e-7) + 1e-7);
        most = std::max(most, mean - bend_at(t)(1 - a));
      }
      closest[static_cast<std::size_t>(kind)] =
          std::max(closest[static_cast<std::size_t>(kind)], most / (bound - bend_at(t)(1 - a)));
    }
  }
  for (const double most : closest) CHECK(most > 0.97);
}

TEST_CASE(
    "third order: the share that all steps need is hardly more than that of the dearest puts") {
  for (const double mu : {0.2, 0.4, 0.6}) {
    for (const double epsilon : {0.0, 0.01, 0.05, 0.2}) {
      const double a = std::exp(epsilon), size = mu * mu;
      // E V^2 / 2 and E V+^2 / 2 of both ends, which are lognormal.
      const auto above = [&](double factor) {
        const double h = epsilon / (2 * mu);
        const auto cdf = [](double z) { return normal::upper_tail(-z); };
        const double first =
            std::exp(4 * size) * cdf(3 * mu - h) - 2 * a * cdf(mu - h) + a * a * cdf(-mu - h);
        const double second =
            cdf(mu - h) - 2 * a * cdf(-mu - h) + a * a * std::exp(4 * size) * cdf(-3 * mu - h);
        return 0.5 * (factor > 0 ? first : second);
      };
      const double lack = 0.5 * (a * a - 1) * std::expm1(4 * size);
      const double gain = above(1) - above(-1);
      const double least = lack / (lack + gain);
      const double share = shuffle::third_order({mu, mu, -mu}, a).share;
      INFO(mu << " " << epsilon << " " << least << " " << share);
      CHECK(share >= least);
      CHECK(share <= std::min(1.0, 1.04 * least + 0.02));
      // Of a zeroed record, direction remove, V with the dearest calls has the largest variance.
      const bool dominates = std::exp(2 * size) >= 2 * a - 1;
      CHECK((shuffle::third_order({mu, mu, 0}, a).share < 1e-8) == dominates);
    }
  }
}

// L and G of third_order.h at single angles, h by a sum along the way; and what the cells' bounds
// make of them, on record.
TEST_CASE("third order: of replaced steps the share is what the angles need, or little more") {
  const auto cdf = [](double z) { return normal::upper_tail(-z); };
  constexpr int kAngles = 48, kSteps = 40;
  struct Row {
    double mu;
    std::array<double, 4> shares;
  };
  for (const Row& row : {Row{0.1, {0.0475882, 0.5122314, 0.9550530, 0.9998356}},
                         Row{0.2, {0.0191089, 0.2868910, 0.7498585, 0.9937126}},
                         Row{0.4, {0.0083736, 0.1655508, 0.5134172, 0.8494716}},
                         Row{0.7, {0.0066279, 0.1162445, 0.3841832, 0.7077445}},
                         Row{1, {0.1131344, 0.1918991, 0.3921033, 0.6645960}}}) {
    for (std::size_t e = 0; e < row.shares.size(); ++e) {
      const double mu = row.mu, epsilon = std::array{0.001, 0.05, 0.2, 0.5}[e];
      const double a = std::exp(epsilon), most = 4 * mu * mu;
      const auto square = [&](double x, double y, double covariance) {
        return 0.5 * (std::exp(x) - 2 * a * std::exp(covariance) + a * a * std::exp(y));
      };
      const auto above = [&](double x, double y, double covariance) {
        const double d = std::sqrt(x + y - 2 * covariance), h = (0.5 * (x - y) - epsilon) / d;
        return 0.5 * (std::exp(x) * cdf(h + d) - 2 * a * std::exp(covariance) * cdf(h) +
                      a * a * std::exp(y) * cdf(h - d));
      };
      double least = 0;
      for (int j = 1; j <= kAngles; ++j) {
        for (int l = 0; l <= j; ++l) {
          const double b = 0.5 * kPi * j / kAngles, c = 0.5 * kPi * l / kAngles;
          const double x = most * std::cos(c) * std::cos(c), y = most * std::sin(b) * std::sin(b);
          const double end = 0.5 * (x + y - most);
          const double rise = 0.5 * most * std::sin(b - c) * std::sin(b - c), step = rise / kSteps;
          double fall = 0;
          for (int i = 0; i < kSteps; ++i) {
            const double at = end + (i + 0.5) * step;
            const double h = (0.5 * (x - y) - epsilon) / std::sqrt(x + y - 2 * at);
            fall += std::exp(at) * cdf(h) * step;
          }
          const double lack = square(x, y, end) - square(most, 0, 0) - a * fall;
          const double gain = above(most, 0, 0) - above(x, y, end + rise);
          if (lack > 0) least = std::max(least, lack / (lack + gain));
        }
      }
      const double share = shuffle::third_order({mu, mu, -mu}, a).share;
      INFO(mu << " " << epsilon << " " << least << " " << share);
      CHECK(share >= least * (1 - 1e-3));
      CHECK(share == doctest::Approx(row.shares[e]).epsilon(2e-5));
    }
  }
}

TEST_CASE("third order: of zeroed records the share is that of both ends, by sums over the noise") {
  for (const double mu : {0.3, 0.6, 0.9}) {
    for (const double epsilon : {0.02, 0.3, 0.9}) {
      const double a = std::exp(epsilon);
      for (const RecordKind kind : {RecordKind::remove, RecordKind::add}) {
        const Vector shown{mu, 0, 0}, nothing{};
        const auto square_of = [&](double m, bool above) {
          const Shifts shifts{kind == RecordKind::remove ? shown : nothing,
                              kind == RecordKind::add ? Vector{-mu, 0, 0} : nothing,
                              {m, 0, 0}};
          return mean_of(shifts, a, [above](double v) { return above && v < 0 ? 0 : v * v; });
        };
        const double lack = square_of(mu, false) - square_of(-mu, false);
        const double gain = square_of(-mu, true) - square_of(mu, true);
        const double share = shuffle::third_order(shown_of(kind, mu), a).share;
        INFO(mu << " " << epsilon << " " << lack << " " << gain << " " << share);
        CHECK(share == doctest::Approx(lack > 0 ? lack / (lack + gain) : 0).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("third order: calls cost what the first end's do, puts what both ends' do, in shares") {
  // E max(0, side V - strike), V = (X_with - a X_without) / X_m under N(m)
  const auto price_of = [](const shuffle::Shown& shown, double a, double m, double side,
                           double strike) {
    constexpr double kStep = 2e-3, kEnd = 8.5;
    const double p = shown.with - m, q = shown.without - m;
    double sum = 0;
    for (double z = -kEnd; z <= kEnd; z += kStep) {
      const double v = std::exp(p * z - 0.5 * p * p) - a * std::exp(q * z - 0.5 * q * q);
      sum += std::max(0.0, side * v - strike) * normal::pdf(z) * kStep;
    }
    return sum;
  };
  for (const RecordKind kind : {RecordKind::remove, RecordKind::add, RecordKind::replaced}) {
    for (const double mu : {0.3, 0.9}) {
      const double a = 1.3;
      const shuffle::Shown shown = shown_of(kind, mu);
      // Any share, not the one that is needed.
      const shuffle::GridLaw law = shuffle::third_order_law(shown, a, {0.3, 1}, 1e-7);
      for (const double part : {0.1, 0.3, 0.5, 0.7, 0.95}) {
        const double value =
            law.values[static_cast<std::size_t>(part * static_cast<double>(law.values.size() - 1))];
        const double side = value < 0 ? -1 : 1, strike = std::abs(value);
        const double first = price_of(shown, a, -mu, side, strike);
        const double price =
            value < 0 ? std::lerp(first, price_of(shown, a, mu, side, strike), 0.3) : first;
        INFO(static_cast<int>(kind) << " " << mu << " " << value);
        CHECK(mean_of(law, [&](double s) { return std::max(0.0, side * s - strike); }) ==
              doctest::Approx(price).epsilon(2e-4));
      }
    }
  }
}

// The puts of the other end alone decide, and much of what calls cost lies beyond the cut.
TEST_CASE("third order: a step that is cut is worth no more than the law, wherever it is cut") {
  const double mu = 1, a = 0.5 * (1 + std::exp(2.0));
  const shuffle::Shown shown{mu, mu, 0};
  const Shifts first{{mu, 0, 0}, {}, {-mu, 0, 0}}, second{{mu, 0, 0}, {}, {mu, 0, 0}};
  for (const double negligible : {1e-6, 1e-4, 3e-3, 3e-2}) {
    const shuffle::GridLaw law =
        shuffle::third_order_law(shown, a, shuffle::third_order(shown, a), negligible);
    const double end = law.values[law.values.size() - 2];
    // What lies beyond the cut is charged, of the step that has most there.
    CHECK(mean_of(first, a, [&](double s) { return std::max(0.0, s - end); }) <= 1.02 * law.beyond);
    for (const double t : {-1.0, -10.0, -84.0, -400.0}) {
      const auto f = [&](double s) { return bend_at(t)(std::min(s, end)); };
      INFO(negligible << " " << t);
      CHECK(mean_of(second, a, f) <= mean_of(law, bend_at(t)) * (1 + 1e-9));
    }
  }
}

TEST_CASE("third order: a law of mass 1 and of a step's mean, also of extreme steps") {
  for (const RecordKind kind : {RecordKind::remove, RecordKind::add, RecordKind::replaced}) {
    for (const double mu : {1e-22, 1e-3, 0.5, 1.0, 2.0, 4.0}) {
      for (const double a : {1.0, std::exp(1e-6), 1.3, 4.0, std::exp(20.0)}) {
        for (const double negligible : {1e-25, 1e-9, 0.05}) {
          const shuffle::Shown shown = shown_of(kind, mu);
          const shuffle::ThirdOrder order = shuffle::third_order(shown, a);
          const double share = order.share;
          const shuffle::GridLaw law = shuffle::third_order_law(shown, a, order, negligible);
          double total = 0, mean = 0;
          bool valid = true;
          for (std::size_t i = 0; i < law.values.size(); ++i) {
            total += law.masses[i];
            mean += law.masses[i] * law.values[i];
            valid = valid && law.masses[i] >= 0 && std::isfinite(law.values[i]);
          }
          INFO(mu << " " << a << " " << negligible << " " << share << " " << total << " " << mean);
          CHECK(valid);
          CHECK(share >= 0);
          CHECK(share <= 1);
          CHECK(total >= 1 - 1e-10);
          CHECK(mean + law.beyond >= (1 - a) * (1 + 1e-9));
          CHECK(law.values.size() < 3000);
        }
      }
    }
  }
}

}  // namespace honest_epsilon
