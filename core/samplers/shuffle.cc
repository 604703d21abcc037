#include "core/samplers/shuffle.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "core/runs/attack.h"
#include "core/samplers/adaptive_attack.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/shuffle_epochs.h"
#include "core/samplers/shuffle_shape.h"
#include "core/samplers/shuffle_upper.h"

namespace honest_epsilon::shuffle {
namespace {

/// With hardly any noise a record's batch stands out. Of known batches the best event is that the
/// record's own exceeds z, or in direction add that it does not; that the largest of all does so
/// has a cost, or a gain, that differs by T Pr[N(0, 1) > z] at most.
double standing_out(const Shape& shape, Asked asked, double given, bool remove) {
  if (shape.used < 1) return 0;
  const double mu = shape.mu;
  const auto log_others = [&](double epsilon) {
    const double z = (1.5 * mu + (remove ? epsilon : -epsilon) / mu) * (1 - 8 * kUnit);
    if (!(z > 0)) return kInfinity;
    const double cost = remove ? epsilon : 0;
    return std::log(shape.batches) + cost + normal::log_upper_tail(z) +
           64 * kUnit * (1 + cost + z * z);
  };
  if (asked != Asked::epsilon) {
    const double delta = gaussian::delta(mu, given).lower;
    return std::max(0.0, (delta - std::exp(log_others(given))) * (1 - 8 * kUnit));
  }
  constexpr double kShare = 1e-4;
  const double epsilon = gaussian::epsilon(mu, std::min(1.0, given * (1 + kShare))).lower;
  return log_others(epsilon) < std::log(0.5 * kShare * given) ? epsilon : 0;
}

/// What a single permutation proves, by an adaptive attack unless a known batch reveals no more.
///   removing: what direction remove proves; none where that is the one asked
double single_lower(const Run& run, const Shape& shape, Asked asked, double given,
                    std::optional<double> removing = {}) {
  const double mu = shape.mu;
  const bool replaced = run.adjacency == Adjacency::substitution;
  const double least = replaced ? 0 : standing_out(shape, asked, given, !removing);
  constexpr double kNearly = 0.998;
  if (least > kNearly * known_batches(run, asked, given, {}).directions.upper()) return least;
  AttackedEpoch epoch{shape.batches, mu, mu, replaced ? -mu : 0, shape.used};
  if (removing) std::swap(epoch.with, epoch.without);
  constexpr double kNear = 0.1;
  const double near = std::max(least, kNear * mu);
  const double most = asked == Asked::epsilon
                          ? adaptive_epsilon(epoch, given, near, removing.value_or(0))
                          : adaptive_lower(epoch, given);
  return std::max(least, most);
}

/// Lower ends: what one permutation proves by itself, or what several prove composed.
///   about: the epsilon that an epoch's attack is made for, where it is adaptive
Directions from_below(const Run& run, Asked asked, double given, const Effort& effort,
                      double about) {
  const Shape shape = shape_of(run);
  if (shape.known()) return {};
  const bool replaced = run.adjacency == Adjacency::substitution;
  const auto single = [&](const Shape& one) {
    const double remove = single_lower(run, one, asked, given);
    return Directions{{remove}, {replaced ? remove : single_lower(run, one, asked, given, remove)}};
  };
  if (shape.rounds == 1 && shape.last == 0) return single(shape);
  if (shape.last_only()) return single(shape.last_epoch());
  const std::vector<Steps> steps = epochs_attack(shape, replaced, about);
  // Of epochs whose attack is not tried, the first one.
  if (steps.empty()) return shape.rounds > 0 ? single(shape) : single(shape.last_epoch());
  const auto prove = [&](Direction direction) {
    return attack_lower(steps, asked, given, effort, direction);
  };
  const double remove = prove(Direction::remove);
  return {{remove}, {replaced ? remove : prove(Direction::add)}};
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

/// Whether lower ends are neither wanted nor of use for the upper ones.
bool upper_alone(const Run& run, const Effort& effort) {
  return effort.wanted == Wanted::upper && !has_own_proof(run);
}

/// A theorem of our own that gains less than this is not worth resting on.
constexpr double kWorthwhile = 0.01;

/// The method that proves both ends.
Method method_of(const Shape& shape, bool cloned) {
  if (shape.last_only() && shape.used == 1)
    return cloned ? Method::stopped_swaps : Method::stopped_known;
  if (shape.begun() > 1) return cloned ? Method::epochs_swaps : Method::epochs_known;
  return cloned ? Method::event_swaps : Method::event_known;
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
  const bool cloned = d.upper() < known.directions.upper() * (1 - kWorthwhile);
  if (!cloned) {
    d.remove.upper = known.directions.remove.upper;
    d.add.upper = known.directions.add.upper;
  }
  d.tighten_uppers(known.directions);
  finding.method = method_of(shape, cloned);
  d.replace_lowers(below);
  return finding;
}

/// The ends of runs that are not [HP24]'s pair: known batches, swaps or clones above; below, an
/// attack on one permutation in which a record is replaced, or balls-and-bins.
Finding beyond_plain(const Run& run, Asked asked, double given, const Effort& effort) {
  Finding finding = known_batches(run, asked, given, effort);
  Directions& d = finding.directions;
  const Directions ends = d;
  const double known = d.upper();
  const bool alone = upper_alone(run, effort), gaussian = run.mechanism == Mechanism::gaussian;
  const Shape shape = shape_of(run);
  // An attack on one permutation needs no help, and on several it is made for what bins prove.
  const bool attacks = !alone && gaussian && run.records_per_user == 1;
  Directions least;
  if (attacks && shape.rounds == 1) least = from_below(run, asked, given, effort, 0);
  Finding bins;
  if (!alone && !(least.lower() > 0)) bins = balls_and_bins_of(as_bins(run), asked, given, effort);
  // Among more batches choices add next to nothing over several epochs.
  constexpr double kFew = 300;
  if (attacks && shape.rounds > 1 && shape.batches <= kFew) {
    const double whole = asked == Asked::epsilon ? bins.directions.lower() : given;
    least = from_below(run, asked, given, effort, whole / shape.rounds);
  }
  const bool attacked = least.lower() > (run.used_share < 1 ? 0 : bins.directions.lower());
  if (has_own_proof(run) && gaussian) {
    const double shown = std::max(least.lower(), bins.directions.lower());
    d.remove.upper = d.add.upper =
        std::min(known, record_by_record(run, asked, given, effort, known, shown));
  } else if (has_own_proof(run)) {
    over_clones(run, asked, given, effort, bins.directions.upper(), d);
  }
  const bool cloned = d.upper() < known * (1 - kWorthwhile);
  if (!cloned) d = ends;
  d.remove.lower = d.add.lower = 0;
  if (attacked) {
    finding.method = method_of(shape, cloned);
    d.replace_lowers(least);
    return finding;
  }
  if (run.used_share < 1) {
    finding.method = !cloned ? Method::known : gaussian ? Method::swaps : Method::clones;
    return finding;
  }
  finding.method = !cloned    ? Method::bins_known
                   : gaussian ? Method::bins_swaps
                              : Method::bins_clones;
  finding.grid_points = bins.grid_points;
  Directions lower = bins.directions;
  if (run.adjacency == Adjacency::substitution)
    lower.remove.lower = lower.add.lower = lower.lower();
  d.replace_lowers(lower);
  return finding;
}

Finding ends_of(const Run& run, Asked asked, double given, const Effort& effort) {
  if (!is_plain(run)) return beyond_plain(run, asked, given, effort);
  const Directions below =
      upper_alone(run, effort) ? Directions{} : from_below(run, asked, given, effort, 0);
  return bracketed(run, asked, given, effort, below);
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  const Asked asked = epsilon == 0 ? Asked::total_variation : Asked::delta;
  return ends_of(run, asked, epsilon, effort);
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return ends_of(run, Asked::epsilon, delta, effort);
}

Parts parts(const Run& run, const Demand& demand) {
  Parts result = from_above(run, demand);
  const Shape shape = shape_of(run);
  if (shape.known() || demand.swaps > 0) return result;
  result.tight = false;
  if (is_plain(run)) {
    result.symmetric = false;
    result.lower = {epochs_attack(shape), 0};
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
