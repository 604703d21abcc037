#include "core/contour/inversion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rounding.h"
#include "core/math/log_domain.h"
#include "core/math/root.h"

namespace honest_epsilon::contour {
namespace {

/// The largest relative error of delta for which jumps are left out.
constexpr double kMostJumpError = 0.01;

/// What lines are planned to leave open of the width asked.
constexpr double kPlannedShare = 0.1;

/// A guess at log delta that is smaller by this where jumps are left out: all of the run is not
/// asked, of which they decide.
constexpr double kFewNats = 4;

/// Of where jumps begin, for an epsilon that they decide.
constexpr int kMostGuesses = 10;

/// A line is best at a power of a few times log(1 / delta) / epsilon.
constexpr double kHighPower = 12;

/// Jumps that begin as near as this are the same: of a guess, or of what is small for any of them.
constexpr double kSameGuess = 0.02, kSmallGuess = 0.05;

/// The relative width of delta for which the first line is planned. The guess at delta is up to e^3
/// times too large, and a line serves epsilons around its own.
double first_width(double width) {
  return kPlannedShare * kPlannedShare * kPlannedShare * width;
}

}  // namespace

Inversion::Inversion(std::vector<MomentSteps> components, Direction direction)
    : components_(std::move(components)), direction_(direction) {
  const auto all = [&](auto holds) {
    return std::all_of(components_.begin(), components_.end(), holds);
  };
  has_columns_ = all(
      [&](const MomentSteps& c) { return c.moments->lowest_place(c.own(direction)) < kInfinity; });
  reaches_far_ =
      all([&](const MomentSteps& c) { return c.moments->reaches_far(c.own(direction)); });
  double log_alike = 0;
  for (const MomentSteps& c : components_) {
    largest_loss_ += c.copies * c.moments->largest_loss(c.own(direction));
    log_alike += c.copies * std::log1p(-std::min(1.0, c.moments->total_variation()));
  }
  total_variation_ = -std::expm1(log_alike * (1 + 1e-12)) * (1 + 8 * kUnit);
}

struct Inversion::Root {
  double epsilon;
  double log_slope;  ///< d log delta / d epsilon there
};

const Sketch& Inversion::run() {
  if (!run_) run_.emplace(components_, direction_);
  return *run_;
}

const Sketch& Inversion::swapped_run() {
  if (!swapped_run_) swapped_run_.emplace(components_, opposite(direction_));
  return *swapped_run_;
}

double Inversion::guess_log_delta(double epsilon) {
  if (reaches_far_) return run().log_delta(epsilon);
  const auto without = rest(epsilon, kLeastLogDelta, kMostJumpError);
  return without ? log_delta_without(*without, epsilon) : run().log_delta(epsilon);
}

/// High moments of ratios near a cut say little of a small delta. The other direction's delta is
/// what many steps, or bins, add up to.
double Inversion::log_delta_without(const Sketch& rest, double epsilon) {
  constexpr double kSlack = 3;  // of a few that come together
  const double least = log_add(run().log_delta_alone(epsilon), swapped_run().log_delta(epsilon));
  return std::min(rest.log_delta(epsilon), least + kSlack);
}

double Inversion::chernoff(double epsilon, double negligible) {
  // The exponential is off by less than that, and underflows to what kTiny covers.
  const auto bound = [epsilon](const Chernoff& at) {
    const double log_bound = at.log_bound(epsilon);
    return log_bound < 0 ? std::min(1.0, std::exp(log_bound) * (1 + 8 * kUnit) + kTiny) : 1.0;
  };
  // One place bounds delta at every epsilon. Who asks again is likely to go on: the place that does
  // for the least epsilon serves all others.
  const double known = chernoff_ ? bound(*chernoff_) : 1;
  if (known <= negligible) return known;
  const double at = chernoff_ ? std::min(epsilon, run().epsilon(negligible)) : epsilon;
  const auto without = reaches_far_ ? std::nullopt : rest(at, std::log(negligible), kMostJumpError);
  const auto found = best_chernoff(without ? *without : run(), at);
  if (!found) return 1;
  chernoff_ = found;
  return bound(*found);
}

/// Where the line's delta is the target, by Newton's method on log delta, which is nearly straight.
/// Where the guess is so large that the line's delta is all rounding, halfway back to what is
/// known.
Inversion::Root Inversion::root_of(const Line& line, double log_target, double guess) const {
  constexpr int kMostSteps = 24;
  Root root{guess, -1};
  Bracket bracket{0, kInfinity};
  for (int i = 0; i < kMostSteps; ++i) {
    const Line::ValueAndSlope at = line.estimate(root.epsilon);
    double next = -1;
    if (at.delta > 0 && at.log_slope < 0) {
      root.log_slope = at.log_slope;
      next = root.epsilon + (log_target - std::log(at.delta)) / at.log_slope;
      if (std::abs(next - root.epsilon) <= 1e-14 * (1 + next)) {
        root.epsilon = std::max(0.0, next);
        break;
      }
    } else if (std::log(at.delta) > log_target) {
      break;  // beyond what the line serves its delta rises again: another one is due there
    }
    (next > root.epsilon ? bracket.low : bracket.high) = root.epsilon;
    if (!(next > bracket.low && next < bracket.high)) next = halfway(bracket.low, bracket.high);
    root.epsilon = next;
  }
  return root;
}

/// The two epsilons next to the root at which the line proves its delta on either side.
std::optional<Interval> Inversion::enclosed(const Line& line, double target,
                                            const Root& root) const {
  if (line.delta(0).upper <= target) return Interval{0, 0};
  const Interval here = line.delta(root.epsilon);
  // Twice what each end is off by there; a hopeless lower end does not keep the other from its own.
  const auto first_step = [&](double off) {
    return 2 * std::max(0.0, off) / (target * std::abs(root.log_slope)) + 4 * kUnit * root.epsilon +
           kTiny;
  };
  // The estimate is good to a few steps; 2^8 of them off, another method is asked.
  constexpr int kDoublings = 8;
  double step = first_step(here.upper - target);
  double high = root.epsilon + step;
  for (int i = 0; line.delta(high).upper > target; ++i, step *= 2, high += step) {
    if (i == kDoublings) return std::nullopt;
  }
  step = first_step(target - here.lower);
  double low = root.epsilon - step;
  for (int i = 0; low > 0 && line.delta(low).lower < target; ++i, step *= 2, low -= step) {
    if (i == kDoublings) low = 0;
  }
  return Interval{std::max(0.0, low), high};
}

std::optional<Interval> Inversion::by_known_lines(double epsilon, double width) const {
  std::optional<Interval> result;
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
    result = intersect(result, line->delta(epsilon));
    if (is_settled(*result, width)) break;
  }
  return result;
}

std::optional<Interval> Inversion::delta(double epsilon, double width, double negligible) {
  if (epsilon >= largest_loss_ * (1 + 16 * kUnit)) return Interval{0, 0};
  if (!has_columns_ && reaches_far_) return std::nullopt;
  const auto does = [width, negligible](const Interval& found) {
    return is_settled(found, width) || found.upper - found.lower <= negligible;
  };
  // A line that was made for another epsilon may do.
  std::optional<Interval> result = by_known_lines(epsilon, width);
  if (result && does(*result)) return result;
  double log_delta = guess_log_delta(epsilon);
  if (log_delta < std::log(negligible)) {
    const double most = chernoff(epsilon, negligible);
    if (most <= negligible) return Interval{0, most};
  }
  const double known = result ? result->upper - result->lower : 1;
  const auto by_whole = [&](double guess) {
    double first_guess = guess;
    for (const double planned : {first_width(width), 0.0}) {
      const bool first = planned > 0;
      const double error = std::max(kRelativeWidth, planned);
      const auto line_for = [&](double log_guess) {
        return Line::make(run(), {epsilon, log_guess, error, known});
      };
      auto line = line_for(guess);
      // Of few steps that come together, the moments of all say more than each step alone.
      if (!line && first && run().log_delta(epsilon) > guess)
        line = line_for(guess = first_guess = run().log_delta(epsilon));
      // Where moments explode there may be no line for so small a delta, but one with every digit.
      if (!line && !first) line = line_for(first_guess);
      if (!line) break;
      const Interval found = line->delta(epsilon);
      lines_.push_back(std::move(*line));
      result = intersect(result, found);
      if (does(*result)) break;
      // Where columns leave more open than was planned, so would those of another line; unless the
      // guess of delta was too large, and with it what was left out.
      const double next = std::log(std::max(result->upper, kTiny)) - 1;
      const double planned_width = error * std::exp(guess);
      if (!(next < guess - 2) && found.upper - found.lower > 1e3 * planned_width) break;
      guess = std::min(guess, next);
    }
  };
  if (reaches_far_) {
    by_whole(log_delta);
  } else {
    const double error = std::min(kPlannedShare * width, kMostJumpError);
    const auto first_rest = rest(epsilon, log_delta, error);
    if (!first_rest || whole_serves(*first_rest, epsilon, log_delta)) {
      if (!has_columns_) return result;
      by_whole(log_delta);
    }
    // Where columns have too few digits for so small an error, a larger one may do.
    for (const double allowed : {error, kMostJumpError}) {
      if (!first_rest || (result && (does(*result) || result->is_narrow(allowed)))) break;
      if (result) log_delta = std::min(log_delta, std::log(std::max(result->upper, kTiny)));
      const auto without = rest(epsilon, log_delta, allowed);
      if (!without) break;
      log_delta = std::min(log_delta, log_delta_without(*without, epsilon));
      result = intersect(result, delta_from(*without, epsilon, log_delta, allowed));
    }
  }
  return result;
}

Inversion::LocatedEpsilon Inversion::epsilon_from(const Sketch& run, double target, double width,
                                                  double error) {
  const double log_target = std::log(target);
  LocatedEpsilon best{std::nullopt, run.epsilon(target), 0};
  const double first = best.near;
  constexpr int kMostAttempts = 4;
  double slope = 1;
  for (int attempt = 1; attempt <= kMostAttempts; ++attempt) {
    // A second line has every digit.
    const double planned = attempt == 1 ? first_width(width) : 0;
    LineGoal aim{best.near, log_target, std::max(std::max(kRelativeWidth, planned) * slope, error)};
    // A first one may be long to tell where epsilon is.
    if (attempt > 1) aim.most_samples = kMostSamples / 4;
    auto line = Line::make(run, aim);
    // Where moments explode there may be no line there, but one with every digit at the first
    // guess.
    if (!line && attempt == 2) line = Line::make(run, {first, log_target});
    if (!line) return best;
    best.samples += line->samples();
    const Root root = root_of(*line, log_target, best.near);
    // A line serves some e-foldings of delta around its goal.
    const double away = std::abs(root.epsilon - best.near);
    const bool far = away * std::abs(root.log_slope) > 2;
    const bool aliased = away * line->alias_steepness() > 2;
    // Where delta hardly falls, a small epsilon takes more digits of it.
    const double last_slope =
        std::exchange(slope, std::clamp(-root.log_slope * root.epsilon, 1e-3, 1.0));
    best.epsilon = enclosed(*line, target, root);
    best.near = root.epsilon;
    if (best.epsilon && best.epsilon->is_narrow(width)) return best;
    if (!far && !aliased && planned == 0 && slope > 0.5 * last_slope) return best;
  }
  return best;
}

std::optional<Interval> Inversion::epsilon(double target, double width) {
  if (target >= total_variation_) return Interval{0, 0};
  if (reaches_far_)
    return has_columns_ ? epsilon_from(run(), target, width, 0).epsilon : std::nullopt;
  std::optional<Interval> result;
  const double error = std::min(kPlannedShare * width, kMostJumpError);
  double guess = 0;
  const auto first_rest = rest_at(target, error, guess);
  if (!first_rest || whole_serves(*first_rest, guess, std::log(target))) {
    if (!has_columns_) return std::nullopt;
    result = epsilon_from(run(), target, width, 0).epsilon;
  }
  if (!first_rest) return result;
  // Jumps are to begin where epsilon is, which the line without them tells.
  if (result) guess = std::min(guess, result->upper);
  // After so many samples of lines that enclosed nothing no more are made.
  constexpr std::size_t kMostInVain = 2000;
  std::size_t in_vain = 0;
  double last = guess;
  for (int i = 0; i < kMostGuesses && in_vain < kMostInVain; ++i) {
    if (result && result->is_narrow(width)) break;
    const auto without = rest(guess, std::log(target), error);
    if (!without) break;
    const LocatedEpsilon found = epsilon_from(*without, target, width, error);
    result = intersect(result, found.epsilon);
    in_vain += found.epsilon ? 0 : found.samples;
    const bool same = std::abs(found.near - guess) <= kSameGuess * std::max(guess, kSmallGuess);
    if (same && (found.epsilon || last <= guess * (1 + kPlannedShare))) break;
    // Where jumps begin so early that no line serves, they are to begin later.
    last = std::exchange(guess, same ? std::sqrt(guess * last) : found.near);
  }
  return result;
}

bool Inversion::whole_serves(const Sketch& rest, double epsilon, double log_delta) {
  return kHighPower * epsilon > -log_delta &&
         rest.log_delta(epsilon) > run().log_delta(epsilon) - kFewNats;
}

std::optional<Sketch> Inversion::rest_at(double target, double error, double& epsilon) {
  epsilon = swapped_run().epsilon(target);
  std::optional<Sketch> found;
  for (int i = 0; i < kMostGuesses; ++i) {
    found = rest(epsilon, std::log(target), error);
    const double next = found ? found->epsilon(target) : epsilon;
    if (std::abs(next - epsilon) < kPlannedShare * epsilon) break;
    epsilon = next;
  }
  return found;
}

std::optional<Interval> Inversion::delta_from(const Sketch& run, double epsilon, double log_delta,
                                              double error) {
  std::optional<Interval> result;
  // The guess of delta is up to e^3 times too large, and with it what is left out.
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto line = Line::make(run, {epsilon, log_delta, error});
    if (!line) break;
    const Interval found = line->delta(epsilon);
    lines_.push_back(std::move(*line));
    result = intersect(result, found);
    // Another one for hardly another delta would leave as much open.
    const double before = std::exchange(log_delta, std::log(std::max(result->lower, kTiny)));
    const bool same = std::abs(log_delta - before) < 0.5;
    if (result->is_narrow(error / kPlannedShare) || !(result->lower > 0) || same) break;
  }
  return result;
}

std::optional<Sketch> Inversion::rest(double epsilon, double log_delta, double error) {
  double copies = 0;
  for (const MomentSteps& c : components_) copies += c.copies;
  const double log_share = std::log(kPlannedShare * error);
  CutRequest cut{.log_mass = log_delta + log_share - std::log(copies), .steps = copies};
  // A jump exceeds epsilon by so much that the other steps hardly make up for it.
  constexpr double kSteepest = 150;
  constexpr double kMargin = 6;  // jumps may weigh more than delta, which has their excess alone
  for (const Sketch::Place& p : swapped_run().ladder()) {
    const double loss = epsilon + (p.log_moment + p.log_cap + kMargin - log_share) / (1 + p.a);
    // Far more would find jumps where hardly any step is one.
    if (!(loss < cut.loss) || p.a * -std::expm1(-loss) > kSteepest) continue;
    cut.loss = loss;
    cut.power = p.a;
  }
  std::vector<MomentSteps> rest = components_;
  bool any = false;
  for (MomentSteps& c : rest) {
    auto moments = c.moments->without_jumps(c.own(direction_), cut);
    if (!moments) continue;
    c.moments = std::move(moments);
    any = true;
  }
  if (!any) return std::nullopt;
  return Sketch(std::move(rest), direction_);
}

}  // namespace honest_epsilon::contour
