#include "core/tradeoff/imbalance.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/math/binomial.h"
#include "tests/core/support.h"

namespace honest_epsilon {

using tradeoff::Above;
using tradeoff::Imbalance;

namespace {

/// Term by term, in long double.
Above direct(const Imbalance& law, double r) {
  long double call = 0;
  long double tail = 0;
  for (std::int64_t m = 1; m <= law.users; ++m) {
    const long double w = binomial::pmf(law.users - 1, law.clone_probability, m - 1).value;
    for (std::int64_t a = 0; a <= m; ++a) {
      const long double x = static_cast<long double>(2 * a - m) / static_cast<long double>(m);
      if (x <= static_cast<long double>(r)) continue;
      const long double p = w * static_cast<long double>(binomial::half_pmf(m, a).value);
      call += p * (x - static_cast<long double>(r));
      tail += p;
    }
  }
  return {{static_cast<double>(call), static_cast<double>(call)},
          {static_cast<double>(tail), static_cast<double>(tail)}};
}

}  // namespace

TEST_CASE("imbalance: the walk agrees with the double sum") {
  for (const std::int64_t users : {1, 2, 9, 60, 150}) {
    for (const double c : {0.01, 0.3, 0.97, 1.0}) {
      // Away from whole fractions, at which an atom may count or not.
      for (const double r : {0.0123, 0.1718, 0.5772, 0.9109, 0.99990234375}) {
        CAPTURE(users);
        CAPTURE(c);
        CAPTURE(r);
        const Above found = tradeoff::above({users, c}, r);
        const Above exact = direct({users, c}, r);
        CHECK(testing::contains(found.call, exact.call.lower, 1e-11));
        CHECK(testing::contains(found.probability, exact.probability.lower, 1e-11));
        CHECK(testing::is_narrow(found.call, 1e-9, 1e-13));
        CHECK(testing::is_narrow(found.probability, 1e-9, 1e-13));
      }
    }
  }
}

TEST_CASE("imbalance: more clones are more private, and a threshold costs its probability") {
  for (const double r : {0.0, 0.01, 0.2}) {
    double before = 1;
    for (const double c : {0.001, 0.01, 0.1, 0.5, 0.9}) {
      const Above found = tradeoff::above({20000, c}, r);
      CAPTURE(c);
      CAPTURE(r);
      CHECK(found.call.upper < before);
      before = found.call.lower;
      // Convexity: the call's fall to a higher threshold is at most its probability times the step.
      const Above further = tradeoff::above({20000, c}, r + 1e-3);
      CHECK(found.call.lower - further.call.upper <= 1e-3 * found.probability.upper);
      CHECK(found.call.upper - further.call.lower >= 1e-3 * further.probability.lower);
    }
  }
}

}  // namespace honest_epsilon
