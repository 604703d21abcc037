#include "core/samplers/balls_and_bins.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/rounding.h"
#include "core/contour/bins_moments.h"
#include "core/math/invert.h"
#include "core/math/normal.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/response_count.h"
#include "core/rdp/renyi.h"
#include "core/runs/attack.h"
#include "core/runs/charge.h"
#include "core/runs/step_pair.h"
#include "core/samplers/correlated.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/participations.h"
#include "core/samplers/poisson.h"

namespace honest_epsilon::balls_and_bins {
namespace {

/// Transforms of a composition of epochs.
constexpr int kComposedLog2Grid = 16;

/// The same records in batches that the adversary knows: bounds every draw from above.
Run in_known_batches(Run run) {
  run.epochs *= run.participations;
  return run;
}

/// One record against none.
Run of_one_record(Run run) {
  run.adjacency = Adjacency::zero_out;
  run.records_per_user = 1;
  return run;
}

/// Whether a replaced record has a pair of its own (core/samplers/bins_replaced.h).
bool replaces(const Run& run) {
  // Beyond, where losses are in the hundreds, its sums no longer serve.
  constexpr double kLargestReplacedShift = 4;
  const double kept = run.shares_draw() ? std::sqrt(static_cast<double>(run.epochs)) : 1;
  return run.adjacency == Adjacency::substitution && run.mechanism == Mechanism::gaussian &&
         run.participations == 1 && run.shift() * kept <= kLargestReplacedShift;
}

/// The run of one record that is accounted tightly.
Run tight_run(Run run) {
  if (!replaces(run)) return of_one_record(run);
  run.records_per_user = 1;
  return run;
}

/// Epochs that share one draw hit the same coordinate: one epoch at sigma / sqrt(k). Other noise
/// knows no such sum.
bool epochs_merge(const Run& run) {
  return run.shares_draw() && run.mechanism == Mechanism::gaussian;
}
bool epochs_overlap(const Run& run) {
  return run.shares_draw() && run.mechanism != Mechanism::gaussian;
}

/// Shifts beyond this are for the transforms: few steps decide then.
constexpr double kLargestMomentShift = 12;

/// An epoch's moment function, where it is known.
std::shared_ptr<const contour::Moments> moments_of(const Run& one, std::int64_t bins,
                                                   std::int64_t blank = 0) {
  if (one.mechanism != Mechanism::gaussian || bins < 2 || one.shift() > kLargestMomentShift)
    return nullptr;
  return std::make_shared<contour::BinsMoments>(static_cast<double>(bins), one.shift(),
                                                static_cast<double>(blank));
}

/// An epoch's own pair, where it is known: what answers say, as far as their table goes.
std::shared_ptr<const pairs::Pair> whole_of(const Run& one, std::int64_t bins,
                                            std::int64_t missing = 0) {
  using pairs::ResponseCount;
  if (one.mechanism != Mechanism::randomized_response || bins > ResponseCount::kMostSeen ||
      one.shift() > ResponseCount::kMostEpsilon)
    return nullptr;
  return std::make_shared<ResponseCount>(bins, missing, one.shift());
}

struct BinsEpochs {
  OneEpoch epoch;
  std::int64_t rounds;                ///< independent epochs of this kind
  std::optional<OneEpoch> last = {};  ///< the one that the run stopped in
};

/// Whether the last epoch, which the run stopped in, has a single step.
bool ends_with_one_step(const Run& run) {
  return run.missing_steps > 0 && run.steps_per_epoch - run.missing_steps == 1;
}

/// That step, which draws a record with probability 1/T. A double is not quite that.
Run last_step(const Run& run, bool up) {
  Run step = run;
  const double q = 1 / static_cast<double>(run.steps_per_epoch);
  step.sampling_probability = std::nextafter(q, up ? 1 : 0);
  step.steps = 1;
  step.cap.reset();
  return step;
}

BinsEpochs shape_of(const Run& run) {
  Run one = of_one_record(run);
  const bool replaced = replaces(run);
  if (epochs_merge(run)) one.noise_multiplier /= std::sqrt(static_cast<double>(run.epochs));
  const std::int64_t bins = run.steps_per_epoch / run.participations;
  BinsEpochs shape{
      {bins, step_pair(one, pairs::Records{1, one.records_per_user}), one.shift(),
       replaced ? nullptr : moments_of(one, bins), 0, nullptr, whole_of(one, bins), replaced},
      run.participations * (run.shares_draw() ? 1 : run.epochs)};
  if (run.missing_steps == 0) return shape;
  --shape.rounds;
  const std::int64_t seen = bins - run.missing_steps;
  shape.last = OneEpoch{seen,
                        shape.epoch.pair,
                        shape.epoch.shift,
                        moments_of(one, seen),
                        run.missing_steps,
                        moments_of(one, seen, run.missing_steps),
                        whole_of(one, seen, run.missing_steps),
                        replaced};
  return shape;
}

/// Ratios beyond this shift leave the doubles: only one epoch's cheap bounds are left then.
constexpr double kLargestShift = 40;
bool ratios_hold(const BinsEpochs& shape) {
  return shape.epoch.shift <= kLargestShift || shape.epoch.whole;
}

/// The pair's run is the run itself, not only a bound on it.
bool is_exact(const Run& run) {
  if (run.correlation || run.records_per_user > 1 || run.participations > 1 || epochs_overlap(run))
    return false;
  return run.adjacency != Adjacency::substitution || (replaces(run) && !run.published_only);
}

// -- the run of one record -------------------------------------------------------------------

/// Deterministic batches bound every draw from above.
Finding within(Finding finding, const Finding& whole) {
  Directions& d = finding.directions;
  d.tighten_uppers(whole.directions);
  d.clip_lowers();
  return finding;
}

Finding known_batches(const Run& run, Asked asked, double given, const Effort& effort) {
  const Run whole = in_known_batches(run);
  return asked == Asked::epsilon ? deterministic::epsilon(whole, given, effort)
                                 : deterministic::delta(whole, given, effort);
}

Parts rounds_of(const Run& run, const BinsEpochs& shape, const Demand& demand) {
  Parts result;
  result.tight = true;
  result.symmetric = shape.epoch.replaced;
  if (shape.epoch.bins == 1) return result;
  const bool several = shape.rounds > 1 || (shape.rounds == 1 && shape.last);
  const auto add = [&](const OneEpoch& epoch, std::int64_t copies) {
    if (copies == 0) return;
    Steps steps = epoch_steps(epoch, demand.log_floor, demand.effort);
    if (several) steps.curve = nullptr;
    steps.copies = copies;
    result.upper.steps.push_back(std::move(steps));
  };
  add(shape.epoch, shape.rounds);
  if (!shape.last) return result;
  if (shape.last->bins > 1) {
    add(*shape.last, 1);
    return result;
  }
  const Parts step = between(poisson::parts(last_step(run, true), demand),
                             poisson::parts(last_step(run, false), demand));
  return joined({std::move(result), step});
}

Finding drawn(const Run& run, Asked asked, double given, const Effort& effort) {
  const BinsEpochs shape = shape_of(run);
  const std::int64_t rounds = shape.rounds + (shape.last ? 1 : 0);
  const bool hopeless = !ratios_hold(shape) && run.mechanism != Mechanism::gaussian;
  if (shape.epoch.bins == 1 || hopeless || (rounds > 1 && !ratios_hold(shape))) {
    Finding finding = known_batches(tight_run(run), asked, given, effort);
    if (shape.epoch.bins > 1) finding.directions.remove.lower = finding.directions.add.lower = 0;
    return finding;
  }
  if (rounds == 1 && ends_with_one_step(run)) {
    const auto ask = asked == Asked::epsilon ? poisson::epsilon : poisson::delta;
    Finding finding = ask(last_step(run, true), given, effort);
    finding.directions.replace_lowers(ask(last_step(run, false), given, effort).directions);
    return finding;
  }
  if (rounds == 1) {
    const OneEpoch& only = shape.last ? *shape.last : shape.epoch;
    const auto ask = [&](Direction direction, const Effort& e) {
      return asked == Asked::epsilon ? epoch_epsilon(only, direction, given, e)
                                     : epoch_delta(only, direction, given, e);
    };
    Finding finding;
    if (only.replaced) {
      const Interval both = ask(Direction::remove, effort).value;
      finding.directions = {both, both};
    } else {
      finding = both_directions(effort, asked, ask);
    }
    finding.method = only.replaced                          ? Method::replaced_epoch
                     : only.whole                           ? Method::closed_form
                     : finding.grid_points == 0             ? Method::epoch_contour
                     : run.mechanism == Mechanism::gaussian ? Method::epoch_integral
                                                            : Method::bins_integral;
    return finding;
  }
  Effort limit = effort;
  limit.log2_grid_limit = std::min(effort.log2_grid_limit, kComposedLog2Grid);
  // The curve of an epoch with a replaced record is known far better, and takes most of the time.
  if (shape.epoch.replaced) limit.width = std::min(effort.width, 1e-4);
  Finding finding = compose([&](const Demand& demand) { return rounds_of(run, shape, demand); },
                            static_cast<double>(rounds), asked, given, limit);
  if (!shape.epoch.whole)
    finding.method = finding.grid_points == 0 ? Method::epoch_contour : Method::composed_epochs;
  return within(finding, known_batches(tight_run(run), asked, given, effort));
}

// -- k of an epoch's T steps -----------------------------------------------------------------

/// P(max x_t >= C) - e^eps Q(max x_t >= C), one epoch with k of T coordinates shifted.
double several_hits_lower(double steps, double hits, double mu, double epsilon) {
  const auto log_below = [&](double z) {
    return hits * std::log1p(-normal::upper_tail(z - mu)) +
           (steps - hits) * std::log1p(-normal::upper_tail(z));
  };
  const auto value = [&](double z) {
    const double far = std::abs(z) + mu + 1;
    const double error =
        4 * (normal::kRelativeError + 2 * kUnit * far * far) + 4 * kUnit * (epsilon + 16);
    const double log_q = z > normal::kFarTail
                             ? std::log(steps) + normal::log_upper_tail(z)
                             : std::log(-std::expm1(steps * std::log1p(-normal::upper_tail(z))));
    return -std::expm1(log_below(z)) * (1 - error) - std::exp(epsilon + log_q + error);
  };
  return std::max(0.0, value(largest_on(value, -8, mu + 40)));
}

/// The shift of sum_t x_t / sqrt(T), summed over the epochs.
double shift_of_sum(const Run& run) {
  return run.shift() * static_cast<double>(run.participations) *
         std::sqrt(static_cast<double>(run.epochs) / static_cast<double>(run.steps_per_epoch)) *
         (1 - 8 * kUnit);
}

/// Of one step, in an epoch or in all that are merged into one.
double shift_of_epoch(const Run& run) {
  return run.shift() * (epochs_merge(run) ? std::sqrt(static_cast<double>(run.epochs)) : 1);
}

/// An attack on a run whose records each fall into k of the T steps; none where it sees nothing.
std::vector<Steps> several_attack(const Run& run) {
  constexpr double kMostSteps = 1e6;
  if (run.mechanism != Mechanism::gaussian || static_cast<double>(run.steps_per_epoch) > kMostSteps)
    return {};
  const auto events =
      participation_events(shift_of_epoch(run), run.steps_per_epoch, run.participations);
  if (events.empty()) return {};
  return {attack_steps(events, epochs_merge(run) ? 1 : run.epochs)};
}

/// Lower ends of a run whose records each fall into k of the T steps.
Directions several_lower(const Run& run, Asked asked, double given, const Effort& effort) {
  if (run.mechanism != Mechanism::gaussian) return {};
  const double sum =
      (asked == Asked::epsilon ? gaussian::epsilon : gaussian::delta)(shift_of_sum(run), given)
          .lower;
  const auto steps = static_cast<double>(run.steps_per_epoch);
  const auto hits = static_cast<double>(run.participations);
  const auto largest = [&](double epsilon) {
    const double delta = several_hits_lower(steps, hits, shift_of_epoch(run), epsilon);
    return Interval{delta, delta};
  };
  // Where epsilon is above 20 or delta below 1e-8, round-off hides the attack below, not these.
  const Interval by_largest =
      asked == Asked::epsilon ? invert_decreasing(largest, given) : largest(given);
  Directions found{{std::max(sum, by_largest.lower)}, {sum}};
  const std::vector<Steps> attack = several_attack(run);
  if (attack.empty()) return found;
  const auto improve = [&](Interval& end, Direction direction) {
    end.lower = std::max(end.lower, attack_lower(attack, asked, given, effort, direction));
  };
  improve(found.remove, Direction::remove);
  improve(found.add, Direction::add);
  return found;
}

// -- substitution ----------------------------------------------------------------------------

/// By way of the run without the record (charge.h).
double through_zero_upper(const Run& one, Asked asked, double given, const Effort& effort) {
  Effort rough = effort;
  rough.width = std::max(effort.width, 0.05);
  rough.log2_grid_limit = std::min(effort.log2_grid_limit, 13);
  const auto with = [&one](const Effort& limit) {
    return
        [&one, limit](Asked what, double value, Wanted) { return drawn(one, what, value, limit); };
  };
  constexpr int kTries = 40;
  return through_left_out(with(effort), with(rough), asked, given, kTries);
}

// -- all together ----------------------------------------------------------------------------

/// with_pair: whether the lower end is that of a replaced record's own pair.
Finding bracketed(const Run& run, Asked asked, double given, const Effort& effort,
                  bool with_pair = true) {
  const Run one = of_one_record(run);
  Finding finding = known_batches(run, asked, given, effort);
  finding.method = Method::single_record;
  Directions& d = finding.directions;
  const bool substitution = run.adjacency == Adjacency::substitution;
  if (run.participations > 1) {
    if (!substitution && run.records_per_user == 1 && !epochs_overlap(run))
      finding = within(drawn(one, asked, given, effort), finding);
    d.replace_lowers(several_lower(one, asked, given, effort));
    finding.method = Method::participation_rounds;
  } else {
    Run once = with_pair ? tight_run(run) : one;
    if (epochs_overlap(run)) once.epochs = 1;
    const Finding single = drawn(once, asked, given, effort);
    d.replace_lowers(single.directions);
    finding.grid_points = single.grid_points;
  }
  if (substitution) {
    double upper = d.upper();
    if (run.records_per_user == 1 && !epochs_overlap(run)) {
      upper = std::min(upper, through_zero_upper(one, asked, given, effort));
      finding.method = Method::through_zero_out;
    }
    d.remove = d.add = {d.lower(), upper};
  }
  d.clip_lowers();
  return finding;
}

Finding answer(const Run& run, Asked asked, double given, const Effort& effort) {
  if (run.correlation) return correlated::answer(run, asked, given, effort);
  // One batch leaves nothing to draw.
  if (run.steps_per_epoch == 1 && run.participations == 1)
    return known_batches(run, asked, given, effort);
  if (asked == Asked::delta && run.mechanism == Mechanism::gaussian) {
    // Where even known batches leave nothing to find, the draw need not be looked at.
    const Directions known = known_batches(run, asked, given, effort).directions;
    const double upper = known.upper();
    if (upper < kVanishing) {
      Finding nothing;
      nothing.directions = {{0, upper}, {0, upper}};
      nothing.method = Method::single_record;
      return nothing;
    }
  }
  if (!is_exact(run)) return bracketed(run, asked, given, effort);
  Finding finding = drawn(run, asked, given, effort);
  constexpr double kWide = 0.9;
  Directions& d = finding.directions;
  if (replaces(run) && d.lower() < kWide * d.upper()) {
    // Its sums did not serve.
    const Directions other = bracketed(run, asked, given, effort, false).directions;
    const Interval both = intersect(d.remove, other.remove);
    d.remove = d.add = both;
  }
  return finding;
}

}  // namespace

bool has_own_proof(const Run& run) {
  return (replaces(run) || run.correlation) && run.steps_per_epoch > 1;
}

bool can_stop_midway(const Run& run) {
  return is_exact(run) && run.steps_per_epoch > 1 && !run.shares_draw();
}

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  return answer(run, epsilon == 0 ? Asked::total_variation : Asked::delta, epsilon, effort);
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return answer(run, Asked::epsilon, delta, effort);
}

Parts parts(const Run& run, const Demand& demand) {
  if (run.correlation) return correlated::parts(run, demand);
  const BinsEpochs shape = shape_of(run);
  const Parts known = deterministic::parts(in_known_batches(run), demand);
  if (run.participations == run.steps_per_epoch) return known;
  if (is_exact(run) && ratios_hold(shape)) return rounds_of(run, shape, demand);
  Parts result;
  result.upper = known.upper;
  result.failure = {0, known.failure.upper};
  if (!ratios_hold(shape)) return result;
  const bool one_record = run.records_per_user == 1 && run.adjacency != Adjacency::substitution;
  if (one_record && !epochs_overlap(run) && shape.epoch.bins > 1) {
    result.upper = rounds_of(run, shape, demand).upper;
    result.failure = {0, 0};
  }
  if (run.participations > 1) {
    if (run.mechanism == Mechanism::gaussian) {
      // A larger shift tells more than round-off leaves of the attack.
      constexpr double kTellingShift = 4;
      const double shift = shift_of_sum(run);
      if (shift < kTellingShift) result.lower.steps = several_attack(of_one_record(run));
      if (result.lower.steps.empty()) result.lower.squared_shift = shift * shift * (1 - 4 * kUnit);
    }
  } else {
    BinsEpochs single = shape;
    if (epochs_overlap(run)) single.rounds = 1;
    result.lower = rounds_of(run, single, demand).upper;
  }
  result.symmetric = run.adjacency == Adjacency::substitution;
  return result;
}

bool has_gap(const Run& run) {
  return (run.adjacency == Adjacency::substitution && (!replaces(run) || run.published_only)) ||
         run.records_per_user > 1 || run.participations > 1 || run.correlation ||
         (run.mechanism != Mechanism::gaussian && run.shares_draw());
}

rdp::RenyiCurve renyi(const Run& run) {
  const rdp::RenyiCurve known = deterministic::renyi(in_known_batches(run));
  if (run.mechanism != Mechanism::gaussian || run.records_per_user > 1 || run.correlation ||
      run.adjacency == Adjacency::substitution)
    return known;
  const BinsEpochs shape = shape_of(run);
  const rdp::RenyiCurve epoch =
      rdp::balls_and_bins_curve(static_cast<double>(shape.epoch.bins), shape.epoch.shift);
  const std::int64_t begun = shape.rounds + (shape.last ? 1 : 0);
  return [known, epoch, rounds = static_cast<double>(begun)](double order) {
    return std::min(known(order), rounds * epoch(order));
  };
}

}  // namespace honest_epsilon::balls_and_bins
