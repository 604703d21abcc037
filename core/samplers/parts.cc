#include "core/samplers/parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/rounding.h"
#include "core/math/invert.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"

namespace honest_epsilon {
namespace {

using pairs::Direction;

/// The square of a shift and its root round a few times, and sums of squares once a term.
constexpr double kShiftError = 16 * kUnit;

/// A Gaussian pair of a larger shift has no use on a lattice: its loss is in the hundreds.
constexpr double kLargestLatticeShift = 30;

/// What the loss of certain failure leaves of a target: (1 - failure)(1 - rest) = 1 - target.
double rest_of(double target, double failure) {
  return (target - failure) / (1 - failure);
}

void append(Side& to, const Side& from) {
  to.steps.insert(to.steps.end(), from.steps.begin(), from.steps.end());
  to.squared_shift += from.squared_shift;
}

const Side& lower_of(const Parts& parts) {
  return parts.tight ? parts.upper : parts.lower;
}

/// One side's own curve.
class Curve {
 public:
  explicit Curve(const Side& side) : side_(side), shift_(std::sqrt(side.squared_shift)) {
    for (const Steps& steps : side.steps) {
      if (steps.copies > 0) components_.push_back({steps.source.get(), steps.copies});
    }
    only_ = components_.size() == 1 && shift_ == 0;
    if (shift_ > 0 && !components_.empty()) {
      gaussian_pair_.emplace(1.0, std::min(shift_, kLargestLatticeShift));
      gaussian_source_.emplace(*gaussian_pair_);
      components_.push_back({&*gaussian_source_, 1});
    }
  }

  bool trivial() const { return components_.empty() && shift_ == 0; }

  pld::Result ask(Direction direction, Asked asked, double given, const Effort& effort) const {
    if (trivial()) return {{0, 0}, 0, false};
    if (components_.empty()) return {gaussian(asked, given), 0, false};
    if (const Steps* steps = with_curve()) {
      const auto curve = [&](double e) { return steps->curve(direction, e); };
      if (asked != Asked::epsilon) return {curve(given), 0, false};
      const double highest = steps->source->highest(direction) *
                             static_cast<double>(steps->copies) * (1 + 4 * kUnit);
      return {invert_decreasing(curve, given, highest), 0, false};
    }
    // A lattice does not hold such losses; its upper end would be that of a smaller shift.
    const bool too_large = shift_ > kLargestLatticeShift;
    pld::Result result = asked == Asked::epsilon
                             ? pld::epsilon(components_, direction, given, effort)
                             : pld::delta(components_, direction, given, effort);
    if (too_large) result.value.upper = asked == Asked::epsilon ? kInfinity : 1;
    return result;
  }

  /// A loss that none exceeds, rounded up.
  double highest(Direction direction) const {
    if (shift_ > 0) return kInfinity;
    double total = 0;
    for (const pld::Component& c : components_)
      total += static_cast<double>(c.copies) * c.source->highest(direction);
    return std::max(0.0, total) * (1 + 16 * kUnit);
  }

  bool closed() const { return components_.empty() || with_curve() != nullptr; }

 private:
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
  std::vector<pld::Component> components_;
  std::optional<pairs::SubsampledGaussian> gaussian_pair_;
  std::optional<pld::PairSource> gaussian_source_;
};

Finding ask(const Parts& parts, Asked asked, double given, const Effort& effort) {
  const Curve upper(parts.upper);
  const Curve lower(lower_of(parts));
  Finding finding = both_directions(effort, asked, [&](Direction direction, const Effort& limit) {
    if (parts.tight) return upper.ask(direction, asked, given, limit);
    pld::Result result = upper.ask(direction, asked, given, limit);
    const pld::Result other = lower.ask(direction, asked, given, limit);
    result.value.lower = std::min(other.value.lower, result.value.upper);
    result.grid_points = std::max(result.grid_points, other.grid_points);
    result.limited = result.limited || other.limited;
    return result;
  });
  Directions& d = finding.directions;
  if (parts.symmetric) d.remove = d.add = intersect(d.remove, d.add);
  const bool closed = upper.closed() && (parts.tight || lower.closed());
  finding.method = closed ? "closed form" : "privacy loss distribution, tilted FFT";
  return finding;
}

/// Epsilon where part of the target is spent on outright failure. When all of it is, only a loss
/// that nothing exceeds will do.
Finding ask_beside_failure(const Parts& parts, double target, const Effort& effort) {
  const auto at = [&](double spent) {
    const double rest = rest_of(target, spent);
    if (rest > 0) return ask(parts, Asked::epsilon, rest, effort);
    Finding highest;
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double loss = rest == 0 ? Curve(parts.upper).highest(direction) : kInfinity;
      (direction == Direction::remove ? highest.directions.remove : highest.directions.add) = {
          loss, loss};
    }
    highest.method = "largest loss";
    return highest;
  };
  // What is left is a rounded difference.
  const auto rounding = [&](double spent) { return 4 * kUnit * std::abs(target - spent); };
  const double most = parts.failure.upper;
  const double least = parts.failure.lower;
  Finding finding = at(most + rounding(most));
  const Directions lower = at(std::max(0.0, least - rounding(least))).directions;
  Directions& d = finding.directions;
  d.remove.lower = std::min(lower.remove.lower, d.remove.upper);
  d.add.lower = std::min(lower.add.lower, d.add.upper);
  return finding;
}

/// With probability `failure` everything is lost.
double with_failure(double failure, double delta) {
  return failure + (1 - failure) * delta;
}

/// What is left out is charged; a curve is followed further when that turned out to matter.
constexpr double kNearLogFloor = -41;
constexpr double kFarLogFloor = -90;
constexpr double kSmallDelta = 1e-11;

}  // namespace

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
      all.failure = {with_failure(all.failure.lower, run.failure.lower) * (1 - 4 * kUnit),
                     with_failure(all.failure.upper, run.failure.upper) * (1 + 4 * kUnit)};
    }
  }
  for (const Parts& run : runs) {
    append(all.upper, run.upper);
    if (!all.tight) append(all.lower, lower_of(run));
  }
  return all;
}

Finding compose(const MakeParts& make, double copies, Asked asked, double given,
                const Effort& effort) {
  if (asked == Asked::epsilon) {
    const double log_floor = std::log(given) - std::log(std::max(copies, 1.0)) - 14;
    const Parts parts = make({log_floor, effort});
    if (parts.failure.upper == 0) return ask(parts, asked, given, effort);
    return ask_beside_failure(parts, given, effort);
  }
  Finding finding;
  for (const double log_floor : {kNearLogFloor, kFarLogFloor}) {
    const Parts parts = make({log_floor, effort});
    finding = ask(parts, asked, given, effort);
    for (Interval* value : {&finding.directions.remove, &finding.directions.add}) {
      if (parts.failure.upper == 0) continue;
      *value = {with_failure(parts.failure.lower, value->lower) * (1 - 4 * kUnit),
                std::min(1.0, with_failure(parts.failure.upper, value->upper) * (1 + 4 * kUnit))};
    }
    if (finding.directions.remove.upper > kSmallDelta) break;
  }
  return finding;
}

}  // namespace honest_epsilon
