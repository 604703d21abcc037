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

/// log delta where nothing is known of it: it does not matter then.
constexpr double kNothingKnown = -20;

/// The relative precision that rounding leaves a delta by parity.
constexpr double kParityPrecision = 1e-12;

/// A relative precision that parity reaches with far fewer samples.
constexpr double kModestPrecision = 1e-10;

/// From here on columns run out of digits and of work before four times as many are summed.
constexpr std::size_t kManySamples = 128;

/// What a view is planned to leave open of the width asked.
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

/// Parity is given up where it leaves open more than so many times the width asked.
constexpr double kMostExcess = 2;

/// What parity leaves open of a delta, relative to it, is about this times e^eps / delta.
constexpr double kParityError = 2e-11;

bool parity_suffices(double epsilon, double log_delta, double width) {
  return std::log(kParityError) + epsilon - log_delta <= std::log(kPlannedShare * width);
}

bool has_columns(const std::vector<MomentSteps>& components, Direction direction) {
  return std::all_of(components.begin(), components.end(), [&](const MomentSteps& c) {
    return c.moments->lowest_place(c.own(direction)) < kInfinity;
  });
}

bool reach_far(const std::vector<MomentSteps>& components, Direction direction) {
  return std::all_of(components.begin(), components.end(), [&](const MomentSteps& c) {
    return c.moments->reaches_far(c.own(direction));
  });
}

}  // namespace

Inversion::Inversion(std::vector<MomentSteps> components, Direction direction) {
  double log_alike = 0;
  for (const MomentSteps& c : components) {
    largest_loss_ += c.copies * c.moments->largest_loss(c.own(direction));
    log_alike += c.copies * std::log1p(-std::min(1.0, c.moments->total_variation()));
  }
  total_variation_ = -std::expm1(log_alike * (1 + 1e-12)) * (1 + 8 * kUnit);
  if (has_columns(components, opposite(direction)) && !reach_far(components, direction))
    by_parity_.emplace(components, direction, true);
  if (has_columns(components, direction)) direct_.emplace(std::move(components), direction, false);
}

template <class Ask>
std::optional<Interval> Inversion::from_views(bool parity_first, double width, Ask ask) {
  std::optional<Interval> result;
  for (std::optional<View>* view :
       {parity_first ? &by_parity_ : &direct_, parity_first ? &direct_ : &by_parity_}) {
    if (!*view) continue;
    const std::optional<Interval> found = ask(**view, result);
    if (!found) continue;
    result = intersect(result, found);
    if (result->is_narrow(width)) break;
  }
  return result;
}

std::optional<Interval> Inversion::delta(double epsilon, double width, double negligible) {
  if (epsilon >= largest_loss_ * (1 + 16 * kUnit)) return Interval{0, 0};
  // A line that was made for another epsilon may do.
  for (const std::optional<View>* view : {&direct_, &by_parity_}) {
    const auto known = *view ? (*view)->by_known_lines(epsilon, width) : std::nullopt;
    if (known && is_settled(*known, width)) return known;
  }
  // The other direction's delta, which is hardly larger, is quickly guessed, and may do.
  const double quick = by_parity_ ? by_parity_->guess_log_delta(epsilon) : kNothingKnown;
  if (by_parity_ && quick > std::log(negligible) && parity_suffices(epsilon, quick, width)) {
    const auto found = by_parity_->delta(epsilon, quick, width, negligible, 1);
    if (found && is_settled(*found, width)) return found;
  }
  const double log_delta = direct_ ? direct_->guess_log_delta(epsilon) : kNothingKnown;
  if (direct_ && log_delta < std::log(negligible)) {
    const double most = direct_->chernoff(epsilon, negligible);
    if (most <= negligible) return Interval{0, most};
  }
  const bool near = parity_suffices(epsilon, log_delta, width);
  return from_views(near, width, [&](View& view, const std::optional<Interval>& known) {
    return view.delta(epsilon, log_delta, width, negligible,
                      known ? known->upper - known->lower : 1);
  });
}

std::optional<Interval> Inversion::epsilon(double target, double width) {
  if (target >= total_variation_) return Interval{0, 0};
  const bool near =
      by_parity_ && parity_suffices(by_parity_->guess(target), std::log(target), width);
  // Parity that is asked first stops as soon as it cannot suffice; it goes on where nothing else
  // does.
  const auto found = from_views(near, width, [&](View& view, const std::optional<Interval>&) {
    return view.epsilon(target, width, near);
  });
  if (!near || (found && found->is_narrow(width))) return found;
  return intersect(found, by_parity_->epsilon(target, width, false));
}

struct Inversion::View::Root {
  double epsilon;
  double log_slope;  ///< d log delta / d epsilon there
};

Inversion::View::View(std::vector<MomentSteps> components, Direction direction, bool by_parity)
    : components_(std::move(components)),
      direction_(by_parity ? opposite(direction) : direction),
      by_parity_(by_parity) {}

const Sketch& Inversion::View::run() {
  if (!run_) run_.emplace(components_, direction_);
  return *run_;
}

/// Near such an epsilon, or beyond it by parity, another line would hardly do better.
bool Inversion::View::is_out_of_reach(double epsilon, double width) const {
  constexpr double kNearby = 4;
  return std::any_of(out_of_reach_.begin(), out_of_reach_.end(), [&](const OutOfReach& place) {
    const bool beyond = epsilon >= place.epsilon;
    const double ratio = beyond ? epsilon / place.epsilon : place.epsilon / epsilon;
    return width <= place.width && (ratio <= kNearby || (by_parity_ && beyond));
  });
}

const Sketch& Inversion::View::swapped_run() {
  if (!swapped_run_) swapped_run_.emplace(components_, opposite(direction_));
  return *swapped_run_;
}

double Inversion::View::guess_log_delta(double epsilon) {
  if (reach_far(components_, direction_)) return run().log_delta(epsilon);
  const auto without = rest(epsilon, kLeastLogDelta, kMostJumpError);
  return without ? log_delta_without(*without, epsilon) : run().log_delta(epsilon);
}

/// High moments of ratios near a cut say little of a small delta. The other direction's delta is
/// what many steps, or bins, add up to.
double Inversion::View::log_delta_without(const Sketch& rest, double epsilon) {
  constexpr double kSlack = 3;  // of a few that come together
  const double least = log_add(run().log_delta_alone(epsilon), swapped_run().log_delta(epsilon));
  return std::min(rest.log_delta(epsilon), least + kSlack);
}

double Inversion::View::chernoff(double epsilon, double negligible) {
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
  const auto without = reach_far(components_, direction_)
                           ? std::nullopt
                           : rest(at, std::log(negligible), kMostJumpError);
  const auto found = best_chernoff(without ? *without : run(), at);
  if (!found) return 1;
  chernoff_ = found;
  return bound(*found);
}

/// What a line should be made for.   log_delta: of the curve itself, roughly; width: the relative
/// width of delta that would do, 0 for every digit; known: of delta, the absolute width that is.
LineGoal Inversion::View::goal(double epsilon, double log_delta, double width, double known) const {
  if (!by_parity_) return {epsilon, log_delta, std::max(kRelativeWidth, width), false, known};
  const double share = std::exp(log_delta - epsilon);
  const double size = -std::expm1(-epsilon) + share;
  const double least = width > 0 ? kModestPrecision : kParityPrecision;
  return {-epsilon, std::log(size), std::max(least, width * share / size), true,
          known * std::exp(-epsilon)};
}

/// The relative width of delta for which the first line is planned. The guess at delta is up to e^3
/// times too large, and a line serves epsilons around its own.
double Inversion::View::first_width(double width) const {
  return (by_parity_ ? kPlannedShare * kPlannedShare
                     : kPlannedShare * kPlannedShare * kPlannedShare) *
         width;
}

Interval Inversion::View::read(const Line& line, double epsilon) const {
  if (!by_parity_) return line.delta(epsilon);
  const Interval other = line.delta(-epsilon);
  const double k = std::exp(epsilon), excess = std::expm1(epsilon);
  // Of e^eps, of e^eps - 1, and of their products and difference: 5 units, 4, and 3.
  const double slack = 16 * kUnit * (k * other.upper + excess);
  return {std::max(0.0, k * other.lower - excess - slack),
          std::min(1.0, k * other.upper - excess + slack)};
}

Line::ValueAndSlope Inversion::View::estimate(const Line& line, double epsilon) const {
  if (!by_parity_) return line.estimate(epsilon);
  const Line::ValueAndSlope other = line.estimate(-epsilon);
  const double k = std::exp(epsilon);
  const double delta = k * other.delta - std::expm1(epsilon);
  return {delta, (delta - 1 - k * other.delta * other.log_slope) / delta};
}

/// Where the line's delta is the target, by Newton's method on log delta, which is nearly straight.
/// Where the guess is so large that the line's delta is all rounding, halfway back to what is
/// known.
Inversion::View::Root Inversion::View::root_of(const Line& line, double log_target,
                                               double guess) const {
  constexpr int kMostSteps = 24;
  Root root{guess, -1};
  Bracket bracket{0, kInfinity};
  for (int i = 0; i < kMostSteps; ++i) {
    const Line::ValueAndSlope at = estimate(line, root.epsilon);
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
std::optional<Interval> Inversion::View::enclosed(const Line& line, double target,
                                                  const Root& root) const {
  if (read(line, 0).upper <= target) return Interval{0, 0};
  const Interval here = read(line, root.epsilon);
  // Twice what each end is off by there; a hopeless lower end does not keep the other from its own.
  const auto first_step = [&](double off) {
    return 2 * std::max(0.0, off) / (target * std::abs(root.log_slope)) + 4 * kUnit * root.epsilon +
           kTiny;
  };
  // The estimate is good to a few steps; 2^8 of them off, another method is asked.
  constexpr int kDoublings = 8;
  double step = first_step(here.upper - target);
  double high = root.epsilon + step;
  for (int i = 0; read(line, high).upper > target; ++i, step *= 2, high += step) {
    if (i == kDoublings) return std::nullopt;
  }
  step = first_step(target - here.lower);
  double low = root.epsilon - step;
  for (int i = 0; low > 0 && read(line, low).lower < target; ++i, step *= 2, low -= step) {
    if (i == kDoublings) low = 0;
  }
  return Interval{std::max(0.0, low), high};
}

std::optional<Interval> Inversion::View::by_known_lines(double epsilon, double width) const {
  std::optional<Interval> result;
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
    result = intersect(result, read(*line, epsilon));
    if (is_settled(*result, width)) break;
  }
  return result;
}

std::optional<Interval> Inversion::View::delta(double epsilon, double log_delta, double width,
                                               double negligible, double known) {
  const auto does = [width, negligible](const Interval& found) {
    return found.is_narrow(width) || found.upper - found.lower <= negligible;
  };
  std::optional<Interval> result = by_known_lines(epsilon, width);
  if (result && does(*result)) return result;
  if (is_out_of_reach(epsilon, width)) return result;
  if (result) known = std::min(known, result->upper - result->lower);
  double planned = first_width(width);
  const bool may_be_nothing = by_parity_ && log_delta < std::log(negligible);
  if (may_be_nothing) {
    // As well as it takes to see that it is more than negligible.
    log_delta = std::log(negligible);
    planned = 0.3;
  }
  const auto by_whole = [&](double guess) {
    double first_guess = guess;
    for (int attempt = 0; attempt < 2; ++attempt, planned = 0) {
      const LineGoal aim = goal(epsilon, guess, planned, known);
      auto line = Line::make(run(), aim);
      // Of few steps that come together, the moments of all say more than each step alone.
      if (!line && attempt == 0 && !by_parity_ && run().log_delta(epsilon) > guess) {
        guess = first_guess = run().log_delta(epsilon);
        line = Line::make(run(), goal(epsilon, guess, planned, known));
      }
      // Where moments explode there may be no line for so small a delta, but one with every digit.
      if (!line && attempt == 1)
        line = Line::make(run(), goal(epsilon, first_guess, planned, known));
      if (!line) break;
      const Interval found = read(*line, epsilon);
      const bool long_line = line->samples() > kManySamples;
      lines_.push_back(std::move(*line));
      result = intersect(result, found);
      if (does(*result)) break;
      // A second line by parity takes four times the samples.
      const bool can_be_finer = aim.relative_error > kParityPrecision && !long_line;
      const bool was_fine = may_be_nothing && aim.relative_error > kModestPrecision;
      if (by_parity_ && (!can_be_finer || was_fine)) break;
      // Where columns leave more open than was planned, so would those of another line; unless the
      // guess of delta was too large, and with it what was left out.
      const double planned_width = aim.relative_error * std::exp(guess);
      const double next = std::log(std::max(result->upper, kTiny)) - 1;
      if (!by_parity_ && !(next < guess - 2) && found.upper - found.lower > 1e3 * planned_width)
        break;
      if (!by_parity_ && planned == 0 && !(next < guess)) break;
      guess = std::min(guess, next);
    }
  };
  if (by_parity_ || reach_far(components_, direction_)) {
    by_whole(log_delta);
  } else {
    const double error = std::min(kPlannedShare * width, kMostJumpError);
    const auto first_rest = rest(epsilon, log_delta, error);
    if (!first_rest || whole_serves(*first_rest, epsilon, log_delta)) by_whole(log_delta);
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
  if (!result || !does(*result)) out_of_reach_.push_back({epsilon, width});
  return result;
}

Inversion::View::LocatedEpsilon Inversion::View::epsilon_from(const Sketch& run, double target,
                                                              double width, double error,
                                                              bool must_suffice) {
  const double log_target = std::log(target);
  LocatedEpsilon best{std::nullopt, run.epsilon(target), 0};
  const double first = best.near;
  const int most_attempts = by_parity_ ? 12 : 4;
  double slope = 1;
  bool was_far = false;
  for (int attempt = 1; attempt <= most_attempts; ++attempt) {
    // A second line has every digit, unless the first one was far from epsilon.
    const double planned = attempt == 1 || was_far ? first_width(width) : 0;
    LineGoal aim = goal(best.near, log_target, planned);
    aim.relative_error = std::max(aim.relative_error * slope, error);
    // A first one may be long to tell where epsilon is.
    if (attempt > 1) aim.most_samples = kMostSamples / 4;
    auto line = Line::make(run, aim);
    // Where moments explode there may be no line there, but one with every digit at the first
    // guess.
    if (!line && attempt == 2) line = Line::make(run, goal(first, log_target, 0));
    if (!line) return best;
    best.samples += line->samples();
    const Root root = root_of(*line, log_target, best.near);
    if (must_suffice &&
        !parity_suffices(root.epsilon, log_target, kMostExcess / kPlannedShare * width))
      return best;
    // A line serves some e-foldings of delta around its goal.
    const double away = std::abs(root.epsilon - best.near);
    const bool far = away * std::abs(root.log_slope) > 2;
    const bool aliased = away * line->alias_steepness() > 2;
    was_far = far && attempt == 1;
    // Where delta hardly falls, a small epsilon takes more digits of it.
    const double last_slope = std::exchange(
        slope, by_parity_ ? 1 : std::clamp(-root.log_slope * root.epsilon, 1e-3, 1.0));
    best.epsilon = enclosed(*line, target, root);
    best.near = root.epsilon;
    if (best.epsilon && best.epsilon->is_narrow(width)) return best;
    if (!far && !aliased && planned == 0 && slope > 0.5 * last_slope) return best;
  }
  return best;
}

std::optional<Interval> Inversion::View::epsilon(double target, double width, bool may_give_up) {
  if (by_parity_) {
    // Rounding of the integral, which is about 1, hides a smaller delta.
    if (target < 0.1 * kParityPrecision) return std::nullopt;
    return epsilon_from(run(), target, width, 0, may_give_up).epsilon;
  }
  if (reach_far(components_, direction_)) return epsilon_from(run(), target, width, 0).epsilon;
  std::optional<Interval> result;
  const double error = std::min(kPlannedShare * width, kMostJumpError);
  double guess = 0;
  const auto first_rest = rest_at(target, error, guess);
  if (!first_rest || whole_serves(*first_rest, guess, std::log(target)))
    result = epsilon_from(run(), target, width, 0).epsilon;
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

bool Inversion::View::whole_serves(const Sketch& rest, double epsilon, double log_delta) {
  return kHighPower * epsilon > -log_delta &&
         rest.log_delta(epsilon) > run().log_delta(epsilon) - kFewNats;
}

std::optional<Sketch> Inversion::View::rest_at(double target, double error, double& epsilon) {
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

std::optional<Interval> Inversion::View::delta_from(const Sketch& run, double epsilon,
                                                    double log_delta, double error) {
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

std::optional<Sketch> Inversion::View::rest(double epsilon, double log_delta, double error) {
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
