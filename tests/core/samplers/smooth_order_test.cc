#include "core/samplers/smooth_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/samplers/shuffle.h"
#include "core/samplers/swaps.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {
using testing::kEffort;
using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector less(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// One of the smooth functions, (s + Y)+ on average, Y of Laplace's law of this rate: f'' is
/// largest at 0.
double smooth(double s, double rate) {
  return std::max(0.0, s) + 0.5 * std::exp(-rate * std::abs(s)) / rate;
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

/// E (X - a Y - c)+, X and Y lognormal of mean 1, by sums over the noise of ln Y.
///   x, y, covariance: of ln X and ln Y
double exact_call(double x, double y, double covariance, double a, double c) {
  const double along = y > 0 ? covariance / std::sqrt(y) : 0;
  const double own = std::sqrt(std::max(0.0, x - along * along));
  constexpr double kStep = 0.02, kEnd = 8.5;
  double sum = 0;
  for (double t = -kEnd; t <= kEnd; t += kStep) {
    const double with = std::exp(along * t - 0.5 * along * along);
    const double strike = (a * std::exp(std::sqrt(y) * t - 0.5 * y) + c) / with;
    double call = std::max(0.0, 1 - strike);
    if (own > 1e-6) {
      const double z = std::log(strike) / own + 0.5 * own;
      call = normal::upper_tail(z - own) - strike * normal::upper_tail(z);
    }
    sum += normal::pdf(t) * kStep * with * call;
  }
  return sum;
}

template <class Function>
double mean_of(const shuffle::GridLaw& law, Function f) {
  double sum = law.beyond;
  for (std::size_t i = 0; i < law.values.size(); ++i) sum += law.masses[i] * f(law.values[i]);
  return sum;
}

/// On a circle: u and m at these angles, v at a third.
Shifts on_circle(double mu, double u, double v, double m) {
  const auto at = [mu](double angle) {
    return Vector{mu * std::cos(angle), mu * std::sin(angle), 0};
  };
  return {at(u), at(v), at(m)};
}

}  // namespace

TEST_CASE("smooth order: no step is worth more to a smooth function, wherever gradients point") {
  std::mt19937_64 random(20261129);
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<double> normal;
  const int rounds = testing::rounds(72);
  double closest = 0;
  for (int i = 0; i < rounds; ++i) {
    const double mu = 0.15 + unit(random), a = std::exp(1.2 * unit(random) * unit(random));
    const auto anywhere = [&] {
      const Vector v{normal(random), normal(random), normal(random)};
      const double size = mu * (i % 2 == 0 ? 1 : unit(random)) / std::sqrt(dot(v, v));
      return Vector{size * v[0], size * v[1], size * v[2]};
    };
    // Both ends, opposite u and v, m on the far side of both, and any.
    const double half = 0.5 * kPi * unit(random);
    const std::vector<Shifts> all = {on_circle(mu, 0, kPi, kPi),
                                     on_circle(mu, 0, kPi, 0),
                                     on_circle(mu, 0, kPi, kPi * unit(random)),
                                     on_circle(mu, half, -half, kPi + half * (unit(random) - 0.5)),
                                     {anywhere(), anywhere(), anywhere()},
                                     {anywhere(), anywhere(), anywhere()}};
    const double kappa = 0.02 * std::exp(4 * unit(random));
    const shuffle::GridLaw law = shuffle::SmoothOrder(mu).law(a, kappa, 1e-7);
    for (const double centre : {0.0, 3 * normal(random), -1 / kappa, 1 / kappa}) {
      for (const double rate : {kappa, 0.5 * kappa}) {
        const auto f = [&](double s) { return smooth(s - centre, rate); };
        const double bound = mean_of(law, f);
        double most = 0;
        for (std::size_t k = 0; k < all.size(); ++k) {
          const double mean = mean_of(all[k], a, f);
          INFO(i << " " << mu << " " << a << " " << kappa << " " << centre << " " << rate << " "
                 << k << " " << mean << " " << bound);
          CHECK(mean <= bound * (1 + 1e-9) + 1e-9);
          most = std::max(most, mean - f(1 - a));
        }
        closest = std::max(closest, most / (bound - f(1 - a)));
      }
    }
  }
  CHECK(closest > 0.95);
}

// A payoff with a kink may be worth more to one step than to the law: it is what the law leaves
// out. Kinks on either side of 0, weighed as far apart as f'' may be there, are not.
TEST_CASE("smooth order: kinks on both sides, weighed either way, are worth no more to any step") {
  std::mt19937_64 random(20261201);
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = testing::rounds(240);
  // What the dearest step makes of it, and what the law does: by the weight of the other side.
  std::array<double, 2> most{}, bounds{};
  for (int i = 0; i < rounds; ++i) {
    const double mu = 0.1 + 1.4 * unit(random) * unit(random);
    const double a = std::exp(1.5 * unit(random) * unit(random));
    const double kappa = 0.05 * std::exp(4 * unit(random)) / (a * mu);
    const shuffle::GridLaw law = shuffle::SmoothOrder(mu).law(a, kappa, 1e-9);
    // Angles of u and v from m: both ends, opposite u and v, and any.
    const double any = kPi * unit(random);
    std::vector<std::pair<double, double>> angles = {{kPi, 0}, {0, kPi}, {any, kPi * unit(random)}};
    for (const double part : {0.2, 0.4, 0.6, 0.8}) {
      const double r = kPi * (part + 0.2 * (unit(random) - 0.5));
      angles.emplace_back(r, kPi + r);
    }
    for (const double part : {0.02, 0.3, 0.8, 1.5, 3.0}) {
      const double c = part * a * mu, rest = std::exp(-2 * kappa * c);
      const auto worth_at = [&](double strike) {
        return mean_of(law, [&](double s) { return std::max(0.0, s - strike); });
      };
      const double above = worth_at(c), below = worth_at(-c), sure = std::max(0.0, 1 - a + c);
      const std::array<double, 2> bound = {above + rest * (below - sure),
                                           below - sure + rest * above};
      std::array<double, 2> dearest{};
      for (const auto& angle : angles) {
        const double u = angle.first, v = angle.second;
        const double x = mu * mu * (2 - 2 * std::cos(u)), y = mu * mu * (2 - 2 * std::cos(v));
        const double both = mu * mu * (1 + std::cos(u - v) - std::cos(u) - std::cos(v));
        const double call = exact_call(x, y, both, a, c);
        // (s + c)+ is the put and s + c.
        const double other = a * exact_call(y, x, both, 1 / a, c / a) + 1 - a + c - sure;
        const std::array<double, 2> worth = {call + rest * other, other + rest * call};
        for (std::size_t k = 0; k < worth.size(); ++k) {
          INFO(i << " " << mu << " " << a << " " << kappa << " " << c << " " << u << " " << v
                 << ", weighed " << k << ": " << worth[k] << " " << bound[k]);
          CHECK(worth[k] <= bound[k] * (1 + 1e-6) + 1e-7);
          dearest[k] = std::max(dearest[k], worth[k]);
        }
      }
      for (std::size_t k = 0; k < most.size(); ++k) {
        most[k] += dearest[k];
        bounds[k] += bound[k];
      }
    }
  }
  CAPTURE(bounds[0] / most[0]);
  CAPTURE(bounds[1] / most[1]);
  CHECK(bounds[0] < 1.13 * most[0]);
  CHECK(bounds[1] < 1.08 * most[1]);
}

TEST_CASE("smooth order: a spread costs no less than sums over the noise, and hardly more") {
  std::mt19937_64 random(20261130);
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = testing::rounds(1800);
  double total = 0, total_bound = 0;
  for (int i = 0; i < rounds; ++i) {
    // What is left of X beside Y may be little, and a below 1: so are puts asked.
    const double x = i % 7 == 0 ? 0 : 1.5 * unit(random), y = i % 5 == 0 ? 0 : 1.5 * unit(random);
    const double covariance =
        std::sqrt(x * y) * (i % 3 == 0 ? 0 : 1 - std::pow(unit(random), 1 + i % 4));
    const double a = std::exp(2 * unit(random) - 1), c = i % 4 == 0 ? 0 : 2 * unit(random);
    const double exact = exact_call(x, y, covariance, a, c);
    const double bound = shuffle::spread_call(x, y, covariance, a, c);
    INFO(i << " " << x << " " << y << " " << covariance << " " << a << " " << c << " " << exact
           << " " << bound);
    CHECK(bound >= exact * (1 - 1e-6) - 1e-7);
    CHECK(bound <= exact + 0.05);
    total += exact;
    total_bound += bound;
  }
  CHECK(total_bound < 1.06 * total);
}

TEST_CASE("smooth order: a law of mass 1, of a step's mean, and narrower than any payoff needs") {
  for (const double mu : {0.1, 0.5, 1.0, 2.0}) {
    const shuffle::SmoothOrder order(mu);
    for (const double a : {1.0, 1.02, 1.3, 4.0}) {
      for (const double kappa : {1e-3, 0.05, 0.5, 20.0}) {
        const shuffle::GridLaw law = order.law(a, kappa, 1e-9);
        const shuffle::GridLaw any = shuffle::swap_law({mu, mu, -mu}, a, shuffle::kWholeStep, 1e-9);
        double total = 0, mean = 0;
        for (std::size_t i = 0; i < law.values.size(); ++i) {
          total += law.masses[i];
          mean += law.masses[i] * law.values[i];
          CHECK(law.masses[i] >= 0);
        }
        INFO(mu << " " << a << " " << kappa << " " << total << " " << mean);
        CHECK(total == doctest::Approx(1).epsilon(1e-10));
        CHECK(mean >= 1 - a - 1e-9);
        CHECK(mean <= 1 - a + 1e-3);
        CHECK(law.beyond < 1e-6);
        if (kappa < 0.1 && a < 1.1 && mu == 0.5)
          CHECK(shuffle::deviation_of(law) <= shuffle::deviation_of(any) * 0.95);
      }
    }
  }
}

TEST_CASE("smooth order: laws of extreme steps are laws") {
  struct Row {
    double mu, a, kappa, negligible;
  };
  // Where probabilities add up to more than 1, where calls and puts weigh alike, where strikes have
  // no end.
  for (const Row& row : {Row{0.028490702817025725, std::exp(0.74297994719735216),
                             1.3634650491107176, 0.05516417289050652},
                         Row{0.3, std::exp(1e-6), 1e-17, 1e-8}, Row{1e-22, 1, 1, 1e-25},
                         Row{4, std::exp(20.0), 1e-12, 1e-8}, Row{4, 1, 1e6, 1e-12}}) {
    const shuffle::GridLaw law = shuffle::SmoothOrder(row.mu).law(row.a, row.kappa, row.negligible);
    double total = 0, mean = 0;
    for (std::size_t i = 0; i < law.values.size(); ++i) {
      total += law.masses[i];
      mean += law.masses[i] * law.values[i];
      CHECK(law.masses[i] >= 0);
    }
    INFO(row.mu << " " << row.a << " " << row.kappa << " " << total << " " << mean);
    CHECK(total >= 1 - 1e-10);
    CHECK(mean + law.beyond >= (1 - row.a) * (1 + 1e-9));
    CHECK(law.values.size() < 3000);
  }
}

}  // namespace honest_epsilon
