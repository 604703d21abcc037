#include "core/monte_carlo/order_statistics.h"

namespace honest_epsilon::monte_carlo {
namespace {

/// k_1 - k_0, ..., k_r - k_(r-1), count + 1 - k_r.
std::vector<double> gaps_of(std::int64_t count, std::span<const std::int64_t> orders) {
  std::vector<double> gaps;
  std::int64_t before = 0;
  for (const std::int64_t order : orders) {
    if (order > count) break;
    gaps.push_back(static_cast<double>(order - before));
    before = order;
  }
  gaps.push_back(static_cast<double>(count + 1 - before));
  return gaps;
}

}  // namespace

std::vector<std::int64_t> automatic_orders(std::int64_t count) {
  constexpr std::int64_t kEach = 128;
  constexpr std::int64_t kGap = 48;
  std::vector<std::int64_t> orders;
  for (std::int64_t order = 1; order <= count; order += order < kEach ? 1 : order / kGap) {
    orders.push_back(order);
  }
  return orders;
}

OrderStatistics::OrderStatistics(std::int64_t count, std::span<const std::int64_t> orders)
    : below_(gaps_of(count, orders)), gaps_(below_), value_(below_.size()) {
  above_.assign(below_.begin() + 1, below_.end());
  below_.pop_back();
}

std::span<const double> OrderStatistics::draw(variates::Generator& source) {
  gaps_.draw(source, value_);
  double sum = 0;
  for (double& value : value_) value = sum += value;
  const double scale = 1 / sum;
  for (double& value : value_) value *= scale;
  return std::span<const double>(value_).first(above_.size());
}

}  // namespace honest_epsilon::monte_carlo
