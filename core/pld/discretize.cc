#include "core/pld/discretize.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/rounding.h"

namespace honest_epsilon::pld {
namespace {

using pairs::between;
using pairs::Mass;
using pairs::Pair;
using pairs::Point;

/// Points of the ratio axis k_j = dP/dQ, either k = exp(origin + j spacing) or k = origin + j spacing.
struct Knots {
  bool logarithmic;
  double origin;
  double spacing;

  double coordinate(std::int64_t j) const { return origin + static_cast<double>(j) * spacing; }
  double loss(std::int64_t j) const {
    const double x = coordinate(j);
    if (logarithmic) return x;
    return x > 0 ? std::log(x) : -kInfinity;
  }
  /// The lattice coordinate of a loss.
  double of_loss(double loss) const { return logarithmic ? loss : std::exp(loss); }
};

struct Cell {
  Mass p;
  Mass q;
};

Cell cell_between(const Pair& pair, const Point& low, const Point& high) {
  const double relative = std::max(pair.relative_error(low.z), pair.relative_error(high.z));
  return {between(low.p, high.p, relative), between(low.q, high.q, relative)};
}

/// How far a boundary's true loss may be from the lattice point it stands for.
double misplacement(const Pair& pair, const Point& point) {
  if (!std::isfinite(point.z)) return 0;
  return 8 * kUnit * (std::abs(point.z) * pair.slope(point.z) + std::abs(point.loss));
}

/// p a - q b of a lumped cell, with a, b in proportion e^-loss : 1 and neither above 1: zero where
/// the cell's mean is exactly the target loss.
struct Target {
  double loss;
  double alpha;
  double beta;

  explicit Target(double l)
      : loss(l), alpha(l > 0 ? std::exp(-l) : 1), beta(l > 0 ? 1 : std::exp(l)) {}
  double residual(const Cell& cell) const { return alpha * cell.p.value - beta * cell.q.value; }
  double residual_error(const Cell& cell) const {
    return alpha * (cell.p.error + 4 * kUnit * cell.p.value) +
           beta * (cell.q.error + 4 * kUnit * cell.q.value);
  }
};

/// The lower boundary of the cell below `high` whose mean loss is target.loss. Nothing when even all
/// that is left has a larger mean.
std::optional<Point> lower_boundary(const Pair& pair, const Point& high, const Target& target,
                                    double skew, double resolution) {
  double top = std::min(pair.position(target.loss), high.z);  // residual > 0 there
  double bottom = -kInfinity;                                 // residual < 0 there, or unknown
  double z;
  if (std::isfinite(high.loss)) {
    z = pair.position(target.loss - skew * (high.loss - target.loss));
  } else {
    z = top - 0.5;
  }
  if (!std::isfinite(z)) z = top - pair.feature();
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Point low = pair.at(z);
    const Cell cell = cell_between(pair, low, high);
    const double value = target.residual(cell);
    const double gap = -std::expm1(low.loss - target.loss);  // (k - ratio(low)) / k, positive
    const double derivative = target.beta * std::exp(pair.log_density_q(z)) * gap;
    const double step = derivative > 0 ? value / derivative : 0;
    // value / (alpha p) is the distance of the cell's mean loss from the target.
    if (std::abs(value) <= resolution * target.alpha * cell.p.value) return low;
    if (value > 0) {
      top = z;
    } else {
      bottom = z;
    }
    double next = derivative > 0 ? z - step : -kInfinity;
    if (!(next < top && next > bottom)) {
      if (bottom == -kInfinity) {
        next = top - std::max(2 * (pair.position(target.loss) - top), 0.25 * pair.feature());
        if (next < -pair.reach()) {
          if (target.residual(cell_between(pair, pair.at(-kInfinity), high)) > 0) return std::nullopt;
          bottom = -pair.reach();
          next = 0.5 * (top + bottom);
        }
      } else {
        next = 0.5 * (top + bottom);
      }
    }
    const bool bracketed = std::isfinite(bottom);
    if (next == z || (bracketed && top - bottom <= 4 * kUnit * std::max(top, -bottom)))
      return pair.at(bracketed ? bottom : z);
    z = next;
  }
  return pair.at(bottom > -kInfinity ? bottom : z);
}

struct Lump {
  std::int64_t index;
  Cell cell;
  double excess_low;   ///< mean - lattice point, at least, in lattice coordinates
  double excess_high;  ///< at most
};

/// How far the cell's mean may lie from its lattice point, rounding of the masses included.
Lump lumped(const Knots& knots, std::int64_t index, const Cell& cell) {
  const Target target(knots.loss(index));
  const double residual = target.residual(cell);
  const double error = target.residual_error(cell);
  Lump lump{index, cell, 0, 0};
  if (knots.logarithmic) {
    const double mass = target.alpha * cell.p.value;
    const auto excess = [mass](double r) {
      const double x = r / mass;
      return x < 1 ? -std::log1p(-x) : kInfinity;
    };
    lump.excess_low = excess(residual - error);
    lump.excess_high = excess(residual + error);
  } else {
    // mean - k = (p - k q)/q; the target's scaling is 1/k or 1.
    const double scale = knots.coordinate(index) > 1 ? knots.coordinate(index) : 1.0;
    lump.excess_low = scale * (residual - error) / cell.q.value;
    lump.excess_high = scale * (residual + error) / cell.q.value;
  }
  const double rounding = 4 * kUnit * std::abs(knots.coordinate(index));
  lump.excess_low -= rounding;
  lump.excess_high += rounding;
  return lump;
}

/// Cells from `top` down, each with its mean on a knot. The last one, at `last_index` or where the
/// losses end, takes all that is left and is put on the knot nearest to its mean.
std::vector<Lump> lump_cells(const Pair& pair, const Knots& knots, const Point& top,
                             std::int64_t top_index, double low_loss, std::int64_t last_index) {
  std::vector<Lump> lumps;
  Point high = top;
  double skew = 1;
  const Point bottom = pair.at(-kInfinity);
  for (std::int64_t j = top_index;; --j) {
    // A knot this close to the cell's upper end, or above it, cannot be the mean of a decent cell.
    if (std::isfinite(high.loss)) {
      const double room = (knots.of_loss(high.loss) - knots.origin) / knots.spacing - 0.1;
      j = std::min(j, static_cast<std::int64_t>(std::floor(room)));
    }
    const Target target(knots.loss(j));
    const bool last = j <= last_index || !(target.loss > low_loss) ||
                      !(target.loss > pair.lowest_loss());
    const double cell_width =
        knots.logarithmic ? knots.spacing : knots.spacing / std::max(knots.coordinate(j), 1e-300);
    const auto low =
        last ? std::nullopt : lower_boundary(pair, high, target, skew, 1e-7 * cell_width);
    const Cell cell = cell_between(pair, low ? *low : bottom, high);
    if (!(cell.p.value > 0) || !(cell.q.value > 0)) {
      // Nothing measurable in this cell: it joins the next one, or is dropped at the bottom.
      if (!low) break;
      continue;
    }
    if (low) {
      lumps.push_back(lumped(knots, j, cell));
      if (std::isfinite(high.loss) && high.loss > target.loss)
        skew = std::clamp((target.loss - low->loss) / (high.loss - target.loss), 0.1, 10.0);
      high = *low;
      continue;
    }
    // The rest: its mean need not be near this knot.
    const double mean_loss = std::log(cell.p.value / cell.q.value);
    const double coordinate = knots.of_loss(mean_loss);
    const auto nearest =
        static_cast<std::int64_t>(std::llround((coordinate - knots.origin) / knots.spacing));
    lumps.push_back(lumped(knots, nearest, cell));
    break;
  }
  return lumps;
}

/// Lumps of U up to (about) a top coordinate, on the lattice whose origin makes the bottom cell's mean
/// a lattice point, too: for small sampling probability nearly everything sits there, and rounding it
/// would cost percents. The top cell ends half a cell above its knot, as a settled one does.
std::vector<Lump> tuned_lumps(const Pair& pair, Knots& knots, double top_coordinate,
                              double low_loss) {
  constexpr std::int64_t kTrial = 200;  // cells: the choice far above does not reach the bottom
  constexpr double kResidual = 1e-6;    // of the spacing, over all the mass
  const auto top_index = [&] {
    return static_cast<std::int64_t>(
        std::floor((top_coordinate - knots.origin) / knots.spacing - 0.5));
  };
  std::int64_t last_index = std::numeric_limits<std::int64_t>::min();
  const auto cells_from = [&](std::int64_t start) {
    const double coordinate = knots.coordinate(start) + 0.5 * knots.spacing;
    const Point high =
        pair.at(pair.position(knots.logarithmic ? coordinate : std::log(coordinate)));
    return lump_cells(pair, knots, high, start, low_loss, last_index);
  };
  const double floor_coordinate = knots.of_loss(std::max(low_loss, pair.lowest_loss()));
  double last_origin = 0;
  double last_excess = 0;
  for (int attempt = 0; attempt < 10 && std::isfinite(floor_coordinate); ++attempt) {
    const auto bottom_index =
        static_cast<std::int64_t>(std::floor((floor_coordinate - knots.origin) / knots.spacing));
    const auto trial = cells_from(std::min(top_index(), bottom_index + kTrial));
    if (trial.empty()) break;
    const Lump& rest = trial.back();
    const double excess = 0.5 * (rest.excess_low + rest.excess_high);
    const double share = std::max(rest.cell.p.value, rest.cell.q.value);
    if (!(std::abs(excess) * share > kResidual * knots.spacing)) break;
    last_index = rest.index;
    // A fixed-point step at first, then the secant through the last two.
    const double slope = attempt > 1 ? (excess - last_excess) / (knots.origin - last_origin) : -1;
    last_origin = knots.origin;
    last_excess = excess;
    knots.origin += slope < -0.05 && slope > -20 ? -excess / slope : excess;
  }
  return cells_from(top_index());
}

/// Turns lumps into a law whose points are all on the safe side of the cells' means. A cell whose
/// mean misses its point by little moves the whole lattice with it; one that misses by more moves
/// alone. Where to draw the line is a matter of cost under the tilt, not of correctness.
template <class MassOf>
LatticeLaw law_of_lumps(const std::vector<Lump>& lumps, const Knots& knots, Move move, double tilt,
                        MassOf mass_of) {
  const double sign = move == Move::down ? 1 : -1;
  struct Miss {
    double distance;
    double weight;
    std::size_t lump;
  };
  std::vector<Miss> misses;
  double largest = -kInfinity;
  const auto exponent = [&](const Lump& lump) { return tilt * knots.coordinate(lump.index); };
  for (const Lump& lump : lumps) {
    const double mass = mass_of(lump.cell).value;
    if (mass > 0) largest = std::max(largest, std::log(mass) + exponent(lump));
  }
  for (std::size_t i = 0; i < lumps.size(); ++i) {
    const double distance = move == Move::down ? -lumps[i].excess_low : lumps[i].excess_high;
    if (!(distance > 0)) continue;
    const double weight = mass_of(lumps[i].cell).value * std::exp(exponent(lumps[i]) - largest);
    misses.push_back({distance, weight, i});
  }
  std::sort(misses.begin(), misses.end(),
            [](const Miss& a, const Miss& b) { return a.distance > b.distance; });
  // Move the first k alone and the lattice by the next one's distance.
  double alone = 0;
  double least = kInfinity;
  std::size_t best = 0;
  for (std::size_t k = 0; k <= misses.size(); ++k) {
    const double shift = k < misses.size() ? misses[k].distance : 0;
    if (alone + shift < least) {
      least = alone + shift;
      best = k;
    }
    if (k < misses.size()) {
      const double moves = std::max(1.0, std::ceil(misses[k].distance / knots.spacing));
      alone += misses[k].weight * (std::isfinite(moves) ? moves : 1.0) * knots.spacing;
    }
  }
  std::vector<std::int64_t> moved(lumps.size(), 0);
  std::vector<bool> dropped(lumps.size(), false);
  for (std::size_t k = 0; k < best; ++k) {
    const double moves = std::ceil(misses[k].distance / knots.spacing);
    if (moves < 1e15) {
      moved[misses[k].lump] = static_cast<std::int64_t>(moves);
    } else {
      dropped[misses[k].lump] = true;
    }
  }
  const double shift = best < misses.size() ? misses[best].distance : 0;

  LatticeLaw law;
  law.spacing = knots.spacing;
  law.origin = knots.origin - sign * shift;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  const auto index = [&](std::size_t i) {
    return lumps[i].index - static_cast<std::int64_t>(sign) * moved[i];
  };
  for (std::size_t i = 0; i < lumps.size(); ++i) {
    if (dropped[i]) continue;
    first = std::min(first, index(i));
    last = std::max(last, index(i));
  }
  if (first > last) return law;
  law.first = first;
  law.mass.assign(static_cast<std::size_t>(last - first + 1), 0.0);
  for (std::size_t i = 0; i < lumps.size(); ++i) {
    if (dropped[i]) continue;
    const Mass mass = mass_of(lumps[i].cell);
    law.mass[static_cast<std::size_t>(index(i) - first)] += std::max(0.0, mass.value - mass.error);
  }
  return law;
}

/// The same law seen from the other direction: points change sign.
LatticeLaw mirrored(LatticeLaw law) {
  law.first = -(law.first + static_cast<std::int64_t>(law.mass.size()) - 1);
  law.origin = -law.origin;
  std::reverse(law.mass.begin(), law.mass.end());
  return law;
}

}  // namespace

double log_moment(const LatticeLaw& law, double tilt) {
  if (law.mass.empty()) return -kInfinity;
  double largest = -kInfinity;
  for (std::size_t i : {std::size_t{0}, law.mass.size() - 1})
    largest = std::max(largest, tilt * law.point(i));
  double sum = 0;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.mass[i] > 0) sum += law.mass[i] * std::exp(tilt * law.point(i) - largest);
  }
  return largest + std::log(sum);
}

LatticeLaw split_losses(const Pair& pair, Direction direction, double spacing, Range range) {
  const double low = std::max(range.low, pair.lowest_loss());
  const double high = std::min(range.high, pair.highest_loss());
  const auto first = static_cast<std::int64_t>(std::floor(low / spacing));
  const auto last = std::max(first + 1, static_cast<std::int64_t>(std::ceil(high / spacing)));
  const Knots knots{true, 0, spacing};
  const bool remove = direction == Direction::remove;

  LatticeLaw law;
  law.spacing = spacing;
  law.first = first;
  law.mass.assign(static_cast<std::size_t>(last - first + 1), 0.0);
  Point left = pair.at(pair.position(knots.loss(first)));
  if (remove) {
    law.mass[0] += left.p.below * (1 + pair.relative_error(left.z));
  } else {
    law.infinite = left.q.below * (1 + pair.relative_error(left.z));
  }
  const double one_minus = -std::expm1(-spacing);  // 1 - e^-D
  const double e_minus_one = std::expm1(spacing);
  double left_misplacement = misplacement(pair, left);
  for (std::int64_t j = first; j < last; ++j) {
    const auto i = static_cast<std::size_t>(j - first);
    const Point right = pair.at(pair.position(knots.loss(j + 1)));
    const Cell cell = cell_between(pair, left, right);
    const double right_misplacement = misplacement(pair, right);
    const double blur = std::min(1.0, (left_misplacement + right_misplacement) / spacing);
    const double loss = knots.loss(j);
    // The Q-mass that goes to the right end is w = (p - e^l q)/(e^(l+D) - e^l): the mean of U stays.
    if (remove) {
      const double scale = std::exp(loss);  // q has underflowed wherever this overflows
      const double qs = cell.q.value > 0 ? scale * cell.q.value : 0;
      const double qe = cell.q.value > 0 ? scale * cell.q.error : 0;
      const double total = cell.p.value + cell.p.error;
      const double share = (cell.p.value - qs + cell.p.error + qe + 4 * kUnit * (cell.p.value + qs)) /
                               one_minus * (1 + 8 * kUnit) +
                           blur * cell.p.value;
      // Rounded towards the right: P-mass at a larger loss is the upper side.
      const double to_right = std::isfinite(share) ? std::clamp(share, 0.0, total) : total;
      law.mass[i + 1] += to_right;
      law.mass[i] += total - to_right;
    } else {
      const double scale = std::exp(-loss);
      const double ps = scale * cell.p.value;
      const double total = cell.q.value + cell.q.error;
      const double share = (ps - cell.q.value - scale * cell.p.error - cell.q.error -
                            4 * kUnit * (ps + cell.q.value)) /
                               e_minus_one * (1 - 8 * kUnit) -
                           blur * cell.q.value;
      // Rounded towards the left: Q-mass at a smaller log dP/dQ is the upper side of add.
      const double to_right = std::isfinite(share) ? std::clamp(share, 0.0, total) : 0;
      law.mass[i + 1] += to_right;
      law.mass[i] += total - to_right;
    }
    left = right;
    left_misplacement = right_misplacement;
  }
  if (remove) {
    law.infinite = left.p.above * (1 + pair.relative_error(left.z));
    return law;
  }
  law.mass.back() += left.q.above * (1 + pair.relative_error(left.z));
  return mirrored(std::move(law));
}

LatticeLaw lump_losses(const Pair& pair, Direction direction, double spacing, Range range,
                       double tilt) {
  Knots knots{true, 0, spacing};
  const double high = std::min(range.high, pair.highest_loss());
  const auto lumps = tuned_lumps(pair, knots, high, range.low);
  if (direction == Direction::remove)
    return law_of_lumps(lumps, knots, Move::down, tilt, [](const Cell& cell) { return cell.p; });
  return mirrored(
      law_of_lumps(lumps, knots, Move::up, -tilt, [](const Cell& cell) { return cell.q; }));
}

LatticeLaw split_ratios(const Pair& pair, double spacing, double high) {
  const Knots knots{false, 0, spacing};
  const auto last = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(high / spacing)));
  LatticeLaw law;
  law.spacing = spacing;
  law.mass.assign(static_cast<std::size_t>(last + 1), 0.0);
  Point left = pair.at(-kInfinity);
  double left_misplacement = 0;
  for (std::int64_t j = 0; j < last; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const Point right = pair.at(pair.position(knots.loss(j + 1)));
    const Cell cell = cell_between(pair, left, right);
    const double right_misplacement = misplacement(pair, right) * knots.coordinate(j + 1);
    const double blur = std::min(1.0, (left_misplacement + right_misplacement) / spacing);
    const double k = knots.coordinate(j);
    const double share = (cell.p.value - k * cell.q.value) / spacing;
    const double slack = (cell.p.error + k * cell.q.error +
                          4 * kUnit * (cell.p.value + k * cell.q.value)) /
                             spacing +
                         blur * cell.q.value;
    // A payoff that rises wants the share rounded up, one that falls wants it down: widen both
    // masses instead, which every payoff of one sign accepts.
    const double to_right = std::clamp(share, 0.0, cell.q.value);
    law.mass[i + 1] += to_right + slack;
    law.mass[i] += cell.q.value - to_right + cell.q.error + slack;
    left = right;
    left_misplacement = right_misplacement;
  }
  return law;
}

LatticeLaw lump_ratios(const Pair& pair, double spacing, double high, Move move, double tilt) {
  Knots knots{false, 0, spacing};
  const auto lumps = tuned_lumps(pair, knots, high, -kInfinity);
  return law_of_lumps(lumps, knots, move, tilt, [](const Cell& cell) { return cell.q; });
}

}  // namespace honest_epsilon::pld
