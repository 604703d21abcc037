#include "core/pld/source.h"

#include <algorithm>
#include <cmath>

namespace honest_epsilon::pld {

std::vector<Node> PairSource::nodes(Direction direction) const {
  // The trapezoidal rule on a Gaussian with nodes h apart errs by exp(-2 pi^2 / h^2).
  const double h = 0.25 * std::min(1.0, pair_.feature());
  const double reach = pair_.reach();
  std::vector<Node> nodes;
  nodes.reserve(static_cast<std::size_t>(2 * reach / h) + 2);
  for (double z = -reach; z <= reach; z += h) {
    const double loss = pair_.loss(z);
    const double log_q = pair_.log_density_q(z) + std::log(h);
    if (direction == Direction::remove) {
      nodes.push_back({loss, log_q + loss});
    } else {
      nodes.push_back({-loss, log_q});
    }
  }
  return nodes;
}

}  // namespace honest_epsilon::pld
