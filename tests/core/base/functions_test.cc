#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/base/rounding.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon {
namespace {

double computed(const std::string& name, double x, double y) {
  if (name == "exp") return std::exp(x);
  if (name == "expm1") return std::expm1(x);
  if (name == "log") return std::log(x);
  if (name == "log1p") return std::log1p(x);
  if (name == "sin") return std::sin(x);
  if (name == "cos") return std::cos(x);
  REQUIRE(name == "atan2");
  return std::atan2(x, y);
}

}  // namespace

TEST_CASE("rounding: the platform's functions are twice as good as bounds take them for") {
  std::map<std::string, double> worst;
  for (const auto& row : testing::reference_table("functions")) {
    const std::string& name = row.text("function");
    const double truth = row.number("value");
    const double error = std::abs(computed(name, row.number("x"), row.number("y")) - truth);
    INFO(row.describe());
    // The truth was rounded to a double, too: one unit.
    CHECK(error <= (kFunctionError / 2 + 1) * kUnit * std::abs(truth));
    worst[name] = std::max(worst[name], error / std::abs(truth) / kUnit);
  }
  CHECK(worst.size() == 7);
}

}  // namespace honest_epsilon
