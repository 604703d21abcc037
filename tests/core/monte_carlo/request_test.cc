#include "core/monte_carlo/request.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

namespace honest_epsilon {
namespace {
using monte_carlo::SampledMean;
using monte_carlo::SampledPair;
using monte_carlo::SampleRequest;

SampleRequest good() {
  SampleRequest request;
  request.steps = 100;
  request.epsilons = {1};
  return request;
}

}  // namespace

TEST_CASE("monte_carlo: a bad request is refused with the field and what would do") {
  struct Case {
    const char* field;
    std::function<void(SampleRequest&)> spoil;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {
      {"noise_multiplier", [](SampleRequest& q) { q.noise_multiplier = 0; }},
      {"noise_multiplier", [nan](SampleRequest& q) { q.noise_multiplier = nan; }},
      {"sampling_probability", [](SampleRequest& q) { q.sampling_probability = 0; }},
      {"sampling_probability", [](SampleRequest& q) { q.sampling_probability = 1.5; }},
      {"steps", [](SampleRequest& q) { q.steps = 0; }},
      {"epochs", [](SampleRequest& q) { q.epochs = 0; }},
      {"epochs", [](SampleRequest& q) { q.epochs = std::int64_t{1} << 62U; }},
      {"epsilons", [](SampleRequest& q) { q.epsilons.clear(); }},
      {"epsilons", [](SampleRequest& q) { q.epsilons = {1, -0.5}; }},
      {"epsilons", [nan](SampleRequest& q) { q.epsilons = {nan}; }},
      {"method", [](SampleRequest& q) { q.pair = SampledPair::shuffle; }},
      {"method", [](SampleRequest& q) { q.epochs = 2; }},
      {"participations", [](SampleRequest& q) { q.participations = 0; }},
      {"participations", [](SampleRequest& q) { q.participations = 101; }},
      {"participations",
       [](SampleRequest& q) {
         q.steps = 1'000'000;
         q.participations = 101;
       }},
      {"method", [](SampleRequest& q) { q.participations = 2; }},
      {"order_statistics",
       [](SampleRequest& q) {
         q.participations = 2;
         q.method = SampledMean::plain;
         q.order_statistics = true;
       }},
      {"order_statistics",
       [](SampleRequest& q) {
         q.pair = SampledPair::poisson_gaussian;
         q.method = SampledMean::plain;
         q.order_statistics = true;
       }},
      {"order_statistics",
       [](SampleRequest& q) {
         q.direction = Direction::add;
         q.order_statistics = true;
       }},
      {"orders",
       [](SampleRequest& q) {
         q.order_statistics = true;
         q.orders = {1, 3, 3};
       }},
      {"orders",
       [](SampleRequest& q) {
         q.order_statistics = true;
         q.orders = {2, 3};
       }},
      {"orders",
       [](SampleRequest& q) {
         q.order_statistics = true;
         q.orders = {1, 101};
       }},
  };
  CHECK_FALSE(check(good()).has_value());
  for (const Case& one : cases) {
    SampleRequest request = good();
    one.spoil(request);
    const auto found = check(request);
    INFO(one.field);
    REQUIRE(found.has_value());
    CHECK(found->field == one.field);
    CHECK(found->text.find(one.field) == 0);
  }
}

TEST_CASE("monte_carlo: a chunk's samples shrink with the work of one") {
  SampleRequest request = good();
  std::int64_t before = samples_per_chunk(request);
  CHECK(before == 4096);
  for (const std::int64_t steps : {1000, 100000, 100000000}) {
    request.steps = steps;
    const std::int64_t now = samples_per_chunk(request);
    CHECK(now <= before);
    CHECK((now & (now - 1)) == 0);
    before = now;
  }
  request.steps = 100000;
  CHECK(samples_per_chunk(request) * request.steps <= 5'000'000);
  request.order_statistics = true;
  CHECK(samples_per_chunk(request) == 4096);
}

}  // namespace honest_epsilon
