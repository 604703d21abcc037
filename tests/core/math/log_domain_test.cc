#include "core/math/log_domain.h"

#include <doctest/doctest.h>

#include <cmath>

namespace honest_epsilon {

TEST_CASE("math: sums of logarithms know zero, infinity and both orders") {
  CHECK(log_add(-kInfinity, -kInfinity) == -kInfinity);
  CHECK(log_add(-kInfinity, 1) == 1);
  CHECK(log_add(kInfinity, kInfinity) == kInfinity);
  CHECK(log_add(1, kInfinity) == kInfinity);
  CHECK(log_add(0, 0) == doctest::Approx(std::log(2.0)));
  CHECK(log_add(1000, 1000 + std::log(3.0)) == doctest::Approx(1000 + std::log(4.0)));
  CHECK(log1p_exp(1e5) == 1e5);
  CHECK(log1p_exp(-800) == 0);
  CHECK(log1p_exp(-50) == doctest::Approx(std::exp(-50.0)));
  CHECK(log_expm1(1e-20) == doctest::Approx(std::log(1e-20)));
  CHECK(log_expm1(1e5) == 1e5);
  CHECK(log_expm1(std::log(3.0)) == doctest::Approx(std::log(2.0)));
}

TEST_CASE("math: a log-domain sum does not care for the order of its terms") {
  LogSum rising;
  LogSum falling;
  for (int i = -2000; i <= 2000; ++i) {
    rising.add(i);
    falling.add(-i);
  }
  const double exact = 2000 - std::log1p(-std::exp(-1.0));
  CHECK(rising.log() == doctest::Approx(exact).epsilon(1e-14));
  CHECK(falling.log() == doctest::Approx(exact).epsilon(1e-14));
  CHECK(rising.log_upper() >= exact);
  CHECK(falling.log_upper() >= exact);
  CHECK(LogSum{}.log() == -kInfinity);
}

}  // namespace honest_epsilon
