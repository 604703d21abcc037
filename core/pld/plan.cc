#include "core/pld/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/root.h"

namespace honest_epsilon::pld {
namespace {

/// Part of the answer that truncation and wrap-around may cost.
constexpr double kTolerance = 1e-5;

/// A transform's error is about 3e-17 for each step and point: log(1e-4 / that) is what undoing the
/// tilt may cost a run of one step whose payoff is one point.
constexpr double kRoundOffNats = 29;

/// Points of a typical transform.
constexpr double kTypicalGrid = 131072;

struct Cumulants {
  double value;
  double mean;
  double variance;
};

Cumulants cumulants(const std::vector<LossNode>& nodes, double s) {
  constexpr std::int64_t kNodeWork = 3;
  work::spend(kNodeWork * static_cast<std::int64_t>(nodes.size()));
  double largest = -kInfinity;
  for (const LossNode& node : nodes) largest = std::max(largest, node.log_weight + s * node.loss);
  double sum = 0;
  double first = 0;
  double second = 0;
  for (const LossNode& node : nodes) {
    const double exponent = node.log_weight + s * node.loss - largest;
    if (exponent < -45) continue;
    const double weight = std::exp(exponent);
    sum += weight;
    first += weight * node.loss;
    second += weight * node.loss * node.loss;
  }
  const double mean = first / sum;
  return {largest + std::log(sum), mean, std::max(0.0, second / sum - mean * mean)};
}

/// The whole run's cumulants: those of its steps add up.
class RunCumulants {
 public:
  RunCumulants() = default;
  RunCumulants(const std::vector<SourceSteps>& components, Direction direction) {
    for (const SourceSteps& component : components) {
      nodes_.push_back(sorted(component.source->nodes(component.own(direction))));
      // A law too narrow to show any nodes is planned for as if nothing were lost.
      if (nodes_.back().empty()) nodes_.back().push_back({0, 0});
      copies_.push_back(static_cast<double>(component.copies));
    }
  }

  Cumulants at(double s) const {
    Cumulants total{0, 0, 0};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Cumulants c = cumulants(nodes_[i], s);
      total.value += copies_[i] * c.value;
      total.mean += copies_[i] * c.mean;
      total.variance += copies_[i] * c.variance;
    }
    return total;
  }

  /// Forgets losses so rare that they will be charged as infinite: a moment must not see them, for
  /// e^{s L} of the rarest ones outgrows everything.
  RunCumulants without_rarities(double log_delta) const {
    RunCumulants run = *this;
    double copies = 0;
    for (const double n : copies_) copies += n;
    const double log_mass = log_delta + std::log(kTolerance) - std::log(copies) - 3;
    for (auto& nodes : run.nodes_) {
      double mass = 0;
      while (nodes.size() > 2) {
        mass += std::exp(nodes.back().log_weight);
        if (std::log(mass) > log_mass) break;
        nodes.pop_back();
      }
    }
    return run;
  }

  /// log of the sum of the steps' own deltas: what one big step contributes.
  double log_one_step_delta(double epsilon) const {
    double total = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const LossNode& node : nodes_[i]) {
        if (node.loss > epsilon)
          total += copies_[i] * std::exp(node.log_weight) * -std::expm1(epsilon - node.loss);
      }
    }
    return std::log(total);
  }

  /// Of each step, by rising loss.
  const std::vector<std::vector<LossNode>>& nodes() const { return nodes_; }
  const std::vector<double>& copies() const { return copies_; }

 private:
  std::vector<std::vector<LossNode>> nodes_;
  std::vector<double> copies_;
};

/// The strike whose saddle point is s, and log E[payoff] there (Laplace's method on the payoff).
struct Saddle {
  double strike;
  double slope;  ///< of the strike in s
  double log_value;
};

Saddle saddle(const RunCumulants& run, Payoff payoff, double s) {
  const Cumulants c = run.at(s);
  const double strike = c.mean - payoff.overshoot(s);
  const double spread = c.variance + payoff.overshoot_variance(s);
  return {strike, spread,
          c.value - s * strike + payoff.log_transform(s) - 0.5 * std::log(kTwoPi * spread)};
}

/// How exactly an exponent is sought, of itself: the sum at a saddle point changes by half the
/// square of an error, times its curvature.
constexpr double kExactly = 1e-3, kRoughly = 0.03;

/// The exponent at which `low_side` (true for small s) turns false, by bisection on log s.
/// Losses are of moderate size; sums of ratios may be astronomical.
template <class Predicate>
double turning_point(Payoff payoff, double tolerance, Predicate low_side) {
  const Bracket widest{std::log(payoff.is_loss() ? 1e-12 : 1e-290),
                       std::log(payoff.is_loss() ? 1e14 : 1e40)};
  const Bracket found =
      bisect(widest, {200, 0, tolerance}, [&](double log_s) { return low_side(std::exp(log_s)); });
  return std::exp(halfway(found.low, found.high));
}

/// The exponent whose saddle point is a strike.   from: a guess, if there is one.
double saddle_of_strike(const RunCumulants& run, Payoff payoff, double strike, double tolerance,
                        double from = 0) {
  if (!payoff.is_loss())
    return turning_point(payoff, tolerance,
                         [&](double s) { return saddle(run, payoff, s).strike < strike; });
  const Bracket widest{1e-12, 1e14};
  if (!(from > 0)) {
    // mean + s variance = strike + 1 / s, as for a normal sum and a small s.
    const Cumulants c = run.at(0);
    const double above = strike - c.mean;
    from = (above + std::sqrt(above * above + 4 * c.variance)) / (2 * c.variance);
  }
  const auto excess = [&](double s) {
    const Saddle at = saddle(run, payoff, s);
    return Tangent{at.strike - strike, at.slope};
  };
  return newton_within(widest, std::clamp(from, widest.low, widest.high), tolerance, excess);
}

/// The losses of one step that matter: all the nodes kept, but for those at the lower end whose
/// tilted mass, even if moved to the end of the range, is below e^log_lower.
///   atom: the largest loss, where it has mass of its own. Nodes are merged, and the last may be a
///   little below.
Range relevant(const std::vector<LossNode>& sorted, Direction direction, double tilt,
               double log_lower, double atom) {
  constexpr double kLittle = 0.02;
  double low = sorted.front().loss;
  double high = sorted.back().loss;
  if (atom - high < kLittle * (high - low)) high = std::max(high, atom);
  double mass = 0;
  for (const LossNode& node : sorted) {
    mass += std::exp(node.log_weight);
    if (std::log(mass) + tilt * node.loss > log_lower) break;
    low = node.loss;
  }
  if (direction == Direction::remove) return {low, high};
  return {-high, -low};
}

/// Variance that splitting adds to one tilted step on a lattice of this spacing: E[f (1-f)] D^2, f
/// the place within the cell.
double dither(const std::vector<LossNode>& nodes, double s, double log_moment, double spacing) {
  double sum = 0;
  for (const LossNode& node : nodes) {
    const double exponent = node.log_weight + s * node.loss - log_moment;
    if (exponent < -45) continue;
    const double place = node.loss / spacing;
    const double fraction = place - std::floor(place);
    sum += std::exp(exponent) * fraction * (1 - fraction);
  }
  // Nodes may fall on lattice points; a smooth law gives 1/6, and a margin keeps the plan honest.
  return sum * spacing * spacing;
}

/// No transform has fewer points.
constexpr double kCoarsestGrid = 1024;

/// The sum's support, and how many steps it has.
struct Extent {
  double copies = 0;
  double lowest = 0;
  double highest = 0;
  double margin = 1e-4;  ///< of a window that holds all of it

  Extent(const std::vector<SourceSteps>& components, Direction direction, Payoff payoff) {
    for (const SourceSteps& c : components) {
      const auto n = static_cast<double>(c.copies);
      copies += n;
      if (c.copies == 0) continue;
      const double low = c.source->lowest(c.own(direction));
      const double high = c.source->highest(c.own(direction));
      lowest += n * low;
      highest += n * high;
      // A lattice may cover up to one spacing more than the support at either end, and no grid is
      // coarser than this. One for losses starts where they do, unless atoms have it otherwise.
      if (payoff.is_loss() && c.source->grain() == 0) continue;
      highest += n * (high - low) / kCoarsestGrid;
      lowest -= n * (high - low) / kCoarsestGrid;
      margin = 2 / kCoarsestGrid;
    }
  }
};

/// log E[e^{s sum}] at one exponent.
struct Exponent {
  double s;
  double value;
};

/// The least of a bound over some exponents, and the one it has it at.
struct Least {
  double bound;
  double s;
};

/// Exponents around a saddle point, in steps of a fourth root of two; a value is made when first
/// asked for. As log E[e^{s sum}] is convex in s, Chernoff's bounds have one minimum.
class Exponents {
 public:
  Exponents() = default;

  /// center: the saddle point, or its opposite
  Exponents(const RunCumulants& run, double center) : run_(&run), center_(center) {}

  /// bound: not infinite at the center.
  Least least(const std::function<double(const Exponent&)>& bound) {
    const auto [place, value] = downhill(kMiddle, 2 * kMiddle + 1, [&](std::size_t i) {
      if (!known_[i]) {
        const double s = center_ * std::exp(0.25 * kLogTwo * (static_cast<double>(i) - kMiddle));
        known_[i] = Exponent{s, run_->at(s).value};
      }
      return bound(*known_[i]);
    });
    return {value, known_[place]->s};
  }

 private:
  static constexpr std::size_t kMiddle = 24;
  const RunCumulants* run_ = nullptr;
  double center_ = 0;
  std::array<std::optional<Exponent>, 2 * kMiddle + 1> known_;
};

/// Makes a plan, field by field.
class Planner {
 public:
  Planner(const std::vector<SourceSteps>& components, Direction direction, Payoff payoff, Goal goal)
      : direction_(direction),
        payoff_(payoff),
        goal_(goal),
        extent_(components, direction, payoff),
        whole_(components, direction) {
    for (const SourceSteps& c : components)
      atoms_.push_back(c.source->grain() > 0 ? c.source->highest(c.own(direction)) : kInfinity);
  }

  TransformPlan plan(int log2_grid_limit) && {
    find_saddle();
    up_ = {run_, plan_.saddle};
    down_ = {run_, -plan_.saddle};
    find_top();
    find_tilt();
    find_ranges();
    find_grid(log2_grid_limit);
    return std::move(plan_);
  }

 private:
  /// The saddle point for a run that forgets what is rare beside a delta.
  Saddle consider(double log_delta, double log_value, double tolerance = kExactly) {
    run_ = payoff_.is_loss() ? whole_.without_rarities(log_delta) : whole_;
    plan_.saddle = goal_.strike
                       ? saddle_of_strike(run_, payoff_, *goal_.strike, tolerance, plan_.saddle)
                       : turning_point(payoff_, tolerance, [&](double s) {
                           const Saddle at = saddle(run_, payoff_, s);
                           return at.log_value > log_value || at.strike < 0;
                         });
    Saddle at = saddle(run_, payoff_, plan_.saddle);
    // A strike known beforehand changes far more than the value at it where s is a little off.
    if (goal_.strike) at.log_value += plan_.saddle * (at.strike - *goal_.strike);
    return at;
  }

  void find_saddle() {
    double log_value = goal_.log_value.value_or(0);
    if (!goal_.log_value && payoff_.is_loss()) {
      // What counts as rare depends on delta, and delta on what counts as rare: the fixed point of
      // a falling function, by bisection. One big step alone gives a floor the saddle point may
      // miss.
      const double floor = whole_.log_one_step_delta(*goal_.strike);
      const auto exceeded = [&](double guess) {
        return std::max(consider(guess, log_value, kRoughly).log_value, floor) > guess;
      };
      constexpr double kUsual = -50;
      const Bracket range = exceeded(kUsual) ? Bracket{kUsual, -0.1} : Bracket{-740, kUsual};
      log_value = bisect(range, {200, 0, 0.5}, exceeded).low;
    } else if (!goal_.log_value) {
      log_value = consider(0, log_value).log_value;
    }
    plan_.log_value = std::max(log_value, -740.0);
    const Saddle at = consider(plan_.log_value, plan_.log_value);
    plan_.strike = goal_.strike.value_or(std::max(0.0, at.strike));
    log_tolerance_ = plan_.log_value + std::log(kTolerance);
  }

  /// The payoff beyond `top` is small enough: limit(top - strike) e^{K(s) - s top}. The limit
  /// changes little, so it is taken from the first guess.
  void find_top() {
    const auto top_for = [&](double log_limit) {
      return up_.least(
          [&](const Exponent& e) { return (e.value + log_limit - log_tolerance_) / e.s; });
    };
    const double first = top_for(0).bound;
    const double reach = std::max(first - plan_.strike, 1 / plan_.saddle);
    const Least top = top_for(std::log(payoff_.limit(reach)));
    plan_.top = std::max(top.bound, plan_.strike + 1e-3 / plan_.saddle);
    plan_.top = std::min(plan_.top, std::max(extent_.highest, plan_.strike));
    plan_.top += 1e-6 * (plan_.top - plan_.strike) + 1e-12 * std::abs(plan_.top);
    plan_.up.push_back(top.s);
  }

  /// Wrap-around: from below, at most limit e^{-tilt W} P(sum < top - W); from above, at most
  /// cap(s) e^{tilt W} E e^{s (sum - strike - W)}. Takes the tilt that needs the shortest window.
  void find_tilt() {
    const double log_limit = std::log(payoff_.limit(std::max(plan_.top - plan_.strike, 1e-300)));
    plan_.window = kInfinity;
    double best_up = 0;
    double best_down = 0;
    double best_score = kInfinity;
    for (const double part : {0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.75, 0.85, 0.92, 0.97}) {
      const double tilt = part * plan_.saddle;
      if (part > 0 && payoff_.is_loss() && plan_.log_value > std::log(1e-1)) continue;
      const auto below_at = [&](const Exponent& e) {
        return (e.value + log_limit - e.s * plan_.top - log_tolerance_) / (tilt - e.s);
      };
      Least below = down_.least(below_at);
      if (const double untilted = below_at({0, 0}); untilted < below.bound) below = {untilted, 0};
      const Least above = up_.least([&](const Exponent& e) {
        if (e.s <= tilt * 1.001) return kInfinity;
        return (e.value + payoff_.log_cap(e.s) - e.s * plan_.strike - log_tolerance_) /
               (e.s - tilt);
      });
      const double window =
          std::max({std::min(below.bound, (plan_.top - extent_.lowest) * (1 + extent_.margin)),
                    std::min(above.bound, extent_.highest - plan_.strike),
                    (plan_.top - plan_.strike) * 1.02});
      // Undoing the tilt magnifies round-off by e^{K - tilt strike}: it must stay below the answer.
      const double magnified = run_.at(tilt).value - tilt * plan_.strike - plan_.log_value +
                               (payoff_.is_loss() ? 0 : log_limit);
      const double points = kTypicalGrid / std::max(1.0, tilt * window);
      const double penalty =
          std::max(0.0, magnified + std::log(extent_.copies * points) - kRoundOffNats);
      if (2 * std::log(window) + penalty < best_score) {
        best_score = 2 * std::log(window) + penalty;
        plan_.window = window;
        plan_.tilt = tilt;
        best_up = above.s;
        best_down = below.s;
      }
    }
    plan_.up.push_back(best_up);
    plan_.up.push_back(plan_.saddle);
    plan_.down = {best_down, 0.0};
  }

  /// The range of losses resolved for each step.
  void find_ranges() {
    // Splitting adds T v to the variance of the sum and lumping takes about half of that away;
    // either changes log E[payoff] by half the curvature times it.
    slack_ = 0.4 * goal_.slack * (goal_.strike ? 1 : std::max(plan_.strike, 1e-12) * plan_.saddle);
    for (std::size_t i = 0; i < run_.nodes().size(); ++i) {
      const std::vector<LossNode>& nodes = run_.nodes()[i];
      log_moments_.push_back(cumulants(nodes, plan_.saddle).value);
      const double log_lower =
          log_moments_.back() - std::log(extent_.copies) + std::log(std::min(1.0, slack_)) - 7;
      plan_.ranges.push_back(relevant(nodes, direction_, plan_.saddle, log_lower, atoms_[i]));
    }
    // One step's law has as many points as its range has spacings: no more than two windows of
    // them, or a narrow window on a wide law (a vanishing delta) would ask for more memory than
    // there is.
    for (const Range& range : plan_.ranges)
      plan_.window = std::max(plan_.window, 0.5 * (range.high - range.low));
    // No tilt and no exponent may have done: any finite window gives a valid, wide answer.
    if (!std::isfinite(plan_.window)) plan_.window = 1;
    if (!std::isfinite(plan_.top)) plan_.top = plan_.strike + plan_.window;
    // Points must tell a strike from its neighbours, and their numbers stay whole.
    plan_.window =
        std::max(plan_.window, 1e-9 * std::max(std::abs(plan_.top), std::abs(plan_.strike)));
  }

  /// The coarsest grid whose cells cost no more than the slack.
  void find_grid(int log2_limit) {
    int log2_grid = 10;
    for (; log2_grid < log2_limit; ++log2_grid) {
      const double spacing = std::ldexp(plan_.window, -log2_grid);
      double variance = 0;
      for (std::size_t i = 0; i < run_.nodes().size(); ++i) {
        variance +=
            run_.copies()[i] * dither(run_.nodes()[i], plan_.saddle, log_moments_[i], spacing);
      }
      if (0.75 * payoff_.curvature(plan_.saddle) * variance <= slack_) break;
    }
    plan_.grid = std::size_t{1} << log2_grid;
  }

  Direction direction_;
  Payoff payoff_;
  Goal goal_;
  Extent extent_;
  std::vector<double> atoms_;  ///< the largest loss of each step, where it has mass of its own
  RunCumulants whole_;
  RunCumulants run_;  ///< without what is too rare to plan for
  double log_tolerance_ = 0;
  double slack_ = 0;
  std::vector<double> log_moments_;  ///< of each step, at the saddle point
  Exponents up_;
  Exponents down_;
  TransformPlan plan_;
};

}  // namespace

double log_value_estimate(const std::vector<SourceSteps>& components, Direction direction,
                          Payoff payoff, double strike) {
  const RunCumulants run(components, direction);
  return saddle(run, payoff, saddle_of_strike(run, payoff, strike, kExactly)).log_value;
}

TransformPlan make_plan(const std::vector<SourceSteps>& components, Direction direction,
                        Payoff payoff, Goal goal, int log2_grid_limit) {
  return Planner(components, direction, payoff, goal).plan(log2_grid_limit);
}

}  // namespace honest_epsilon::pld
