#include "core/pld/profile.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rounding.h"
#include "core/pld/compose.h"
#include "core/pld/plan.h"

namespace honest_epsilon::pld {
namespace {

/// One side of a run's profile: the payoff summed over the window, and what the window misses.
class Curve {
 public:
  Curve(TiltedSum sum, double sign) : sum_(std::move(sum)), sign_(sign) {}

  /// sum over points above eps of (mass +- error) (1 - e^{eps - point}), rounding included.
  double payoff(double epsilon) const {
    double total = 0;
    for (std::size_t i = sum_.value.size(); i-- > 0;) {
      const double point = sum_.point(i);
      if (point <= epsilon) break;
      const double mass = std::max(0.0, sum_.value[i] + sign_ * sum_.error);
      if (mass == 0) continue;
      total += mass * std::exp(sum_.log_scale - sum_.tilt * point) * -std::expm1(epsilon - point);
    }
    return std::max(0.0, total * (1 + sign_ * margin(epsilon)));
  }

  double top() const { return sum_.point(sum_.value.size() - 1) + sum_.spacing; }
  double window() const { return static_cast<double>(sum_.value.size()) * sum_.spacing; }
  double bottom() const { return sum_.point(0); }
  double tilt() const { return sum_.tilt; }

 private:
  /// Relative rounding of a sum of positive terms, of their exponents and of the tilted masses.
  double margin(double epsilon) const {
    const double exponents =
        std::abs(sum_.log_scale) + sum_.tilt * (std::abs(epsilon) + std::abs(top()));
    const double terms = static_cast<double>(sum_.value.size());
    // A point's own rounding moves the payoff 1 - e^{eps - point} by one part in (tilt spacing).
    return sum_.relative * 1.01 +
           kUnit * (terms + 4 * exponents + 16 + (std::abs(epsilon) + std::abs(top())) * (sum_.tilt + 2) * 4);
  }

  TiltedSum sum_;
  double sign_;
};

/// log of the run's moment e^{s L} under a law.
double log_moment_of(const std::vector<Steps>& steps, bool upper, double s) {
  double total = 0;
  for (const Steps& step : steps) {
    const double moment = log_moment(upper ? step.upper : step.lower, s);
    const double n = static_cast<double>(step.copies);
    // The rounding of the moment, n times.
    total += n * moment + n * 1e-15 * (1 + std::abs(moment)) * 8;
  }
  return total;
}

/// Everything computed from one plan on one grid.
class Profile {
 public:
  Profile(const std::vector<Component>& components, Direction direction, const Plan& plan,
          std::size_t grid)
      : plan_(plan), steps_(discretised(components, direction, plan, grid)) {
    TiltedPair pair = compose(steps_, plan.tilt, plan.top - plan.window, grid);
    upper_.emplace_back(std::move(pair.upper), +1);
    lower_.emplace_back(std::move(pair.lower), -1);
    for (const double s : plan.up) up_.push_back({s, upper_moment(s), lower_moment(s)});
    for (const double s : plan.down) down_.push_back({s, 0, lower_moment(s)});
    double survives = 0;
    for (const Steps& step : steps_)
      survives += static_cast<double>(step.copies) * std::log1p(-std::min(1.0, step.upper.infinite));
    infinite_ = -std::expm1(survives) * (1 + 1e-12);
    above_top_ = 1;
    for (const Moment& m : up_)
      above_top_ = std::min(above_top_, std::exp(m.upper - m.s * upper_[0].top()) * (1 + 1e-9));
  }

  double upper(double epsilon) const {
    double value = infinite_ + kTiny;
    if (epsilon >= upper_[0].bottom()) {
      value += upper_[0].payoff(epsilon) + above_top_;
    } else {
      value = 1;
    }
    return std::min({1.0, value, chernoff(epsilon)});
  }

  double lower(double epsilon) const {
    if (epsilon < lower_[0].bottom()) return lower(lower_[0].bottom());
    return std::clamp(lower_[0].payoff(epsilon) - wrapped(epsilon), 0.0, 1.0);
  }

 private:
  struct Moment {
    double s;
    double upper;
    double lower;
  };

  static std::vector<Steps> discretised(const std::vector<Component>& components,
                                        Direction direction, const Plan& plan, std::size_t grid) {
    const double spacing = plan.window / static_cast<double>(grid);
    std::vector<Steps> steps;
    for (std::size_t i = 0; i < components.size(); ++i) {
      const Component& component = components[i];
      if (component.copies == 0) continue;
      steps.push_back({component.source->upper(direction, spacing, plan.ranges[i]),
                       component.source->lower(direction, spacing, plan.ranges[i], plan.saddle),
                       component.copies});
    }
    return steps;
  }

  double upper_moment(double s) const { return log_moment_of(steps_, true, s); }
  double lower_moment(double s) const { return log_moment_of(steps_, false, s); }

  /// E[(1 - e^{eps - L})+] <= E[e^{s (L - eps)}] s^s / (1 + s)^(1 + s), the largest value of
  /// (1 - e^-x) e^{-s x}. Cite: [CKS20, Prop 12].
  double chernoff(double epsilon) const {
    double best = 1;
    for (const Moment& m : up_) {
      if (m.s <= 0) continue;
      const double log_bound = m.upper - m.s * epsilon + m.s * std::log(m.s) - (1 + m.s) * std::log1p(m.s);
      best = std::min(best, std::exp(log_bound) * (1 + 1e-9) + infinite_ + kTiny);
    }
    return best;
  }

  /// Mass of the lower law that wrapped round into (eps, top).
  double wrapped(double epsilon) const {
    const double window = lower_[0].window();
    const double tilt = lower_[0].tilt();
    // From below: e^{-tilt r W} P(L < top - r W), r = 1, 2, ...
    double below = kInfinity;
    for (const Moment& m : down_) {
      const double ratio = std::exp(-(tilt - m.s) * window);
      if (ratio >= 1) continue;
      below = std::min(below, std::exp(-tilt * window + m.lower - m.s * (lower_[0].top() - window)) /
                                  (1 - ratio));
    }
    // From above: e^{tilt r W} P(L >= eps + r W).
    double above = kInfinity;
    for (const Moment& m : up_) {
      if (m.s <= tilt) continue;
      const double ratio = std::exp(-(m.s - tilt) * window);
      if (ratio >= 1) continue;
      above = std::min(above, std::exp(tilt * window + m.lower - m.s * (epsilon + window)) / (1 - ratio));
    }
    return (below + above) * (1 + 1e-9);
  }

  const Plan& plan_;
  std::vector<Steps> steps_;
  std::vector<Curve> upper_;
  std::vector<Curve> lower_;
  std::vector<Moment> up_;
  std::vector<Moment> down_;
  double infinite_ = 0;
  double above_top_ = 0;
};

/// eps interval from one profile: the smallest eps proved sufficient, the largest proved necessary.
Interval invert(const Profile& profile, const Plan& plan, double target) {
  const double scale = 1 / std::max(plan.saddle, 1e-6);
  // Where f(eps) > 0 for small eps and <= 0 for large ones: bisect on a bracket grown from the plan.
  const auto crossing = [&](auto positive) {
    double low = 0;
    double high = std::max(plan.epsilon, 1e-12);
    double step = 0.05 * scale;
    if (positive(high)) {
      while (positive(high)) {
        low = high;
        high += step;
        step *= 2;
        if (high > 1e15) return Interval{low, kInfinity};
      }
    } else {
      while (high > 0) {
        const double probe = std::max(0.0, high - step);
        if (positive(probe)) {
          low = probe;
          break;
        }
        high = probe;
        step *= 2;
      }
    }
    for (int i = 0; i < 60 && high - low > 1e-7 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (positive(middle) ? low : high) = middle;
    }
    return Interval{low, high};
  };
  const double upper = crossing([&](double e) { return profile.upper(e) > target; }).upper;
  const double lower = crossing([&](double e) { return profile.lower(e) >= target; }).lower;
  return {std::min(lower, upper), upper};
}

bool narrow(const Interval& value, double width) {
  return value.upper - value.lower <= width * value.upper;
}

/// Refines until the answer is narrow or the grid limit is reached. Every grid's interval is proved,
/// so their intersection is.
template <class Ask>
Result refine(const std::vector<Component>& components, Direction direction, Goal goal,
              const Effort& effort, Interval widest, double enough, Ask ask) {
  Plan plan = make_plan(components, direction, goal, effort);
  Result result{widest, 0, false};
  bool replanned = false;
  for (std::size_t grid = plan.grid;; grid *= 4) {
    const Profile profile(components, direction, plan, grid);
    result.value = intersect(result.value, ask(profile, plan));
    result.grid_points = static_cast<std::int64_t>(grid);
    if (narrow(result.value, effort.width) || result.value.upper - result.value.lower <= enough)
      return result;
    // What truncation may cost was set by a guess at delta; a guess far too large is mended once.
    if (goal.epsilon_given && !replanned && std::log(result.value.upper) < plan.log_delta - 1) {
      plan = make_plan(components, direction, goal, effort, std::log(result.value.upper));
      replanned = true;
      grid = std::min(grid, plan.grid) / 4;
      continue;
    }
    if (grid >> (effort.log2_grid_limit - 2)) {
      result.limited = true;
      return result;
    }
  }
}

double highest(const std::vector<Component>& components, Direction direction) {
  double total = 0;
  for (const Component& c : components) {
    if (c.copies > 0) total += static_cast<double>(c.copies) * c.source->highest_loss(direction);
  }
  return total;
}

}  // namespace

Result delta(const std::vector<Component>& components, Direction direction, double epsilon,
             const Effort& effort) {
  const double most = highest(components, direction);
  if (epsilon > most * (1 + 1e-12)) return {{0, 0}, 0, false};
  return refine(components, direction, {true, epsilon}, effort, {0, 1}, 0,
                [&](const Profile& profile, const Plan&) {
                  return Interval{profile.lower(epsilon), profile.upper(epsilon)};
                });
}

Result epsilon(const std::vector<Component>& components, Direction direction, double target,
               const Effort& effort) {
  const double most = highest(components, direction) * (1 + 1e-12);
  // A thousandth relative, or a ten-thousandth absolute, at the default width.
  return refine(components, direction, {false, target}, effort, {0, most}, 0.1 * effort.width,
                [&](const Profile& profile, const Plan& plan) { return invert(profile, plan, target); });
}

}  // namespace honest_epsilon::pld
