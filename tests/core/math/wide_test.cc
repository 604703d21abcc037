#include "core/math/wide.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/interval.h"

namespace honest_epsilon {

namespace {

bool same(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-14 * (1 + std::abs(b));
}

}  // namespace

TEST_CASE("math: wide numbers multiply and add as doubles do, and far beyond") {
  for (const double a : {0.0, 1e-200, 0.7, 1.0, 3.0, 1e250}) {
    for (const double b : {0.0, 1e-90, 1.0, 1.9, 1e40}) {
      INFO("a=" << a << " b=" << b);
      CHECK(same(log_of(times(widened(a), widened(b))), std::log(a) + std::log(b)));
      CHECK(same(log_of(plus(widened(a), widened(b))), std::log(a + b)));
    }
  }
  CHECK(log_of(Wide{}) == -kInfinity);
  CHECK(log_of(wide_exp(1e9)) == doctest::Approx(1e9).epsilon(1e-15));
  CHECK(log_of(wide_exp(-1e9)) == doctest::Approx(-1e9).epsilon(1e-15));
  CHECK(log_of(wide_expm1(1e-12)) == doctest::Approx(std::log(1e-12)).epsilon(1e-12));
  CHECK(log_of(times(wide_exp(1e6), wide_exp(-1e6))) == doctest::Approx(0).epsilon(1e-9));
}

TEST_CASE("math: a convolution of wide numbers") {
  std::vector<Wide> powers;
  for (int i = 0; i <= 20; ++i) powers.push_back(wide_exp(100.0 * i));
  // sum of e^{100 i} e^{100 (20 - i)} = 21 e^2000
  CHECK(log_of(convolved(powers, powers, 20, 0, 20)) ==
        doctest::Approx(2000 + std::log(21.0)).epsilon(1e-14));
  CHECK(log_of(convolved(powers, powers, 20, 3, 5)) ==
        doctest::Approx(2000 + std::log(3.0)).epsilon(1e-14));
  const std::vector<Wide> nothing(5);
  CHECK(log_of(convolved(nothing, nothing, 4, 0, 4)) == -kInfinity);
}

}  // namespace honest_epsilon
