#include "core/base/work.h"

#include <doctest/doctest.h>

namespace honest_epsilon::work {

TEST_CASE("work: without a limit nothing is counted") {
  const std::int64_t before = left();
  CHECK_NOTHROW(spend(1'000'000'000'000));
  CHECK(left() == before);
}

TEST_CASE("work: limits are met where they say, and no sooner, one inside another") {
  const Limit outer(100);
  CHECK_NOTHROW(spend(40));
  CHECK(left() == 60);
  {
    const Limit inner(10);
    CHECK_NOTHROW(spend(10));
    CHECK_FALSE(inner.was_met());
    CHECK_THROWS_AS(spend(1), Spent);
    CHECK(inner.was_met());
    CHECK(left() == 0);
  }
  CHECK(left() == 50);
  CHECK(outer.was_met());
  const Limit larger(1000);
  CHECK_FALSE(larger.was_met());
  CHECK(left() == 50);
  CHECK(part(0.5) == 25);
  CHECK_THROWS_AS(spend(51), Spent);
  CHECK(left() == 50);
}

}  // namespace honest_epsilon::work
