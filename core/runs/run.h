#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/effort.h"
#include "core/base/interval.h"
#include "core/runs/method.h"

namespace honest_epsilon {

class Correlation;

/// The noise added to a batch's sum. Randomised response instead reports whether the batch holds
/// the record, truthfully with probability e^e0 / (1 + e^e0), e0 = 1 / noise_multiplier.
enum class Mechanism { gaussian, laplace, randomized_response };

/// How neighbouring datasets differ. The noise multiplier is noise / clipping norm under each; a
/// substituted gradient moves a sum by up to twice the clipping norm.
enum class Adjacency { zero_out, add_remove, substitution };

/// No batch has more than `largest` of the `records` records: of a larger batch, the excess is left
/// out at random.
struct Cap {
  double records = 1;
  double largest = 1;
  bool operator==(const Cap&) const = default;
};

/// One DP-SGD run with one batch sampler, in the terms the accountants need. Sensitivity 1:
///   noise_multiplier = noise standard deviation (Laplace: scale) / clipping norm.
struct Run {
  Mechanism mechanism = Mechanism::gaussian;
  Adjacency adjacency = Adjacency::zero_out;
  double noise_multiplier = 1;
  double sampling_probability = 1;  ///< of one record in one step (Poisson, without replacement)
  std::int64_t places = 0;      ///< with replacement: of a batch, each drawn with that probability
  std::int64_t drawn_from = 0;  ///< without: of so many records, where a person has several
  std::int64_t steps = 1;       ///< over the whole run
  std::int64_t steps_per_epoch = 1;  ///< shuffle, balls-and-bins: batches a record can fall into
  std::int64_t epochs = 1;         ///< how often each record is used (deterministic, shuffle, bins)
  std::int64_t missing_steps = 0;  ///< shuffle, balls-and-bins: the last epoch stopped before these
  bool redrawn_each_epoch =
      true;  ///< shuffle, balls-and-bins: a fresh draw each epoch, or one kept
  std::int64_t participations = 1;    ///< balls-and-bins: steps of an epoch that use each record
  std::int64_t records_per_user = 1;  ///< neighbours differ in all records of one person
  double used_share = 1;     ///< shuffle: of the records, by an epoch that leaves a short batch out
  bool short_batch = false;  ///< shuffle: the last batch of an epoch is smaller than the others
  bool published_only = false;  ///< upper ends by published theorems alone
  std::optional<Cap> cap = std::nullopt;
  /// deterministic, bins kept for all epochs: how the noise is correlated
  /// (core/samplers/correlated.h)
  std::shared_ptr<const Correlation> correlation = nullptr;

  bool operator==(const Run&) const = default;

  /// Whether several epochs have their draw in common: a single one is drawn once either way.
  bool shares_draw() const { return !redrawn_each_epoch && epochs > 1; }
  /// How far one step's sum moves, in units of the noise, when one record is zeroed.
  double shift() const { return 1 / noise_multiplier; }
  /// The same over all the records in which neighbours differ, were they all in one batch.
  double whole_shift() const {
    const double most = static_cast<double>(records_per_user) / noise_multiplier;
    return adjacency == Adjacency::substitution ? 2 * most : most;
  }
};

/// A quantity (delta at a given epsilon, or epsilon at a given delta) in both directions of the
/// pair.
///   remove = H(with the record || without it),   add = H(without || with)
struct Directions {
  Interval remove;
  Interval add;

  /// The ends of the direction that decides.
  double lower() const { return std::max(remove.lower, add.lower); }
  double upper() const { return std::max(remove.upper, add.upper); }

  /// Lowers the upper ends to others that hold as well; true where upper() became smaller.
  bool tighten_uppers(const Directions& others) {
    const double before = upper();
    remove.upper = std::min(remove.upper, others.remove.upper);
    add.upper = std::min(add.upper, others.add.upper);
    return upper() < before;
  }
  /// Puts other lower ends in the place of these, none of them above its upper end.
  void replace_lowers(const Directions& others) {
    remove.lower = std::min(others.remove.lower, remove.upper);
    add.lower = std::min(others.add.lower, add.upper);
  }
  /// Keeps lower ends from exceeding upper ends that were lowered.
  void clip_lowers() { replace_lowers(*this); }
};

/// What an accountant found: both directions, how, and at what cost.
struct Finding {
  Directions directions;
  Method method = Method::none;
  std::int64_t grid_points = 0;  ///< of the largest transform used, 0 when none was
  bool limited = false;          ///< a work limit stopped the refinement
  bool out_of_memory = false;    ///< a finer grid was refused
};

}  // namespace honest_epsilon
