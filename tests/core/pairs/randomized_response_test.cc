#include "core/pairs/randomized_response.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/interval.h"
#include "core/pairs/one_step.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon::randomized_response {
namespace {
using testing::show;

// keep = 3/4: epsilon0 = log 3, against the fair coin that sampling with 1/2 makes.
const double kEpsilon0 = std::log(3.0);

// By products: a platform's powl may be no better than its pow.
long double power(long double base, int exponent) {
  long double result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

// The definition, term by term, in long double: the law of the number of ones by convolution.
long double by_definition(double q, double epsilon0, int steps, Direction direction,
                          double epsilon) {
  const long double keep = 1 / (1 + std::exp(-static_cast<long double>(epsilon0)));
  const long double one_q = 1 - keep;
  const long double one_p = (1 - q) * one_q + q * keep;
  long double total = 0;
  long double p = power(1 - one_p, steps);
  long double r = power(1 - one_q, steps);
  for (int n = 0; n <= steps; ++n) {
    const long double gain = direction == Direction::remove
                                 ? p - std::exp(static_cast<long double>(epsilon)) * r
                                 : r - std::exp(static_cast<long double>(epsilon)) * p;
    if (gain > 0) total += gain;
    p *= (steps - n) * one_p / ((n + 1) * (1 - one_p));
    r *= (steps - n) * one_q / ((n + 1) * (1 - one_q));
  }
  return total;
}

}  // namespace

TEST_CASE("randomised response: the exact rationals, to 14 digits") {
  for (const auto& row : testing::reference_table("randomized_response")) {
    const double epsilon = std::log(row.number("exp_epsilon"));
    for (const int steps : {1, 2}) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const std::string column = std::string(steps == 1 ? "one_" : "two_") +
                                   (direction == Direction::remove ? "remove" : "add");
        const double exact = row.number(column);
        const Interval found = delta(0.5, kEpsilon0, steps, direction, epsilon);
        INFO(row.describe() << column << " " << show(found));
        // log of a rational is a rounded input: it may shift the value by its own unit.
        CHECK(testing::contains(found, exact, 1e-15));
        CHECK(std::abs(found.upper - exact) <= 2e-14);
        CHECK(std::abs(found.lower - exact) <= 2e-14);
      }
    }
  }
}

TEST_CASE("randomised response: the profile of many steps is the sum it is defined as") {
  for (const int steps : {3, 33, 200, 5000}) {
    for (const double q : {0.02, 0.6, 1.0}) {
      for (const double epsilon0 : {0.05, 1.0}) {
        for (const double epsilon : {0.0, 0.1, 1.3}) {
          for (const Direction direction : {Direction::remove, Direction::add}) {
            const auto exact =
                static_cast<double>(by_definition(q, epsilon0, steps, direction, epsilon));
            const Interval found = delta(q, epsilon0, steps, direction, epsilon);
            INFO("steps=" << steps << " q=" << q << " eps0=" << epsilon0 << " eps=" << epsilon
                          << " exact=" << exact << " " << show(found));
            // The definition's differences cancel far out.
            CHECK(testing::contains(found, exact, exact > 1e-6 ? 1e-13 : 1e-9));
            if (exact > 1e-12) CHECK(testing::is_narrow(found, 1e-9, 1e-300));
          }
        }
      }
    }
  }
}

TEST_CASE("randomised response: ten million steps stay certified and narrow") {
  for (const double epsilon : {0.0, 0.5, 3.0}) {
    const Interval found = delta(1e-3, 1, 10000000, Direction::remove, epsilon);
    INFO(show(found));
    CHECK(testing::is_valid(found, 1));
    CHECK(testing::is_narrow(found, 1e-8));
    // The Gaussian limit: mu^2 = steps times chi^2, here 1.0e7 * 1e-6 * (e - 2 + 1/e).
    const double mu = std::sqrt(10 * 1.0861612696304876);
    const double limit =
        0.5 * std::erfc((epsilon / mu - mu / 2) / std::sqrt(2.0)) -
        std::exp(epsilon) * 0.5 * std::erfc((epsilon / mu + mu / 2) / std::sqrt(2.0));
    CHECK(found.upper == doctest::Approx(limit).epsilon(5e-3));
  }
}

TEST_CASE("randomised response: extremes give valid intervals") {
  for (const double q : {1e-9, 0.5, 1.0}) {
    for (const double epsilon0 : {1e-6, 20.0, 700.0}) {
      for (const std::int64_t steps : {1, 40, 10000000}) {
        for (const double epsilon : {0.0, 1.0, 650.0, 1e5}) {
          for (const Direction direction : {Direction::remove, Direction::add}) {
            const Interval found = delta(q, epsilon0, steps, direction, epsilon);
            INFO("q=" << q << " eps0=" << epsilon0 << " steps=" << steps << " eps=" << epsilon
                      << " " << show(found));
            CHECK(testing::is_valid(found, 1));
          }
        }
      }
    }
  }
  // With q = 1 and one step: delta = keep - e^eps (1 - keep).
  const Interval one = delta(1, 2, 1, Direction::add, 1);
  CHECK(testing::contains(one, (1 - std::exp(-1.0)) / (1 + std::exp(-2.0)), 1e-15));
}

TEST_CASE("randomised response: sums end where terms meet the smallest doubles") {
  // A denormal times 0.9999 is itself: by ratios alone such a sum would take 1e8 terms.
  constexpr double kNothing = 1e-298;
  for (const std::int64_t steps : {std::int64_t{100'000'000}, std::int64_t{400'000'000}}) {
    double last = 1;
    for (double epsilon = 5000; epsilon < 12000; epsilon += 2) {
      const Interval value = delta(0.5, 1.0 / 145, steps, Direction::remove, epsilon);
      INFO(steps << " " << epsilon << " " << show(value));
      CHECK(value.lower <= value.upper);
      // Every term may have underflowed by kTiny.
      CHECK(value.upper <= last * (1 + 1e-6) + kNothing);
      last = value.upper;
    }
    CHECK(last <= kNothing);
  }
}

TEST_CASE("randomised response: the pair is the two answers") {
  const pairs::RandomizedResponse pair(0.5, kEpsilon0);
  const pairs::Cell zero = pair.cell(-kInfinity, 0), one = pair.cell(0, kInfinity);
  CHECK(zero.q.value == doctest::Approx(0.75).epsilon(1e-15));
  CHECK(zero.p.value == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(one.loss == doctest::Approx(std::log(2.0)).epsilon(1e-15));
  CHECK(pair.cell(0.25, 0.5).p.value == doctest::Approx(0.125).epsilon(1e-15));
  CHECK(pair.position(0.1) == 0);
  CHECK(pair.position(-1) == -kInfinity);
  CHECK(pair.position(1) == kInfinity);
  for (const double epsilon : {0.0, 0.1, 0.5}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Interval closed = delta(0.5, kEpsilon0, 1, direction, epsilon);
      const Interval cells = pairs::one_step(pair, direction, epsilon);
      CHECK(testing::overlap(closed, cells));
      CHECK(testing::is_narrow(cells, 1e-12, 1e-299));
    }
  }
}

}  // namespace honest_epsilon::randomized_response
