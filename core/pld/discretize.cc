#include "core/pld/discretize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/base/work.h"

namespace honest_epsilon::pld {
namespace {

using pairs::Cell;
using pairs::Mass;
using pairs::Pair;

/// What a cell costs (core/base/work.h): two normal tails and their logarithms.
constexpr std::int64_t kCellWork = 80;

/// An atom this close to a knot, in spacings, counts as on it.
constexpr double kOnKnot = 1e-7;

/// Points of the ratio axis k_j = dP/dQ, either k = exp(origin + j spacing) or k = origin + j
/// spacing.
struct Knots {
  bool logarithmic;
  double origin;
  double spacing;
  std::vector<std::int64_t> atoms = {};  ///< knots that hold an atom of the pair, rising

  double coordinate(std::int64_t j) const { return origin + static_cast<double>(j) * spacing; }
  double loss(std::int64_t j) const {
    const double x = coordinate(j);
    if (logarithmic) return x;
    return x > 0 ? std::log(x) : -kInfinity;
  }
  /// The lattice coordinate of a loss.
  double of_loss(double loss) const { return logarithmic ? loss : std::exp(loss); }
};

/// A boundary between cells.
struct CellBoundary {
  double z;
  double loss;
};

/// A cell below a given boundary, and where it begins.
struct CellBelow {
  CellBoundary low;
  Cell cell;
};

/// The cell below `high` whose mean loss is `target`, to `resolution`. Nothing when even all that
/// is left has a larger mean.
///   skew: (target - low.loss) / (high.loss - target) of the cell above, a good first guess.
std::optional<CellBelow> cell_below(const Pair& pair, const CellBoundary& high, double target,
                                    double skew, double resolution) {
  double top = std::min(pair.position(target), high.z);  // the mean is too large there
  double bottom = -kInfinity;                            // the mean is too small there, or unknown
  double z = pair.position(target - skew * (high.loss - target));
  if (!std::isfinite(z)) z = top - pair.feature();
  for (int iteration = 0; iteration < 80; ++iteration) {
    const Cell cell = pair.cell(z, high.z);
    const double loss = pair.loss(z);
    const double excess = cell.loss - target;
    if (std::abs(excess) <= resolution) return CellBelow{{z, loss}, cell};
    // d mean / d z = (1 - e^{loss - mean}) density / mass
    const double derivative =
        std::exp(pair.log_density_q(z)) / cell.q.value * -std::expm1(loss - cell.loss);
    (excess > 0 ? top : bottom) = z;
    double next = derivative > 0 ? z - excess / derivative : -kInfinity;
    if (!(next < top && next > bottom)) {
      if (std::isfinite(bottom)) {
        next = 0.5 * (top + bottom);
      } else {
        next = top - std::max(2 * (high.z - top), 0.25 * pair.feature());
      }
    }
    if (next < -pair.reach()) {
      if (!std::isfinite(bottom) && pair.cell(-kInfinity, high.z).loss > target)
        return std::nullopt;
      bottom = std::max(bottom, -pair.reach());
      next = 0.5 * (top + bottom);
    }
    const bool spent = std::isfinite(bottom) &&
                       top - bottom <= 4 * kUnit * std::max(std::abs(top), std::abs(bottom));
    if (next == z || spent) return CellBelow{{z, loss}, cell};
    z = next;
  }
  return CellBelow{{z, pair.loss(z)}, pair.cell(z, high.z)};
}

struct Lump {
  std::int64_t index;
  Cell cell;
  double excess_low;   ///< mean - lattice point, at least, in lattice coordinates
  double excess_high;  ///< at most
};

/// How far the cell's mean may lie from its lattice point, rounding included.
Lump lumped(const Knots& knots, std::int64_t index, const Cell& cell) {
  const double coordinate = knots.coordinate(index);
  if (knots.logarithmic) {
    const double rounding = cell.loss_error + 4 * kUnit * std::abs(coordinate);
    const double excess = cell.loss - coordinate;
    return {index, cell, excess - rounding, excess + rounding};
  }
  // mean - k, as k expm1(loss - log k) where k > 0.
  const double mean = std::exp(cell.loss);
  const double excess = coordinate > 0 ? coordinate * std::expm1(cell.loss - std::log(coordinate))
                                       : mean - coordinate;
  const double rounding = mean * (cell.loss_error + 4 * kUnit * (1 + std::abs(cell.loss))) +
                          4 * kUnit * std::abs(coordinate);
  return {index, cell, excess - rounding, excess + rounding};
}

/// The knot for the mean of the cell below `high`, at most j.
std::int64_t knot_below(const Knots& knots, const CellBoundary& high, std::int64_t j) {
  // A knot this close to the cell's upper end, or above it, cannot be the mean of a decent cell,
  // unless an atom is there.
  const double room = (knots.of_loss(high.loss) - knots.origin) / knots.spacing;
  const auto decent = std::min(j, static_cast<std::int64_t>(std::floor(room - 0.1)));
  for (auto atom = knots.atoms.rbegin(); atom != knots.atoms.rend(); ++atom) {
    if (*atom <= j && *atom > decent && static_cast<double>(*atom) <= room + kOnKnot) return *atom;
  }
  return decent;
}

/// The part below z of the atom's stretch of z that ends at or contains z.
CellBelow cell_of_atom(const Pair& pair, double z) {
  double begin = -kInfinity;
  for (const double kink : pair.kinks()) {
    if (kink < z) begin = kink;
  }
  return {{begin, pair.loss(begin)}, pair.cell(begin, z)};
}

struct Lumps {
  std::vector<Lump> cells;
  double top;   ///< where the top cell ends, in the lattice's coordinate
  double rest;  ///< the z below which the last cell takes everything
};

/// Cells from `top` down, each with its mean on a knot. The last one, at `last_index` or where the
/// losses end, takes all that is left and is put on the knot nearest to its mean.
Lumps lump_cells(const Pair& pair, const Knots& knots, const CellBoundary& top,
                 std::int64_t top_index, double low_loss, std::int64_t last_index) {
  std::vector<Lump> lumps;
  CellBoundary high = top;
  double skew = 1;
  for (std::int64_t j = top_index;; --j) {
    j = knot_below(knots, high, j);
    work::spend(kCellWork);
    const double target = knots.loss(j);
    const bool last = j <= last_index || !(target > low_loss) || !(target > pair.lowest_loss());
    const double cell_width =
        knots.logarithmic ? knots.spacing : knots.spacing / std::max(knots.coordinate(j), 1e-300);
    const bool rest_of_atom = std::binary_search(knots.atoms.begin(), knots.atoms.end(), j) &&
                              high.loss <= target + kOnKnot * knots.spacing;
    const auto below = last           ? std::nullopt
                       : rest_of_atom ? std::optional(cell_of_atom(pair, high.z))
                                      : cell_below(pair, high, target, skew, 1e-7 * cell_width);
    const Cell cell = below ? below->cell : pair.cell(-kInfinity, high.z);
    const bool measurable = (cell.p.value > 0 || cell.q.value > 0) && std::isfinite(cell.loss);
    if (!below) {
      if (measurable) {
        const double place = (knots.of_loss(cell.loss) - knots.origin) / knots.spacing;
        lumps.push_back(lumped(knots, static_cast<std::int64_t>(std::llround(place)), cell));
      }
      break;
    }
    if (measurable) lumps.push_back(lumped(knots, j, cell));
    if (high.loss > target)
      skew = std::clamp((target - below->low.loss) / (high.loss - target), 0.1, 10.0);
    high = below->low;
  }
  return {std::move(lumps), top.loss, high.z};
}

/// What is left of the losses between the lowest atom and the knot above it has its mean between
/// the two. A share of the highest atom takes it to the knot above: a second-order change, where a
/// move would be a first-order one.
void lift_remainder(const Pair& pair, const Knots& knots, Lumps& lumps) {
  const double bottom = pair.kinks().front();
  if (lumps.cells.size() < 2 || !(lumps.rest > bottom) || lumps.cells.back().index != 0 ||
      pair.loss(lumps.rest) > knots.loss(2))
    return;
  const Cell remainder = pair.cell(bottom, lumps.rest);
  lumps.cells.back() = lumped(knots, 0, pair.cell(-kInfinity, bottom));
  if (!(remainder.p.value > 0) || !std::isfinite(remainder.loss)) return;
  const Lump top = lumps.cells.front();
  const double target = knots.loss(1);
  const double share = remainder.q.value * std::exp(target) * -std::expm1(remainder.loss - target) /
                       (top.cell.p.value * -std::expm1(target - top.cell.loss));
  if (!(share > 0 && share < 0.5) || top.index <= 1) {
    lumps.cells.push_back(lumped(knots, 0, remainder));
    return;
  }
  lumps.cells.push_back(lumped(knots, 1, joined(remainder, portion(top.cell, share))));
  lumps.cells.front() = lumped(knots, top.index, portion(top.cell, 1 - share));
}

/// Lumps on a lattice that holds the pair's atoms: each stays where it is.
Lumps lumps_with_atoms(const Pair& pair, const Knots& knots, const Range& range) {
  const auto lowest_index = std::numeric_limits<std::int64_t>::min();
  if (knots.atoms.size() < 2 || range.high < pair.highest_loss()) {
    const auto top =
        static_cast<std::int64_t>(std::floor((range.high - knots.origin) / knots.spacing - 0.5));
    const double loss = knots.coordinate(top) + 0.5 * knots.spacing;
    return lump_cells(pair, knots, {pair.position(loss), loss}, top, range.low, lowest_index);
  }
  const double begin = pair.kinks().back();
  const CellBoundary end{begin, pair.highest_loss()};
  Lumps lumps = lump_cells(pair, knots, end, knots.atoms.back() - 1, range.low, lowest_index);
  lumps.cells.insert(lumps.cells.begin(),
                     lumped(knots, knots.atoms.back(), pair.cell(begin, kInfinity)));
  if (knots.atoms.front() == 0) lift_remainder(pair, knots, lumps);
  return lumps;
}

/// The knots of the pair's atoms on a lattice through the lowest of them; none if they do not fit.
std::vector<std::int64_t> atoms_on(const Pair& pair, double spacing) {
  const std::vector<double> atoms = pair.atoms();
  std::vector<std::int64_t> knots;
  for (const double atom : atoms) {
    const double place = (atom - atoms.front()) / spacing;
    if (std::abs(place - std::round(place)) > kOnKnot) return {};
    knots.push_back(std::llround(place));
  }
  return knots;
}

/// Lumps of U up to (about) a top coordinate, on the lattice whose origin makes the bottom cell's
/// mean a lattice point, too: for small sampling probability nearly everything sits there, and
/// rounding it would cost percents. The top cell ends half a cell above its knot, as a settled one
/// does, or where the losses end.
Lumps tuned_lumps(const Pair& pair, Knots& knots, double top_coordinate, double low_loss) {
  constexpr std::int64_t kTrial = 200;  // cells: the choice far above does not reach the bottom
  constexpr double kResidual = 1e-6;    // of the spacing
  const bool whole_top = top_coordinate >= knots.of_loss(pair.highest_loss());
  const double above = whole_top ? 0 : 0.5;
  const auto top_index = [&] {
    return static_cast<std::int64_t>(
        std::floor((top_coordinate - knots.origin) / knots.spacing - above));
  };
  const auto top_end = [&] {
    return whole_top ? top_coordinate : knots.coordinate(top_index()) + above * knots.spacing;
  };
  std::int64_t last_index = std::numeric_limits<std::int64_t>::min();
  const auto cells_from = [&](std::int64_t start) {
    const double coordinate =
        start == top_index() ? top_end() : knots.coordinate(start) + 0.5 * knots.spacing;
    const double loss = knots.logarithmic ? coordinate : std::log(coordinate);
    Lumps lumps = lump_cells(pair, knots, {pair.position(loss), loss}, start, low_loss, last_index);
    lumps.top = coordinate;
    return lumps;
  };
  const double floor_coordinate = knots.of_loss(std::max(low_loss, pair.lowest_loss()));
  if (!std::isfinite(floor_coordinate)) return cells_from(top_index());
  double last_origin = 0;
  double last_excess = 0;
  // Tries short stretches above the bottom until they settle, then whole laws.
  bool whole = false;
  Lumps lumps;
  for (int attempt = 0; attempt < 14; ++attempt) {
    const double bottom = std::floor((floor_coordinate - knots.origin) / knots.spacing);
    const auto bottom_index =
        static_cast<std::int64_t>(std::min(bottom, static_cast<double>(top_index())));
    const std::int64_t start = bottom_index + kTrial;
    const bool all = whole || start >= top_index();
    lumps = cells_from(all ? top_index() : start);
    if (lumps.cells.empty()) break;
    const Lump& rest = lumps.cells.back();
    const double excess = 0.5 * (rest.excess_low + rest.excess_high);
    const double share = std::max(rest.cell.p.value, rest.cell.q.value);
    // A miss costs a move of the whole lattice by it, or of the bottom cell alone by one spacing.
    const double cost = std::min(std::abs(excess), share * knots.spacing);
    if (!(cost > kResidual * knots.spacing) || (!whole && attempt == 9)) {
      if (all) return lumps;
      whole = true;
      continue;
    }
    last_index = rest.index;
    // A fixed-point step at first, then the secant through the last two.
    const double slope = attempt > 1 ? (excess - last_excess) / (knots.origin - last_origin) : -1;
    last_origin = knots.origin;
    last_excess = excess;
    knots.origin += slope < -0.05 && slope > -20 ? -excess / slope : excess;
  }
  return cells_from(top_index());
}

/// Puts what lies above the lumps next to its mean, on the safe side; if that is far away, P-mass
/// on their top, and Q-mass nowhere.
void keep_above(const Pair& pair, const Knots& knots, Rounding move, Lumps& lumps) {
  if (lumps.cells.empty() || lumps.top >= pair.highest_loss()) return;
  const Cell above = pair.cell(pair.position(lumps.top), kInfinity);
  const std::int64_t top = lumps.cells.front().index;
  const double place = (above.loss - knots.origin) / knots.spacing;
  const auto put = [&](const Lump& lump) { lumps.cells.insert(lumps.cells.begin(), lump); };
  if (place >= static_cast<double>(top) && place < static_cast<double>(top + 2)) {
    const double knot = move == Rounding::down ? std::floor(place) : std::ceil(place);
    put(lumped(knots, static_cast<std::int64_t>(knot), above));
  } else if (move == Rounding::down && above.p.value > 0) {
    put({top, above, 0, 0});
  }
}

/// The range's upper end, or that of the losses where it is the same but for rounding.
double top_of(const Pair& pair, double spacing, const Range& range) {
  const double highest = pair.highest_loss();
  return range.high < highest - kOnKnot * spacing ? range.high : highest;
}

/// The most points of a law: four windows of the largest transform.
constexpr std::int64_t kMostPoints = std::int64_t{1} << 22;

/// A cell whose mean misses its point.
struct Miss {
  double distance;
  double weight;  ///< the cell's share of the tilted mass
  std::size_t lump;
};

/// Cells whose mean is on the unsafe side of their point, the farthest first.
std::vector<Miss> misses_of(const std::vector<Lump>& lumps, const Knots& knots, Rounding move,
                            double tilt, Mass Cell::* mass_of) {
  double largest = -kInfinity;
  const auto exponent = [&](const Lump& lump) { return tilt * knots.coordinate(lump.index); };
  for (const Lump& lump : lumps) {
    const double mass = (lump.cell.*mass_of).value;
    if (mass > 0) largest = std::max(largest, std::log(mass) + exponent(lump));
  }
  double total = 0;
  for (const Lump& lump : lumps)
    total += (lump.cell.*mass_of).value * std::exp(exponent(lump) - largest);
  std::vector<Miss> misses;
  for (std::size_t i = 0; i < lumps.size(); ++i) {
    const double distance = move == Rounding::down ? -lumps[i].excess_low : lumps[i].excess_high;
    if (!(distance > 0)) continue;
    const double weight =
        (lumps[i].cell.*mass_of).value * std::exp(exponent(lumps[i]) - largest) / total;
    misses.push_back({distance, weight, i});
  }
  std::sort(misses.begin(), misses.end(),
            [](const Miss& a, const Miss& b) { return a.distance > b.distance; });
  return misses;
}

/// How many of the misses move alone, at the least cost; the lattice moves by the next one's
/// distance.
std::size_t moved_alone(const std::vector<Miss>& misses, double spacing) {
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
      const double moves = std::max(1.0, std::ceil(misses[k].distance / spacing));
      alone += misses[k].weight * (std::isfinite(moves) ? moves : 1.0) * spacing;
    }
  }
  return best;
}

/// The lattice index of each lump; none where its mass is dropped, which a lower law may do.
using Places = std::vector<std::optional<std::int64_t>>;

/// Every lump's index, the first `alone` misses moved to the safe side by themselves.
Places places_of(const std::vector<Lump>& lumps, const std::vector<Miss>& misses, std::size_t alone,
                 double spacing, Rounding move) {
  Places places;
  for (const Lump& lump : lumps) places.emplace_back(lump.index);
  for (std::size_t k = 0; k < alone; ++k) {
    std::optional<std::int64_t>& place = places[misses[k].lump];
    const double moves = std::ceil(misses[k].distance / spacing);
    if (moves < static_cast<double>(kMostPoints)) {
      *place += (move == Rounding::down ? -1 : 1) * static_cast<std::int64_t>(moves);
    } else {
      place.reset();
    }
  }
  // Too far from the top to be on any window.
  for (std::optional<std::int64_t>& place : places)
    if (place && std::abs(*place - lumps.front().index) > kMostPoints) place.reset();
  return places;
}

/// Turns lumps into a law whose points are all on the safe side of the cells' means. A cell whose
/// mean misses its point by little moves the whole lattice with it; one that misses by more moves
/// alone. Where to draw the line is a matter of cost under the tilt, not of correctness.
LatticeLaw law_of_lumps(const std::vector<Lump>& lumps, const Knots& knots, Rounding move,
                        double tilt, Mass Cell::* mass_of) {
  const std::vector<Miss> misses = misses_of(lumps, knots, move, tilt, mass_of);
  const std::size_t alone = moved_alone(misses, knots.spacing);
  const Places places = places_of(lumps, misses, alone, knots.spacing, move);
  const double shift = alone < misses.size() ? misses[alone].distance : 0;
  LatticeLaw law;
  law.spacing = knots.spacing;
  law.origin = knots.origin - (move == Rounding::down ? 1 : -1) * shift;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const std::optional<std::int64_t>& place : places) {
    if (!place) continue;
    first = std::min(first, *place);
    last = std::max(last, *place);
  }
  if (first > last) return law;
  law.first = first;
  law.mass = no_masses(static_cast<double>(first), static_cast<double>(last));
  for (std::size_t i = 0; i < lumps.size(); ++i) {
    if (!places[i]) continue;
    law.mass[static_cast<std::size_t>(*places[i] - first)] +=
        std::max(0.0, (lumps[i].cell.*mass_of).lower());
  }
  return law;
}

/// The error of the positions of the losses' ends and of the atoms there.
double end_error(const Pair& pair) {
  double error = 0;
  for (const double end : {pair.lowest_loss(), pair.highest_loss()}) {
    if (std::isfinite(end)) error += 4 * kUnit * std::abs(end);
  }
  if (pair.atoms().empty()) return error;
  return error + pair.misplacement(pair.kinks().front(), pair.atoms().front()) +
         pair.misplacement(pair.kinks().back(), pair.atoms().back());
}

/// The knots of a law whose cells are split between their ends, and where its last cell ends.
struct SplitKnots {
  Knots knots;
  std::int64_t first;
  std::int64_t last;
  bool whole;   ///< the last cell takes all losses to their end, even where that is on its knot
  double miss;  ///< by which that end lies above the last knot, which rounding alone can cause

  SplitKnots(const Pair& pair, double spacing, const Range& range)
      // A lattice that starts where the losses start: no mass is spread below their range.
      : knots{true, std::isfinite(pair.lowest_loss()) ? pair.lowest_loss() : 0, spacing} {
    const double low = std::max(range.low, pair.lowest_loss());
    const double high = top_of(pair, spacing, range);
    first = static_cast<std::int64_t>(std::floor((low - knots.origin) / spacing));
    whole = high == pair.highest_loss();
    const double above_knot = whole ? kOnKnot : 0;
    last = std::max(first + 1, static_cast<std::int64_t>(
                                   std::ceil((high - knots.origin) / spacing - above_knot)));
    miss = whole ? std::max(0.0, high - knots.loss(last)) : 0;
  }
};

/// A cell's mass, and how much of it goes to the knot on its right. With mean loss x above the left
/// knot, the share of the P-mass that goes there is (1 - e^-x)/(1 - e^-D), and of the Q-mass
/// (e^x - 1)/(e^D - 1): the mean of dP/dQ stays.
struct Share {
  double total;
  double to_right;
};

/// Rounded towards the right: P-mass at a larger loss is the upper side.
///   blur: error of x;   one_minus: 1 - e^-D.
Share split_p(const Mass& p, double x, double blur, double one_minus) {
  const double total = p.upper();
  const double share = -std::expm1(-x) / one_minus * (1 + 8 * kUnit) + blur / one_minus;
  return {total, total * std::min(1.0, std::isfinite(share) ? share : 1.0)};
}

/// Rounded towards the left: Q-mass at a smaller log dP/dQ is the upper side of add.
Share split_q(const Mass& q, double x, double spacing, double blur, double one_minus) {
  const double total = q.upper();
  const double share = std::exp(x - spacing) * -std::expm1(-x) / one_minus;
  const double slack = share * 8 * kUnit + blur / one_minus;
  return {total, total * std::max(0.0, std::isfinite(slack) ? share - slack : 0.0)};
}

}  // namespace

LatticeLaw split_losses(const Pair& pair, Direction direction, double spacing, Range range) {
  const SplitKnots split(pair, spacing, range);
  const Knots& knots = split.knots;
  const bool remove = direction == Direction::remove;
  LatticeLaw law;
  law.origin =
      remove ? knots.origin + (end_error(pair) + split.miss) : knots.origin - end_error(pair);
  law.spacing = spacing;
  law.first = split.first;
  law.mass = no_masses(static_cast<double>(split.first), static_cast<double>(split.last));
  double left = pair.position(knots.loss(split.first));
  const Cell below = pair.cell(-kInfinity, left);
  if (remove) {
    law.mass[0] += below.p.upper();
  } else {
    law.infinite = below.q.upper();
  }
  const double one_minus = -std::expm1(-spacing);  // 1 - e^-D
  double left_misplacement = pair.misplacement(left, knots.loss(split.first));
  for (std::int64_t j = split.first; j < split.last; ++j) {
    const auto i = static_cast<std::size_t>(j - split.first);
    const bool to_end = split.whole && j + 1 == split.last;
    const double right = to_end ? kInfinity : pair.position(knots.loss(j + 1));
    const Cell cell = pair.cell(left, right);
    const double right_misplacement = pair.misplacement(right, knots.loss(j + 1));
    left = right;
    const double blur = cell.loss_error + left_misplacement + right_misplacement;
    left_misplacement = right_misplacement;
    const double x = std::clamp(cell.loss - knots.loss(j), 0.0, spacing);
    const Share share =
        remove ? split_p(cell.p, x, blur, one_minus) : split_q(cell.q, x, spacing, blur, one_minus);
    law.mass[i + 1] += share.to_right;
    law.mass[i] += share.total - share.to_right;
  }
  const Cell above = pair.cell(left, kInfinity);
  if (remove) {
    law.infinite = above.p.upper();
    return law;
  }
  law.mass.back() += above.q.upper();
  return mirrored(std::move(law));
}

LatticeLaw lump_losses(const Pair& pair, Direction direction, double spacing, Range range,
                       double tilt) {
  Knots knots{true, 0, spacing, atoms_on(pair, spacing)};
  const double high = top_of(pair, spacing, range);
  Lumps lumps;
  if (knots.atoms.empty()) {
    lumps = tuned_lumps(pair, knots, high, range.low);
  } else {
    knots.origin = pair.atoms().front();
    lumps = lumps_with_atoms(pair, knots, {range.low, high});
  }
  const Rounding move = direction == Direction::remove ? Rounding::down : Rounding::up;
  keep_above(pair, knots, move, lumps);
  if (move == Rounding::down) {
    return law_of_lumps(lumps.cells, knots, move, tilt, &Cell::p);
  }
  return mirrored(law_of_lumps(lumps.cells, knots, move, -tilt, &Cell::q));
}

LatticeLaw split_ratios(const Pair& pair, double spacing, double high) {
  const Knots knots{false, 0, spacing};
  const auto last = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(high / spacing)));
  // What lies below the reach has less mass than any bound resolves, and joins the first cell.
  const double lowest = std::exp(pair.loss(-pair.reach()));
  const auto first = static_cast<std::int64_t>(
      std::min(static_cast<double>(last - 1), std::floor(lowest * (1 - 1e-12) / spacing)));
  LatticeLaw law;
  law.spacing = spacing;
  law.first = first;
  law.mass = no_masses(static_cast<double>(first), static_cast<double>(last));
  law.covered = knots.coordinate(last);
  double left = -kInfinity;
  for (std::int64_t j = first; j < last; ++j) {
    const auto i = static_cast<std::size_t>(j - first);
    const double right = pair.position(knots.loss(j + 1));
    const Cell cell = pair.cell(left, right);
    left = right;
    if (!(cell.q.value > 0)) continue;
    const double k = knots.coordinate(j);
    const double mean = std::exp(cell.loss);
    const double above = j == 0 ? mean : k * std::expm1(cell.loss - knots.loss(j));
    const double share = std::clamp(above / spacing, 0.0, 1.0);
    const double blur = mean *
                        (cell.loss_error + pair.misplacement(right, knots.loss(j + 1)) +
                         4 * kUnit * (2 + std::abs(cell.loss))) /
                        spacing;
    // A payoff that rises wants the share rounded up, one that falls wants it down: widening both
    // masses serves every payoff that is nowhere negative.
    const double total = cell.q.upper();
    const double slack = std::min(1.0, blur) * total;
    law.mass[i + 1] += share * total + slack;
    law.mass[i] += (1 - share) * total + slack;
  }
  return law;
}

LatticeLaw lump_ratios(const Pair& pair, double spacing, double high, Rounding move, double tilt) {
  Knots knots{false, 0, spacing};
  const auto lumps = tuned_lumps(pair, knots, high, -kInfinity);
  LatticeLaw law = law_of_lumps(lumps.cells, knots, move, tilt, &Cell::q);
  law.covered = lumps.top;
  return law;
}

}  // namespace honest_epsilon::pld
