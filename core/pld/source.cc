#include "core/pld/source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace honest_epsilon::pld {

std::vector<Node> PairSource::nodes(Direction direction) const {
  // The trapezoidal rule on a Gaussian with nodes h apart errs by exp(-2 pi^2 / h^2).
  const double h = 0.25 * std::min(1.0, pair_->feature());
  const double reach = pair_->reach();
  std::vector<Node> nodes;
  nodes.reserve(static_cast<std::size_t>(2 * reach / h) + 2);
  for (double z = -reach; z <= reach; z += h) {
    const double loss = pair_->loss(z);
    const double log_q = pair_->log_density_q(z) + std::log(h);
    if (direction == Direction::remove) {
      nodes.push_back({loss, log_q + loss});
    } else {
      nodes.push_back({-loss, log_q});
    }
  }
  return nodes;
}

std::vector<Node> RatioSource::nodes(Direction direction) const {
  // Midpoints of cells that grow away from the limit: large tilts feel how the law ends there.
  const double h = 0.1 * std::min(1.0, pair_->feature());
  const double top = std::min(pair_->reach(), pair_->position(std::log(limit_)));
  const double sign = direction == Direction::remove ? 1 : -1;
  std::vector<Node> nodes;
  double width = 1e-3 * h;
  for (double z = top; z > std::min(-12.0, top - 8); z -= width) {
    width = std::min(h, 1.15 * width);
    const double middle = z - 0.5 * width;
    nodes.push_back(
        {sign * std::exp(pair_->loss(middle)), pair_->log_density_q(middle) + std::log(width)});
  }
  if (direction == Direction::add) {
    const pairs::Mass beyond = pair_->cell(top, std::numeric_limits<double>::infinity()).q;
    if (beyond.value > 0) nodes.push_back({-limit_, std::log(beyond.value)});
  }
  return nodes;
}

LatticeLaw RatioSource::upper(Direction direction, double spacing, Range) const {
  LatticeLaw law = split_ratios(*pair_, spacing, limit_);
  if (direction == Direction::remove) return law;
  // What a put does not tell apart still takes part in the sum: at the top, the safe side.
  const double top = pair_->position(std::log(law.covered));
  const pairs::Mass beyond = pair_->cell(top, std::numeric_limits<double>::infinity()).q;
  law.mass.back() += beyond.value + beyond.error;
  return mirrored(std::move(law));
}

LatticeLaw RatioSource::lower(Direction direction, double spacing, Range, double tilt) const {
  if (direction == Direction::remove) return lump_ratios(*pair_, spacing, limit_, Move::down, tilt);
  return mirrored(lump_ratios(*pair_, spacing, limit_, Move::up, -tilt));
}

}  // namespace honest_epsilon::pld
