#include "core/samplers/shuffle_epochs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/rounding.h"
#include "core/pairs/pair.h"
#include "core/runs/attack.h"
#include "core/samplers/adaptive_attack.h"
#include "core/samplers/shuffle_threshold.h"

namespace honest_epsilon::shuffle {
namespace {

/// Cells of max x_t, where there is so little noise that it says nearly everything.
std::vector<pairs::Cell> maxima(const Shape& shape) {
  constexpr int kCells = 3000;
  const double low = -2, high = 2 * shape.mu + 9;
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

}  // namespace

std::vector<Steps> epochs_attack(const Shape& shape, bool replaced, double epsilon) {
  std::vector<Steps> all;
  const auto add = [&](const Shape& epoch, double epochs) {
    const AttackedEpoch attacked{epoch.batches, epoch.mu, epoch.mu, replaced ? -epoch.mu : 0,
                                 epoch.used};
    std::vector<pairs::Cell> events = adaptive_cells(attacked, epsilon);
    if (events.empty() && replaced) return;
    if (events.empty()) events = maxima(epoch);
    all.push_back(attack_steps(events, static_cast<std::int64_t>(epochs)));
  };
  if (shape.rounds > 0) add(shape, shape.rounds);
  if (shape.last > 0) add(shape.last_epoch(), 1);
  return all;
}

}  // namespace honest_epsilon::shuffle
