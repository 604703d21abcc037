#include "core/math/order.h"

#include <algorithm>
#include <utility>

namespace honest_epsilon {

std::vector<std::size_t> rising_order(const std::vector<double>& values) {
  std::vector<std::pair<double, std::size_t>> sorted;
  sorted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted.emplace_back(values[i], i);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> order;
  order.reserve(values.size());
  for (const auto& [value, i] : sorted) order.push_back(i);
  return order;
}

}  // namespace honest_epsilon
