#include "core/pairs/records.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/rounding.h"
#include "tests/core/support.h"

namespace honest_epsilon::pairs {
namespace {

/// n choose k, exact while it is below 2^64.
std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t value = 1;
  for (std::uint64_t i = 0; i < k; ++i) value = value * (n - i) / (i + 1);
  return value;
}

/// How many of `count` marked records a subset of `batch` of `all` holds, by counting.
std::vector<long double> counted(std::uint64_t all, std::uint64_t count, std::uint64_t batch) {
  std::vector<long double> weights;
  for (std::uint64_t j = 0; j <= std::min(count, batch); ++j)
    weights.push_back(static_cast<long double>(choose(count, j)) *
                      static_cast<long double>(choose(all - count, batch - j)) /
                      static_cast<long double>(choose(all, batch)));
  return weights;
}

}  // namespace

TEST_CASE("records: how many of a subset are a person's, by counting") {
  struct Case {
    std::int64_t all, count, batch;
  };
  for (const Case& c : {Case{4, 2, 2},
                        {20, 3, 5},
                        {30, 7, 23},
                        {40, 1, 8},
                        {56, 9, 12},
                        {60, 12, 12},
                        {40, 6, 2},
                        {50, 9, 1}}) {
    const std::int64_t all = c.all, count = c.count, batch = c.batch;
    CAPTURE(all);
    CAPTURE(count);
    Records records{static_cast<double>(batch) / static_cast<double>(all), count, count, all};
    const auto truth = counted(static_cast<std::uint64_t>(all), static_cast<std::uint64_t>(count),
                               static_cast<std::uint64_t>(batch));
    const RecordWeights weights = record_weights(records);
    REQUIRE(weights.log.size() == truth.size());
    for (std::size_t j = 0; j < truth.size(); ++j) {
      const auto off = static_cast<double>(std::abs(weights.log[j] - std::log(truth[j])));
      CHECK(off <= weights.error[j] + 4 * kUnit * std::abs(weights.log[j]));
      CHECK(weights.error[j] < 1e-12);
    }
    CHECK(any_record(records) == doctest::Approx(static_cast<double>(1 - truth[0])).epsilon(1e-14));
    const auto more_than = [&](std::int64_t most) {
      const auto first = static_cast<std::ptrdiff_t>(std::min({most, count, batch}) + 1);
      return static_cast<double>(std::accumulate(truth.begin() + first, truth.end(), 0.0L));
    };
    // From the mean on.
    for (auto most = (count * batch + all - 1) / all; most <= count; ++most) {
      records.most = most;
      const Interval found = more_than_most(records);
      CHECK(testing::contains(found, more_than(most), 4 * kUnit));
    }
    for (const double missed : {0.1, 1e-3, 1e-9, 1e-30}) {
      const std::int64_t most = rarely_more(records, missed);
      CHECK(more_than(most) <= missed);
      CHECK(most <= std::min(count, batch));
    }
  }
}

TEST_CASE("records: weights of up to so many sum to one") {
  for (const std::int64_t drawn_from : {std::int64_t{0}, std::int64_t{60000}}) {
    for (const std::int64_t most : {std::int64_t{12}, std::int64_t{200}}) {
      const RecordWeights weights = record_weights({256 / 60000.0, 200, most, drawn_from});
      double sum = 0;
      for (const double log : weights.log) sum += std::exp(log);
      CHECK(sum == doctest::Approx(1).epsilon(1e-10));
    }
  }
}

TEST_CASE("records: of very many each joins about on its own") {
  const Records alone{4e-3, 20}, among{4e-3, 20, 20, 1'000'000'000'000};
  const RecordWeights a = record_weights(alone), b = record_weights(among);
  for (std::size_t j = 0; j < a.log.size(); ++j)
    CHECK(a.log[j] == doctest::Approx(b.log[j]).epsilon(1e-9));
}

}  // namespace honest_epsilon::pairs
