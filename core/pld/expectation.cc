#include "core/pld/expectation.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/pld/tilt_factors.h"

namespace honest_epsilon::pld {
namespace {

double window_of(const TiltedSum& sum) {
  return static_cast<double>(sum.value.size()) * sum.spacing;
}

double top_of(const TiltedSum& sum) {
  return sum.point(sum.value.size());
}

/// log E e^{s sum}, rounded up.
double log_moment_of(const std::vector<LatticeSteps>& steps, bool upper, double s) {
  double total = 0;
  for (const LatticeSteps& step : steps)
    total += log_moment_upper(upper ? step.upper : step.lower, s, step.copies);
  return total;
}

/// At least `spacing`, and a divisor of the distance between the atoms of the commonest steps,
/// which then fall on the lattice. Off the lattice the cost would be of first order: atoms' mass
/// times distance times steps.
double fitted(const std::vector<SourceSteps>& components, double spacing) {
  const SourceSteps* commonest = nullptr;
  for (const SourceSteps& c : components) {
    if (c.source->grain() > 0 && (!commonest || c.copies > commonest->copies)) commonest = &c;
  }
  const double parts = commonest ? std::floor(commonest->source->grain() / spacing) : 0;
  return parts >= 1 ? commonest->source->grain() / parts : spacing;
}

std::vector<LatticeSteps> discretised(const std::vector<SourceSteps>& components,
                                      Direction direction, const TransformPlan& plan,
                                      double spacing, Wanted wanted) {
  std::vector<LatticeSteps> steps;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const SourceSteps& component = components[i];
    if (component.copies == 0) continue;
    const Direction own = component.own(direction);
    Range range = plan.ranges[i];
    if (component.exchanged) range = {-range.high, -range.low};
    const pld::Source& source = *component.source;
    steps.push_back(
        {wanted == Wanted::lower ? trivial_law(spacing, true) : source.upper(own, spacing, range),
         wanted == Wanted::upper ? trivial_law(spacing, false)
                                 : source.lower(own, spacing, range, plan.saddle),
         component.copies});
  }
  return steps;
}

}  // namespace

Expectation::Expectation(const std::vector<SourceSteps>& components, Direction direction,
                         Payoff payoff, const TransformPlan& plan, std::size_t grid, Wanted wanted)
    : payoff_(payoff), wanted_(wanted) {
  const double spacing = fitted(components, plan.window / static_cast<double>(grid));
  const double window = spacing * static_cast<double>(grid);
  const std::vector<LatticeSteps> steps = discretised(components, direction, plan, spacing, wanted);
  // The windows start at a lattice point; one point more makes sure that they reach the top.
  sums_ = compose(steps, plan.tilt, plan.top - window + 1.5 * spacing, grid);
  if (wanted != Wanted::lower) upper_suffix_ = suffix_of(sums_.upper, +1);
  if (wanted != Wanted::upper) lower_suffix_ = suffix_of(sums_.lower, -1);
  for (const double s : plan.up)
    up_.push_back({s, log_moment_of(steps, true, s), log_moment_of(steps, false, s)});
  for (const double s : plan.down) down_.push_back({s, 0, log_moment_of(steps, false, s)});
  double survives = 0;
  for (const LatticeSteps& step : steps) {
    const auto n = static_cast<double>(step.copies);
    survives += n * std::log1p(-std::min(1.0, step.upper.infinite));
    highest_upper_ += n * step.upper.point(step.upper.mass.size() - 1);
    if (step.lower.mass.empty()) continue;
    lowest_ += n * step.lower.point(0);
    highest_lower_ += n * step.lower.point(step.lower.mass.size() - 1);
  }
  infinite_ = -std::expm1(survives) * (1 + 1e-12);
  covered_upper_ = steps.front().upper.covered;
  covered_lower_ = steps.front().lower.covered;
}

double Expectation::upper(double strike) const {
  if (wanted_ == Wanted::lower) return payoff_.is_loss() ? 1 : kInfinity;
  const double charged = infinite_ + kTiny;
  double value = kInfinity;
  if (strike >= sums_.upper.point(0) && strike < top_of(sums_.upper))
    value = payoff_sum(sums_.upper, upper_suffix_, strike, +1) + above_top(strike) + charged;
  const double bound = chernoff(strike) + charged;
  if (!(value <= bound)) value = bound;
  return payoff_.is_loss() ? std::min(1.0, value) : value;
}

double Expectation::lower(double strike) const {
  if (wanted_ == Wanted::upper) return 0;
  // The payoff falls with the strike: below the window, the window's end is a valid stand-in.
  const double at = std::max(strike, sums_.lower.point(0));
  if (!(at < top_of(sums_.lower))) return 0;
  const double value = payoff_sum(sums_.lower, lower_suffix_, at, -1) - wrapped(at);
  return value > 0 ? value : 0;
}

/// Every term is positive, so nothing cancels:
///   loss:  payoff_i = (1 - e^-D) weight_{i+1} + e^-D payoff_{i+1},
///   ratio: payoff_i = D weight_{i+1} + payoff_{i+1}.
Expectation::Suffix Expectation::suffix_of(const TiltedSum& sum, double sign) const {
  const std::size_t n = sum.value.size();
  Suffix suffix;
  suffix.weight.assign(n + 1, 0.0);
  suffix.payoff.assign(n + 1, 0.0);
  const double step = payoff_(sum.spacing);
  const double keep = payoff_.is_loss() ? std::exp(-sum.spacing) : 1;
  auto untilting = sum.untilting();
  for (std::size_t i = n; i-- > 0;) {
    const double mass = sum.value[i] + sign * sum.error;
    // A NaN must not be treated as zero mass: it propagates into the sum, and Chernoff's bound is
    // used instead.
    const double untilted = mass <= 0 ? 0 : mass * untilting(i);
    suffix.payoff[i] = step * suffix.weight[i + 1] + keep * suffix.payoff[i + 1];
    suffix.weight[i] = suffix.weight[i + 1] + untilted;
  }
  suffix.relative = 1.01 * sum.relative + kUnit * (8 * static_cast<double>(n) + 16 +
                                                   TiltFactors::units(sum.tilt * sum.spacing));
  return suffix;
}

/// sum over points above the strike of (mass +- error) payoff, rounding included. With x_i the
/// first such point: loss: weight_i payoff(x_i - k) + e^{k - x_i} payoff_i,  ratio: (x_i - k)
/// weight_i + payoff_i.
double Expectation::payoff_sum(const TiltedSum& sum, const Suffix& suffix, double strike,
                               double sign) const {
  const double place = std::floor((strike - sum.point(0)) / sum.spacing) + 1;
  auto i = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(sum.value.size())));
  while (i > 0 && sum.point(i - 1) > strike) --i;
  while (i < sum.value.size() && sum.point(i) <= strike) ++i;
  if (i == sum.value.size())
    return sign > 0 ? 4 * kUnit * std::abs(strike) * suffix.weight[i - 1] : 0;
  const double ahead = sum.point(i) - strike;
  const double keep = payoff_.is_loss() ? std::exp(-ahead) : 1;
  const double total = suffix.weight[i] * payoff_(ahead) + keep * suffix.payoff[i];
  const double size = std::abs(strike) + std::abs(top_of(sum)) + std::abs(sum.origin);
  // Exponents round relatively; a point misplaced by a few units of `size` moves its payoff, whose
  // slope is at most one. That may bring in the point before, too.
  const double relative = suffix.relative + 4 * kUnit * (std::abs(sum.log_scale) + sum.tilt * size);
  const double misplaced = 4 * kUnit * size * suffix.weight[i > 0 ? i - 1 : 0];
  const double value = total * (1 + sign * relative) + sign * misplaced;
  return value > 0 ? value : 0;
}

double Expectation::above_top(double strike) const {
  const double top = top_of(sums_.upper);
  // The window's last point is one spacing below its top; the next one may round to just below it.
  if (highest_upper_ < top - 0.5 * sums_.upper.spacing) return 0;
  const double far = top - strike;
  double best = kInfinity;
  for (const Moment& m : up_) {
    if (!(m.s >= payoff_.least_rate(far))) continue;
    best = std::min(best, payoff_.limit(far) * std::exp(m.upper - m.s * top));
  }
  return best * (1 + 1e-9);
}

/// E[payoff(sum - strike)+] <= cap(s) E e^{s (sum - strike)}.
double Expectation::chernoff(double strike) const {
  double best = kInfinity;
  for (const Moment& m : up_) {
    if (m.s > 0) best = std::min(best, std::exp(m.upper - m.s * strike + payoff_.log_cap(m.s)));
  }
  return best * (1 + 1e-9);
}

/// What the lower law's mass outside the window adds to the payoff after wrapping round.
double Expectation::wrapped(double strike) const {
  const TiltedSum& sum = sums_.lower;
  const double window = window_of(sum);
  const double top = top_of(sum);
  const double tilt = sum.tilt;
  // From below, r = 1, 2, ... windows up: limit e^{-tilt r W} P(sum < top - r W).
  double below = lowest_ >= top - window ? 0 : kInfinity;
  for (const Moment& m : down_) {
    const double ratio = std::exp(-(tilt - m.s) * window);
    if (ratio >= 1) continue;
    const double first = std::exp(-tilt * window + m.lower - m.s * (top - window));
    below = std::min(below, payoff_.limit(top - strike) * first / (1 - ratio));
  }
  // From above, r windows down: cap(s) e^{tilt r W} E e^{s (sum - strike - r W)}.
  double above = highest_lower_ < strike + window ? 0 : kInfinity;
  for (const Moment& m : up_) {
    if (m.s <= tilt) continue;
    const double ratio = std::exp(-(m.s - tilt) * window);
    if (ratio >= 1) continue;
    const double first =
        std::exp(tilt * window + m.lower - m.s * (strike + window) + payoff_.log_cap(m.s));
    above = std::min(above, first / (1 - ratio));
  }
  return (below + above) * (1 + 1e-9);
}

}  // namespace honest_epsilon::pld
