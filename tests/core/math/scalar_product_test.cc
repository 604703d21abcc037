#include "core/math/scalar_product.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/rounding.h"

namespace honest_epsilon {

TEST_CASE("scalar products: of any number of terms, within their units") {
  std::mt19937_64 random(20261129);
  std::uniform_real_distribution<double> part(-1, 1);
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<double> a(count), b(count), c(count), d(count);
    for (auto* list : {&a, &b, &c, &d})
      for (double& number : *list) number = part(random);
    long double real = 0, size = 0, re = 0, im = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const long double x = a[i], y = b[i], u = c[i], v = d[i];
      real += x * u;
      size += (std::abs(x) + std::abs(y)) * (std::abs(u) + std::abs(v));
      re += x * u - y * v;
      im += x * v + y * u;
    }
    const auto most = static_cast<double>(size) * kUnit * product_units(count);
    CAPTURE(count);
    CHECK(std::abs(scalar_product(a.data(), c.data(), count) - static_cast<double>(real)) <= most);
    const Complex both = scalar_product({a.data(), b.data()}, {c.data(), d.data()}, count);
    CHECK(std::abs(both.real() - static_cast<double>(re)) <= most);
    CHECK(std::abs(both.imag() - static_cast<double>(im)) <= most);
  }
}

}  // namespace honest_epsilon
