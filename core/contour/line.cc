#include "core/contour/line.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/ball.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/contour/jumps.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/portable.h"
#include "core/math/root.h"

namespace honest_epsilon::contour {

/// A line's place and its alias distance W, and where Chernoff bounds of the aliases are best.
struct LinePlan {
  double c = 0;
  double distance = kInfinity;
  double best = 0;  ///< a
};

namespace {

/// Terms this much larger than their sum leave too few digits.
constexpr double kMostCancellation = 12;

/// What a moment on the real line costs, roughly known (core/base/work.h).
constexpr std::int64_t kEstimateWork = 100;

/// A sample's own part, and a term of a sum over samples.
constexpr std::int64_t kLineSampleWork = 60, kLineTermWork = 15;

/// log C(a) = log sup_x (1 - e^{-x}) e^{-ax}.
double log_cap(double a) {
  return a * std::log(a) - (1 + a) * std::log1p(a);
}

/// Rounding error of log K(a) - a eps + log C(a), for a given log K(a).
double chernoff_rounding(double a, double log_moment, double epsilon) {
  return 8 * kUnit *
         (std::abs(log_moment) + a * std::abs(epsilon) + 4 * (1 + a) * (1 + std::abs(std::log(a))));
}

/// Where a sketch's ladder begins.
constexpr double kFirstPlace = 1e-2;

/// Typical logarithm of the ratio of Chernoff's bound, with its best constant, to the true delta.
constexpr double kChernoffSlack = 2.5;

/// The logarithm of the absolute error that aliases and the line's end may each have.
double log_error_of(const LineGoal& goal) {
  return goal.log_delta + std::log(0.1 * goal.relative_error);
}

/// Both kinds of aliases below that.
LinePlan plan_of(const Sketch& run, const LineGoal& goal) {
  using Place = Sketch::Place;
  const double log_error = log_error_of(goal);
  const std::vector<Place>& ladder = run.ladder();
  LinePlan plan;
  double least_cost = kInfinity;
  for (std::size_t i = 0; i + 1 < ladder.size(); ++i) {
    const double c = ladder[i].a, log_moment = ladder[i].log_moment;
    const double cancellation =
        log_moment - c * goal.epsilon - ladder[i].log_kernel - goal.log_delta;
    // Samples are so much closer where c is small.
    if (cancellation + std::log(std::min(c, 1.0)) > kMostCancellation) continue;
    double right = kInfinity, best = 0;
    for (std::size_t j = i + 1; j < ladder.size(); ++j) {
      const Place& p = ladder[j];
      const double excess = p.log_moment - p.a * goal.epsilon + p.log_cap - log_error + 0.7;
      const double distance = std::max(excess, 0.7) / (p.a - c);
      if (distance < right) {
        right = distance;
        best = p.a;
      }
    }
    const double distance = std::max(-log_error / c, right);
    // An e-folding of cancellation is worth a fifth more samples; many more where it costs digits.
    const double cost = distance * (1 + 0.2 * std::max(0.0, cancellation - 2)) *
                        std::exp(std::max(0.0, cancellation - kMostCancellation));
    if (cost < least_cost) {
      least_cost = cost;
      plan = {c, distance, best};
    }
  }
  // The first place that does: the further away, the fewer digits a column has.
  for (const Place& p : ladder) {
    const double rest = (p.a - plan.c) * plan.distance;
    if (p.a > plan.c && p.log_moment - p.a * goal.epsilon + p.log_cap - rest + 0.7 <= log_error) {
      plan.best = std::min(plan.best, p.a);
      break;
    }
  }
  return plan;
}

}  // namespace

Sketch::Sketch(std::vector<MomentSteps> components, Direction direction)
    : components_(std::move(components)), direction_(direction) {
  // Places by fourths, from a hundredth of an epsilon's scale on, up to where they are of no use:
  // where log K exceeds what losses far above their mean account for.
  constexpr double kLast = 1e9, kFactor = 1.25, kUseless = 3000, kSteepest = 1e6, kFarAbove = 4;
  // Losses in the hundreds are resolved by lower powers.
  constexpr double kLow = 1, kLower = 4, kLowest = 1e-9;
  const double lowest = lowest_place();
  double first = kFirstPlace;
  while (first > kLowest && log_moment(first) > kLow) first /= kLower;
  double steepest = kSteepest;
  for (double a = lowest < kInfinity ? std::max(first, lowest) : first; a < kLast; a *= kFactor) {
    const double value = log_moment(a);
    if (ladder_.empty()) steepest = std::max(steepest, kFarAbove * value / a);
    if (!(value < kUseless + steepest * a)) break;
    ladder_.push_back({a, value, log_cap(a), std::log(a) + std::log1p(a)});
  }
  AnyStep under_p, under_q;
  for (const MomentSteps& c : components_) {
    const auto jumps = c.moments->jumps(c.own(direction));
    if (!jumps) continue;
    under_p.add(c.copies, jumps->under_p);
    under_q.add(c.copies, jumps->under_q);
  }
  jumps_under_p_ = under_p.mass().value;
  jumps_under_q_ = under_q.mass().value;
}

double Sketch::log_delta(double epsilon) const {
  double least = 0;
  for (const Place& p : ladder_) least = std::min(least, p.log_moment - p.a * epsilon + p.log_cap);
  const double jumped = jumps_under_p_ - std::exp(epsilon) * jumps_under_q_;
  return log_add(least - kChernoffSlack, jumped > 0 ? std::log(jumped) : -kInfinity);
}

double Sketch::epsilon(double delta) const {
  const double log_delta = std::log(delta);
  double least = kInfinity;
  for (const Place& p : ladder_)
    least = std::min(least, (p.log_moment + p.log_cap - log_delta - kChernoffSlack) / p.a);
  const double jumped = jumps_under_p_ - delta;  // and e^epsilon times their mass under Q
  return std::max({0.0, least, jumped > 0 ? std::log(jumped / jumps_under_q_) : 0});
}

double Sketch::log_delta_alone(double epsilon) const {
  double sum = -kInfinity;
  for (const MomentSteps& c : components_)
    sum = log_add(sum,
                  std::log(c.copies) + c.moments->log_delta_estimate(c.own(direction_), epsilon));
  return sum;
}

double Sketch::copies() const {
  double sum = 0;
  for (const MomentSteps& c : components_) sum += c.copies;
  return sum;
}

double Sketch::lowest_place() const {
  double lowest = -1;
  for (const MomentSteps& c : components_)
    lowest = std::max(lowest, c.moments->lowest_place(c.own(direction_)));
  return lowest;
}

double Sketch::log_moment(double x) const {
  double sum = 0;
  work::spend(kEstimateWork * static_cast<std::int64_t>(components_.size()));
  for (const MomentSteps& c : components_)
    sum += c.copies * c.moments->log_moment_estimate(c.own(direction_), x);
  return std::isnan(sum) ? kInfinity : sum;
}

double Chernoff::log_bound(double epsilon) const {
  const double bound =
      log_moment - a * epsilon + log_cap(a) + chernoff_rounding(a, log_moment, epsilon);
  return jumped > 0 ? log_add(bound, std::log(jumped)) + 1e-12 : bound;
}

namespace {

/// log K(a) from above by columns of this precision; none where they tell nothing.
std::optional<Chernoff> chernoff_at(const Sketch& run, double a, double log_precision) {
  double log_moment = 0;
  for (const MomentSteps& c : run.components()) {
    const double one =
        c.moments->log_moment_upper(c.own(run.direction()), a, log_precision - std::log(c.copies));
    log_moment += c.copies * (one + 4 * kUnit * std::abs(one));
  }
  if (!(log_moment < kInfinity)) return std::nullopt;
  log_moment += static_cast<double>(run.components().size()) * kUnit * std::abs(log_moment);
  return Chernoff{a, log_moment};
}

}  // namespace

std::optional<Chernoff> best_chernoff(const Sketch& run, double epsilon) {
  double best = 0, least = kInfinity;
  for (const Sketch::Place& p : run.ladder()) {
    const double log_bound = p.log_moment - p.a * epsilon + p.log_cap;
    if (!(log_bound < least)) continue;
    least = log_bound;
    best = p.a;
    // Higher powers, which take longer, would only lower what underflows.
    if (least < -750) break;
  }
  if (best == 0) return std::nullopt;
  constexpr double kRoughPrecision = -3, kFinePrecision = -12, kStepBack = 0.4;
  constexpr int kMostPlaces = 5;
  auto found = chernoff_at(run, best, kRoughPrecision);
  // Columns may take more digits, or not reach as far as was planned. Those that never reach far
  // take too long to be tried again.
  const bool far = std::all_of(
      run.components().begin(), run.components().end(),
      [&](const MomentSteps& c) { return c.moments->reaches_far(c.own(run.direction())); });
  for (int i = 0; i < kMostPlaces && far && !found; ++i, best *= kStepBack)
    found = chernoff_at(run, best, kFinePrecision);
  if (!found) return found;
  for (const MomentSteps& c : run.components()) {
    if (const auto jumps = c.moments->jumps(c.own(run.direction())))
      found->jumped += c.copies * jumps->under_p.upper() * (1 + 1e-12);
  }
  return found;
}

std::optional<Line> Line::make(const Sketch& run, const LineGoal& goal) {
  if (goal.log_delta < kLeastLogDelta) return std::nullopt;
  return sampled(run, goal, plan_of(run, goal));
}

namespace {

/// The run's columns at x; none where one of them is of no use.
std::vector<std::unique_ptr<const Column>> columns_at(const Sketch& run, double x,
                                                      double log_precision) {
  std::vector<std::unique_ptr<const Column>> columns;
  for (const MomentSteps& c : run.components()) {
    columns.push_back(c.moments->column(c.own(run.direction()), x, log_precision));
    if (!columns.back()) return {};
  }
  return columns;
}

/// log K of the run from its components'.   one: of a step of the i-th of them
template <class One>
LogMoment total(const std::vector<MomentSteps>& components, One one) {
  LogMoment sum;
  double size = 0;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const LogMoment at = one(i);
    sum.value += components[i].copies * at.value;
    sum.error += components[i].copies * at.error;
    size += components[i].copies * std::abs(at.value);
  }
  sum.error += kUnit * static_cast<double>(components.size() + 2) * size;
  return sum;
}

/// The jumps of all steps together; none where no step leaves any out.
std::optional<Jumps> jumps_of(const Sketch& run) {
  AnyStep under_p, under_q;
  std::optional<Jumps> all;
  for (const MomentSteps& c : run.components()) {
    const auto one = c.moments->jumps(c.own(run.direction()));
    if (!one) continue;
    under_p.add(c.copies, one->under_p);
    under_q.add(c.copies, one->under_q);
    all = {under_p.mass(), under_q.mass(), one->power};
  }
  return all;
}

/// What bounds the shortfall of jumps.   power: theirs
Chernoff shortfall_bound(const Sketch& run, double power) {
  double log_jumps = -kInfinity, log_moments = 0;
  for (const MomentSteps& c : run.components()) {
    const auto column =
        c.moments->column(c.own(opposite(run.direction())), power, -3 - std::log(c.copies));
    const LogMoment each = column ? column->log_moment(0) : LogMoment{0, kInfinity};
    log_moments += c.copies * (each.value.real() + each.error);
    const auto jumps = c.moments->jumps(c.own(run.direction()));
    if (!jumps) continue;
    const double own = std::max(0.0, each.value.real() - each.error);
    log_jumps = log_add(log_jumps, std::log(c.copies) + jumps->log_shortfall - own);
  }
  const double size = std::abs(log_jumps) + std::abs(log_moments);
  return Chernoff{power, log_jumps + log_moments + 1e-12 * (size + 1)};
}

/// A bound on log |K| of the run beyond a height on its columns.
double log_bound_beyond(const Sketch& run,
                        const std::vector<std::unique_ptr<const Column>>& columns, double y) {
  double sum = 0;
  for (std::size_t i = 0; i < columns.size(); ++i)
    sum += run.components()[i].copies * columns[i]->log_bound_beyond(y);
  return sum;
}

/// A height up to which samples are needed, and the bound on log |K| beyond.
struct LineEnd {
  double height, log_bound;
};

/// A height beyond which |K| / |z| is below e^log_enough, and hardly a lower one; none up to
/// `highest`.   start: a first guess
template <class Bound>
std::optional<LineEnd> end_of(Bound log_bound_beyond, double c, double start, double highest,
                              double log_enough) {
  // Each try is a sum over pairs of cells.
  constexpr int kMostTries = 24, kLastTries = 3;
  std::optional<LineEnd> found;
  double low = 0, y = std::min(start, highest);
  for (int i = 0, after = 0; i < kMostTries && after < kLastTries; ++i, after += found ? 1 : 0) {
    const double log_bound = log_bound_beyond(y);
    if (log_bound - std::log(std::hypot(y, c)) <= log_enough) {
      found = {y, log_bound};
    } else {
      if (y >= highest) return std::nullopt;
      low = y;
    }
    y = !found ? std::min(2 * low, highest) : low > 0 ? std::sqrt(low * found->height) : 0.5 * y;
  }
  return found;
}

/// Where the height is likely to be, by the second derivative of log K, which is about x^2.
double likely_height(const Sketch& run, double c, double log_fall) {
  const double step = 1e-2 * std::abs(c);
  const double variance =
      (run.log_moment(c + step) - 2 * run.log_moment(c) + run.log_moment(c - step)) / (step * step);
  const double least = std::abs(run.log_moment(c)) / (c * c);
  return std::sqrt(2 * std::max(1.0, log_fall) / std::max({variance, least, 1e-40}));
}

}  // namespace

std::optional<Line> Line::sampled(const Sketch& run, const LineGoal& goal, const LinePlan& plan) {
  if (!(plan.distance < 1e12)) return std::nullopt;
  const double log_error = log_error_of(goal);
  Line line;
  line.c_ = plan.c;
  line.spacing_ = portable::shortened(2 * kPi / plan.distance);
  const double log_top = run.log_moment(plan.c);
  const double log_size = log_top - plan.c * goal.epsilon;
  const double log_precision =
      log_error - std::max(log_size, goal.log_delta) - std::log(run.copies()) - 4;
  const auto columns = columns_at(run, line.c_, log_precision);
  if (columns.empty()) return std::nullopt;
  if (const auto jumps = jumps_of(run)) {
    line.jumps_ = *jumps;
    line.shortfall_ = shortfall_bound(run, jumps->power);
  }

  const auto beyond = [&](double y) { return log_bound_beyond(run, columns, y); };
  const double highest = line.spacing_ * static_cast<double>(goal.most_samples);
  // Less than aliases may have: the last samples are quick.
  const double log_enough = log_error - 2.3 + line.c_ * goal.epsilon + std::log(kPi);
  const double start =
      std::max(likely_height(run, line.c_, log_size - log_error), 2 * line.spacing_);
  const auto end = end_of(beyond, line.c_, start, highest, log_enough);
  if (!end) return std::nullopt;
  line.log_bound_beyond_ = end->log_bound;
  if (!line.climb(run, goal, columns, end->height)) return std::nullopt;
  const auto bound_at = [&](double a) {
    const LogMoment at = total(run.components(), [&](std::size_t i) {
      const MomentSteps& c = run.components()[i];
      constexpr double kEnough = -12;  // an alias need not be known any better
      return LogMoment{
          c.moments->log_moment_upper(c.own(run.direction()), a, kEnough - std::log(c.copies)), 0};
    });
    return Chernoff{a, at.value.real() + at.error};
  };
  line.chernoff_ = bound_at(plan.best);
  // Far away a column may tell less than was planned: a nearer one may do better.
  constexpr int kMostNearer = 6;
  constexpr double kStepBack = 0.6;
  const double affordable = std::exp(log_error + kLogTwo);
  double least = line.alias(goal.epsilon), away = plan.best - line.c_;
  for (int i = 0; i < kMostNearer && !(least <= affordable); ++i) {
    away *= kStepBack;
    const Chernoff before = std::exchange(line.chernoff_, bound_at(line.c_ + away));
    const double nearer = line.alias(goal.epsilon);
    if (nearer < least)
      least = nearer;
    else
      line.chernoff_ = before;
  }
  return line;
}

/// Takes the samples up to a height, or to where the bound beyond tells as much; false where they
/// are of no use.
bool Line::climb(const Sketch& run, const LineGoal& goal,
                 const std::vector<std::unique_ptr<const Column>>& columns, double height) {
  const double last = std::ceil(height / spacing_);
  const auto count = static_cast<std::size_t>(last) + 1;
  std::vector<Climb> climbs;
  climbs.reserve(columns.size());
  for (const auto& column : columns) climbs.push_back(column->climb(spacing_));
  samples_.reserve(count);
  constexpr double kUnknown = 1, kCheckAgain = 1.5;
  double noise = 0, bound_due = 0;
  for (std::size_t k = 0; k < count; ++k) {
    work::spend(kLineSampleWork);
    const double y = spacing_ * static_cast<double>(k);
    const LogMoment at = total(run.components(), [&](std::size_t i) { return climbs[i](y); });
    // A column that tells no more than how small K may be is not asked any further, where the bound
    // beyond tells as much.
    if (k > 0 && !(at.error < kUnknown) && y >= bound_due) {
      bound_due = kCheckAgain * y;
      const double log_bound = log_bound_beyond(run, columns, y);
      if (log_bound < at.value.real() + at.error) {
        log_bound_beyond_ = log_bound;
        return true;
      }
    }
    if (!(at.error < kInfinity)) return false;
    samples_.push_back(sample(y, at));
    noise += term(samples_.back(), goal.epsilon).modulus * samples_.back().error;
    if (noise * spacing_ / kPi > goal.most_error) return false;
  }
  return true;
}

double Line::alias(double epsilon) const {
  const double distance = 2 * kPi / spacing_ * (1 - 8 * kUnit);
  const double near = 1 / std::expm1(c_ * distance);
  const auto [a, log_moment, jumped] = chernoff_;
  const double log_bound = log_moment - a * epsilon + log_cap(a);
  const double slack = chernoff_rounding(a, log_moment, epsilon);
  const double far = std::exp(log_bound + slack) / std::expm1((a - c_) * distance);
  return (near + far) * (1 + 1e-12);
}

double Line::beyond(double epsilon) const {
  const double last = samples_.back().y;
  // |z (z+1)| >= c^2 + y^2.
  const double integral = std::atan2(c_, last) / c_;
  const double exponent = log_bound_beyond_ - c_ * epsilon;
  const double slack = 16 * kUnit * (std::abs(log_bound_beyond_) + std::abs(c_ * epsilon) + 1);
  return std::exp(exponent + slack) * integral / kPi * (1 + 1e-12);
}

Interval Line::jumped(double epsilon) const {
  if (jumps_.under_p.upper() == 0) return {0, 0};
  const Charged &under_p = jumps_.under_p, &under_q = jumps_.under_q;
  const double k = std::exp(epsilon);
  const double value = under_p.value - k * under_q.value;
  const double error =
      under_p.error + k * under_q.error + 8 * kUnit * (under_p.value + k * under_q.value);
  double shortfall = under_q.upper();
  const double log_bound = shortfall_->log_bound(-epsilon);
  if (log_bound < 0) shortfall = std::min(shortfall, std::exp(log_bound) * (1 + 8 * kUnit));
  return {value - error * (1 + 1e-12),
          value + error * (1 + 1e-12) + k * shortfall * (1 + 8 * kUnit)};
}

// z (z+1) = c (c+1) - y^2 + i (2c+1) y rounds by 4 units of its modulus, which is at least
// |c (c+1)| + y^2. A term rounds by 7 units in 1 / |z (z+1)|, by 2 in the exponential and in the
// cosine each, by 2 in the products with them, and by 15 in the kernel's phase and its sum with the
// others; by 3 of |log K| and by 4 of |z eps| in its exponent and phase.
Line::LineSample Line::sample(double y, const LogMoment& at) const {
  const Complex kernel{c_ * (c_ + 1) - y * y, (2 * c_ + 1) * y};
  const double sizes = std::abs(at.value.real()) + std::abs(at.value.imag());
  return {y,
          (y == 0 ? 0.5 : 1) / std::abs(kernel),
          at.value.real(),
          at.value.imag(),
          -std::arg(kernel),
          std::expm1(at.error) + kUnit * (32 + 4 * sizes),
          4 * kUnit * (std::abs(c_) + y)};
}

Line::LineTerm Line::term(const LineSample& sample, double epsilon) const {
  const double exponent = sample.log_modulus - c_ * epsilon;
  // kTiny covers what underflows.
  return {exponent < -745 ? 0 : sample.size * std::exp(exponent),
          sample.phase - sample.y * epsilon + sample.kernel_phase};
}

Interval Line::delta(double epsilon) const {
  // Kahan's sum is off by 2 units of the sum of moduli, and n units of a unit [Hig02, (4.8)].
  work::spend(kLineTermWork * static_cast<std::int64_t>(samples_.size()));
  double sum = 0, carried = 0, error = 0, size = 0;
  for (const LineSample& sample : samples_) {
    const auto [modulus, phase] = term(sample, epsilon);
    const double next = modulus * std::cos(phase) - carried, before = sum;
    sum += next;
    carried = (sum - before) - next;
    size += modulus;
    error += modulus * (sample.error + sample.epsilon_error * std::abs(epsilon));
  }
  const double scale = spacing_ / kPi;
  const double value = scale * sum;
  const double slack = scale * (error + 12 * kUnit * size) * (1 + 1e-9) + beyond(epsilon) + kTiny;
  const double aliases = alias(epsilon);
  const Interval more = jumped(epsilon);
  Interval result{value - slack - aliases + more.lower, value + slack + more.upper};
  if (!(result.lower > 0)) result.lower = 0;
  if (!(result.upper < 1)) result.upper = 1;
  return result;
}

Line::ValueAndSlope Line::estimate(double epsilon) const {
  work::spend(kLineTermWork * static_cast<std::int64_t>(samples_.size()));
  double sum = 0, slope = 0;
  for (const LineSample& sample : samples_) {
    const auto [modulus, phase] = term(sample, epsilon);
    const double real = modulus * std::cos(phase);
    sum += real;
    slope -= c_ * real - sample.y * modulus * std::sin(phase);
  }
  const double scale = spacing_ / kPi;
  // Without jumps an epsilon may be so large that its exponential overflows.
  const double k = jumps_.under_p.value > 0 ? std::exp(epsilon) : 0;
  const double jumps_under_q = k * jumps_.under_q.value;
  const double value = scale * sum + jumps_.under_p.value - jumps_under_q;
  return {value, (scale * slope - jumps_under_q) / value};
}

}  // namespace honest_epsilon::contour
