#include "core/math/binomial_tail.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "core/math/binomial.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon {

TEST_CASE("binomial_tail: no lower than 40-digit values, and barely higher") {
  for (const testing::ReferenceRow& row : testing::reference_table("binomial_tail")) {
    const double found =
        binomial::upper_tail_upper(row.number("trials"), row.number("p"), row.number("k"));
    const double exact = row.number("tail");
    CHECK(found >= exact);
    CHECK(found <= exact * (1 + 1e-6));
  }
}

TEST_CASE("binomial_tail: both sides' tails are the sums of their probabilities") {
  for (const double p : {0.05078125, 0.3125, 0.75}) {
    const double trials = 39;
    double below = 0;
    for (std::int64_t k = 0; k < 39; ++k) {
      below += binomial::pmf(39, p, k).value;
      CAPTURE(k);
      const double cumulative = binomial::cumulative_upper(trials, p, static_cast<double>(k));
      CHECK(cumulative >= below * (1 - 1e-12));
      CHECK(cumulative <= below * (1 + 1e-8));
      const Interval above = binomial::upper_tail(trials, p, static_cast<double>(k));
      CHECK(above.lower <= 1 - below + 1e-12);
      CHECK(above.upper >= 1 - below - 1e-12);
      CHECK(above.upper - above.lower <= 1e-9 * above.upper);
    }
  }
}

TEST_CASE("binomial_tail: ends of the domain") {
  CHECK(binomial::upper_tail_upper(10, 0.3, 10) == 0);
  CHECK(binomial::upper_tail_upper(10, 0.3, 12) == 0);
  CHECK(binomial::upper_tail_upper(10, 0.3, -1) == 1);
  CHECK(binomial::upper_tail_upper(10, 1, 9) == 1);
  CHECK(binomial::upper_tail_upper(0, 0.5, 0) == 0);
  const double far = binomial::upper_tail_upper(1e12, 1e-6, 1.01e6);
  CHECK(far > 0);
  CHECK(far < 1e-20);
}

TEST_CASE("binomial_tail: the quantile is where the tail falls to its share") {
  for (const double trials : {1.0, 50.0, 60000.0, 1e9}) {
    for (const double tail : {0.5, 0.01, 1e-9}) {
      const double p = trials > 100 ? 1e-3 : 0.3;
      const double k = binomial::quantile_upper(trials, p, tail);
      CAPTURE(trials);
      CAPTURE(tail);
      CHECK(binomial::upper_tail_upper(trials, p, k) <= tail);
      if (k > 0) CHECK(binomial::upper_tail_upper(trials, p, k - 1) > tail);
    }
  }
}

}  // namespace honest_epsilon
