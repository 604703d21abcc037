#include "core/samplers/shuffle.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

#include "core/base/rounding.h"
#include "core/pld/profile.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/shuffle_epochs.h"
#include "core/samplers/shuffle_event.h"
#include "core/samplers/shuffle_shape.h"
#include "core/samplers/shuffle_threshold.h"
#include "core/samplers/shuffle_upper.h"

namespace honest_epsilon::shuffle {
namespace {

/// The largest eps that the best threshold proves, or the best event of the statistic made for that
/// eps: on 20 to 5e6 batches another statistic, made for what this one proves, added at most 3e-4
/// of eps, and less than 1e-6 in direction remove.
double lower_epsilon(const Shape& shape, double target, bool remove) {
  const double start = threshold_epsilon(shape.batches, shape.mu, target, remove, shape.used);
  if (shape.used < 1) return start;
  return std::max(start, event_epsilon(shape.batches, shape.mu, target, start, remove));
}

/// The table is a lower bound whatever the grid; a moderate one suffices.
Effort composed_effort(Effort effort) {
  effort.log2_grid_limit = std::min(effort.log2_grid_limit, 15);
  effort.width = std::min(effort.width, 1e-4);
  effort.wanted = Wanted::lower;
  return effort;
}

/// A run of balls-and-bins that shuffled batches reveal at least as much as: all other gradients
/// may be zero, and then one record's batch is uniform. (Where a batch is short it is not, and
/// reveals all the more: H is convex, and the average over all orders of the batches is uniform.)
/// With the others at -1, substituting -1 by 1 moves one batch by twice the clipping norm, and no
/// other.
Run as_bins(const Run& run) {
  Run bins = run;
  bins.records_per_user = 1;
  bins.adjacency = Adjacency::zero_out;
  if (run.adjacency == Adjacency::substitution && run.mechanism != Mechanism::randomized_response)
    bins.noise_multiplier /= 2;
  return bins;
}

/// A lower end; 0 where memory does not suffice.
template <class Ask>
double proved(Ask ask) {
  try {
    return ask();
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

/// Lower ends: what one permutation proves by itself, or what several prove composed, each by its
/// largest coordinate and a sum.
///   single: asks one permutation.   composed: asks epochs.
template <class Single, class Composed>
Directions from_below(const Run& run, Single single, Composed composed) {
  const Shape shape = shape_of(run);
  if (shape.known()) return {};
  if (shape.rounds == 1 && shape.last == 0) return {{single(shape, true)}, {single(shape, false)}};
  Directions lower;
  if (shape.last_only()) {
    const Shape last = shape.last_epoch();
    lower = {{single(last, true)}, {single(last, false)}};
  } else {
    const AttackSteps all = attack_steps(shape);
    for (const std::vector<Steps>* steps : {&all.resolved, &all.merged}) {
      if (steps->empty()) continue;
      std::vector<pld::SourceSteps> epochs;
      for (const Steps& each : *steps) epochs.push_back({each.source.get(), each.copies});
      lower.remove.lower = std::max(lower.remove.lower, composed(epochs, Direction::remove));
      lower.add.lower = std::max(lower.add.lower, composed(epochs, Direction::add));
    }
  }
  return lower;
}

/// Whether lower ends are neither wanted nor of use for the upper ones.
bool upper_alone(const Run& run, const Effort& effort) {
  return effort.wanted == Wanted::upper && !has_own_proof(run);
}

/// The method that proves both ends.
Method method_of(const Shape& shape, bool cloned) {
  if (shape.last_only() && shape.used == 1)
    return cloned ? Method::stopped_clones : Method::stopped_known;
  if (shape.begun() > 1) return cloned ? Method::epochs_clones : Method::epochs_known;
  if (shape.used < 1) return cloned ? Method::threshold_clones : Method::threshold_known;
  return cloned ? Method::event_clones : Method::event_known;
}

/// The ends of a run of [HP24]'s pair.
Finding bracketed(const Run& run, Asked asked, double given, const Effort& effort,
                  const Directions& below) {
  const Shape shape = shape_of(run);
  const Finding known = shape.last > 0 ? stopped_in_known_batches(run, asked, given, effort)
                                       : known_batches(run, asked, given, effort);
  if (shape.known()) return known;
  Finding finding = has_own_proof(run) ? upper_ends(run, asked, given, effort, below) : known;
  Directions& d = finding.directions;
  const bool cloned = d.upper() < known.directions.upper() * (1 - 1e-9);
  if (!cloned) {
    // A theorem of our own that gains next to nothing is not worth resting on.
    d.remove.upper = known.directions.remove.upper;
    d.add.upper = known.directions.add.upper;
  }
  d.tighten_uppers(known.directions);
  finding.method = method_of(shape, cloned);
  d.replace_lowers(below);
  return finding;
}

/// The ends of runs that are not [HP24]'s pair: known batches or clones above, balls-and-bins
/// below.
Finding beyond_plain(const Run& run, Asked asked, double given, const Effort& effort) {
  Finding finding = known_batches(run, asked, given, effort);
  Directions& d = finding.directions;
  const Directions ends = d;
  const double known = d.upper();
  const Finding bins =
      upper_alone(run, effort) ? Finding{} : balls_and_bins_of(as_bins(run), asked, given, effort);
  if (has_own_proof(run) && run.mechanism == Mechanism::gaussian) {
    d.remove.upper = d.add.upper =
        std::min(known, record_by_record(run, asked, given, effort, known));
  } else if (has_own_proof(run)) {
    over_clones(run, asked, given, effort, bins.directions.upper(), d);
  }
  const bool cloned = d.upper() < known * (1 - 1e-9);
  if (!cloned) d = ends;
  d.remove.lower = d.add.lower = 0;
  if (run.used_share < 1) {
    finding.method = cloned ? Method::clones : Method::known;
    return finding;
  }
  finding.method = cloned ? Method::bins_clones : Method::bins_known;
  finding.grid_points = bins.grid_points;
  Directions least = bins.directions;
  if (run.adjacency == Adjacency::substitution)
    least.remove.lower = least.add.lower = least.lower();
  d.replace_lowers(least);
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  const Asked asked = epsilon == 0 ? Asked::total_variation : Asked::delta;
  if (!is_plain(run)) return beyond_plain(run, asked, epsilon, effort);
  const auto single = [&](const Shape& shape, bool remove) {
    const double threshold = threshold_lower(shape.batches, shape.mu, epsilon, remove, shape.used);
    if (shape.used < 1) return threshold;
    return std::max(threshold, event_lower(shape.batches, shape.mu, epsilon, remove));
  };
  const auto composed = [&](const std::vector<pld::SourceSteps>& epochs, Direction direction) {
    return proved([&] {
      return pld::delta(epochs, direction, epsilon, composed_effort(effort)).value.lower;
    });
  };
  return bracketed(run, asked, epsilon, effort,
                   upper_alone(run, effort) ? Directions{} : from_below(run, single, composed));
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  if (!is_plain(run)) return beyond_plain(run, Asked::epsilon, delta, effort);
  const auto single = [&](const Shape& shape, bool remove) {
    return lower_epsilon(shape, delta, remove);
  };
  const auto composed = [&](const std::vector<pld::SourceSteps>& epochs, Direction direction) {
    return proved([&] {
      return pld::epsilon(epochs, direction, delta, composed_effort(effort)).value.lower;
    });
  };
  return bracketed(run, Asked::epsilon, delta, effort,
                   upper_alone(run, effort) ? Directions{} : from_below(run, single, composed));
}

Parts parts(const Run& run, const Demand& demand) {
  Parts result = from_above(run, demand);
  const Shape shape = shape_of(run);
  if (shape.known() || demand.swaps > 0) return result;
  result.tight = false;
  if (is_plain(run)) {
    result.symmetric = false;
    result.lower = {attack_steps(shape).resolved, 0};
    return result;
  }
  if (shape.used < 1) {
    result.lower = {};
    result.symmetric = run.adjacency == Adjacency::substitution;
    return result;
  }
  const Parts bins = balls_and_bins::parts(as_bins(run), demand);
  result.lower = bins.tight ? bins.upper : bins.lower;
  result.symmetric = run.adjacency == Adjacency::substitution;
  return result;
}

bool can_stop_midway(const Run& run) {
  return is_plain(run) && run.steps_per_epoch > 1 && !run.shares_draw();
}

bool has_gap(const Run& run) {
  return run.steps_per_epoch > 1;
}

rdp::RenyiCurve renyi(const Run& run) {
  return deterministic::renyi(run);
}

}  // namespace honest_epsilon::shuffle
