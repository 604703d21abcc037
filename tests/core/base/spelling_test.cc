#include "core/base/spelling.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "tests/core/support.h"

namespace honest_epsilon {

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

TEST_CASE("spelling: no shorter decimal reads back, and the nearest is taken") {
  testing::Dice dice(20261125);
  const auto known = [](double value) {
    char text[40];
    for (int digits = 1; digits <= 17; ++digits) {
      std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
      if (std::strtod(text, nullptr) == value) break;
    }
    return std::string(text);
  };
  const auto check = [&](double value) {
    CAPTURE(value);
    const std::string spelt = spell(value), other = known(value);
    CHECK(std::strtod(spelt.c_str(), nullptr) == value);
    const auto digits = [](const std::string& text) {
      std::string result;
      for (const char letter : text.substr(0, text.find('e')))
        if (letter != '.') result += letter;
      result.erase(0, result.find_first_not_of('0'));
      return result.substr(0, result.find_last_not_of('0') + 1);
    };
    CHECK(digits(spelt) == digits(other));
  };
  for (int i = 0; i < 2000; ++i) check(dice.log_uniform(1e-300, 1e300));
  // Where neighbours are half as far below, and where there are few bits.
  for (int power = -1074; power < 1024; ++power) check(std::ldexp(1.0, power));
  for (const double few : {5e-324, 1.5e-323, 2.2250738585072014e-308, 1.7976931348623157e308, 5e22})
    check(few);
}

TEST_CASE("spelling: choices read as a sentence") {
  CHECK(spell_choices("a") == "a");
  CHECK(spell_choices("a b") == "a or b");
  CHECK(spell_choices("a b c") == "a, b or c");
}

TEST_CASE("spelling: four digits hold what they stand for") {
  CHECK(spell_four(1.1342715800532408, false) == "1.134");
  CHECK(spell_four(1.3258047843557887, true) == "1.326");
  CHECK(spell_four(0.99991, true) == "1.000");
  CHECK(spell_four(1.00001, true) == "1.001");
  CHECK(spell_four(9.9996, false) == "9.999");
  CHECK(spell_four(1e-5, true) == "1e-5");
  CHECK(spell_four(2.34161e-7, false) == "2.341e-7");
  CHECK(spell_four(60000, true) == "60000");
  CHECK(spell_four(123456, true) == "123500");
  CHECK(spell_four(0, true) == "0");
  for (double value = 1.7e-12; value < 1e7; value *= 1.37) {
    const double below = std::strtod(spell_four(value, false).c_str(), nullptr);
    const double above = std::strtod(spell_four(value, true).c_str(), nullptr);
    CHECK(below <= value);
    CHECK(above >= value);
    CHECK(above - below <= 0.00101 * value);
  }
}

}  // namespace honest_epsilon
