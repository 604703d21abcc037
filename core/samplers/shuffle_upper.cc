#include "core/samplers/shuffle_upper.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/rounding.h"
#include "core/math/invert.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/runs/aims.h"
#include "core/runs/charge.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/clones.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/shuffle_threshold.h"
#include "core/samplers/swaps.h"

namespace honest_epsilon::shuffle {
namespace {

/// delta of a run that stopped in its first epoch, at most, by clones that cost a part of about
/// this; +inf where there are too few.
double stopped_delta(const Shape& shape, double epsilon, double about) {
  constexpr double kPart = 0.3;
  const double powers = 1 + std::exp(epsilon);
  const auto epoch =
      stopped_clones(shape.full_batches, shape.last, shape.mu, kPart * about / powers);
  if (!epoch) return kInfinity;
  const double largest =
      std::max(epoch->curve(Direction::remove, epsilon), epoch->curve(Direction::add, epsilon));
  return (largest + powers * epoch->variation) * (1 + 16 * kUnit);
}

/// Whether the swap theorem applies: whole epochs, each with a permutation of its own, Gaussian
/// noise and a single record.
bool swaps_serve(const Run& run) {
  return has_clones(run) && run.mechanism == Mechanism::gaussian && run.records_per_user == 1 &&
         shape_of(run).last == 0 && !(run.shares_draw() && run.epochs > 1);
}

Swapped record_of(const Run& run) {
  return {shape_of(run).mu, run.adjacency == Adjacency::substitution};
}

/// The smallest upper end proved in a few tries.
///   delta: (epsilon, about) -> delta at most, by clones that cost a part of `about`; +inf for none
///   known: an upper end already proved. expected: a rough estimate of the result
template <class Delta>
double least_upper(Delta delta, Asked asked, double given, double known, double expected) {
  constexpr int kTries = 8;
  constexpr double kNear = 0.75;
  constexpr double kAsGoodAsNone = 1e-12;  // of epsilons
  double best = known;
  if (asked != Asked::epsilon) {
    double about = std::min(known, 2 * expected);
    for (int i = 0; i < kTries; ++i) {
      const double found = delta(given, about);
      best = std::min(best, found);
      if (!(found < kInfinity) || (found > kNear * about && found < about / kNear)) break;
      about = std::min(found, known);
    }
    return best;
  }
  // Secants on log delta, as far as they are of use.
  double at = std::min(expected, known), last = 0, last_log = 0;
  for (int i = 0; i < kTries; ++i) {
    const double found = delta(at, given);
    if (!(found < kInfinity)) {
      at *= 0.7;  // a smaller epsilon leaves more to be spent
      continue;
    }
    if (found <= given) best = std::min(best, at);
    if (found <= given && (found > kNear * given || at < kAsGoodAsNone)) break;
    const double log = std::log(found / given);
    const double slope = (log - last_log) / (at - last);
    const bool usable = last > 0 && slope < 0;
    const double next = usable ? at - (log + 0.1) / slope : at * (found > given ? 1.3 : 0.8);
    last = std::exchange(at, std::clamp(next, 0.5 * at, std::min(2 * at, best)));
    last_log = log;
    if (std::abs(at - last) < 1e-3 * at) break;
  }
  return best;
}

}  // namespace

bool is_plain(const Run& run) {
  return run.mechanism == Mechanism::gaussian && run.adjacency != Adjacency::substitution &&
         run.records_per_user == 1;
}

bool has_clones(const Run& run) {
  constexpr double kLargestShift = 6;
  const bool pure = run.mechanism != Mechanism::gaussian;
  const bool single = run.records_per_user == 1 && run.adjacency != Adjacency::substitution;
  if (pure && !(single && !run.shares_draw())) return false;
  return !run.published_only && run.steps_per_epoch > 1 && run.shift() <= kLargestShift;
}

Finding known_batches(const Run& run, Asked asked, double given, const Effort& effort) {
  return asked == Asked::epsilon ? deterministic::epsilon(run, given, effort)
                                 : deterministic::delta(run, given, effort);
}

Finding balls_and_bins_of(const Run& run, Asked asked, double given, const Effort& effort) {
  return asked == Asked::epsilon ? balls_and_bins::epsilon(run, given, effort)
                                 : balls_and_bins::delta(run, given, effort);
}

Finding stopped_in_known_batches(const Run& run, Asked asked, double given, const Effort& effort) {
  const Shape shape = shape_of(run);
  Finding finding = known_batches(run, asked, given, effort);
  const double seen = std::min(1.0, shape.last / shape.full_batches * (1 + 2 * kUnit));
  const double with = std::sqrt(shape.begun()) * shape.mu * (1 + 4 * kUnit);
  const double without = std::sqrt(shape.rounds) * shape.mu * (1 + 4 * kUnit);
  const auto above = [&](double epsilon) {
    const double else_ = shape.rounds > 0 ? gaussian::delta(without, epsilon).upper : 0;
    // What is seen rounds up, and counts against what it replaces.
    const double delta = else_ + seen * (gaussian::delta(with, epsilon).upper - else_);
    return delta * (1 + 8 * kUnit);
  };
  const double upper =
      asked == Asked::epsilon
          ? invert_decreasing([&](double e) { return Interval{above(e), above(e)}; }, given).upper
          : above(given);
  for (Interval* value : {&finding.directions.remove, &finding.directions.add}) {
    value->upper = std::min(value->upper, upper);
    value->lower = 0;
  }
  return finding;
}

Parts from_above(const Run& run, const Demand& demand) {
  Parts result = deterministic::parts(run, demand);
  const Shape shape = shape_of(run);
  if (swaps_serve(run)) {
    if (!(demand.swaps > 0)) return result;
    const Swapped record = record_of(run);
    result.upper = {{swap_steps(shape.full_batches, record, shape.rounds, demand.swaps)}, 0};
    result.symmetric = record.replaced;
    result.by_swaps = true;
    return result;
  }
  if (!(demand.variation > 0) || !is_plain(run) || !has_clones(run)) return result;
  const double epochs = shape.begun();
  const double kept = run.shares_draw() ? static_cast<double>(run.epochs) : 1;
  const auto epoch = clones(shape.full_batches, run.shift(), demand.variation / epochs, kept);
  if (!epoch) return result;
  Steps steps;
  steps.copies = static_cast<std::int64_t>(epochs);
  steps.moments = epoch->moments;
  result.upper = {{steps}, 0};
  result.symmetric = false;
  result.failure = {0, epochs * epoch->failure * (1 + 4 * kUnit)};
  result.variation = epochs * epoch->variation * (1 + 4 * kUnit);
  return result;
}

Finding upper_ends(const Run& run, Asked asked, double given, const Effort& effort,
                   const Directions& lower) {
  // Of several epochs known batches tell as much as the attack, which sees them one by one.
  constexpr double kUsualGap = 1.3;
  const double attacked = lower.lower();
  const double expected =
      run.epochs == 1
          ? kUsualGap * attacked
          : std::sqrt(attacked * known_batches(run, asked, given, effort).directions.upper());
  const Shape shape = shape_of(run);
  const bool swaps = swaps_serve(run), single = shape.rounds == 1;
  const auto above = [&](Demand demand) {
    // Its curve is inverted by itself.
    if (asked == Asked::epsilon && single) demand.swaps = 0;
    return between(from_above(run, demand), {});
  };
  // Clones leave far more open than lines this coarse, which take a fifth of the samples.
  constexpr double kWidth = 0.03;
  const Effort coarse{std::max(effort.width, kWidth), effort.log2_grid_limit};
  Finding finding = compose(above, static_cast<double>(run.epochs), asked, given, coarse, expected);
  if (!has_clones(run)) return finding;
  Directions& d = finding.directions;
  double upper = d.upper();
  if (shape.last_only())
    upper = least_upper([&](double e, double about) { return stopped_delta(shape, e, about); },
                        asked, given, upper, std::min(expected, upper));
  else if (swaps && single && asked == Asked::epsilon)
    upper = swap_epsilon(shape.full_batches, record_of(run), given, upper, expected);
  d.tighten_uppers({{0, upper}, {0, upper}});
  return finding;
}

double record_by_record(const Run& run, Asked asked, double given, const Effort& effort,
                        double known) {
  Run single = run;
  single.records_per_user = 1;
  const Shape shape = shape_of(single);
  const double step = record_of(single).replaced ? 2 * shape.mu : shape.mu;
  const Ask ask = [&](Asked what, double value, Wanted) {
    const auto attack = what == Asked::epsilon ? threshold_epsilon : threshold_lower;
    const double shown = attack(shape.batches, step, value, true, shape.used);
    return upper_ends(single, what, value, effort, {{shown}, {shown}});
  };
  const auto records = static_cast<double>(run.records_per_user);
  return std::min(known, for_group(ask, records, asked, given, Wanted::upper).directions.upper());
}

void over_clones(const Run& run, Asked asked, double given, const Effort& effort, double expected,
                 Directions& d) {
  constexpr double kPart = 1e-3;
  const auto epochs = static_cast<double>(run.epochs);
  const auto lower_by = [&](double aim) {
    const PureClones epoch =
        pure_clones(shape_of(run).full_batches, run.shift(), kPart * aim / epochs);
    if (!(epoch.bins > 1)) return;
    const double failure = epochs * epoch.failure * (1 + 4 * kUnit);
    Run bins = run;
    bins.steps_per_epoch = static_cast<std::int64_t>(epoch.bins);
    const double rest = asked == Asked::epsilon ? (given - failure) * (1 - 4 * kUnit) : given;
    Directions found = balls_and_bins_of(bins, asked, rest, effort).directions;
    for (Interval* value : {&found.remove, &found.add}) {
      if (asked != Asked::epsilon) value->upper = (value->upper + failure) * (1 + 4 * kUnit);
    }
    d.tighten_uppers(found);
  };
  if (asked == Asked::epsilon) return lower_by(kCoarseAims.below(given));
  const auto prove = [&](int exponent) {
    lower_by(kCoarseAims.at(exponent));
    return d.upper();
  };
  kCoarseAims.least(prove, d.upper(), expected);
}

}  // namespace honest_epsilon::shuffle
