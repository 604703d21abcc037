#include "core/monte_carlo/confidence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <utility>

namespace honest_epsilon {
namespace {

using monte_carlo::Observed;

constexpr auto kAllEnds = {monte_carlo::chernoff, monte_carlo::hoeffding, monte_carlo::bernstein};

double kl(double q, double p) {
  const double first = q > 0 ? q * std::log(q / p) : 0;
  const double second = q < 1 ? (1 - q) * std::log((1 - q) / (1 - p)) : 0;
  return first + second;
}

/// A sample of zeros and ones.
Observed bits(double samples, double ones) {
  return {samples, ones / samples, ones / samples};
}

double log_binomial(double n, double k, double p) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
         (n - k) * std::log1p(-p);
}

/// The probability that `end` is on the wrong side of p, for n zeros and ones.
template <class Wrong>
double miss(double n, double p, Wrong wrong) {
  double total = 0;
  for (double ones = 0; ones <= n; ++ones) {
    if (wrong(bits(n, ones))) total += std::exp(log_binomial(n, ones, p));
  }
  return total;
}

}  // namespace

TEST_CASE("monte_carlo: Chernoff's ends solve their equation, from the safe side and barely") {
  constexpr double kError = 1e-3;
  for (const double samples : {10.0, 1e4, 1e9}) {
    for (const double mean : {1e-9, 1e-4, 0.1, 0.5, 0.999}) {
      const Observed seen{samples, mean, mean};
      const double wanted = -std::log(kError) / samples;
      const Interval ends = monte_carlo::chernoff(seen, kError);
      const double lower = ends.lower, upper = ends.upper;
      INFO("samples=" << samples << " mean=" << mean << " " << lower << " " << upper);
      CHECK(lower <= mean);
      CHECK(upper >= mean);
      // Next to the average the divergence itself is only known to 1e-16 / |p - q|.
      const double blur = 1e-15 / wanted + 1e-9;
      if (upper < 1) CHECK(kl(mean, upper) == doctest::Approx(wanted).epsilon(blur));
      if (lower > 1e-290) CHECK(kl(mean, lower) == doctest::Approx(wanted).epsilon(blur));
    }
  }
}

TEST_CASE("monte_carlo: at the ends of [0, 1] Chernoff's ends are powers") {
  for (const double samples : {1.0, 100.0, 1e6}) {
    const double root = std::pow(1e-3, 1 / samples);
    CHECK(monte_carlo::chernoff(bits(samples, 0), 1e-3).upper ==
          doctest::Approx(1 - root).epsilon(1e-9));
    CHECK(monte_carlo::chernoff(bits(samples, samples), 1e-3).lower ==
          doctest::Approx(root).epsilon(1e-9));
    CHECK(monte_carlo::chernoff(bits(samples, 0), 1e-3).lower == 0);
    CHECK(monte_carlo::chernoff(bits(samples, samples), 1e-3).upper == 1);
  }
}

TEST_CASE("monte_carlo: no samples, or no error allowed, says nothing") {
  for (const auto& [seen, error] : {std::pair{Observed{}, 1e-3}, std::pair{bits(10, 5), 0.0}}) {
    for (const auto ends : kAllEnds) {
      CHECK(ends(seen, error).lower == 0);
      CHECK(ends(seen, error).upper == 1);
    }
  }
}

// Exact, by summing over all samples of zeros and ones.
TEST_CASE("monte_carlo: every confidence end misses no more often than stated") {
  constexpr double kError = 0.02;
  for (const double n : {1.0, 20.0, 300.0}) {
    for (const double p : {0.001, 0.02, 0.3, 0.5, 0.9, 0.999}) {
      INFO("n=" << n << " p=" << p);
      for (const auto ends : kAllEnds) {
        CHECK(miss(n, p, [&](const Observed& s) { return ends(s, kError).upper < p; }) <= kError);
        CHECK(miss(n, p, [&](const Observed& s) { return ends(s, kError).lower > p; }) <= kError);
      }
    }
  }
}

TEST_CASE("monte_carlo: numbers that hardly vary have a narrow Bernstein interval") {
  const double mean = 0.3;
  const double deviation = 1e-4;
  const Observed seen{1e6, mean, mean * mean + deviation * deviation};
  const double wanted = std::log(2 / 1e-3);
  const double width = std::sqrt(2 * deviation * deviation * wanted / 1e6) + 7 * wanted / 3e6;
  CHECK(monte_carlo::bernstein(seen, 1e-3).upper - mean == doctest::Approx(width).epsilon(1e-5));
  CHECK(mean - monte_carlo::bernstein(seen, 1e-3).lower == doctest::Approx(width).epsilon(1e-5));
  CHECK(monte_carlo::chernoff(seen, 1e-3).upper - mean > 10 * width);
}

}  // namespace honest_epsilon
