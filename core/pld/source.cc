#include "core/pld/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/base/interval.h"

namespace honest_epsilon::pld {

namespace {

/// Nodes of a pair with kinks or atoms, by cells between the kinks.
constexpr int kCells = 2000;

LossNode node_of(Direction direction, double loss, double log_p, double log_q) {
  return direction == Direction::remove ? LossNode{loss, log_p} : LossNode{-loss, log_q};
}

/// Cuts of the coordinate: fine where the loss rises, an atom in one piece.
std::vector<double> cuts(const pairs::Pair& pair) {
  std::vector<double> ends = pair.kinks();
  const double reach = std::max({pair.reach(), -ends.front() + 1, ends.back() + 1});
  ends.insert(ends.begin(), -reach);
  ends.push_back(reach);
  const double length = 0.25 * std::min(1.0, pair.feature());
  const auto most = std::max<double>(2, kCells / static_cast<double>(ends.size()));
  std::vector<double> result = {-kInfinity};
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double width = ends[i + 1] - ends[i];
    const bool flat = !(pair.loss(ends[i + 1]) > pair.loss(ends[i]));
    const double pieces = flat ? 1 : std::clamp(std::ceil(width / length), most / 8, most);
    for (double k = 0; k < std::floor(pieces); ++k)
      result.push_back(ends[i] + width * (k / std::floor(pieces)));
  }
  result.push_back(reach);
  result.push_back(kInfinity);
  return result;
}

std::vector<LossNode> nodes_of_cells(const pairs::Pair& pair, Direction direction) {
  const std::vector<double> cut = cuts(pair);
  std::vector<LossNode> nodes;
  for (std::size_t i = 0; i + 1 < cut.size(); ++i) {
    const pairs::Cell cell = pair.cell(cut[i], cut[i + 1]);
    const double loss =
        std::isfinite(cell.loss) ? cell.loss : pair.loss(std::isinf(cut[i]) ? cut[i + 1] : cut[i]);
    const LossNode node = node_of(direction, loss, std::log(cell.p.value), std::log(cell.q.value));
    if (std::isfinite(node.loss) && node.log_weight > -kInfinity) nodes.push_back(node);
  }
  return nodes;
}

/// The largest modulus of the losses that a law resolves.
double farthest_loss(const pairs::Pair& pair, const Range& range) {
  return std::max(std::abs(std::max(range.low, pair.lowest_loss())),
                  std::abs(std::min(range.high, pair.highest_loss())));
}

}  // namespace

std::vector<LossNode> sorted(std::vector<LossNode> nodes) {
  std::sort(nodes.begin(), nodes.end(),
            [](const LossNode& a, const LossNode& b) { return a.loss < b.loss; });
  return nodes;
}

std::vector<LossNode> merged(std::vector<LossNode> nodes) {
  nodes = sorted(std::move(nodes));
  double mass = 0, mean = 0, square = 0;
  for (const LossNode& node : nodes) {
    const double weight = std::exp(node.log_weight);
    mass += weight;
    mean += weight * node.loss;
    square += weight * node.loss * node.loss;
  }
  mean /= mass;
  const double deviation = std::sqrt(std::max(0.0, square / mass - mean * mean));
  // Of a standard deviation, or of the distance to the mean: rare losses are far apart.
  constexpr double kEqual = 0.05, kNearly = 0.01;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes.size(); ++kept) {
    const double first = nodes[i].loss;
    const double last = first + std::max(kEqual * deviation, kNearly * std::abs(first - mean));
    double largest = nodes[i].log_weight;
    std::size_t end = i + 1;
    for (; end < nodes.size() && nodes[end].loss <= last; ++end)
      largest = std::max(largest, nodes[end].log_weight);
    double together = 0, moment = 0;
    for (; i < end; ++i) {
      const double weight = std::exp(nodes[i].log_weight - largest);
      together += weight;
      moment += weight * nodes[i].loss;
    }
    nodes[kept] = {moment / together, largest + std::log(together)};
  }
  nodes.resize(kept);
  return nodes;
}

std::vector<LossNode> PairSource::nodes(Direction direction) const {
  if (pair_->symmetric()) direction = Direction::remove;
  if (!pair_->kinks().empty()) return nodes_of_cells(*pair_, direction);
  // The trapezoidal rule on a Gaussian with nodes h apart errs by exp(-2 pi^2 / h^2).
  const double h = 0.25 * std::min(1.0, pair_->feature());
  const double reach = pair_->reach();
  std::vector<LossNode> nodes;
  nodes.reserve(static_cast<std::size_t>(2 * reach / h) + 4);
  const auto add = [&](double loss, double log_q) {
    nodes.push_back(node_of(direction, loss, log_q + loss, log_q));
  };
  for (double z = -reach; z <= reach; z += h)
    add(pair_->loss(z), pair_->log_density_q(z) + std::log(h));
  // Whole masses may lie where the other law has none.
  const double above = pair_->cell(reach, kInfinity).p.value;
  const double below = pair_->cell(-kInfinity, -reach).q.value;
  if (direction == Direction::remove && above > 0)
    nodes.push_back({pair_->loss(reach), std::log(above)});
  if (direction == Direction::add && below > 0)
    nodes.push_back({-pair_->loss(-reach), std::log(below)});
  return nodes;
}

LatticeLaw PairSource::law(Direction direction, double spacing, Range range, bool up,
                           double tilt) const {
  if (direction == Direction::add && pair_->symmetric())
    return law(Direction::remove, spacing, {-range.high, -range.low}, up, tilt);
  if (too_fine(farthest_loss(*pair_, range), spacing)) return trivial_law(spacing, up);
  return up ? split_losses(*pair_, direction, spacing, range)
            : lump_losses(*pair_, direction, spacing, range, tilt);
}

pairs::Cell PairSource::top(Direction direction) const {
  if (pair_->atoms().size() < 2) return {};
  const std::vector<double> kinks = pair_->kinks();
  if (direction == Direction::remove || pair_->symmetric())
    return pair_->cell(kinks.back(), kInfinity);
  return pairs::exchanged(pair_->cell(-kInfinity, kinks.front()));
}

double PairSource::grain() const {
  const std::vector<double> atoms = pair_->atoms();
  return atoms.size() > 1 ? atoms[1] - atoms[0] : 0;
}

std::vector<LossNode> RatioSource::nodes(Direction direction) const {
  if (!pair_->kinks().empty()) {
    std::vector<LossNode> nodes;
    for (const LossNode& node : nodes_of_cells(*pair_, Direction::add)) {
      const double ratio = std::exp(-node.loss);
      if (direction == Direction::add) {
        nodes.push_back({-std::min(ratio, limit_), node.log_weight});
      } else if (ratio <= limit_) {
        nodes.push_back({ratio, node.log_weight});
      }
    }
    return nodes;
  }
  // Midpoints of cells that grow away from the limit: large tilts feel how the law ends there.
  const double h = 0.1 * std::min(1.0, pair_->feature());
  const double top = std::min(pair_->reach(), pair_->position(std::log(limit_)));
  const double sign = direction == Direction::remove ? 1 : -1;
  std::vector<LossNode> nodes;
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

LatticeLaw RatioSource::law(Direction direction, double spacing, Range, bool up,
                            double tilt) const {
  const bool remove = direction == Direction::remove;
  if (!up) {
    if (remove) return lump_ratios(*pair_, spacing, limit_, Rounding::down, tilt);
    return mirrored(lump_ratios(*pair_, spacing, limit_, Rounding::up, -tilt));
  }
  LatticeLaw law = split_ratios(*pair_, spacing, limit_);
  if (remove) return law;
  // A put does not distinguish ratios above the limit, but they are part of the sum: they are put
  // at the top, which is the safe side.
  const double top = pair_->position(std::log(law.covered));
  const pairs::Mass beyond = pair_->cell(top, std::numeric_limits<double>::infinity()).q;
  law.mass.back() += beyond.upper();
  return mirrored(std::move(law));
}

}  // namespace honest_epsilon::pld
