#include "core/contour/quiet_bins.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/contour/bins_moments.h"
#include "core/contour/inversion.h"
#include "core/math/complex_functions.h"
#include "core/math/constants.h"
#include "core/pairs/gaussian.h"
#include "core/samplers/balls_and_bins.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::BinsMoments;
using contour::Inversion;
using contour::LogMoment;
using contour::QuietBins;

/// log E U^w of two bins: W is e^{-mu^2/4} cosh(mu d / sqrt(2)), d a standard Gaussian, and the
/// trapezoid rule is as good as exact.
Complex two_bins(double mu, Complex w) {
  Complex sum = 0;
  constexpr double kStep = 0.05, kFarthest = 14;
  for (double d = -kFarthest; d <= kFarthest; d += kStep) {
    const double half = std::sinh(0.5 * mu * d / std::sqrt(2.0));
    const double log_w = std::log1p(2 * half * half) - 0.25 * mu * mu;
    sum += kStep / kSqrtTwoPi * std::exp(w * log_w - 0.5 * d * d);
  }
  return std::log(sum) + 0.25 * mu * mu * w * (w - 1.0);
}

/// log E U^n for n = 0, 1, ..., most: n! times coefficients of (sum_j E X^j x^j / (T^j j!))^T,
/// whose constant term is 1.
std::vector<double> whole_moments(double bins, double mu, std::size_t most) {
  std::vector<double> a{1}, b{1}, logs{0};
  for (std::size_t m = 1; m <= most; ++m) {
    const auto order = static_cast<double>(m);
    a.push_back(std::exp(0.5 * mu * mu * order * (order - 1) - std::lgamma(order + 1) -
                         order * std::log(bins)));
    double sum = 0;
    for (std::size_t j = 1; j <= m; ++j)
      sum += (static_cast<double>(j) * (bins + 1) - order) / order * a[j] * b[m - j];
    b.push_back(sum);
    logs.push_back(std::log(sum) + std::lgamma(order + 1));
  }
  return logs;
}

bool within(const LogMoment& at, Complex truth, double slack) {
  return std::abs(at.value - truth) <= at.error * (1 + 1e-9) + slack;
}

}  // namespace

TEST_CASE("quiet bins: errors hold against sums over two bins") {
  int sharp = 0;
  for (const double mu : {0.3, 0.1, 0.03, 0.01, 1e-3}) {
    const QuietBins bins(2, mu);
    for (const double re : {-8.0, -1.0, -0.2, 0.4, 1.5, 2.5, 7.0, 40.0, -40.0}) {
      for (const double im : {0.0, 0.5, 3.0, 20.0, 90.0}) {
        const Complex w{re, im};
        const LogMoment at = bins.log_moment(w);
        INFO(mu << " w=" << re << "+" << im << "i error=" << at.error);
        CHECK(within(at, two_bins(mu, w), 1e-14));
        sharp += at.error < 1e-3 * mu * mu * std::norm(w) ? 1 : 0;
      }
    }
  }
  CHECK(sharp > 100);
}

TEST_CASE("quiet bins: errors hold against whole moments of any number of bins") {
  int sharp = 0;
  for (const double t : {2.0, 3.0, 29.0, 1e3, 1e5}) {
    for (const double mu : {0.2, 0.05, 0.01, 2e-3}) {
      const QuietBins bins(t, mu);
      const std::vector<double> truth = whole_moments(t, mu, 12);
      for (std::size_t n = 0; n < truth.size(); ++n) {
        const LogMoment at = bins.log_moment(static_cast<double>(n));
        INFO(t << " bins, mu=" << mu << " n=" << n << " error=" << at.error);
        CHECK(within(at, truth[n], 2e-13));
        sharp += at.error < 0.02 * truth[n] ? 1 : 0;
      }
    }
  }
  CHECK(sharp > 100);
}

TEST_CASE("quiet bins: moments at 0, 1, 2 and 3 are known") {
  for (const double t : {2.0, 29.0, 1e4}) {
    const QuietBins bins(t, 0.01);
    const std::vector<double> truth = whole_moments(t, 0.01, 3);
    for (const std::size_t n : {0U, 1U, 2U, 3U}) {
      const LogMoment at = bins.log_moment(static_cast<double>(n));
      CHECK(at.value.real() == doctest::Approx(truth[n]).epsilon(1e-9));
    }
  }
}

TEST_CASE("quiet bins: delta holds a sum over two bins, however much noise there is") {
  for (const double sigma : {150.0, 400.0, 1e3, 1e4, 1e6}) {
    for (const double x : {0.0, 1.0, 3.0, 5.0, 8.0}) {
      const double shift = 1 / (sigma * std::sqrt(2.0)), epsilon = x * shift;
      // Given W, what is left is a Gaussian pair, whose delta rounds by units of its loss.
      double remove = 0, add = 0;
      constexpr double kStep = 0.05, kFarthest = 14;
      for (double d = -kFarthest; d <= kFarthest; d += kStep) {
        const double half = std::sinh(0.5 * d * shift);
        const double log_w = std::log1p(2 * half * half) - 0.5 * shift * shift;
        const double weight = kStep / kSqrtTwoPi * std::exp(-0.5 * d * d);
        const auto given = [&](double at) {
          const double delta = gaussian::delta(shift, std::abs(at)).upper;
          return at < 0 ? std::exp(at) * delta - std::expm1(at) : delta;
        };
        remove += weight * std::exp(log_w) * given(epsilon - log_w);
        add += weight * given(epsilon + log_w);
      }
      const Finding found =
          balls_and_bins::delta(testing::epochs_run(sigma, 2), epsilon, testing::kEffort);
      INFO("sigma=" << sigma << " x=" << x);
      for (const auto& side :
           {std::pair{found.directions.remove, remove}, std::pair{found.directions.add, add}}) {
        INFO(testing::show(side.first));
        CHECK(testing::contains(side.first, side.second, 1e-10 + 1e-13 * sigma));
        CHECK(testing::is_narrow(side.first, 1e-3));
      }
    }
  }
}

TEST_CASE(
    "quiet bins: with ever more noise an epoch is a Gaussian pair of sqrt(T) times the noise") {
  for (const double t : {2.0, 29.0, 1e3, 1e5}) {
    for (const double epochs : {1.0, 6.0}) {
      for (const double sigma : {std::min(1e6, 1e3 * std::sqrt(t)), 1e6}) {
        const double shift = std::sqrt(epochs / t) / sigma;
        for (const double x : {1.0, 8.0}) {
          const double epsilon = x * shift;
          const Interval limit = gaussian::delta(shift, epsilon);
          const Finding found = balls_and_bins::delta(testing::epochs_run(sigma, t, epochs),
                                                      epsilon, testing::kEffort);
          INFO(t << " bins, " << epochs << " epochs, sigma=" << sigma << " x=" << x);
          for (const Interval& interval : {found.directions.remove, found.directions.add}) {
            // W only spreads the loss, as delta is convex in it.
            CHECK(interval.upper >= limit.lower);
            CHECK(interval.upper <= limit.upper * 1.001);
            CHECK(interval.lower >= limit.upper * 0.999);
          }
        }
      }
    }
  }
}

}  // namespace honest_epsilon
