#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/effort.h"
#include "core/base/interval.h"

namespace honest_epsilon {

/// One DP-SGD run with one batch sampler, in the terms the accountants need.
/// Gaussian noise, sensitivity 1: noise_multiplier = noise standard deviation / clipping norm.
struct Run {
  double noise_multiplier = 1;
  double sampling_probability = 1;   ///< of one record in one step (Poisson, without replacement)
  std::int64_t steps = 1;            ///< over the whole run
  std::int64_t steps_per_epoch = 1;  ///< shuffle, balls-and-bins: batches a record can fall into
  std::int64_t epochs = 1;  ///< how often each record is used (deterministic, shuffle, bins)
  bool redrawn_each_epoch =
      true;  ///< shuffle, balls-and-bins: a fresh draw each epoch, or one kept
};

/// A quantity (delta at a given epsilon, or epsilon at a given delta) in both directions of the
/// pair.
///   remove = H(with the record || without it),   add = H(without || with)
struct Directions {
  Interval remove;
  Interval add;
};

/// What an accountant found: both directions, how, and at what cost.
struct Finding {
  Directions directions;
  std::optional<Interval>
      conjecture;  ///< the value if a conjecture holds; never part of the bounds
  std::string method;
  std::int64_t grid_points = 0;  ///< of the largest transform used, 0 when none was
  bool limited = false;          ///< a work limit stopped the refinement
};

}  // namespace honest_epsilon
