#include "core/runs/parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/contour/gaussian_moments.h"
#include "core/contour/inversion.h"
#include "core/math/invert.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/largest_loss.h"
#include "core/pld/profile.h"
#include "core/runs/aims.h"
#include "core/runs/by_swaps.h"

namespace honest_epsilon {
namespace {

/// The square of a shift and its root round a few times, and sums of squares once a term.
constexpr double kShiftError = 16 * kUnit;

/// Grid limit for the lower side: theory leaves a gap there anyway.
constexpr int kModerateLog2Grid = 14;

/// Grid limit for an epsilon that does not decide.
constexpr int kCoarseLog2Grid = 12;

/// The largest shift of a Gaussian pair on a lattice: beyond it losses are in the hundreds.
constexpr double kLargestLatticeShift = 30;

void append(Side& to, const Side& from) {
  to.steps.insert(to.steps.end(), from.steps.begin(), from.steps.end());
  to.squared_shift += from.squared_shift;
}

const Side& lower_of(const Parts& parts) {
  return parts.tight ? parts.upper : parts.lower;
}

/// A relative width that hardly any lattice improves on, and none in little time.
constexpr double kLatticeWidth = 1e-5;

/// The relative width that suffices for an epsilon that is proved to be the smaller one.
constexpr double kSmallerWidth = 1e-2;

/// Where theory may leave a gap, sides are asked this roughly first, and may leave open such a
/// part.
constexpr double kRoughWidth = 1e-2, kPartOfGap = 0.02;

/// Of the work that is left, for one way of several to an end, or one end of several.
constexpr double kPartOfWork = 0.8;

/// A curve that is no formula comes from transforms of about this many points.
constexpr std::int64_t kCurveGrid = 8192;

/// One side's own curve.
class SideCurve {
 public:
  explicit SideCurve(const Side& side) : side_(side), shift_(std::sqrt(side.squared_shift)) {
    for (const Steps& steps : side.steps) {
      if (steps.copies == 0) continue;
      components_.push_back({steps.source.get(), steps.copies, steps.exchanged});
      on_lattice_ = on_lattice_ && steps.source;
    }
    only_ = components_.size() == 1 && shift_ == 0;
    if (auto moments = moments_of(side)) {
      for (const Direction direction : {Direction::remove, Direction::add})
        inversions_[index_of(direction)].emplace(*moments, direction);
    }
    if (shift_ > 0 && !components_.empty()) {
      gaussian_pair_.emplace(1.0, std::min(shift_, kLargestLatticeShift));
      gaussian_source_.emplace(*gaussian_pair_);
      components_.push_back({&*gaussian_source_, 1});
    }
  }

  bool trivial() const { return components_.empty() && shift_ == 0; }

  /// negligible: a delta that need not be distinguished from 0.
  pld::Result ask(Direction direction, Asked asked, double given, const Effort& effort,
                  double negligible = contour::kNoLineBelow) {
    if (trivial()) return {{0, 0}, 0, false};
    if (components_.empty()) return {gaussian(asked, given), 0, false};
    if (closed()) return {curve_value(*with_curve(), direction, asked, given), 0, false};
    const std::optional<Interval> by_contour = invert(direction, asked, given, effort, negligible);
    if (by_contour && settles(*by_contour, asked, effort, negligible))
      return {*by_contour, 0, false};
    if (const Steps* steps = with_curve()) {
      const Interval value = curve_value(*steps, direction, asked, given);
      return {by_contour ? intersect(value, *by_contour) : value, kCurveGrid, false};
    }
    if (beyond_lattices(by_contour)) return {*by_contour, 0, true};
    if (!on_lattice_ || !effort.lattices)
      return {by_contour.value_or(trivial_interval(asked)), 0, false};
    // A lattice does not hold such losses; its upper end would be that of a smaller shift, and no
    // grid makes what is left narrow.
    const bool too_large = shift_ > kLargestLatticeShift;
    Effort limit = effort;
    if (too_large) limit.log2_grid_limit = std::min(effort.log2_grid_limit, kModerateLog2Grid);
    if (asked == Asked::epsilon && by_contour && by_contour->upper < effort.deciding)
      limit.log2_grid_limit = std::min(limit.log2_grid_limit, kCoarseLog2Grid);
    pld::Result result = on_lattice(direction, asked, given, limit);
    if (too_large) result.value.upper = trivial_interval(asked).upper;
    if (by_contour) result.value = intersect(result.value, *by_contour);
    return result;
  }

  /// The largest possible loss, rounded up.
  double highest(Direction direction) const {
    if (shift_ > 0 || !on_lattice_) return kInfinity;
    return std::max(0.0, pld::LargestLoss(components_, direction).upper());
  }

  bool inverts() const { return inversions_.front().has_value(); }

  bool closed() const {
    return components_.empty() || (with_curve() && with_curve()->curve_is_formula);
  }

  /// Keeps transforms, for delta at many epsilons.
  ///   negligible: a delta that need not be distinguished from 0 at any of them
  void keep(double negligible) { negligible_at_all_ = negligible; }

 private:
  static std::size_t index_of(Direction direction) {
    return direction == Direction::remove ? 0 : 1;
  }

  /// Every step's moment function, and the shifts', where all are known.
  std::optional<std::vector<contour::MomentSteps>> moments_of(const Side& side) const {
    std::vector<contour::MomentSteps> moments;
    for (const Steps& steps : side.steps) {
      if (steps.copies == 0) continue;
      if (!steps.moments) return std::nullopt;
      moments.push_back({steps.moments, static_cast<double>(steps.copies), steps.exchanged});
    }
    if (shift_ > 0) {
      moments.push_back(
          {std::make_shared<contour::GaussianMoments>(side.squared_shift, 2 * kShiftError), 1});
    }
    return moments;
  }

  std::optional<Interval> invert(Direction direction, Asked asked, double given,
                                 const Effort& effort, double negligible) {
    auto& inversion = inversions_[index_of(direction)];
    if (!inversion) return std::nullopt;
    try {
      const work::Limit limit(work::part(kPartOfWork));
      return inverted(direction, asked, given, effort, negligible);
    } catch (const work::Spent&) {
      inversions_ = {};
      return std::nullopt;
    }
  }

  std::optional<Interval> inverted(Direction direction, Asked asked, double given,
                                   const Effort& effort, double negligible) {
    auto& inversion = inversions_[index_of(direction)];
    if (asked == Asked::total_variation) {
      const auto value = inversion->delta(given, effort.width, negligible);
      if (value && settles(*value, asked, effort, negligible)) return value;
      return intersect(value, inversions_[index_of(opposite(direction))]->delta(given, effort.width,
                                                                                negligible));
    }
    if (asked == Asked::delta) return inversion->delta(given, effort.width, negligible);
    const double largest = inversion->largest_loss() * (1 + 16 * kUnit);
    const auto value = inversion->epsilon(given, effort.width);
    return value || !(largest < kInfinity) ? value : Interval{0, largest};
  }

  pld::Result on_lattice(Direction direction, Asked asked, double given, const Effort& effort) {
    if (asked == Asked::epsilon) return pld::epsilon(components_, direction, given, effort);
    if (!negligible_at_all_) return pld::delta(components_, direction, given, effort);
    auto& kept = kept_[index_of(direction)];
    if (!kept) kept.emplace(components_, direction, effort, *negligible_at_all_);
    return kept->delta(given);
  }

  static bool settles(const Interval& value, Asked asked, const Effort& effort, double negligible) {
    if (contour::is_settled(value, effort.width)) return true;
    if (asked == Asked::epsilon)
      return value.upper < effort.deciding && contour::is_settled(value, kSmallerWidth);
    return value.upper - value.lower <= std::max(negligible, effort.width * effort.deciding);
  }

  static bool beyond_lattices(const std::optional<Interval>& value) {
    return value && value->is_narrow(kLatticeWidth);
  }

  static Interval curve_value(const Steps& steps, Direction direction, Asked asked, double given) {
    const Direction own = own_direction(direction, steps.exchanged);
    const auto curve = [&](double e) { return steps.curve(own, e); };
    if (asked != Asked::epsilon) return curve(given);
    const double highest =
        steps.source->highest(own) * static_cast<double>(steps.copies) * (1 + 4 * kUnit);
    return invert_decreasing(curve, given, highest);
  }

  const Steps* with_curve() const {
    if (!only_) return nullptr;
    for (const Steps& steps : side_.steps) {
      if (steps.copies > 0) return steps.curve ? &steps : nullptr;
    }
    return nullptr;
  }

  Interval gaussian(Asked asked, double given) const {
    const double low = shift_ * (1 - kShiftError);
    const double high = shift_ * (1 + kShiftError);
    if (asked == Asked::epsilon)
      return {gaussian::epsilon(low, given).lower, gaussian::epsilon(high, given).upper};
    return {gaussian::delta(low, given).lower, gaussian::delta(high, given).upper};
  }

  const Side& side_;
  double shift_;
  bool only_ = false;
  bool on_lattice_ = true;  ///< every step has lattice laws
  std::vector<pld::SourceSteps> components_;
  std::optional<pairs::SubsampledGaussian> gaussian_pair_;
  std::optional<pld::PairSource> gaussian_source_;
  std::array<std::optional<contour::Inversion>, 2> inversions_;  ///< direction remove, and add
  std::array<std::optional<pld::DirectionProfile>, 2> kept_;     ///< likewise
  std::optional<double> negligible_at_all_;
};

/// What a lower and an upper end of two sides leave. Ends that crossed by more than rounding would
/// refute one of their proofs: nothing is claimed then.
Interval spanned(double lower, double upper, Asked asked) {
  // More than round-off can explain; the ends carry their own.
  constexpr double kCrossing = 1e-9;
  if (lower > upper * (1 + kCrossing) + kCrossing * kCrossing) return trivial_interval(asked);
  return {std::min(lower, upper), upper};
}

/// What one side's curve proves with a part of the work that is left, by coarser lattices where
/// that does not suffice.
///   ask: effort -> result
template <class Ask>
pld::Result within_work(Asked asked, Effort effort, Ask ask) {
  constexpr int kCoarser = 3, kCoarsest = 10;
  for (; effort.log2_grid_limit >= kCoarsest; effort.log2_grid_limit -= kCoarser) {
    try {
      const work::Limit limit(work::part(kPartOfWork));
      return ask(effort);
    } catch (const work::Spent&) {
      effort.width = std::max(effort.width, kRoughWidth);
    }
  }
  return {trivial_interval(asked), 0, true};
}

/// Both directions, each between the upper side's curve and the lower side's.
///   each: asks one side's curve, (curve, direction, effort) -> result
template <class One>
Finding ask_sides(const Parts& parts, SideCurve& upper, SideCurve& lower, Asked asked,
                  const Effort& effort, One each) {
  const auto one = [&](SideCurve& curve, Direction direction, const Effort& limit) {
    return within_work(asked, limit,
                       [&](const Effort& less) { return each(curve, direction, less); });
  };
  double open = 0;  // what the sides' own computation leaves
  const auto ask_both = [&](Direction direction, const Effort& limit) {
    const pld::Result unasked = {trivial_interval(asked), 0, false};
    pld::Result result = limit.wanted == Wanted::lower ? unasked : one(upper, direction, limit);
    const pld::Result other =
        limit.wanted == Wanted::upper ? unasked : one(lower, direction, limit);
    open = result.value.upper - result.value.lower + other.value.upper - other.value.lower;
    result.value = spanned(other.value.lower, result.value.upper, asked);
    result.grid_points = std::max(result.grid_points, other.grid_points);
    result.limited = result.limited || other.limited;
    return result;
  };
  const auto ask_one = [&](Direction direction, const Effort& limit) {
    if (parts.tight) return one(upper, direction, limit);
    if (limit.wanted != Wanted::both || limit.width >= kRoughWidth)
      return ask_both(direction, limit);
    Effort rough = limit;
    rough.width = kRoughWidth;
    const pld::Result result = ask_both(direction, rough);
    // More digits of either side would hardly narrow what theory leaves between them.
    if (open < kPartOfGap * (result.value.upper - result.value.lower)) return result;
    return ask_both(direction, limit);
  };
  Finding finding;
  if (parts.symmetric && parts.tight) {
    const pld::Result both = ask_one(Direction::remove, effort);
    finding.directions = {both.value, both.value};
    finding.grid_points = both.grid_points;
    finding.limited = both.limited;
  } else {
    finding = both_directions(effort, asked, ask_one);
    Directions& d = finding.directions;
    // What bounds a symmetric run from either side need not be symmetric.
    if (parts.symmetric) d.remove = d.add = intersect(d.remove, d.add);
  }
  const bool closed = upper.closed() && (parts.tight || lower.closed());
  finding.method = closed                    ? Method::closed_form
                   : finding.grid_points > 0 ? Method::lattice
                   : upper.inverts()         ? Method::contour
                                             : Method::largest_loss;
  return finding;
}

Finding ask(const Parts& parts, Asked asked, double given, const Effort& effort) {
  SideCurve upper(parts.upper);
  SideCurve lower(lower_of(parts));
  return ask_sides(parts, upper, lower, asked, effort,
                   [&](SideCurve& curve, Direction direction, const Effort& limit) {
                     if (parts.tight) return curve.ask(direction, asked, given, limit);
                     Effort one = limit;
                     // Of a rough end it is seen how rough it is.
                     if (limit.width < kRoughWidth)
                       one.wanted = &curve == &upper ? Wanted::upper : Wanted::lower;
                     return curve.ask(direction, asked, given, one);
                   });
}

/// Epsilon where part of the target is spent on outright failure. When all of it is, only a loss
/// that nothing exceeds will do.
Finding ask_beside_failure(const Parts& parts, double target, const Effort& effort) {
  const auto at = [&](double spent, Wanted wanted) {
    const double rest = rest_of(target, spent);
    Effort limit = effort;
    limit.wanted = wanted;
    if (rest > 0) return ask(parts, Asked::epsilon, rest, limit);
    const auto highest = [&](Direction direction) -> Interval {
      const double loss = rest == 0 ? SideCurve(parts.upper).highest(direction) : kInfinity;
      return {loss, loss};
    };
    return Finding{{highest(Direction::remove), highest(Direction::add)}, Method::largest_loss};
  };
  // What is left is a rounded difference.
  const auto rounding = [&](double spent) { return 4 * kUnit * std::abs(target - spent); };
  const double most = parts.failure.upper;
  const double least = parts.failure.lower;
  const auto lower_ends = [&] { return at(std::max(0.0, least - rounding(least)), Wanted::lower); };
  // An end that is not wanted would be that of another target.
  if (effort.wanted == Wanted::lower) {
    Finding finding = lower_ends();
    finding.directions.remove.upper = finding.directions.add.upper = kInfinity;
    return finding;
  }
  Finding finding = at(most + rounding(most), Wanted::upper);
  finding.directions.replace_lowers(effort.wanted == Wanted::both ? lower_ends().directions
                                                                  : Directions{{0, 0}, {0, 0}});
  return finding;
}

/// With probability `failure` everything is revealed.
Interval with_failure(const Interval& failure, const Interval& delta) {
  return {affine(failure.lower, 1 - failure.lower, delta).lower,
          affine(failure.upper, 1 - failure.upper, delta).upper};
}

/// Deltas of parts that may fail outright.
void add_failure(const Interval& failure, Directions& d) {
  if (failure.upper == 0) return;
  for (Interval* value : {&d.remove, &d.add}) *value = within_unit(with_failure(failure, *value));
}

/// What is left out is charged; a curve is followed further when that turned out to matter.
constexpr double kNearLogFloor = -41;
constexpr double kFarLogFloor = -90;
constexpr double kSmallDelta = 1e-11;

}  // namespace

Parts swapped(Parts parts) {
  if (parts.symmetric) return parts;
  for (Side* side : {&parts.upper, &parts.lower}) {
    for (Steps& steps : side->steps) steps.exchanged = !steps.exchanged;
  }
  return parts;
}

Parts between(Parts most, const Parts& least) {
  most.lower = lower_of(least);
  most.tight = false;
  most.symmetric = most.symmetric && least.symmetric;
  most.failure.lower = std::min(least.failure.lower, most.failure.upper);
  return most;
}

Parts joined(const std::vector<Parts>& runs) {
  Parts all;
  all.tight = all.symmetric = true;
  for (const Parts& run : runs) {
    all.tight = all.tight && run.tight;
    all.symmetric = all.symmetric && run.symmetric;
    // The first one stays as it was given.
    if (all.failure.upper == 0) {
      all.failure = run.failure;
    } else if (run.failure.upper > 0) {
      all.failure = with_failure(all.failure, run.failure);
    }
  }
  for (const Parts& run : runs) {
    all.by_swaps = all.by_swaps || run.by_swaps;
    append(all.upper, run.upper);
    if (!all.tight) append(all.lower, lower_of(run));
  }
  return all;
}

namespace {

/// The upper side is what it is without swaps, unless `make` makes it by them.
Finding compose_exactly(const MakeParts& make, double log_floor, Asked asked, double given,
                        const Effort& effort) {
  if (asked == Asked::epsilon) {
    const Parts parts = make({log_floor, effort});
    if (parts.failure.upper == 0) return ask(parts, asked, given, effort);
    return ask_beside_failure(parts, given, effort);
  }
  Finding finding;
  Directions known{{0, 1}, {0, 1}};
  for (const double floor : {kNearLogFloor, kFarLogFloor}) {
    const Parts parts = make({floor, effort});
    finding = ask(parts, asked, given, effort);
    Directions& d = finding.directions;
    add_failure(parts.failure, d);
    known = d = {intersect(d.remove, known.remove), intersect(d.add, known.add)};
    const bool by_lattices = finding.grid_points > 0 || parts.failure.upper > 0;
    if (!by_lattices || finding.directions.remove.upper > kSmallDelta) break;
  }
  return finding;
}

}  // namespace

Finding compose(const MakeParts& make, double copies, Asked asked, double given,
                const Effort& effort, double expected) {
  const double log_floor = asked == Asked::epsilon
                               ? std::log(given) - std::log(std::max(copies, 1.0)) - 14
                               : kNearLogFloor;
  Finding finding = compose_exactly(make, log_floor, asked, given, effort);
  Directions& d = finding.directions;
  const auto followed = [&](double aim) {
    Parts parts = make({log_floor, effort, aim});
    parts.tight = true;
    return parts;
  };
  std::optional<BySwaps> swaps;
  // Ends that are closer than swaps would take them are left as they are.
  constexpr double kClose = 0.97;
  const auto may_gain = [&] {
    if (d.lower() > kClose * d.upper()) return false;
    swaps.emplace(followed, effort);
    return swaps->serve();
  };
  const double before = d.upper();
  if (asked == Asked::epsilon) {
    if (may_gain())
      d.tighten_uppers(
          compose_exactly([&](const Demand&) { return followed(kCoarseAims.below(given)); },
                          log_floor, asked, given, BySwaps::effort_of(effort))
              .directions);
  } else {
    if (may_gain()) swaps->lower(given, d, expected);
  }
  if (d.upper() < before) finding.method = Method::swaps;
  d.clip_lowers();
  return finding;
}

struct Profile::Sides {
  Sides(Parts all, const Effort& limit, double small)
      : parts(std::move(all)), effort(limit), negligible(small) {}
  Parts parts;
  Effort effort;
  double negligible;
  SideCurve upper{parts.upper}, lower{lower_of(parts)};
};

Profile::Profile(Parts parts, const Effort& effort, double negligible)
    : sides_(std::make_shared<Sides>(std::move(parts), effort, negligible)) {
  for (SideCurve* side : {&sides_->upper, &sides_->lower}) side->keep(negligible);
}

Finding Profile::delta(double epsilon) {
  Sides& s = *sides_;
  const Asked asked = epsilon == 0 ? Asked::total_variation : Asked::delta;
  constexpr double kPartOfWidth = 0.01;
  Effort one_end = s.effort;
  if (!s.parts.tight) one_end.wanted = Wanted::upper;
  // Of a lower side that is not the upper one theory leaves more open.
  const Effort moderate{s.effort.width, std::min(s.effort.log2_grid_limit, kModerateLog2Grid),
                        s.effort.lattices, Wanted::lower};
  Finding finding = ask_sides(
      s.parts, s.upper, s.lower, asked, s.effort,
      [&](SideCurve& curve, Direction direction, const Effort& limit) {
        // Less beside the other direction's delta does not matter.
        const double beside = s.parts.tight ? kPartOfWidth * s.effort.width * limit.deciding : 0;
        return curve.ask(direction, asked, epsilon, &curve == &s.upper ? one_end : moderate,
                         std::max(s.negligible, beside));
      });
  add_failure(s.parts.failure, finding.directions);
  return finding;
}

double Profile::highest_loss() const {
  return std::max(sides_->upper.highest(Direction::remove), sides_->upper.highest(Direction::add));
}

}  // namespace honest_epsilon
