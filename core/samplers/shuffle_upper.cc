#include "core/samplers/shuffle_upper.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/rounding.h"
#include "core/math/invert.h"
#include "core/pairs/gaussian.h"
#include "core/runs/aims.h"
#include "core/runs/charge.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/clones.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/swaps.h"

namespace honest_epsilon::shuffle {
namespace {

/// Whether the swap theorem applies: it does with Gaussian noise and a single record. An epoch that
/// the run stopped in counts as a whole one.
bool swaps_serve(const Run& run) {
  return has_own_proof(run) && run.mechanism == Mechanism::gaussian && run.records_per_user == 1;
}

Swapped record_of(const Run& run) {
  return {shape_of(run).mu, run.adjacency == Adjacency::substitution};
}

}  // namespace

bool is_plain(const Run& run) {
  return run.mechanism == Mechanism::gaussian && run.adjacency != Adjacency::substitution &&
         run.records_per_user == 1;
}

bool has_own_proof(const Run& run) {
  constexpr double kLargestShift = 6;
  const bool single = run.records_per_user == 1 && run.adjacency != Adjacency::substitution;
  return (run.mechanism == Mechanism::gaussian || single) && !run.shares_draw() &&
         !run.published_only && run.steps_per_epoch > 1 && run.shift() <= kLargestShift;
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
  if (!swaps_serve(run) || !(demand.swaps > 0)) return result;
  const Shape shape = shape_of(run);
  const Swapped record = record_of(run);
  result.upper = {{swap_steps(shape.full_batches, record, shape.begun(), demand.swaps)}, 0};
  result.symmetric = record.replaced;
  result.by_swaps = true;
  return result;
}

Finding upper_ends(const Run& run, Asked asked, double given, const Effort& effort,
                   const Directions& lower) {
  // Of several epochs known batches tell as much as the attack, which sees them one by one.
  constexpr double kUsualGap = 1.1;
  const double attacked = lower.lower();
  const double expected =
      run.epochs == 1
          ? kUsualGap * attacked
          : std::sqrt(attacked * known_batches(run, asked, given, effort).directions.upper());
  const Shape shape = shape_of(run);
  if (shape.begun() == 1 && asked == Asked::epsilon) {
    Finding finding = known_batches(run, asked, given, effort);
    Directions& d = finding.directions;
    const double upper =
        swap_epsilon(shape.full_batches, record_of(run), given, d.upper(), expected);
    d.tighten_uppers({{0, upper}, {0, upper}});
    return finding;
  }
  const auto above = [&](const Demand& demand) { return between(from_above(run, demand), {}); };
  // Upper ends are asked for, whatever is wanted of the whole.
  const Effort both{effort.width, effort.log2_grid_limit};
  return compose(above, static_cast<double>(run.epochs), asked, given, both, expected);
}

double record_by_record(const Run& run, Asked asked, double given, const Effort& effort,
                        double known, double shown) {
  Run single = run;
  single.records_per_user = 1;
  const auto records = static_cast<double>(run.records_per_user);
  const Ask ask = [&](Asked what, double value, Wanted) {
    const double least =
        records == 1 ? shown : known_batches(single, what, value, effort).directions.lower();
    return upper_ends(single, what, value, effort, {{least}, {least}});
  };
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
