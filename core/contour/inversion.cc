#include "core/contour/inversion.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"

namespace honest_epsilon::contour {
namespace {

bool is_narrow(const Interval& delta) {
  return delta.upper - delta.lower <= 5 * kRelativeWidth * delta.upper;
}

/// Where the line's delta is the target, by Newton's method on log delta, which is nearly straight.
struct Root {
  double epsilon;
  double log_slope;  ///< d log delta / d epsilon there
};

Root root_of(const Line& line, double log_target, double guess) {
  Root root{guess, -1};
  for (int i = 0; i < 12; ++i) {
    const Line::Estimate at = line.estimate(root.epsilon);
    if (!(at.delta > 0 && at.log_slope < 0)) break;
    root.log_slope = at.log_slope;
    const double next =
        std::max(0.0, root.epsilon + (log_target - std::log(at.delta)) / at.log_slope);
    const bool settled = std::abs(next - root.epsilon) <= 1e-14 * (1 + next);
    root.epsilon = next;
    if (settled) break;
  }
  return root;
}

/// The two epsilons next to the root at which the line proves its delta on either side.
std::optional<Interval> enclosed(const Line& line, double target, const Root& root) {
  if (line.delta(0).upper <= target) return Interval{0, 0};
  const Interval here = line.delta(root.epsilon);
  const double first = 2 * (here.upper - here.lower) / (target * std::abs(root.log_slope)) +
                       4 * kUnit * root.epsilon + kTiny;
  constexpr int kDoublings = 8;
  double high = root.epsilon + first, low = root.epsilon - first;
  double step = first;
  for (int i = 0; line.delta(high).upper > target; ++i, step *= 2, high += step) {
    if (i == kDoublings) return std::nullopt;
  }
  step = first;
  for (int i = 0; low > 0 && line.delta(low).lower < target; ++i, step *= 2, low -= step) {
    if (i == kDoublings) return std::nullopt;
  }
  return Interval{std::max(0.0, low), high};
}

}  // namespace

std::optional<Interval> Inversion::delta(double epsilon) {
  double largest = 0;
  for (const Component& c : components_) largest += c.copies * c.moments->largest_loss(direction_);
  if (epsilon >= largest * (1 + 16 * kUnit)) return Interval{0, 0};
  for (const Line& line : lines_) {
    const Interval found = line.delta(epsilon);
    if (is_narrow(found)) return found;
  }
  Goal goal = goal_at_epsilon(components_, direction_, epsilon);
  std::optional<Interval> result;
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto line = Line::make(components_, direction_, goal);
    if (!line) break;
    const Interval found = line->delta(epsilon);
    lines_.push_back(std::move(*line));
    result = result ? intersect(*result, found) : found;
    if (is_narrow(*result)) break;
    // The guess of delta was too large, and with it what was left out.
    const double log_delta = std::log(std::max(result->upper, kTiny)) - 1;
    if (!(log_delta < goal.log_delta)) break;
    goal.log_delta = log_delta;
  }
  return result;
}

std::optional<Interval> Inversion::epsilon(double target) {
  const double log_target = std::log(target);
  Goal goal = goal_at_delta(components_, direction_, target);
  constexpr int kLines = 4;
  for (int attempt = 1; attempt <= kLines; ++attempt) {
    const auto line = Line::make(components_, direction_, goal);
    if (!line) return std::nullopt;
    const Root root = root_of(*line, log_target, goal.epsilon);
    // A line serves some e-foldings of delta beside its goal.
    const bool far = std::abs((root.epsilon - goal.epsilon) * root.log_slope) > 2;
    if (!far || attempt == kLines) return enclosed(*line, target, root);
    goal.epsilon = root.epsilon;
  }
  return std::nullopt;
}

}  // namespace honest_epsilon::contour
