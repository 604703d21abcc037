#include "core/calibrate/solve.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace honest_epsilon::calibrate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rough measurements are off by two percent, either way, as coarse grids are.
double noisy(double excess, double x, Care care) {
  return care == Care::rough ? excess + 0.02 * std::sin(1e3 * x) : excess;
}

}  // namespace

TEST_CASE("solve: a falling measurement is met from above, and barely") {
  for (const double power : {0.3, 1.0, 2.0, 6.0}) {
    for (const double start : {0.02, 1.0, 5000.0}) {
      CAPTURE(power);
      CAPTURE(start);
      // x^-power <= 1/50.
      const auto excess = [&](double x, Care care) {
        return noisy(std::log(50.0) - power * std::log(x), x, care);
      };
      const Solved solved = solve({1e-3, 1e9, start, false, false}, excess);
      REQUIRE(solved.met);
      CHECK_FALSE(solved.everywhere);
      const double left = excess(solved.x, Care::fine);
      CHECK(left <= 0);
      CHECK(left >= -1e-3);
    }
  }
}

TEST_CASE("solve: a whole number is the last that meets the target") {
  for (const double limit : {1.0, 2.0, 17.0, 1234.0}) {
    CAPTURE(limit);
    const auto excess = [&](double x, Care care) {
      return noisy(0.5 * std::log(x / (limit + 0.5)), x, care);
    };
    const Solved rising = solve({1, 1e9, 300, true, true}, excess);
    CHECK(rising.met);
    CHECK(rising.x == limit);
    const Solved falling = solve({1, 1e9, 300, true, false},
                                 [&](double x, Care care) { return -excess(x + 1e-9, care); });
    CHECK(falling.met);
    CHECK(falling.x == limit + 1);
  }
}

TEST_CASE("solve: a large whole number meets the target as it was measured, and the next one not") {
  for (const double limit : {1122692.0, 98765432.0, 999999999.0}) {
    // Measurements are off by far more than one number makes.
    const auto excess = [&](double x, Care care) {
      const double off = care == Care::fine ? 1e-4 : 1e-2;
      return 0.5 * std::log(x / (limit + 0.5)) + off * std::sin(1e3 * x);
    };
    for (const double start : {1.0, 1e3, 1e8}) {
      int measured = 0;
      const Solved solved = solve({1, 1e10, start, true, true}, [&](double x, Care care) {
        measured += care == Care::fine ? 1 : 0;
        return excess(x, care);
      });
      CAPTURE(limit);
      CHECK(solved.met);
      CHECK(solved.x == std::floor(solved.x));
      CHECK(excess(solved.x, Care::fine) <= 0);
      CHECK(excess(solved.x + 1, Care::fine) > 0);
      CHECK(measured < 80);
    }
  }
}

// A measurement is an answer of seconds.
TEST_CASE("solve: few measurements are made, far fewer than there are whole numbers or digits") {
  struct Row {
    bool whole;
    double noise;
    int rough, fine;  // of twelve searches
  };
  for (const Row& row : {Row{false, 0, 52, 12}, Row{false, 0.02, 64, 36}, Row{true, 0, 52, 30},
                         Row{true, 0.02, 56, 38}}) {
    int rough = 0, fine = 0;
    for (const double power : {0.3, 1.0, 2.0, 6.0}) {
      for (const double start : {0.02, 1.0, 5000.0}) {
        const auto excess = [&](double x, Care care) {
          ++(care == Care::rough ? rough : fine);
          const double off = care == Care::rough ? row.noise * std::sin(1e3 * x) : 0;
          return std::log(50.0) - power * std::log(x) + off;
        };
        const double low = row.whole ? 1 : 1e-3;
        CHECK(solve({low, 1e9, std::max(low, start), row.whole, false}, excess).met);
      }
    }
    INFO(row.whole << " " << row.noise << ": " << rough << " " << fine);
    CHECK(rough <= row.rough);
    CHECK(fine <= row.fine);
  }
  // Of thirty searches for a whole number that is near, and fifteen along a slope that changes.
  int rough = 0, fine = 0;
  const auto counted = [&](double excess, double x, Care care) {
    ++(care == Care::rough ? rough : fine);
    return noisy(excess, x, care);
  };
  for (const double limit : {1.0, 2.0, 17.0, 1234.0, 56789.0}) {
    for (const double power : {0.3, 1.0, 3.0}) {
      for (const int sign : {1, -1}) {
        const auto excess = [&](double x, Care care) {
          return counted(sign * power * std::log(x / (limit + 0.5)), x, care);
        };
        CHECK(solve({1, 1e9, 300, true, sign > 0}, excess).met);
      }
    }
  }
  CHECK(rough <= 156);
  CHECK(fine <= 98);
  rough = fine = 0;
  for (const double limit : {0.7, 1.0, 2.0, 5.0, 30.0}) {
    for (const double start : {0.02, 1.0, 5000.0}) {
      const auto excess = [&](double x, Care care) {
        const double u = std::log(x / limit);
        return counted(-u * (1.5 + 0.45 * std::tanh(u)), x, care);
      };
      CHECK(solve({1e-3, 1e9, start, false, false}, excess).met);
    }
  }
  INFO(rough << " " << fine);
  CHECK(rough <= 127);
  CHECK(fine <= 77);
  // Where hardly any place tells a slope, by halves.
  for (const double start : {0.02, 5000.0}) {
    rough = fine = 0;
    const auto steep = [&](double x, Care care) {
      ++(care == Care::rough ? rough : fine);
      return x < 3 ? kInfinity : x > 4 ? -kInfinity : 40 * (3.5 - x);
    };
    CHECK(solve({0.01, 1e6, start, false, false}, steep).met);
    CHECK(rough <= 12);
    CHECK(fine <= 3);
  }
}

TEST_CASE("solve: ends of the axis, infinite and zero measurements") {
  const auto never = [](double, Care) { return 1.0; };
  CHECK_FALSE(solve({1, 100, 10, true, true}, never).met);
  CHECK(solve({1, 100, 10, true, true}, never).x == 1);
  const auto always = [](double, Care) { return -kInfinity; };
  const Solved all = solve({1, 100, 10, true, true}, always);
  CHECK(all.met);
  CHECK(all.everywhere);
  CHECK(all.x == 100);
  // Infinite below 3, zero above 4, steep between: what tiny noise does.
  const auto steep = [](double x, Care) {
    return x < 3 ? kInfinity : x > 4 ? -kInfinity : 40 * (3.5 - x);
  };
  const Solved solved = solve({0.01, 1e6, 1, false, false}, steep);
  CHECK(solved.met);
  CHECK(solved.x >= 3.5);
  CHECK(solved.x < 3.5001);
}

TEST_CASE("solve: a jump over the target ends on the safe side") {
  const auto jump = [](double x, Care) { return x > 7.25 ? -1.0 : 1.0; };
  const Solved solved = solve({0.1, 100, 1, false, false}, jump);
  CHECK(solved.met);
  CHECK(solved.x > 7.25);
  CHECK(solved.x < 7.25 * (1 + 1e-9));
}

TEST_CASE(
    "solve: a search that stops is at a place that meets the target, between it and one that "
    "misses") {
  for (const double start : {0.02, 5000.0}) {
    for (int most = 1; most < 12; ++most) {
      int measured = 0;
      double missed = 0;  // the last that was measured so, and none below it is nearer
      const auto excess = [&](double x, Care care) {
        ++measured;
        const double value = std::log(50.0) - 0.3 * std::log(x);
        if (value > 0 && care == Care::fine) missed = std::max(missed, x);
        return value;
      };
      const Solved solved =
          solve({1e-3, 1e9, start, false, false}, excess, [&](Care) { return measured >= most; });
      INFO(start << " after " << most << ": " << solved.x);
      REQUIRE(solved.met);
      CHECK(excess(solved.x, Care::fine) <= 0);
      if (solved.stopped_before) {
        CHECK(*solved.stopped_before < solved.x);
        CHECK(*solved.stopped_before == doctest::Approx(missed > 0 ? missed : 1e-3));
      }
    }
  }
}

}  // namespace honest_epsilon::calibrate
