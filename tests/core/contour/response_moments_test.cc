#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <memory>

#include "core/base/interval.h"
#include "core/contour/even_moments.h"
#include "core/contour/gaussian_moments.h"
#include "core/contour/inversion.h"
#include "core/pairs/gaussian.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::GaussianMoments;
using contour::Inversion;
using contour::ResponseMoments;

/// delta of the Gaussian pair beside that many responses: their losses are known one by one.
Interval beside_responses(double mu, double local, int copies, double epsilon) {
  Interval sum{0, 0};
  for (int up = 0; up <= copies; ++up) {
    const double log_share = std::lgamma(copies + 1.0) - std::lgamma(up + 1.0) -
                             std::lgamma(copies - up + 1.0) + up * local -
                             copies * std::log1p(std::exp(local));
    const double share = std::exp(log_share), rest = epsilon - (2 * up - copies) * local;
    Interval delta = gaussian::delta(mu, std::abs(rest));
    if (rest < 0) {
      const double sure = -std::expm1(rest), k = std::exp(rest);
      delta = {sure + k * delta.lower, sure + k * delta.upper};
    }
    sum = {sum.lower + share * delta.lower, sum.upper + share * delta.upper};
  }
  return sum;
}

}  // namespace

TEST_CASE("response moments: errors hold against the sum of two terms, and bounds above it") {
  int sharp = 0;
  for (const double epsilon : {1e-6, 0.1, 1.0, 20.0, 300.0}) {
    const ResponseMoments moments(epsilon);
    const double p = 1 / (1 + std::exp(-epsilon)), rest = 1 / (1 + std::exp(epsilon));
    for (const double x : {-0.9, -0.5, -0.1, 0.5, 2.0}) {
      const auto column = moments.column(Direction::remove, x, -40);
      for (const double y : {0.0, 0.3, 1.0, 7.0, 0.5 * 3.14159265358979 / epsilon}) {
        const std::complex<double> z{x, y};
        const std::complex<double> truth =
            p * std::exp(z * epsilon) + rest * std::exp(-z * epsilon);
        const auto at = column->log_moment(y);
        INFO("epsilon=" << epsilon << " z=" << x << "+" << y << "i");
        const double size = std::exp(at.value.real());
        const double off = std::abs(truth - std::polar(size, at.value.imag()));
        // The two terms round, too, and cancel.
        CHECK(off <= std::expm1(at.error) * size + 1e-12 * (1 + epsilon * std::abs(z)));
        CHECK(std::abs(truth) <= std::exp(column->log_bound_beyond(y)) * (1 + 1e-12));
        sharp += at.error < 1e-9 ? 1 : 0;
      }
    }
  }
  CHECK(sharp > 90);
}

TEST_CASE("response moments: beside a Gaussian pair delta is a mixture of its deltas") {
  for (const double mu : {0.05, 1.0, 3.0}) {
    for (const double local : {0.01, 0.7, 4.0}) {
      for (const int copies : {1, 3}) {
        for (const Direction direction : {Direction::remove, Direction::add}) {
          Inversion inversion(
              {{std::make_shared<ResponseMoments>(local), static_cast<double>(copies)},
               {std::make_shared<GaussianMoments>(mu * mu), 1}},
              direction);
          for (const double epsilon : {0.0, 0.5 * local * copies, local * copies + mu}) {
            const auto found = inversion.delta(epsilon);
            const Interval truth = beside_responses(mu, local, copies, epsilon);
            INFO("mu=" << mu << " " << copies << " of " << local << " at " << epsilon);
            REQUIRE(found);
            CHECK_MESSAGE(testing::overlap(*found, truth), testing::show(*found),
                          testing::show(truth));
            CHECK_MESSAGE(testing::is_narrow(*found, 1e-8), testing::show(*found));
          }
        }
      }
    }
  }
}

TEST_CASE("response moments: a release beside a run comes with nine digits") {
  wire::Query query = testing::epsilon_query("poisson");
  query.phases.emplace_back(wire::Release{0.5, 1e-9, {}, {}});
  query.width = 1e-9;
  const auto answer = testing::answer_of(query);
  CHECK(testing::is_narrow(answer.epsilon, 1e-9));
}

}  // namespace honest_epsilon
