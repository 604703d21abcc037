#include "core/tradeoff/selection.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/rounding.h"
#include "core/math/root.h"

namespace honest_epsilon::tradeoff {
namespace {

/// phi'(x) and phi'(w(x)) at the end of a cell: at most and at least, as in selection.h.
struct CellEnd {
  double most;
  double least;
};

/// A line above y -> 1 - w(1 - y), the largest Q of an event with P = y.
struct LineAbove {
  double at_zero;
  double slope;
  double at(double y) const { return at_zero + slope * y; }
};

std::vector<LineAbove> lines_of(const TradeOffCurve& curve) {
  constexpr double kUp = 1 + 8 * kUnit;
  std::vector<LineAbove> lines = {{1, 0}};
  for (const Support& s : curve.lower_supports()) {
    const double slope = std::exp(s.epsilon) * kUp;
    const double base = s.epsilon >= 0 ? s.delta : -std::expm1(s.epsilon) + slope * s.delta;
    lines.push_back({base * kUp + kTiny, slope});
  }
  return lines;
}

const LineAbove& lowest_at(const std::vector<LineAbove>& lines, double y) {
  return *std::min_element(lines.begin(), lines.end(), [y](const LineAbove& a, const LineAbove& b) {
    return a.at(y) < b.at(y);
  });
}

/// Both ends of a cell of y = 1 - x. phi'(1 - y) is convex, and at most its chord; any line u above
/// 1 - w makes phi'(w) >= phi'(1 - u(y)), which is convex too, and at least its tangent. So their
/// difference is at most a line over the cell, whatever t: largest at an end.
void add_cell(const NumberOfRuns& runs, const std::vector<LineAbove>& lines, double from, double to,
              std::vector<CellEnd>& ends) {
  const double middle = 0.5 * (from + to);
  const LineAbove& line = lowest_at(lines, middle);
  const double height = line.at(middle) * (1 + 4 * kUnit);
  const double value = runs.slope(height);
  const double fall = runs.decay(height) * line.slope * (to - middle);
  const double rounding = 4 * NumberOfRuns::kRounding * value * (1 + fall);
  const auto up = [&](double y) { return runs.slope(y) * (1 + NumberOfRuns::kRounding) + kTiny; };
  ends.push_back({up(from), value * (1 + fall) - rounding - kTiny});
  ends.push_back({up(to), value * (1 - fall) - rounding - kTiny});
}

std::vector<CellEnd> cell_ends(const NumberOfRuns& runs, const std::vector<LineAbove>& lines) {
  constexpr double kFirst = 1e-20;
  const double ratio = 1 + runs.fineness();
  std::vector<CellEnd> ends;
  add_cell(runs, lines, 0, kFirst, ends);
  for (double y = kFirst; y < 1;) {
    const double next = std::min(1.0, y * ratio);
    add_cell(runs, lines, y, next, ends);
    y = next;
  }
  return ends;
}

/// G(t), rounded up.
double supremum(const std::vector<CellEnd>& ends, double t) {
  double most = 0;
  for (const CellEnd& end : ends) {
    const double least = t * end.least;
    most = std::max(most, end.most - least + 4 * kUnit * (end.most + std::abs(least)));
  }
  return most;
}

struct ChordEnd {
  double t;
  double log_t;
  double value;
};

double slope_between(const ChordEnd& a, const ChordEnd& b) {
  return (b.value - a.value) / (b.t - a.t);
}

/// Adds a node to the lower hull of those before it. Hull nodes are values above G, so that the
/// chord between any two of them is above G, too.
void add_to_hull(std::vector<ChordEnd>& hull, const ChordEnd& node) {
  while (hull.size() > 1 &&
         slope_between(hull[hull.size() - 2], hull.back()) >= slope_between(hull.back(), node))
    hull.pop_back();
  hull.push_back(node);
}

/// log t from where G(t) = 0, about.
double log_end(const std::vector<CellEnd>& ends) {
  double most = 0;
  for (const CellEnd& end : ends) {
    if (!(end.most > 0)) continue;
    most = std::max(most, end.least > 0 ? std::log(end.most / end.least) : kInfinity);
  }
  return most;
}

/// The chord polygon above G.   farthest: the run's largest loss, about.
std::vector<ChordEnd> hull_of(const std::vector<CellEnd>& ends, double farthest, double mean) {
  // Losses are as large as hundreds only where epsilon is, too.
  constexpr double kStep = 0.03, kMostSteps = 6000, kNothing = 1e-25, kMost = 700;
  const double step = std::max(kStep, 2 * (farthest + 1) / kMostSteps);
  const double end = std::min(kMost, log_end(ends));
  std::vector<ChordEnd> hull = {{0, -kInfinity, mean * (1 + NumberOfRuns::kRounding)}};
  for (double log_t = -farthest - 1; hull.back().value > kNothing * mean; log_t += step) {
    const double here = std::min(log_t, end);
    const double t = std::exp(here);
    add_to_hull(hull, {t, here, supremum(ends, t)});
    if (here == end) break;
  }
  return hull;
}

/// 10^-decades to 1, evenly in the logarithm.
std::vector<double> decades(int count, int per_decade) {
  std::vector<double> values;
  for (int i = count * per_decade; i >= 0; --i)
    values.push_back(std::exp(-std::numbers::ln10 * i / per_decade));
  return values;
}

}  // namespace

NumberOfRuns NumberOfRuns::poisson(double mean) {
  NumberOfRuns runs;
  runs.mean_ = mean;
  return runs;
}

NumberOfRuns NumberOfRuns::negative_binomial(double eta, double gamma) {
  NumberOfRuns runs;
  runs.is_poisson_ = false;
  runs.eta_ = eta;
  runs.gamma_ = gamma;
  const double log_gamma = std::log(gamma);
  const double share = eta == 0 ? -1 / log_gamma : eta / -std::expm1(eta * log_gamma);
  runs.mean_ = (1 - gamma) / gamma * share;
  return runs;
}

double NumberOfRuns::some() const {
  return is_poisson_ ? -std::expm1(-mean_) : 1;
}

double NumberOfRuns::slope(double y) const {
  if (is_poisson_) return mean_ * std::exp(-mean_ * y);
  return mean_ * std::exp(-(eta_ + 1) * std::log1p((1 - gamma_) / gamma_ * y));
}

double NumberOfRuns::decay(double y) const {
  if (is_poisson_) return mean_;
  return (eta_ + 1) * (1 - gamma_) / (gamma_ + (1 - gamma_) * y);
}

double NumberOfRuns::between(double c, double a) const {
  if (is_poisson_) return std::exp(-mean_ * c) * -std::expm1(-mean_ * a);
  // phi(1 - c) = (D^-eta - 1) / (gamma^-eta - 1) with D = gamma + (1 - gamma) c.
  const double log_gamma = std::log(gamma_);
  const double start = gamma_ + (1 - gamma_) * c;
  const double step = std::log1p((1 - gamma_) * a / start);
  if (eta_ == 0) return step / -log_gamma;
  const double scale = std::exp(-eta_ * std::log1p((1 - gamma_) / gamma_ * c));
  // (D / gamma)^-eta (1 - e^(-eta step)) / (1 - gamma^eta)
  return scale * std::expm1(-eta_ * step) / std::expm1(eta_ * log_gamma);
}

double NumberOfRuns::fineness() const {
  return 0.02 / (1 + 0.125 * (is_poisson_ ? 1 : eta_ + 1));
}

double gamma_of_mean(double eta, double mean) {
  // It falls with gamma.
  const auto exceeds = [&](double log_gamma) {
    return NumberOfRuns::negative_binomial(eta, std::exp(log_gamma)).mean() > mean;
  };
  return std::exp(bisect({-40, -1e-16}, {200, 0, 1e-16}, exceeds).low);
}

Selection::Selection(const TradeOffCurve& curve, const NumberOfRuns& runs)
    : curve_(curve), other_(exchanged(curve.knots())), runs_(runs) {
  remove_ = side(Direction::remove);
  add_ = side(Direction::add);
}

const Selection::OneDirection& Selection::of(Direction direction) const {
  return direction == Direction::remove ? remove_ : add_;
}

Selection::OneDirection Selection::side(Direction direction) const {
  const bool remove = direction == Direction::remove;
  const std::vector<CellEnd> ends = cell_ends(runs_, lines_of(remove ? other_ : curve_));
  const std::vector<ChordEnd> hull = hull_of(ends, curve_.knots().back().epsilon, runs_.mean());
  OneDirection result;
  result.rest = hull.back().value;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const double before = slope_between(hull[i - 1], hull[i]);
    const double after = i + 1 < hull.size() ? slope_between(hull[i], hull[i + 1]) : 0;
    result.bends.push_back({std::max(0.0, after - before) * hull[i].t, hull[i].log_t});
  }
  result.attacks = attacks(remove ? curve_ : other_);
  return result;
}

std::vector<Selection::Attack> Selection::attacks(const TradeOffCurve& curve) const {
  struct Last {
    double c;
    double missed;  ///< P(C) at most, where Q(C) = c
  };
  std::vector<Last> lasts;
  const auto append = [&](double c) {
    lasts.push_back({c, curve.false_negative_rate(1 - c).upper});
  };
  append(0);
  for (const double c : decades(6, 20)) append(c);
  constexpr double kDown = 1 - NumberOfRuns::kRounding, kUp = 1 + NumberOfRuns::kRounding;
  std::vector<Attack> list;
  for (const double a : decades(18, 8)) {
    const double power = curve.true_positive_rate(a).lower;
    for (const Last& last : lasts) {
      if (a + last.c > 1) break;
      const double missed = std::min(last.missed, 1 - power);
      list.push_back(
          {runs_.between(missed, power) * kDown - kTiny, runs_.between(last.c, a) * kUp + kTiny});
    }
  }
  return list;
}

double Selection::run_delta_upper(Direction direction, double epsilon) const {
  if (epsilon >= 0) return curve_.delta(direction, epsilon).upper;
  // sup P(E) - e^eps Q(E) = 1 - e^eps + e^eps sup(Q(E) - e^-eps P(E))
  const double other = curve_.delta(opposite(direction), -epsilon).upper;
  return (-std::expm1(epsilon) + std::exp(epsilon) * other) * (1 + 8 * kUnit);
}

double Selection::delta_upper(Direction direction, double epsilon) const {
  const OneDirection& side = of(direction);
  double total = side.rest;
  for (const Bend& bend : side.bends) {
    const double rounding = 4 * kUnit * (epsilon + std::abs(bend.log_t));
    total += bend.weight * run_delta_upper(direction, epsilon - bend.log_t - rounding);
  }
  // A bend times t rounds by 40 units of the node's value v, for nodes are 3 % apart, and the total
  // is at least v delta_run(eps - log t), since G falls. There are at most 30,000 nodes.
  return std::min(1.0, total * (1 + (40 * 3e4 * kUnit) + 2 * NumberOfRuns::kRounding));
}

double Selection::delta_lower(Direction direction, double epsilon) const {
  double most =
      runs_.some() * (1 - NumberOfRuns::kRounding) * curve_.delta(direction, epsilon).lower;
  const double scale = std::exp(epsilon) * (1 + 8 * kUnit * (1 + epsilon));
  for (const Attack& attack : of(direction).attacks)
    most = std::max(most, attack.power - scale * attack.rate);
  return most * (1 - 4 * kUnit);
}

Interval Selection::delta(Direction direction, double epsilon) const {
  return {delta_lower(direction, epsilon), delta_upper(direction, epsilon)};
}

Interval Selection::epsilon(Direction direction, double target) const {
  constexpr double kFarthest = 1e4;
  const auto enclosed = [](const auto& above) {
    double low = 0, high = 1;
    while (high < kFarthest && above(high)) low = std::exchange(high, 2 * high);
    if (high >= kFarthest) return Bracket{low, kInfinity};
    return bisect({low, high}, {60, 1e-12}, above);
  };
  const auto too_much = [&](double e) { return delta_upper(direction, e) > target; };
  const auto attacked = [&](double e) { return delta_lower(direction, e) > target; };
  Interval result{0, 0};
  if (too_much(0)) result.upper = enclosed(too_much).high;
  if (attacked(0)) result.lower = enclosed(attacked).low;
  return result;
}

}  // namespace honest_epsilon::tradeoff
