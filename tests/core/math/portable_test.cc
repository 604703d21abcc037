#include "core/math/portable.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::relative_error;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("portable: the cosine keeps its stated error") {
  testing::Dice dice(2);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = dice.log_uniform(1e-3, 1e8) * (i % 2 == 0 ? 1 : -1);
    const double allowed = portable::kCosineError + 0x1p-52 * std::abs(x);
    worst = std::max(worst, std::abs(portable::cosine(x) - std::cos(x)) / allowed);
  }
  CHECK(worst < 1);
  CHECK(worst > 0.05);
}

// The platform's own functions are good to a unit or so.
TEST_CASE("portable: exp and log keep their stated error") {
  testing::Dice dice(1);
  double worst_exp = 0;
  double worst_log = 0;
  double worst_small_log = 0;
  double worst_expm1 = 0;
  double worst_log1p = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = dice.uniform(-700, 700);
    worst_exp = std::max(worst_exp, relative_error(portable::exp(x), std::exp(x)));
    const double y = dice.log_uniform(1e-307, 1e308);
    worst_log = std::max(worst_log, relative_error(portable::log(y), std::log(y)));
    const double z = dice.uniform(0.5, 2);
    worst_small_log = std::max(worst_small_log, relative_error(portable::log(z), std::log(z)));
    const double tiny = dice.log_uniform(1e-300, 0.9) * (i % 2 == 0 ? 1 : -1);
    worst_log1p = std::max(worst_log1p, relative_error(portable::log1p(tiny), std::log1p(tiny)));
    worst_expm1 = std::max(worst_expm1, relative_error(portable::expm1(tiny), std::expm1(tiny)));
  }
  CHECK(worst_exp < portable::kRelativeError);
  CHECK(worst_log < portable::kRelativeError);
  CHECK(worst_small_log < portable::kRelativeError);
  CHECK(worst_log1p < portable::kRelativeError);
  CHECK(worst_expm1 < portable::kRelativeError);
}

TEST_CASE("portable: nothing is NaN or infinite at the ends") {
  for (const double x : {-kInfinite, -1e300, -709.0, 709.0, 1e300, kInfinite}) {
    CHECK(std::isfinite(portable::exp(x)));
    CHECK(portable::exp(x) > 0);
  }
  CHECK(portable::exp(0) == 1);
  CHECK(portable::log(1) == 0);
  CHECK(portable::log1p(0) == 0);
  CHECK(portable::expm1(0) == 0);
  for (const double x : {0.0, 1e-320, 0x1p-1022, 1.7e308}) CHECK(std::isfinite(portable::log(x)));
  CHECK(portable::upper_tail(-kInfinite) == 1);
  CHECK(portable::upper_tail(kInfinite) == 0);
  CHECK(portable::upper_tail(0) == doctest::Approx(0.5).epsilon(1e-15));
  for (const double p : {0.0, 1e-320, 1e-300, 0x1p-53, 1 - 0x1p-53, 1.0}) {
    CHECK(std::isfinite(portable::upper_quantile(p)));
  }
}

TEST_CASE("portable: tails agree with 60-digit values") {
  for (const auto& row : testing::reference_table("normal")) {
    const double z = row.number("z");
    const double tail = row.number("upper_tail");
    if (std::abs(z) > 37) continue;
    INFO(row.describe());
    CHECK(relative_error(portable::upper_tail(z), tail) < 2e-15);
    CHECK(relative_error(portable::upper_tail(-z), row.number("lower_tail")) < 2e-15);
  }
}

TEST_CASE("portable: the quantile inverts the tail, by 60-digit values") {
  for (const auto& row : testing::reference_table("normal")) {
    const double z = row.number("z");
    const double tail = row.number("upper_tail");
    if (z < 0 || z > 37) continue;
    INFO(row.describe());
    // What rounding the tail to a double moves the quantile by: half a unit times tail / density.
    const double input = 2e-16 * row.number("mills");
    CHECK(std::abs(portable::upper_quantile(tail) - z) <
          portable::kQuantileError * (2 + z) + input);
    if (tail > 1e-3) {
      CHECK(std::abs(portable::upper_quantile(1 - tail) + z) <
            portable::kQuantileError * (2 + z) + 2e-16 / row.number("density"));
    }
  }
}

TEST_CASE("portable: quantiles agree with 40-digit values at both ends and between") {
  for (const auto& row : testing::reference_table("normal_quantile")) {
    INFO(row.describe());
    const double z = row.number("z");
    CHECK(std::abs(portable::upper_quantile(row.number("p")) - z) <=
          portable::kQuantileError * (2 + std::abs(z)));
  }
}

TEST_CASE("portable: the quantile has no step where its pieces meet") {
  for (const double p : {6.3e-18, 0.5}) {
    const double below = portable::upper_quantile(p * (1 - 1e-15));
    const double above = portable::upper_quantile(p * (1 + 1e-15));
    INFO(p);
    CHECK(std::abs(below - above) < 1e-14 * 11);
  }
}

TEST_CASE("portable: loops over arrays do what single calls do, to the bit") {
  testing::Dice dice(2);
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 255U, 256U, 1000U}) {
    std::vector<double> x(size);
    std::vector<double> y(size);
    for (double& value : x) value = dice.log_uniform(1e-20, 0.999);
    double sum = 0;
    double squares = 0;
    double products = 0;
    double smallest = kInfinite;
    portable::exp_affine(x, 3, -1, y);
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(y[i] == portable::exp(3 * x[i] - 1));
      sum += x[i];
      squares += x[i] * x[i];
      products += x[i] * y[i];
      smallest = std::min(smallest, x[i]);
    }
    CHECK(portable::sum(x) == doctest::Approx(sum).epsilon(1e-14));
    CHECK(portable::sum_of_squares(x) == doctest::Approx(squares).epsilon(1e-14));
    CHECK(portable::sum_of_products(x, y) == doctest::Approx(products).epsilon(1e-14));
    CHECK(portable::minimum(x) == smallest);
    portable::log_affine(x, 3, 1, y);
    for (std::size_t i = 0; i < size; ++i) CHECK(y[i] == portable::log(3 * x[i] + 1));
    portable::upper_quantile(x, y);
    for (std::size_t i = 0; i < size; ++i) CHECK(y[i] == portable::upper_quantile(x[i]));
  }
}

}  // namespace honest_epsilon
