#include "core/pld/plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"

namespace honest_epsilon::pld {
namespace {

/// Part of the answer that truncation and wrap-around may cost.
constexpr double kTolerance = 1e-5;

/// A transform's error is about 3e-17 for each step and point: log(1e-4 / that) is what undoing the
/// tilt may cost a run of one step whose payoff is one point.
constexpr double kRoundOff = 29;

/// Points of a typical transform.
constexpr double kTypicalGrid = 131072;

struct Cumulants {
  double value;
  double mean;
  double variance;
};

Cumulants cumulants(const std::vector<Node>& nodes, double s) {
  double largest = -kInfinity;
  for (const Node& node : nodes) largest = std::max(largest, node.log_weight + s * node.loss);
  double sum = 0;
  double first = 0;
  double second = 0;
  for (const Node& node : nodes) {
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
class Run {
 public:
  Run() = default;
  Run(const std::vector<Component>& components, Direction direction) {
    for (const Component& component : components) {
      nodes_.push_back(component.source->nodes(direction));
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

  /// The same run with each step's nodes sorted by loss.
  Run sorted() const {
    Run run = *this;
    for (auto& nodes : run.nodes_) {
      std::sort(nodes.begin(), nodes.end(),
                [](const Node& a, const Node& b) { return a.loss < b.loss; });
    }
    return run;
  }

  /// Forgets losses so rare that they will be charged as infinite: a moment must not see them, for
  /// e^{s L} of the rarest ones outgrows everything.
  Run without_rarities(double log_delta) const {
    Run run = sorted();
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
      for (const Node& node : nodes_[i]) {
        if (node.loss > epsilon)
          total += copies_[i] * std::exp(node.log_weight) * -std::expm1(epsilon - node.loss);
      }
    }
    return std::log(total);
  }

  /// Sorted by loss in what sorted() and without_rarities() return.
  const std::vector<std::vector<Node>>& nodes() const { return nodes_; }
  const std::vector<double>& copies() const { return copies_; }

 private:
  std::vector<std::vector<Node>> nodes_;
  std::vector<double> copies_;
};

/// The strike whose saddle point is s, and log E[payoff] there (Laplace's method on the payoff).
struct Saddle {
  double strike;
  double log_value;
};

Saddle saddle(const Run& run, Payoff payoff, double s) {
  const Cumulants c = run.at(s);
  const double strike = c.mean - payoff.overshoot(s);
  const double spread = c.variance + payoff.overshoot_variance(s);
  return {strike, c.value - s * strike + payoff.log_transform(s) -
                      0.5 * std::log(6.283185307179586 * spread)};
}

/// The exponent at which `low_side` (true for small s) turns false, by bisection on log s.
/// Losses are of moderate size; sums of ratios may be astronomical.
template <class Predicate>
double turning_point(Payoff payoff, Predicate low_side) {
  double low = std::log(payoff.is_loss() ? 1e-12 : 1e-290);
  double high = std::log(payoff.is_loss() ? 1e14 : 1e40);
  while (high - low > 1e-3) {
    const double middle = 0.5 * (low + high);
    (low_side(std::exp(middle)) ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

double saddle_of_strike(const Run& run, Payoff payoff, double strike) {
  return turning_point(payoff, [&](double s) { return saddle(run, payoff, s).strike < strike; });
}

/// The losses of one step that matter: all the nodes kept, but for those at the lower end whose
/// tilted mass, even if moved to the end of the range, is below e^log_lower.
Range relevant(const std::vector<Node>& sorted, Direction direction, double tilt,
               double log_lower) {
  double low = sorted.front().loss;
  const double high = sorted.back().loss;
  double mass = 0;
  for (const Node& node : sorted) {
    mass += std::exp(node.log_weight);
    if (std::log(mass) + tilt * node.loss > log_lower) break;
    low = node.loss;
  }
  if (direction == Direction::remove) return {low, high};
  return {-high, -low};
}

/// Variance that splitting adds to one tilted step on a lattice of this spacing: E[f (1-f)] D^2, f
/// the place within the cell.
double dither(const std::vector<Node>& nodes, double s, double log_moment, double spacing) {
  double sum = 0;
  for (const Node& node : nodes) {
    const double exponent = node.log_weight + s * node.loss - log_moment;
    if (exponent < -45) continue;
    const double place = node.loss / spacing;
    const double fraction = place - std::floor(place);
    sum += std::exp(exponent) * fraction * (1 - fraction);
  }
  // Nodes may fall on lattice points; a smooth law gives 1/6, and a margin keeps the plan honest.
  return sum * spacing * spacing;
}

}  // namespace

double log_value_estimate(const std::vector<Component>& components, Direction direction,
                          Payoff payoff, double strike) {
  const Run run(components, direction);
  return saddle(run, payoff, saddle_of_strike(run, payoff, strike)).log_value;
}

Plan make_plan(const std::vector<Component>& components, Direction direction, Payoff payoff,
               Goal goal, int log2_grid_limit) {
  const Run whole(components, direction);
  Run run;
  Plan plan;
  double log_value = goal.log_value.value_or(0);
  const auto consider = [&](double rare) {
    run = payoff.is_loss() ? whole.without_rarities(rare) : whole.sorted();
    plan.saddle = goal.strike ? saddle_of_strike(run, payoff, *goal.strike)
                              : turning_point(payoff, [&](double s) {
                                  const Saddle at = saddle(run, payoff, s);
                                  return at.log_value > log_value || at.strike < 0;
                                });
    return saddle(run, payoff, plan.saddle);
  };
  if (!goal.log_value && payoff.is_loss()) {
    // What counts as rare depends on delta, and delta on what counts as rare: the fixed point of a
    // falling function, by bisection. One big step alone gives a floor the saddle point may miss.
    const double floor = whole.log_one_step_delta(*goal.strike);
    double low = -740;
    double high = -0.1;
    while (high - low > 0.5) {
      const double middle = 0.5 * (low + high);
      (std::max(consider(middle).log_value, floor) > middle ? low : high) = middle;
    }
    log_value = low;
  } else if (!goal.log_value) {
    log_value = consider(0).log_value;
  }
  log_value = std::max(log_value, -740.0);
  const Saddle at = consider(log_value);
  plan.strike = goal.strike.value_or(std::max(0.0, at.strike));
  plan.log_value = log_value;
  const double log_tolerance = plan.log_value + std::log(kTolerance);

  // Chernoff exponents around the saddle point, in steps of a fourth root of two.
  struct Exponent {
    double s;
    double value;
  };
  std::vector<Exponent> up;
  std::vector<Exponent> down;
  for (int k = -24; k <= 24; ++k) {
    const double s = plan.saddle * std::exp2(0.25 * k);
    up.push_back({s, run.at(s).value});
    down.push_back({-s, run.at(-s).value});
  }
  down.push_back({0, 0});

  const auto smallest = [](const std::vector<Exponent>& list, auto bound) {
    const Exponent* best = nullptr;
    double least = kInfinity;
    for (const Exponent& e : list) {
      const double value = bound(e);
      if (value < least) {
        least = value;
        best = &e;
      }
    }
    return std::pair{least, best ? best->s : 0.0};
  };

  double copies = 0;
  double lowest = 0;
  double highest = 0;
  for (const Component& c : components) {
    const auto n = static_cast<double>(c.copies);
    copies += n;
    if (c.copies == 0) continue;
    const double low = c.source->lowest(direction);
    const double high = c.source->highest(direction);
    lowest += n * low;
    highest += n * high;
    // A lattice may cover up to one spacing more than the support, and no grid is coarser than
    // this. One for losses starts where they do, unless atoms have it otherwise.
    if (!payoff.is_loss() || c.source->grain() > 0) highest += n * (high - low) / 1024;
  }

  // The payoff beyond `top` is small enough: limit(top - strike) e^{K(s) - s top}. The limit
  // changes little, so it is taken from the first guess.
  const auto top_for = [&](double log_limit) {
    return smallest(up,
                    [&](const Exponent& e) { return (e.value + log_limit - log_tolerance) / e.s; });
  };
  const double first_top = top_for(0).first;
  const double reach = std::max(first_top - plan.strike, 1 / plan.saddle);
  const auto [top, top_s] = top_for(std::log(payoff.limit(reach)));
  plan.top = std::max(top, plan.strike + 1e-3 / plan.saddle);
  plan.top = std::min(plan.top, std::max(highest, plan.strike));
  plan.top += 1e-6 * (plan.top - plan.strike) + 1e-12 * std::abs(plan.top);
  plan.up.push_back(top_s);
  const double log_limit = std::log(payoff.limit(std::max(plan.top - plan.strike, 1e-300)));

  // Wrap-around: from below, at most limit e^{-tilt W} P(sum < top - W); from above, at most
  // cap(s) e^{tilt W} E e^{s (sum - strike - W)}. Take the tilt that needs the shortest window.
  plan.window = kInfinity;
  double best_up = 0;
  double best_down = 0;
  double best_score = kInfinity;
  for (const double part : {0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.75, 0.85, 0.92, 0.97}) {
    const double tilt = part * plan.saddle;
    if (part > 0 && payoff.is_loss() && plan.log_value > std::log(1e-1)) continue;
    // Undoing the tilt magnifies round-off by e^{K - tilt strike}: it must stay below the answer.
    const double magnified = run.at(tilt).value - tilt * plan.strike - plan.log_value +
                             (payoff.is_loss() ? 0 : log_limit);
    auto [below, below_s] = smallest(down, [&](const Exponent& e) {
      return (e.value + log_limit - e.s * plan.top - log_tolerance) / (tilt - e.s);
    });
    below = std::min(below, (plan.top - lowest) * 1.0001);
    const auto [above, above_s] = smallest(up, [&](const Exponent& e) {
      if (e.s <= tilt * 1.001) return kInfinity;
      return (e.value + payoff.log_cap(e.s) - e.s * plan.strike - log_tolerance) / (e.s - tilt);
    });
    const double window =
        std::max({below, std::min(above, highest - plan.strike), (plan.top - plan.strike) * 1.02});
    const double points = kTypicalGrid / std::max(1.0, tilt * window);
    const double penalty = std::max(0.0, magnified + std::log(copies * points) - kRoundOff);
    if (2 * std::log(window) + penalty < best_score) {
      best_score = 2 * std::log(window) + penalty;
      plan.window = window;
      plan.tilt = tilt;
      best_up = above_s;
      best_down = below_s;
    }
  }
  plan.up.push_back(best_up);
  plan.up.push_back(plan.saddle);
  plan.down = {best_down, 0.0};

  // Splitting adds T v to the variance of the sum and lumping takes about half of that away; either
  // changes log E[payoff] by half the curvature times it.
  const double slack =
      0.4 * goal.slack * (goal.strike ? 1 : std::max(plan.strike, 1e-12) * plan.saddle);
  std::vector<double> log_moments;
  for (const auto& nodes : run.nodes()) log_moments.push_back(cumulants(nodes, plan.saddle).value);
  for (std::size_t i = 0; i < run.nodes().size(); ++i) {
    const double log_lower = log_moments[i] - std::log(copies) + std::log(std::min(1.0, slack)) - 7;
    plan.ranges.push_back(relevant(run.nodes()[i], direction, plan.saddle, log_lower));
  }
  // One step's law has as many points as its range has spacings: no more than two windows of them,
  // or a narrow window on a wide law (a vanishing delta) would ask for more memory than there is.
  for (const Range& range : plan.ranges)
    plan.window = std::max(plan.window, 0.5 * (range.high - range.low));
  // No tilt and no exponent may have done: any finite window gives a valid, wide answer.
  if (!std::isfinite(plan.window)) plan.window = 1;
  if (!std::isfinite(plan.top)) plan.top = plan.strike + plan.window;
  // Points must tell a strike from its neighbours, and their numbers stay whole.
  plan.window = std::max(plan.window, 1e-9 * std::max(std::abs(plan.top), std::abs(plan.strike)));
  int log2_grid = 10;
  for (; log2_grid < log2_grid_limit; ++log2_grid) {
    const double spacing = std::ldexp(plan.window, -log2_grid);
    double variance = 0;
    for (std::size_t i = 0; i < run.nodes().size(); ++i) {
      variance += run.copies()[i] * dither(run.nodes()[i], plan.saddle, log_moments[i], spacing);
    }
    if (0.75 * payoff.curvature(plan.saddle) * variance <= slack) break;
  }
  plan.grid = std::size_t{1} << log2_grid;
  return plan;
}

}  // namespace honest_epsilon::pld
