#include "core/monte_carlo/order_statistics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::kDeviations;

using monte_carlo::OrderStatistics;

/// Running sums of a statistic, for its mean and standard error.
struct Sums {
  double count = 0;
  double sum = 0;
  double squares = 0;
  void add(double x) {
    ++count;
    sum += x;
    squares += x * x;
  }
  double mean() const { return sum / count; }
  double error() const { return std::sqrt((squares / count - mean() * mean()) / count); }
};

}  // namespace

TEST_CASE("monte_carlo: order statistics have the means and covariances of sorted uniforms") {
  constexpr int kCount = 40;
  const std::vector<std::int64_t> orders = {1, 2, 5, 20, 40};
  OrderStatistics drawn(kCount, orders);
  variates::Generator source(1, 0);
  std::vector<std::vector<Sums>> product(orders.size(), std::vector<Sums>(orders.size()));
  std::vector<Sums> single(orders.size());
  for (int i = 0; i < 100000; ++i) {
    const auto values = drawn.draw(source);
    REQUIRE(values.size() == orders.size());
    for (std::size_t a = 0; a < orders.size(); ++a) {
      single[a].add(values[a]);
      for (std::size_t b = a; b < orders.size(); ++b) product[a][b].add(values[a] * values[b]);
    }
  }
  for (std::size_t a = 0; a < orders.size(); ++a) {
    // E V_j = j/(n+1), E V_j V_k = j (k+1) / ((n+1)(n+2)) for j <= k.
    const auto j = static_cast<double>(orders[a]);
    CHECK(std::abs(single[a].mean() - j / (kCount + 1)) < kDeviations * single[a].error());
    for (std::size_t b = a; b < orders.size(); ++b) {
      const auto k = static_cast<double>(orders[b]);
      const double mean = j * (k + 1) / ((kCount + 1.0) * (kCount + 2));
      INFO(orders[a] << " " << orders[b]);
      CHECK(std::abs(product[a][b].mean() - mean) < kDeviations * product[a][b].error());
    }
  }
}

// The joint law, by the probability of a corner, against a plain sort.
TEST_CASE("monte_carlo: order statistics agree with a sort") {
  constexpr int kCount = 12;
  const std::vector<std::int64_t> orders = {1, 3, 4, 9};
  OrderStatistics drawn(kCount, orders);
  variates::Generator source(2, 0);
  testing::Dice dice(3);
  std::vector<double> uniform(kCount);
  const auto corner = [](const std::vector<double>& v) {
    return v[0] < 0.06 && v[1] > 0.2 && v[2] < 0.4 && v[3] > 0.65 ? 1.0 : 0.0;
  };
  Sums from_draw;
  Sums from_sort;
  for (int i = 0; i < 200000; ++i) {
    const auto values = drawn.draw(source);
    from_draw.add(corner({values.begin(), values.end()}));
    for (double& u : uniform) u = dice.uniform(0, 1);
    std::sort(uniform.begin(), uniform.end());
    from_sort.add(corner({uniform[0], uniform[2], uniform[3], uniform[8]}));
  }
  CHECK(from_sort.mean() > 0.01);
  CHECK(std::abs(from_draw.mean() - from_sort.mean()) <
        kDeviations * std::hypot(from_draw.error(), from_sort.error()));
}

TEST_CASE("monte_carlo: the weights bound the sum of decreasing numbers on both sides") {
  testing::Dice dice(4);
  for (int i = 0; i < 200; ++i) {
    const auto count = static_cast<std::int64_t>(dice.whole(1, 60));
    std::vector<double> y(static_cast<std::size_t>(count));
    for (double& value : y) value = dice.uniform(0, 1);
    std::sort(y.rbegin(), y.rend());
    std::vector<std::int64_t> orders = {1};
    while (orders.back() < count) {
      orders.push_back(orders.back() + static_cast<std::int64_t>(dice.whole(1, 9)));
    }
    const OrderStatistics drawn(count, orders);  // the last rank may lie beyond: it is left out
    double above = 0;
    double below = 0;
    for (std::size_t j = 0; j < drawn.above().size(); ++j) {
      const double value = y[static_cast<std::size_t>(orders[j]) - 1];
      above += drawn.above()[j] * value;
      below += drawn.below()[j] * value;
    }
    const double sum = std::accumulate(y.begin(), y.end(), 0.0);
    CHECK(above >= sum * (1 - 1e-14));
    CHECK(below <= sum * (1 + 1e-14));
  }
}

TEST_CASE("monte_carlo: with every rank both bounds are the sum") {
  std::vector<std::int64_t> orders(17);
  std::iota(orders.begin(), orders.end(), std::int64_t{1});
  const OrderStatistics drawn(17, orders);
  for (std::size_t i = 0; i < 17; ++i) {
    CHECK(drawn.above()[i] == 1);
    CHECK(drawn.below()[i] == 1);
  }
}

TEST_CASE("monte_carlo: automatic ranks start at 1, increase, and grow slowly in number") {
  for (const std::int64_t count : {1, 2, 127, 128, 129, 5000, 100000, 100000000}) {
    const auto orders = monte_carlo::automatic_orders(count);
    CHECK(orders.front() == 1);
    CHECK(orders.back() <= count);
    CHECK(std::is_sorted(orders.begin(), orders.end()));
    CHECK(std::adjacent_find(orders.begin(), orders.end()) == orders.end());
    CHECK(orders.size() < 900);
    if (count <= 128) CHECK(orders.size() == static_cast<std::size_t>(count));
  }
}

}  // namespace honest_epsilon
