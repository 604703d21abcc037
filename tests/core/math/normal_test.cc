#include "core/math/normal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::relative_error;

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("normal: tails, density and Mills' ratio are as accurate as they say") {
  // Half of what the rest of the core charges for.
  constexpr double kMeasured = normal::kRelativeError / 2;
  for (const auto& row : testing::reference_table("normal")) {
    INFO(row.describe());
    const double z = row.number("z");
    CHECK(relative_error(normal::upper_tail(z), row.number("upper_tail")) <= kMeasured);
    CHECK(relative_error(normal::upper_tail(-z), row.number("lower_tail")) <= kMeasured);
    CHECK(relative_error(normal::pdf(z), row.number("density")) <= kMeasured);
    CHECK(relative_error(normal::pdf(-z), row.number("density")) <= kMeasured);
    CHECK(relative_error(normal::mills(z), row.number("mills")) <= kMeasured);
  }
}

TEST_CASE("normal: differences of Mills' ratio keep their digits") {
  for (const auto& row : testing::reference_table("mills_difference")) {
    INFO(row.describe());
    const double a = row.number("a"), b = row.number("b");
    const double exact = row.number("difference");
    const double computed = normal::mills_difference(a, b);
    // b - a itself is exact to half a unit of b; a distant difference may lose what a subtraction
    // of two ratios loses.
    const double lost = 2 * normal::kRelativeError * normal::mills(a) / exact;
    const double allowed = b - a > normal::kDistant ? lost : 4 * normal::kRelativeError;
    CHECK(relative_error(computed, exact) <= allowed + 1e-16 * b / (b - a));
  }
}

TEST_CASE("normal: the ends of the line") {
  CHECK(normal::upper_tail(kInf) == 0);
  CHECK(normal::upper_tail(-kInf) == 1);
  CHECK(relative_error(normal::upper_tail(0), 0.5) <= normal::kRelativeError / 2);
  CHECK(normal::upper_tail(-45) == 1);
  CHECK(normal::pdf(kInf) == 0);
  CHECK(normal::pdf(-45) == 0);
  CHECK(normal::mills(1e12) == 1e-12);
  CHECK(normal::mills_difference(2, 2) == 0);
}

TEST_CASE("normal: a tail's logarithm goes on where the tail ends") {
  for (double z = 0; z < 37; z += 0.7) {
    INFO("z=" << z);
    CHECK(normal::log_upper_tail(z) ==
          doctest::Approx(std::log(normal::upper_tail(z))).epsilon(1e-14));
  }
  for (const double z : {40.0, 1e3, 1e6}) {
    // z R(z) lies between 1 - 1/z^2 and 1.
    const double most = -0.5 * z * z - std::log(z * std::sqrt(2 * std::acos(-1.0)));
    INFO("z=" << z);
    CHECK(normal::log_upper_tail(z) <= most * (1 - 1e-15));
    CHECK(normal::log_upper_tail(z) >= (most + std::log1p(-1 / (z * z))) * (1 + 1e-15));
  }
}

TEST_CASE("normal: the quantile for planning is what its 40 digits begin with") {
  for (const auto& row : testing::reference_table("normal_quantile")) {
    INFO(row.describe());
    const double z = row.number("z");
    CHECK(std::abs(normal::upper_quantile_estimate(row.number("p")) - z) <=
          1e-12 * (1 + std::abs(z)));
  }
}

TEST_CASE("normal: the quantile leads back to its tail") {
  for (const double p : {1e-300, 1e-30, 1e-5, 0.1, 0.5, 0.9, 0.999}) {
    CAPTURE(p);
    CHECK(relative_error(normal::upper_tail(normal::upper_quantile_estimate(p)), p) < 1e-9);
  }
}

}  // namespace honest_epsilon
