#include "core/base/interval.h"

#include <doctest/doctest.h>

#include "tests/core/support.h"

namespace honest_epsilon {

TEST_CASE("interval: the default says nothing") {
  const Interval nothing;
  CHECK(nothing.lower == 0);
  CHECK(nothing.upper == kInfinity);
}

TEST_CASE("interval: the intersection keeps the better end of each side") {
  const Interval both = intersect({1, 4}, {2, 5});
  CHECK(both.lower == 2);
  CHECK(both.upper == 4);
  const Interval same = intersect({1, 4}, Interval{});
  CHECK(same.lower == 1);
  CHECK(same.upper == 4);
}

TEST_CASE("interval: an empty intersection falls back to the wider reading") {
  const Interval fallen = intersect({1, 2}, {3, 4});
  CHECK(fallen.lower == 1);
  CHECK(fallen.upper == 4);
}

TEST_CASE("interval: the maximum contains the larger of any two members") {
  const std::uint64_t seed = 7;
  CAPTURE(seed);
  testing::Dice dice(seed);
  for (int i = 0; i < 200; ++i) {
    double ends[4];
    for (double& end : ends) end = dice.uniform(0, 1);
    const Interval a = {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
    const Interval b = {std::min(ends[2], ends[3]), std::max(ends[2], ends[3])};
    const double in_a = dice.uniform(a.lower, a.upper);
    const double in_b = dice.uniform(b.lower, b.upper);
    CHECK(testing::contains(maximum(a, b), std::max(in_a, in_b)));
    CHECK(maximum(a, b).lower <= maximum(a, b).upper);
  }
}

}  // namespace honest_epsilon
