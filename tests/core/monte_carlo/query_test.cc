#include "core/monte_carlo/query.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

namespace honest_epsilon {
namespace {

using monte_carlo::Direction;
using monte_carlo::Method;
using monte_carlo::Pair;
using monte_carlo::Query;

Query good() {
  Query query;
  query.steps = 100;
  query.epsilons = {1};
  return query;
}

}  // namespace

TEST_CASE("monte_carlo: a bad query is refused with the field and what would do") {
  struct Case {
    const char* field;
    std::function<void(Query&)> spoil;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {
      {"noise_multiplier", [](Query& q) { q.noise_multiplier = 0; }},
      {"noise_multiplier", [nan](Query& q) { q.noise_multiplier = nan; }},
      {"sampling_probability", [](Query& q) { q.sampling_probability = 0; }},
      {"sampling_probability", [](Query& q) { q.sampling_probability = 1.5; }},
      {"steps", [](Query& q) { q.steps = 0; }},
      {"epochs", [](Query& q) { q.epochs = 0; }},
      {"epochs", [](Query& q) { q.epochs = std::int64_t{1} << 62U; }},
      {"epsilons", [](Query& q) { q.epsilons.clear(); }},
      {"epsilons", [](Query& q) { q.epsilons = {1, -0.5}; }},
      {"epsilons", [nan](Query& q) { q.epsilons = {nan}; }},
      {"method", [](Query& q) { q.pair = Pair::shuffle; }},
      {"method", [](Query& q) { q.epochs = 2; }},
      {"order_statistics",
       [](Query& q) {
         q.pair = Pair::poisson_gaussian;
         q.method = Method::plain;
         q.order_statistics = true;
       }},
      {"order_statistics",
       [](Query& q) {
         q.direction = Direction::add;
         q.order_statistics = true;
       }},
      {"orders",
       [](Query& q) {
         q.order_statistics = true;
         q.orders = {1, 3, 3};
       }},
      {"orders",
       [](Query& q) {
         q.order_statistics = true;
         q.orders = {2, 3};
       }},
      {"orders",
       [](Query& q) {
         q.order_statistics = true;
         q.orders = {1, 101};
       }},
  };
  CHECK_FALSE(check(good()).has_value());
  for (const Case& one : cases) {
    Query query = good();
    one.spoil(query);
    const auto found = check(query);
    INFO(one.field);
    REQUIRE(found.has_value());
    CHECK(found->field == one.field);
    CHECK(found->text.find(one.field) == 0);
  }
}

TEST_CASE("monte_carlo: a chunk's samples shrink with the work of one") {
  Query query = good();
  std::int64_t before = samples_per_chunk(query);
  CHECK(before == 4096);
  for (const std::int64_t steps : {1000, 100000, 100000000}) {
    query.steps = steps;
    const std::int64_t now = samples_per_chunk(query);
    CHECK(now <= before);
    CHECK((now & (now - 1)) == 0);
    before = now;
  }
  query.steps = 100000;
  CHECK(samples_per_chunk(query) * query.steps <= 5'000'000);
  query.order_statistics = true;
  CHECK(samples_per_chunk(query) == 4096);
}

}  // namespace honest_epsilon
