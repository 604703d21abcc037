#include "core/math/log_gamma.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "tests/core/reference_table.h"

namespace honest_epsilon {

TEST_CASE("log gamma: w^z / Gamma(z) against 50-digit values") {
  for (const auto& row : testing::reference_table("log_gamma")) {
    const Ball at = log_power_over_gamma({row.number("re"), row.number("im")},
                                         row.number("modulus"), row.number("angle"));
    const double off =
        std::hypot(at.value.real() - row.number("value_re"),
                   std::remainder(at.value.imag() - row.number("value_im"), 2 * std::numbers::pi));
    INFO(row.describe() << " off=" << off << " error=" << at.error);
    CHECK(off <= at.error);
    CHECK(at.error < 1e-13 * (30 + std::hypot(row.number("re"), row.number("im"))));
  }
}

}  // namespace honest_epsilon
