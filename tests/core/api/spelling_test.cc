#include "core/api/spelling.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>

#include "tests/core/support.h"

namespace honest_epsilon::api {

TEST_CASE("spelling: snake_case becomes camelCase by one rule") {
  CHECK(camel_case("noise_multiplier") == "noiseMultiplier");
  CHECK(camel_case("steps_per_epoch") == "stepsPerEpoch");
  CHECK(camel_case("delta") == "delta");
  CHECK(camel_case("") == "");
}

TEST_CASE("spelling: numbers are written as people write them") {
  CHECK(spell(0) == "0");
  CHECK(spell(-0.0) == "-0");
  CHECK(spell(-1) == "-1");
  CHECK(spell(0.1) == "0.1");
  CHECK(spell(1e-6) == "1e-6");
  CHECK(spell(60000) == "60000");
  CHECK(spell(1000000000) == "1000000000");
  CHECK(spell(-2500000) == "-2500000");
  CHECK(spell(1e300) == "1e300");
  CHECK(spell(1.0 / 3) == "0.3333333333333333");
  CHECK(spell(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(spell(std::numeric_limits<double>::infinity()) == "Infinity");
  CHECK(spell(-std::numeric_limits<double>::infinity()) == "-Infinity");
}

TEST_CASE("spelling: every number reads back as itself") {
  const std::uint64_t seed = 20240611;
  CAPTURE(seed);
  testing::Dice dice(seed);
  for (int i = 0; i < 2000; ++i) {
    const double value = dice.log_uniform(1e-300, 1e300) * (i % 2 ? 1 : -1);
    CHECK(std::strtod(spell(value).c_str(), nullptr) == value);
  }
}

TEST_CASE("spelling: choices read as a sentence") {
  CHECK(spell_choices("a") == "a");
  CHECK(spell_choices("a b") == "a or b");
  CHECK(spell_choices("a b c") == "a, b or c");
}

}  // namespace honest_epsilon::api
