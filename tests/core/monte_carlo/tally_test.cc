#include "core/monte_carlo/tally.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using monte_carlo::FixedSum;
using monte_carlo::Tally;

}  // namespace

TEST_CASE("monte_carlo: fixed sums are exact in any order") {
  testing::Dice dice(1);
  std::vector<double> values(1000);
  for (double& value : values) value = dice.log_uniform(1e-18, 1);
  FixedSum forward;
  FixedSum backward;
  for (const double value : values) forward.add(value);
  std::reverse(values.begin(), values.end());
  for (const double value : values) backward.add(value);
  CHECK(forward == backward);
  FixedSum left;
  FixedSum right;
  for (std::size_t i = 0; i < values.size(); ++i) (i % 3 == 0 ? left : right).add(values[i]);
  right += left;
  CHECK(right == forward);
  double sum = 0;
  for (const double value : values) sum += value;
  CHECK(forward.value() == doctest::Approx(sum).epsilon(1e-13));
}

TEST_CASE("monte_carlo: fixed sums carry beyond 64 bits, and hold both ends of [0, 1]") {
  FixedSum sum;
  for (int i = 0; i < 1000; ++i) sum.add(1);
  CHECK(sum.value() == 1000);
  sum.add(0);
  CHECK(sum.value() == 1000);
  sum.add(FixedSum::kResolution);
  CHECK(sum.text() == "00000000000000fa0000000000000001");
  FixedSum clipped;
  clipped.add(1.0000001);
  clipped.add(-1e-20);
  CHECK(clipped.value() == 1);
}

TEST_CASE("monte_carlo: fixed sums travel as text, and nothing else is read") {
  FixedSum sum;
  for (int i = 0; i < 77; ++i) sum.add(1 / (1.0 + i));
  const auto read = FixedSum::parse(sum.text());
  REQUIRE(read.has_value());
  CHECK(*read == sum);
  for (const char* text :
       {"", "12", "00000000000000fa000000000000000g", "00000000000000FA0000000000000001",
        "-0000000000000fa0000000000000001", "00000000000000fa00000000000000011"}) {
    INFO(text);
    CHECK_FALSE(FixedSum::parse(text).has_value());
  }
}

TEST_CASE("monte_carlo: tallies of another shape do not merge") {
  Tally a;
  a.samples = 1;
  a.upper.resize(2);
  Tally b = a;
  CHECK(merge(a, b));
  CHECK(a.samples == 2);
  b.upper.resize(3);
  CHECK_FALSE(merge(a, b));
  CHECK(a.samples == 2);
  b.upper.resize(2);
  b.lower.resize(2);
  CHECK_FALSE(merge(a, b));
}

}  // namespace honest_epsilon
