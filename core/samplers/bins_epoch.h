#pragma once

#include <cstdint>
#include <memory>

#include "core/base/effort.h"
#include "core/contour/moments.h"
#include "core/pairs/pair.h"
#include "core/pld/refine.h"
#include "core/runs/parts.h"

/// One epoch of balls-and-bins.
///
/// Under Q the likelihood ratio is the average S of T independent ratios U_t of mean one, those of
/// a single known batch, so
///   delta(P||Q)(eps) = E[(S - K)+],   delta(Q||P)(eps) = K E[(1/K - S)+],   K = e^eps:
/// a call and a put. What a single U_t above T K contributes is known in closed form; the rest is a
/// sum of bounded independent terms, composed under a tilt (core/pld). Cite: [BB25, Thm 3.1].
///
/// Of a run that stopped before the epoch's end, S is 1 - q + q V with V the average over the bins
/// that were seen and q their share of all (SeenShare).
namespace honest_epsilon::balls_and_bins {

/// A smaller delta counts as zero.
constexpr double kVanishing = 1e-250;

struct OneEpoch {
  std::int64_t bins;                        ///< that were seen, two or more
  std::shared_ptr<const pairs::Pair> pair;  ///< of a record in a known batch
  double shift;  ///< its own length scale in losses, 1 / noise multiplier
  std::shared_ptr<const contour::Moments> moments = nullptr;  ///< of the seen bins, where known
  std::int64_t missing = 0;                                   ///< the bins that were not seen
  std::shared_ptr<const contour::Moments> stopped_moments = nullptr;  ///< of all of them
  std::shared_ptr<const pairs::Pair> whole = nullptr;  ///< that of the epoch itself, where known
  bool replaced = false;  ///< by its opposite, not by zero (core/samplers/bins_replaced.h)
};

pld::Result epoch_delta(const OneEpoch& epoch, Direction direction, double epsilon,
                        const Effort& effort);
pld::Result epoch_epsilon(const OneEpoch& epoch, Direction direction, double delta,
                          const Effort& effort);

/// The epoch as a step to be composed, from its certified curve, followed until log delta has
/// fallen to `log_floor`.
Steps epoch_steps(const OneEpoch& epoch, double log_floor, Effort effort);

}  // namespace honest_epsilon::balls_and_bins
