#include "core/pld/plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"

namespace honest_epsilon::pld {
namespace {

/// Part of delta that truncation and wrap-around may cost.
constexpr double kTolerance = 1e-5;

/// A transform's error is about 1e-16 a step and point, over a payoff of some thousands of points; this
/// is log(1e-4 / that), what undoing the tilt of a one-step run may cost.
constexpr double kRoundOff = 18.8;

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
  Run without_rarities(double log_delta) const {
    Run run;
    run.copies_ = copies_;
    double copies = 0;
    for (const double n : copies_) copies += n;
    const double log_mass = log_delta + std::log(kTolerance) - std::log(copies) - 3;
    for (const auto& nodes : nodes_) {
      std::vector<Node> sorted = nodes;
      std::sort(sorted.begin(), sorted.end(),
                [](const Node& a, const Node& b) { return a.loss < b.loss; });
      double mass = 0;
      while (sorted.size() > 2) {
        mass += std::exp(sorted.back().log_weight);
        if (std::log(mass) > log_mass) break;
        sorted.pop_back();
      }
      run.nodes_.push_back(std::move(sorted));
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

  /// Sorted by loss in what without_rarities() returns.
  const std::vector<std::vector<Node>>& nodes() const { return nodes_; }
  const std::vector<double>& copies() const { return copies_; }

 private:
  std::vector<std::vector<Node>> nodes_;
  std::vector<double> copies_;
};

/// The epsilon whose saddle point is s, and log delta there (Laplace's method on the payoff).
struct Saddle {
  double epsilon;
  double log_delta;
};

Saddle saddle(const Run& run, double s) {
  const Cumulants c = run.at(s);
  const double epsilon = c.mean - 1 / s - 1 / (s + 1);
  const double spread = c.variance + 1 / (s * s) + 1 / ((s + 1) * (s + 1));
  return {epsilon, c.value - s * epsilon - std::log(s) - std::log1p(s) -
                       0.5 * std::log(6.283185307179586 * spread)};
}

/// The exponent at which `low_side` (true for small s) turns false, by bisection on log s.
template <class Predicate>
double turning_point(Predicate low_side) {
  double low = std::log(1e-10);
  double high = std::log(1e12);
  while (high - low > 1e-3) {
    const double middle = 0.5 * (low + high);
    (low_side(std::exp(middle)) ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

/// The losses of one step that matter: all the nodes kept, but for those at the lower end whose tilted
/// mass, even if moved to the end of the range, is below e^log_lower.
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

Plan make_plan(const std::vector<Component>& components, Direction direction, Goal goal,
               const Effort& effort, double log_delta_hint) {
  const Run whole(components, direction);
  Run run;
  Plan plan;
  double log_delta = goal.epsilon_given ? 0 : std::log(goal.value);
  const auto consider = [&](double rare) {
    run = whole.without_rarities(rare);
    plan.saddle =
        goal.epsilon_given
            ? turning_point([&](double s) { return saddle(run, s).epsilon < goal.value; })
            : turning_point([&](double s) {
                const Saddle at = saddle(run, s);
                return at.log_delta > log_delta || at.epsilon < 0;
              });
    return saddle(run, plan.saddle);
  };
  if (goal.epsilon_given) {
    // What counts as rare depends on delta, and delta on what counts as rare: the fixed point of a
    // falling function, by bisection. One big step alone gives a floor the saddle point may miss.
    const double floor = whole.log_one_step_delta(goal.value);
    double low = -740;
    double high = -0.1;
    while (high - low > 0.5) {
      const double middle = 0.5 * (low + high);
      (std::max(consider(middle).log_delta, floor) > middle ? low : high) = middle;
    }
    log_delta = std::min(low, std::max(-740.0, log_delta_hint));
    consider(log_delta);
    plan.epsilon = goal.value;
  } else {
    plan.epsilon = std::max(0.0, consider(log_delta).epsilon);
  }
  plan.log_delta = log_delta;
  const double log_tolerance = plan.log_delta + std::log(kTolerance);

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

  // P(L >= top) <= e^{K(s) - s top} is small enough from here on.
  const auto [top, top_s] =
      smallest(up, [&](const Exponent& e) { return (e.value - log_tolerance) / e.s; });
  const double least_top = plan.epsilon + 1e-3 / plan.saddle;
  plan.top = std::max(top, least_top);
  plan.up.push_back(top_s);

  // Wrap-around: from below, at most e^{-tilt W} P(L < top - W); from above, at most
  // e^{tilt W} P(L >= epsilon + W). Take the tilt that needs the shortest window.
  plan.window = kInfinity;
  double best_up = 0;
  double best_down = 0;
  double copies = 0;
  for (const double n : run.copies()) copies += n;
  double best_penalty = kInfinity;
  for (const double part : {0.0, 0.35, 0.5, 0.65, 0.75, 0.85, 0.92, 0.97}) {
    const double tilt = part * plan.saddle;
    if (part > 0 && plan.log_delta > std::log(1e-1)) continue;
    // Undoing the tilt magnifies round-off by e^{K - tilt epsilon}: it must stay below delta.
    const double magnified = run.at(tilt).value - tilt * plan.epsilon - plan.log_delta;
    const double penalty = std::max(0.0, magnified + std::log(copies) - kRoundOff);
    const auto [below, below_s] = smallest(down, [&](const Exponent& e) {
      return (e.value - e.s * plan.top - log_tolerance) / (tilt - e.s);
    });
    const auto [above, above_s] = smallest(up, [&](const Exponent& e) {
      if (e.s <= tilt * 1.001) return kInfinity;
      return (e.value - e.s * plan.epsilon - log_tolerance) / (e.s - tilt);
    });
    const double window = std::max({below, above, (plan.top - plan.epsilon) * 1.02});
    if (penalty < best_penalty || (penalty == best_penalty && window < plan.window)) {
      best_penalty = penalty;
      plan.window = window;
      plan.tilt = tilt;
      best_up = above_s;
      best_down = below_s;
    }
  }
  plan.up.push_back(best_up);
  plan.up.push_back(plan.saddle);
  plan.down = {best_down, 0.0};

  // Splitting adds T v to the variance of the loss and lumping takes about half of that away; either
  // moves epsilon by (s + 1)/2 times it.
  const double slack = goal.epsilon_given
                           ? 0.7 * effort.width / std::max(plan.saddle, 1.0)
                           : 0.7 * effort.width * std::max(plan.epsilon, 1e-12);
  std::vector<double> log_moments;
  for (const auto& nodes : run.nodes()) log_moments.push_back(cumulants(nodes, plan.saddle).value);
  for (std::size_t i = 0; i < run.nodes().size(); ++i) {
    const double log_lower =
        log_moments[i] - std::log(copies) + std::log(std::min(1.0, plan.saddle * slack)) - 7;
    plan.ranges.push_back(
        relevant(run.nodes()[i], direction, plan.saddle, log_lower));
  }
  int log2_grid = 10;
  for (; log2_grid < effort.log2_grid_limit; ++log2_grid) {
    const double spacing = std::ldexp(plan.window, -log2_grid);
    double variance = 0;
    for (std::size_t i = 0; i < run.nodes().size(); ++i) {
      variance +=
          run.copies()[i] * dither(run.nodes()[i], plan.saddle, log_moments[i], spacing);
    }
    if (0.75 * (plan.saddle + 1) * variance <= slack) break;
  }
  plan.grid = std::size_t{1} << log2_grid;
  return plan;
}

}  // namespace honest_epsilon::pld
