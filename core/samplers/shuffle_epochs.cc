#include "core/samplers/shuffle_epochs.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/pairs/pair.h"
#include "core/pld/compose.h"
#include "core/pld/table_source.h"
#include "core/samplers/shuffle_statistic.h"
#include "core/samplers/shuffle_threshold.h"

namespace honest_epsilon::shuffle {
namespace {

/// Cells of max x_t from `low` on, one of them beyond `high`.
std::vector<pairs::Cell> maxima(const Shape& shape, double low, double high) {
  constexpr int kCells = 3000;
  std::vector<pairs::Cell> cells;
  struct Below {
    double p;
    double q;
    double error;         ///< of either, relative to the smaller of it and its complement
    double p_off, q_off;  ///< and absolutely
  };
  const auto below = [&](double z) {
    return Below{log_all_below(shape.batches, z, 2 * shape.mu, shape.used),
                 log_all_below(shape.batches, z, shape.mu, shape.used),
                 4 * tail_error(z, 2 * shape.mu),
                 used_error(shape.batches, z, 2 * shape.mu, shape.used),
                 used_error(shape.batches, z, shape.mu, shape.used)};
  };
  const auto mass = [](double log_low, double log_high, double error, double off) {
    // Pr[low <= max < high] = e^high - e^low, from the side that keeps digits.
    const double above_low = -std::expm1(log_low);
    const double above_high = -std::expm1(log_high);
    const double scale = std::min(std::exp(log_high), above_low);
    const double value =
        above_low < 0.5 ? above_low - above_high : std::exp(log_high) - std::exp(log_low);
    // The error of the log of a small probability is relative to that log.
    const double magnified = error * (1 + std::min(700.0, -log_high)) + 8 * kUnit;
    return pairs::Mass{std::max(0.0, value), scale * magnified + off};
  };
  Below last = below(low);
  for (int i = 1; i <= kCells + 1; ++i) {
    const double z = low + (high - low) * i / kCells;
    const Below here = i <= kCells ? below(z) : Below{0, 0, last.error, 0, 0};
    const double error = std::max(last.error, here.error);
    pairs::Cell cell;
    cell.p = mass(last.p, here.p, error, last.p_off + here.p_off);
    cell.q = mass(last.q, here.q, error, last.q_off + here.q_off);
    if (cell.p.value > 0 || cell.q.value > 0) cells.push_back(cell);
    last = here;
  }
  return cells;
}

/// The largest w that the sum counts in full, and the deviation of the sum so cut, nearly: any cut
/// is as valid.
struct SumScale {
  double largest;
  double deviation;
};
SumScale scale_of_sum(const Shape& shape, const Statistic& statistic, double furthest) {
  constexpr double kDecisive = 10;                // of deviations of the sum
  constexpr double kLeast = 1e-3, kMost = 1e130;  // the square of a w does not overflow
  constexpr int kRounds = 100;
  const double h = 0.1 * std::min(1.0, 1 / shape.mu);
  double largest = std::min(statistic.at(furthest), kMost), deviation = 0;
  double last = kInfinity;
  for (int round = 0; round < kRounds && last > 1.01 * largest; ++round) {
    double square = 0;
    for (double z = -10; z < furthest; z += h) {
      const double w = std::min(statistic.at(z), largest);
      square += h * normal::pdf(z) * w * w;
    }
    deviation = std::sqrt(shape.batches * square);
    last = largest;
    largest = std::max(std::min(largest, kDecisive * deviation), kLeast);
  }
  return {largest, deviation};
}

pld::LatticeSteps coordinates(const Masses& masses, const Cells& cells, double spacing,
                              std::int64_t copies) {
  pld::LatticeSteps result;
  result.copies = copies;
  for (const bool up : {true, false}) {
    pld::LatticeLaw& law = up ? result.upper : result.lower;
    law.spacing = spacing;
    law.first = cells.first;
    law.mass = up ? masses.high : masses.low;
  }
  return result;
}

/// One coordinate's law of w, shifted where the record is used.
Masses shifted_if_used(const Shape& shape, const Cells& cells, std::size_t shift) {
  Masses masses = cells.shifted[shift];
  const double unused = 1 - shape.used;
  for (std::size_t i = 0; i < masses.low.size() && unused > 0; ++i) {
    masses.low[i] =
        (1 - 4 * kUnit) * (shape.used * masses.low[i] + unused * cells.shifted[0].low[i]);
    masses.high[i] =
        (1 + 4 * kUnit) * (shape.used * masses.high[i] + unused * cells.shifted[0].high[i]);
  }
  return masses;
}

/// A law's mass of points that follow each other, added one by one.
class MassOfPoints {
 public:
  explicit MassOfPoints(const pld::TiltedPair& sums) : sums_(&sums) {}

  void add(std::size_t i) {
    least_ += std::max(0.0, sums_->lower.value[i] - sums_->lower.error);
    most_ += std::max(0.0, sums_->upper.value[i] + sums_->upper.error);
    ++points_;
  }

  pairs::Mass mass() const {
    const double units = 8 + points_;
    const double least =
        least_ * std::exp(sums_->lower.log_scale) * (1 - sums_->lower.relative - units * kUnit);
    const double most =
        most_ * std::exp(sums_->upper.log_scale) * (1 + sums_->upper.relative + units * kUnit);
    return {0.5 * (least + most), 0.5 * (most - least) * (1 + 4 * kUnit)};
  }

 private:
  const pld::TiltedPair* sums_;
  double least_ = 0, most_ = 0, points_ = 0;
};

/// Merges points until their masses are known well; a rest that is not is left out.
std::vector<pairs::Cell> known_sums(const pld::TiltedPair& with, const pld::TiltedPair& without,
                                    std::size_t grid) {
  const std::size_t points_per_event = grid / 2048;
  constexpr double kKnown = 1e-3;
  std::vector<pairs::Cell> sums;
  MassOfPoints p(with), q(without);
  for (std::size_t i = 0; i < grid; ++i) {
    p.add(i);
    q.add(i);
    if ((i + 1) % points_per_event != 0) continue;
    const pairs::Cell event{p.mass(), q.mass()};
    const bool known =
        event.p.error < kKnown * event.p.value && event.q.error < kKnown * event.q.value;
    if (!known) continue;
    sums.push_back(event);
    p = MassOfPoints(with);
    q = MassOfPoints(without);
  }
  return sums;
}

/// The events that the attack tells apart in one epoch, for composing epochs that are each permuted
/// afresh: cells of the largest coordinate where it decides alone; otherwise cells of the sum of w
/// that decides at eps = 0, rounded to a lattice modulo a window, so that its law is a cyclic
/// convolution.
struct EpochEvents {
  std::vector<pairs::Cell> maxima;
  std::vector<pairs::Cell> sums;
};
EpochEvents events_of_epoch(const Shape& shape) {
  const double furthest = 2 * shape.mu + 9;
  // With much noise balls-and-bins reveals as much.
  constexpr double kLeastShift = 0.02;
  if (!(shape.mu >= kLeastShift && shape.mu <= kLargestEventShift))
    return {maxima(shape, -2, furthest), {}};
  const Statistic statistic(shape.mu, 0, true);
  const auto [largest, deviation] = scale_of_sum(shape, statistic, furthest);
  // Rounding w adds a part of about 33 T / grid^2 to the sum's variance.
  std::size_t grid = 1 << 14;
  while (grid < 1 << 16 && 33 * shape.batches > 1e-3 * std::pow(grid, 2)) grid *= 2;
  constexpr double kDeviations = 10;
  const double low = -kDeviations * deviation - 0.25;
  const double spacing =
      std::max((2 * kDeviations * deviation + 2 * largest) / static_cast<double>(grid),
               (0.25 + largest) / kMostCells);
  const Cells cells = cells_of(statistic, spacing, largest);
  pld::Composition others(0, grid);
  others.add(
      coordinates(cells.shifted[0], cells, spacing, static_cast<std::int64_t>(shape.batches) - 1));
  const auto sum_with = [&](std::size_t shift) {
    pld::Composition all = others;
    all.add(coordinates(shifted_if_used(shape, cells, shift), cells, spacing, 1));
    return all.sums(low);
  };
  const double cut = statistic.z_of(0.5 * (1 + std::sqrt(1 + 4 * largest)));
  return {maxima(shape, cut, std::max(cut, furthest)), known_sums(sum_with(2), sum_with(1), grid)};
}

/// The union of all cells.
pairs::Cell union_of(const std::vector<pairs::Cell>& cells) {
  pairs::Cell whole;
  for (const pairs::Cell& cell : cells) {
    whole.p = {whole.p.value + cell.p.value, whole.p.error + cell.p.error};
    whole.q = {whole.q.value + cell.q.value, whole.q.error + cell.q.error};
  }
  const double units = kUnit * static_cast<double>(cells.size());
  whole.p.error += units * whole.p.value;
  whole.q.error += units * whole.q.value;
  return whole;
}

}  // namespace

AttackSteps attack_steps(const Shape& shape) {
  AttackSteps all;
  const auto add = [&](const Shape& epoch, double epochs) {
    const EpochEvents events = events_of_epoch(epoch);
    const auto copies = static_cast<std::int64_t>(epochs);
    std::vector<pairs::Cell> cells = events.sums;
    if (const pairs::Cell any = union_of(events.maxima); any.q.error < any.q.value)
      cells.push_back(any);
    if (!events.sums.empty())
      all.merged.push_back({std::make_shared<pld::TableSource>(cells), copies});
    cells = events.sums;
    cells.insert(cells.end(), events.maxima.begin(), events.maxima.end());
    const auto source = std::make_shared<pld::TableSource>(cells);
    all.resolved.push_back({source, copies});
    if (copies > 1) return;
    all.resolved.back().curve_is_formula = false;
    all.resolved.back().curve = [source](Direction direction, double epsilon) {
      return Interval{source->delta_lower(direction, epsilon), 1};
    };
  };
  if (shape.rounds > 0) add(shape, shape.rounds);
  if (shape.last > 0) add(shape.last_epoch(), 1);
  return all;
}

}  // namespace honest_epsilon::shuffle
