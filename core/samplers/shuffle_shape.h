#pragma once

#include <cmath>

#include "core/base/rounding.h"
#include "core/runs/run.h"

namespace honest_epsilon::shuffle {

/// A run's epochs, as far as what they reveal depends on them.
struct Shape {
  double batches;
  double full_batches;
  double mu;        ///< of the epochs that share one permutation
  double rounds;    ///< whole epochs with their own
  double used;      ///< the share of the records that an epoch uses
  double last = 0;  ///< batches of the epoch that the run stopped in
  bool known() const { return batches == 1 && used == 1; }
  double begun() const { return rounds + (last > 0 ? 1 : 0); }
  bool last_only() const { return rounds == 0; }
  /// The epoch that the run stopped in, as one that has its batches alone, and leaves records out.
  Shape last_epoch() const { return {last, last, mu, 1, used * last / batches * (1 - 4 * kUnit)}; }
};

inline Shape shape_of(const Run& run) {
  const auto epochs = static_cast<double>(run.epochs);
  const auto batches = static_cast<double>(run.steps_per_epoch);
  const double mu = 1 / run.noise_multiplier;
  const double full = batches - (run.short_batch ? 1 : 0);
  if (run.shares_draw()) return {batches, full, mu * std::sqrt(epochs), 1, run.used_share};
  if (run.missing_steps == 0) return {batches, full, mu, epochs, run.used_share};
  const double last = batches - static_cast<double>(run.missing_steps);
  return {batches, full, mu, epochs - 1, run.used_share, last};
}

}  // namespace honest_epsilon::shuffle
