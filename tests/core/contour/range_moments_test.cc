#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <memory>

#include "core/contour/even_moments.h"
#include "core/contour/gaussian_moments.h"
#include "core/contour/inversion.h"
#include "core/pairs/gaussian.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::RangeMoments;

/// The mean of a function of a loss under P, by Simpson's rule over the density e^{t/2} / (4
/// sinh(range / 2)).
template <class Function>
auto mean_of(double range, Function f) {
  constexpr int kPanels = 4000;
  const double step = 2 * range / kPanels, scale = 1 / (4 * std::sinh(0.5 * range));
  auto sum = 0.0 * f(range);
  for (int i = 0; i <= kPanels; ++i) {
    const double t = step * i - range, weight = i % kPanels == 0 ? 1 : i % 2 == 0 ? 2 : 4;
    sum += weight * scale * std::exp(0.5 * t) * f(t);
  }
  return sum * (step / 3);
}

}  // namespace

TEST_CASE("range moments: the density's curve is the largest delta of all pairs of losses") {
  for (const double range : {0.05, 0.8, 5.0}) {
    for (const double share : {-0.6, 0.0, 0.4, 0.99}) {
      const double epsilon = share * range;
      const double found =
          mean_of(range, [&](double t) { return std::max(0.0, -std::expm1(epsilon - t)); });
      const double root = std::expm1(0.5 * (epsilon - range));
      CAPTURE(range);
      CHECK(found == doctest::Approx(root * root / -std::expm1(-range)).epsilon(1e-5));
    }
    const double variation = RangeMoments(range).total_variation();
    CHECK(variation == doctest::Approx(mean_of(range, [](double t) {
                         return std::max(0.0, -std::expm1(-t));
                       })).epsilon(1e-5));
    CHECK(RangeMoments(range).largest_loss(Direction::add) == range);
  }
}

TEST_CASE("range moments: errors hold against integrals, and bounds above them") {
  int sharp = 0;
  for (const double range : {1e-6, 0.1, 1.0, 20.0}) {
    const RangeMoments moments(range);
    for (const double x : {-0.9, -0.5, -0.1, 0.5, 2.0}) {
      const auto column = moments.column(Direction::remove, x, -40);
      double before = kInfinity;
      // The last but one is where K is 0 at x = -1/2.
      for (const double turn : {0.0, 0.3, 0.9, 1.0, 2.4, 3.14159265358979, 9.7}) {
        const double y = turn / range;
        const std::complex<double> z{x, y};
        const std::complex<double> truth =
            mean_of(range, [&](double t) { return std::exp(z * t); });
        const auto at = column->log_moment(y);
        INFO("range=" << range << " z=" << x << "+" << y << "i");
        const double size = std::exp(at.value.real());
        const double off = std::abs(truth - std::polar(size, at.value.imag()));
        CHECK(off <= std::expm1(at.error) * size + 1e-8 * std::exp(column->log_bound_beyond(0)));
        CHECK(std::abs(truth) <= std::exp(column->log_bound_beyond(y)) * (1 + 1e-8));
        CHECK(column->log_bound_beyond(y) <= before);
        before = column->log_bound_beyond(y);
        sharp += at.error < 1e-9 ? 1 : 0;
      }
      CHECK(
          std::exp(moments.log_moment_estimate(Direction::add, x)) ==
          doctest::Approx(mean_of(range, [&](double t) { return std::exp(x * t); })).epsilon(1e-8));
      CHECK(column->log_bound_beyond(1e9) - column->log_bound_beyond(2e9) ==
            doctest::Approx(std::log(2.0)));
      CHECK(column->log_bound_beyond(kInfinity) == -kInfinity);
    }
  }
  CHECK(sharp > 130);
}

TEST_CASE("range moments: beside a Gaussian pair delta is a mixture of its deltas") {
  for (const double mu : {0.05, 1.0, 3.0}) {
    for (const double range : {0.01, 0.7, 4.0}) {
      contour::Inversion inversion({{std::make_shared<RangeMoments>(range), 1},
                                    {std::make_shared<contour::GaussianMoments>(mu * mu), 1}},
                                   Direction::add);
      for (const double epsilon : {0.0, 0.5 * range, range + mu}) {
        const auto found = inversion.delta(epsilon);
        const double truth = mean_of(range, [&](double t) {
          const double rest = epsilon - t, delta = gaussian::delta(mu, std::abs(rest)).upper;
          return rest < 0 ? -std::expm1(rest) + std::exp(rest) * delta : delta;
        });
        INFO("mu=" << mu << " range=" << range << " at " << epsilon << ": " << truth);
        REQUIRE(found);
        CHECK_MESSAGE(testing::contains(*found, truth, 1e-6), testing::show(*found));
        CHECK_MESSAGE(testing::is_narrow(*found, 1e-8), testing::show(*found));
      }
    }
  }
}

TEST_CASE("range moments: a release beside a run costs no more work than the run") {
  wire::Query query = testing::epsilon_query("poisson");
  query.phases.emplace_back(wire::Release{{}, {}, {}, {}, 0.5});
  query.phases.emplace_back(wire::Release{0.5, 1e-9, {}, {}});
  const auto answer = testing::answer_of(query);
  CHECK(answer.work.grid_points == 0);
  // The lower end is that of the response that has this range.
  query.phases[1] = wire::Release{0.25, 0.0, {}, {}};
  const auto least = testing::answer_of(query);
  CHECK(answer.epsilon.lower == doctest::Approx(least.epsilon.upper).epsilon(1e-3));
  CHECK(answer.epsilon.upper > 1.01 * least.epsilon.upper);
}

}  // namespace honest_epsilon
