#include "core/math/binomial.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/reference_table.h"

namespace honest_epsilon {

TEST_CASE("binomial: probabilities lie within their stated error") {
  for (const auto& row : testing::reference_table("binomial")) {
    INFO(row.describe());
    const auto n = static_cast<std::int64_t>(row.number("n"));
    const auto k = static_cast<std::int64_t>(row.number("k"));
    const double p = row.number("p");
    const double exact = row.number("pmf");
    const binomial::Probability found = binomial::pmf(n, p, k);
    CHECK(std::abs(found.value - exact) <= found.error + 1e-16 * exact);
    CHECK(found.error <= 1e-9 * exact + 1e-300);
    if (p != 0.5) continue;
    const binomial::Probability half = binomial::half_pmf(n, k);
    CHECK(std::abs(half.value - exact) <= half.error + 1e-16 * exact);
    CHECK(half.error <= 2e-12 * exact + 1e-300);
  }
}

TEST_CASE("binomial: upper tails add up, and end in a single term") {
  for (const std::int64_t n : {1, 2, 7, 100, 4001}) {
    CAPTURE(n);
    // By symmetry all but the middle term lies above or below it.
    const std::int64_t above = n / 2 + 1;
    const double middle = n % 2 == 0 ? binomial::half_pmf(n, n / 2).value : 0;
    const binomial::Probability tail = binomial::half_upper_tail(n, above);
    CHECK(std::abs(2 * tail.value + middle - 1) <= 2 * tail.error + 1e-12);
    CHECK(tail.error <= 1e-11);
    CHECK(binomial::half_upper_tail(n, n).value == binomial::half_pmf(n, n).value);
    CHECK(binomial::half_upper_tail(n, n + 1).value == 0);
  }
}

TEST_CASE("binomial: certain outcomes") {
  CHECK(binomial::pmf(5, 1, 5).value == 1);
  CHECK(binomial::pmf(5, 1, 4).value == 0);
  CHECK(binomial::pmf(0, 0.3, 0).value == 1);
  CHECK(binomial::half_pmf(0, 0).value == 1);
}

TEST_CASE("binomial: Chernoff's exponent bounds the tail") {
  CHECK(binomial::deviance(100, 0.5, 50) == doctest::Approx(0));
  for (const std::int64_t k : {60, 75, 99, 100}) {
    CAPTURE(k);
    const double bound = std::exp(-binomial::deviance(100, 0.5, static_cast<double>(k)));
    CHECK(binomial::half_upper_tail(100, k).value <= bound * (1 + 1e-12));
  }
}

}  // namespace honest_epsilon
