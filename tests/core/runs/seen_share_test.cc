#include "core/runs/seen_share.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/pairs/gaussian.h"
#include "tests/core/support.h"

namespace honest_epsilon {

TEST_CASE("seen share: calls and puts of a part, between the ends of its own") {
  // E_Q (V - K)+ and E_Q (K - V)+ of a Gaussian pair.
  const double mu = 1.3;
  const auto part = [&](double log_k, Direction direction) {
    const double call = gaussian::delta(mu, log_k).lower;
    return direction == Direction::remove ? call : call - 1 + std::exp(log_k);
  };
  for (const double missing : {0.0, 0.5, 9.0}) {
    const SeenShare share(1, missing);
    const double q = 1 / (1 + missing);
    CHECK(share.q() == doctest::Approx(q).epsilon(1e-15));
    CHECK(share.rest() == doctest::Approx(1 - q).epsilon(1e-15));
    CHECK(share.whole() == (missing == 0));
    for (const double log_k : {-3.0, -0.7, -0.2, -0.05, 0.0, 0.1, 1.0}) {
      const double k = std::exp(log_k), inner = 1 + (k - 1) / q;
      // Below the least value of 1 - q + q V.
      const double call = inner > 0 ? q * part(std::log(inner), Direction::remove) : 1 - k;
      const double put = inner > 0 ? q * part(std::log(inner), Direction::add) : 0;
      CAPTURE(missing);
      CAPTURE(log_k);
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const double exact = direction == Direction::remove ? call : put;
        const double upper = share.upper(part, log_k, direction);
        const double lower = share.lower(part, log_k, direction);
        CHECK(upper >= exact - 1e-15);
        CHECK(upper <= exact + 1e-12);
        CHECK(lower <= exact + 1e-15);
        CHECK(lower >= exact - 1e-12);
        CHECK(lower <= upper);
      }
      if (inner > 0)
        CHECK(std::abs(share.outer(std::log(inner)) - log_k) <=
              SeenShare::off(log_k) + 8e-16 * std::abs(std::log(inner)));
      CHECK(SeenShare::off(log_k) < 1e-13);
    }
  }
}

}  // namespace honest_epsilon
