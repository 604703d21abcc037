#include "core/pld/table_source.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rounding.h"

namespace honest_epsilon::pld {
namespace {

/// Larger losses are lowered to this one, so that the lattice stays finite.
constexpr double kLargestLoss = 600;

/// Events with less mass, or with a loss so negative that no other epoch makes up for it, are left
/// out.
constexpr double kLeastMass = 1e-20;
constexpr double kLeastLoss = -60;

}  // namespace

TableSource::TableSource(const std::vector<pairs::Cell>& cells) {
  const auto add_event = [](std::vector<LossMass>& list, const pairs::Mass& p,
                            const pairs::Mass& q) {
    const double mass = p.lower();
    if (!(mass > kLeastMass)) return;
    const double low = std::log(mass / (q.upper() + 1e-300));
    if (!(low > kLeastLoss)) return;
    const double rest = q.lower();
    const double high = rest > 0 ? std::log(p.upper() / rest) : kLargestLoss;
    list.push_back({mass, std::min(low, kLargestLoss), std::min(high, kLargestLoss)});
  };
  for (const pairs::Cell& cell : cells) {
    add_event(remove_, cell.p, cell.q);
    add_event(add_, cell.q, cell.p);
  }
  // No event with a loss worth counting: two equal laws, which every pair dominates.
  for (std::vector<LossMass>* list : {&remove_, &add_}) {
    if (list->empty()) list->push_back({1, 0, 0});
  }
}

std::vector<LossNode> TableSource::nodes(Direction direction) const {
  std::vector<LossNode> nodes;
  nodes.reserve(events(direction).size());
  for (const LossMass& e : events(direction)) nodes.push_back({e.low, std::log(e.mass)});
  return merged(std::move(nodes));
}

// Beyond the range, which is of ln dP/dQ in either direction, an upper law raises small losses to
// it and counts large ones as infinite; a lower law lowers large ones to it and leaves out small
// ones.
LatticeLaw TableSource::law(Direction direction, double spacing, Range range, bool up,
                            double) const {
  LatticeLaw law;
  law.spacing = spacing;
  const bool remove = direction == Direction::remove;
  const double low = std::max(lowest(direction), remove ? range.low : -range.high);
  const double high = std::min(highest(direction), remove ? range.high : -range.low);
  if (too_fine(std::max(std::abs(low), std::abs(high)), spacing)) return trivial_law(spacing, up);
  const double first = std::floor(low / spacing) - 1;
  const double last = std::max(first, std::ceil(high / spacing) + 1);
  law.mass = no_masses(first, last);
  law.first = static_cast<std::int64_t>(first);
  for (const LossMass& e : events(direction)) {
    const double place = up ? std::ceil(e.high / spacing) : std::floor(e.low / spacing);
    if (place > last && up) {
      law.infinite += e.mass;
    } else if (place >= first || up) {
      const double held = std::clamp(place, first, last);
      law.mass[static_cast<std::size_t>(static_cast<std::int64_t>(held) - law.first)] += e.mass;
    }
  }
  return law;
}

double TableSource::delta_lower(Direction direction, double epsilon) const {
  double sum = 0, error = 0;
  for (const LossMass& e : events(direction)) {
    if (!(e.low > epsilon)) continue;
    sum -= e.mass * std::expm1(epsilon - e.low);
    // The exponent is off by a few units of either loss, and the power no larger than 1.
    error += e.mass * (8 + 4 * (std::abs(e.low) + epsilon));
  }
  const auto terms = static_cast<double>(events(direction).size());
  return std::max(0.0, sum - kUnit * (error + (terms + 4) * sum));
}

double TableSource::lowest(Direction direction) const {
  double least = kLargestLoss;
  for (const LossMass& e : events(direction)) least = std::min(least, e.low);
  return least;
}

double TableSource::highest(Direction direction) const {
  double most = kLeastLoss;
  for (const LossMass& e : events(direction)) most = std::max(most, e.high);
  return most;
}

}  // namespace honest_epsilon::pld
