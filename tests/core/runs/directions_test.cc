#include "core/runs/directions.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

struct Question {
  Direction direction;
  int log2_grid_limit;
  double deciding;
};

// An accountant that answers from two lists, and remembers what it was asked.
struct Accountant {
  pld::Result remove;
  std::vector<pld::Result> add;  // first answer, second answer
  std::vector<Question> asked = {};

  pld::Result operator()(Direction direction, const Effort& effort) {
    asked.push_back({direction, effort.log2_grid_limit, effort.deciding});
    if (direction == Direction::remove) return remove;
    const std::size_t before = asked.size() - 2;
    return add.at(before);
  }
};

Effort effort_of(int log2_grid_limit) {
  Effort effort;
  effort.log2_grid_limit = log2_grid_limit;
  return effort;
}

Finding run(Accountant& accountant, Asked asked, int log2_grid_limit = 20) {
  return both_directions(
      effort_of(log2_grid_limit), asked,
      [&](Direction direction, const Effort& effort) { return accountant(direction, effort); });
}

}  // namespace

TEST_CASE("directions: each direction's answer is reported as its own") {
  Accountant accountant{{{0.1, 0.2}, 64, false}, {{{0.3, 0.4}, 128, false}}};
  const Finding found = run(accountant, Asked::delta);
  CHECK(found.directions.remove.lower == 0.1);
  CHECK(found.directions.remove.upper == 0.2);
  CHECK(found.directions.add.lower == 0.3);
  CHECK(found.directions.add.upper == 0.4);
  CHECK(found.grid_points == 128);
  CHECK_FALSE(found.limited);
}

TEST_CASE("directions: where one direction reveals nothing, neither does the other, unasked") {
  Accountant accountant{{{0, 0}, 0, false}, {{{0, 0.4}, 128, true}}};
  const Finding found = run(accountant, Asked::epsilon);
  CHECK(accountant.asked.size() == 1);
  CHECK(found.directions.add.upper == 0);
  CHECK_FALSE(found.limited);
  // Delta above some epsilon may be 0 in one direction alone.
  accountant.asked.clear();
  CHECK(run(accountant, Asked::delta).directions.add.upper == 0.4);
}

TEST_CASE("directions: both deltas are asked with the whole effort, once") {
  Accountant accountant{{{0.1, 0.2}, 64, false}, {{{0.01, 0.04}, 128, true}}};
  const Finding found = run(accountant, Asked::delta);
  REQUIRE(accountant.asked.size() == 2);
  CHECK(accountant.asked[1].log2_grid_limit == 20);
  // A limit reached by the smaller direction limits nothing that matters.
  CHECK_FALSE(found.limited);
}

TEST_CASE("directions: a smaller epsilon is not refined beyond a moderate grid") {
  Accountant accountant{{{1.0, 1.001}, 64, false}, {{{0.5, 0.99}, 65536, true}}};
  const Finding found = run(accountant, Asked::epsilon);
  REQUIRE(accountant.asked.size() == 2);
  CHECK(accountant.asked[0].log2_grid_limit == 20);
  CHECK(accountant.asked[0].deciding == 0);
  CHECK(accountant.asked[1].log2_grid_limit == 16);
  CHECK(accountant.asked[1].deciding == 1);
  CHECK_FALSE(found.limited);
  CHECK(found.directions.add.upper == 0.99);
}

TEST_CASE("directions: an epsilon that may be the larger one is refined with the whole effort") {
  // It overlaps the other direction until it is asked again.
  Accountant accountant{{{1.0, 1.001}, 64, false},
                        {{{0.5, 1.0005}, 65536, true}, {{0.7, 0.71}, 262144, false}}};
  const Finding found = run(accountant, Asked::epsilon);
  REQUIRE(accountant.asked.size() == 3);
  CHECK(accountant.asked[2].direction == Direction::add);
  CHECK(accountant.asked[2].log2_grid_limit == 20);
  CHECK(found.directions.add.lower == 0.7);
  CHECK(found.directions.add.upper == 0.71);
  CHECK(found.grid_points == 262144);
  CHECK_FALSE(found.limited);
}

TEST_CASE("directions: a direction that leaves the larger one wider than asked is asked again") {
  // Narrow enough by its absolute width, and so not limited.
  Accountant accountant{{{0.001, 0.001}, 64, false},
                        {{{0.00099, 0.00102}, 65536, false}, {{0.00101, 0.00101}, 262144, false}}};
  const Finding found = run(accountant, Asked::epsilon);
  REQUIRE(accountant.asked.size() == 3);
  CHECK(accountant.asked[2].log2_grid_limit == 20);
  CHECK(found.directions.add.lower == 0.00101);
}

TEST_CASE("directions: a small limit is never raised") {
  Accountant accountant{{{1, 2}, 64, true}, {{{1, 3}, 64, false}}};
  const Finding found = run(accountant, Asked::epsilon, 12);
  CHECK(accountant.asked[0].log2_grid_limit == 12);
  CHECK(accountant.asked[1].log2_grid_limit == 12);
  CHECK(found.limited);
}

TEST_CASE("directions: at epsilon 0 both are one quantity, and each one's interval holds for it") {
  Accountant accountant{{{0.10, 0.20}, 64, true}, {{{0.15, 0.30}, 128, false}}};
  const Finding found = run(accountant, Asked::total_variation);
  REQUIRE(accountant.asked.size() == 2);
  for (const Interval& side : {found.directions.remove, found.directions.add}) {
    CHECK(side.lower == 0.15);
    CHECK(side.upper == 0.20);
  }
  CHECK_FALSE(found.limited);
  Accountant both{{{0.10, 0.20}, 64, true}, {{{0.15, 0.30}, 128, true}}};
  CHECK(run(both, Asked::total_variation).limited);
}

TEST_CASE("directions: a limit reached where it matters is reported") {
  Accountant first{{{1, 2}, 64, true}, {{{0.1, 0.2}, 64, false}}};
  CHECK(run(first, Asked::delta).limited);
  Accountant second{{{1, 2}, 64, false}, {{{1.5, 2.5}, 64, true}}};
  CHECK(run(second, Asked::delta).limited);
}

}  // namespace honest_epsilon
