#include "core/samplers/shuffle_event.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/pld/compose.h"
#include "core/samplers/shuffle_statistic.h"
#include "core/samplers/shuffle_threshold.h"

namespace honest_epsilon::shuffle {
namespace {

/// Where a tail is negligible, and the exponent of Chernoff's bound that shows it.
struct Edge {
  double at;
  double exponent;
};

/// What of the tilted sum is looked at.
struct Window {
  double tilt;
  Edge low;
  Edge high;
  double length() const { return high.at - low.at; }
};

/// Cumulants of the other coordinates' sum of w, by quadrature: for planning, never in a bound.
class Plan {
 public:
  Plan(const Statistic& statistic, double copies, double cut_z) : copies_(copies) {
    const double h = 0.1 * std::min(1.0, 1 / statistic.mu);
    for (double z = cut_z - 0.5 * h; z > -10; z -= h) {
      w_.push_back(statistic.at(z));
      weight_.push_back(normal::pdf(z) * h);
    }
    double mean = 0;
    double square = 0;
    for (std::size_t i = 0; i < w_.size(); ++i) {
      mean += weight_[i] * w_[i];
      square += weight_[i] * w_[i] * w_[i];
      reach_ = std::max(reach_, std::abs(w_[i]));
    }
    rate_ = 1 / std::sqrt(copies * std::max(square, 1e-300));
    mean_ = copies * mean;
  }

  double log_moment(double s) const {
    double largest = 0;
    for (const double w : w_) largest = std::max(largest, s * w);
    double sum = 0;
    for (std::size_t i = 0; i < w_.size(); ++i) sum += weight_[i] * std::exp(s * w_[i] - largest);
    return copies_ * (largest + std::log(sum));
  }

  /// Exponents worth trying, of one sign: where the sum spreads, and where a single large term
  /// does.
  std::vector<double> rates(double sign) const {
    std::vector<double> s;
    for (int k = -12; k <= 20; ++k) s.push_back(sign * rate_ * std::exp2(0.5 * k));
    for (double rate = rate_ / 128; rate > 0.25 / reach_; rate /= 2) s.push_back(sign * rate);
    return s;
  }

  /// Where the tail under tilt has fallen to e^-log: above for sign +1, below for -1.
  Edge edge(double tilt, double sign, double log) const {
    const double base = log_moment(tilt);
    Edge best{sign * kInfinity, tilt};
    for (const double s : rates(sign)) {
      const double at = (log_moment(tilt + s) - base + log) / s;
      if (sign * at < sign * best.at) best = {at, tilt + s};
    }
    return best;
  }

  /// The tilt at which the sum's mean is zero, if it is negative without one.
  double balance() const {
    if (mean_ >= 0) return 0;
    double low = 0;
    double high = rate_;
    const auto slope = [&](double s) { return log_moment(s * 1.001) - log_moment(s * 0.999); };
    while (slope(high) < 0 && high < 1e6 * rate_) high *= 2;
    for (int i = 0; i < 30; ++i) {
      const double middle = 0.5 * (low + high);
      (slope(middle) < 0 ? low : high) = middle;
    }
    return low;
  }

 private:
  double copies_;
  std::vector<double> w_;
  std::vector<double> weight_;
  double rate_ = 1;
  double reach_ = 0.25;  ///< the largest |w|
  double mean_ = 0;
};

/// Bounds of Pr[sum of the other coordinates' w >= y], for y on the lattice.
class Survival {
 public:
  Survival(const Cells& cells, double sign, std::int64_t copies, const Window& window,
           std::size_t grid) {
    const double tilt = window.tilt;
    pld::LatticeSteps step;
    step.copies = copies;
    for (const bool up : {true, false}) {
      pld::LatticeLaw& law = up ? step.upper : step.lower;
      law.spacing = cells.spacing;
      law.first = cells.first;
      law.mass = up ? cells.shifted[0].high : cells.shifted[0].low;
      if (sign < 0) law = pld::mirrored(std::move(law));
    }
    const pld::TiltedPair sums = pld::compose({step}, tilt, window.low.at, grid);
    first_ = sums.upper.first;
    upper_ = suffix(sums.upper, +1);
    lower_ = suffix(sums.lower, -1);

    // Chernoff for what lies outside the window, unless the terms reach no farther.
    const double bottom = sums.upper.point(0);
    const double top = sums.upper.point(grid);
    const auto n = static_cast<double>(copies);
    const bool none_above = n * step.upper.point(step.upper.mass.size() - 1) < top;
    const bool none_below = n * step.upper.point(0) >= bottom;
    const auto moment = [&](double exponent) {
      return pld::log_moment_upper(step.upper, exponent, copies);
    };
    const double whole = moment(tilt);
    const double up = window.high.exponent;
    const double down = window.low.exponent;
    if (!none_above) {
      const double above = chernoff(moment(up), up, top);
      for (double& p : upper_) p += above;
    }
    // The tilted mass that comes back into the window, in units of e^whole.
    double wrapped = 0;
    if (!none_above) wrapped += chernoff(moment(up) - whole, up - tilt, top);
    if (!none_below) wrapped += chernoff(moment(down) - whole, tilt - down, -bottom);
    for (std::size_t i = grid; i-- > 0 && wrapped > 0;) {
      const double lift = tilt * sums.lower.point(i);
      const double charge = wrapped * rounded_up_exp(whole - lift, whole + std::abs(lift));
      lower_[i] = std::max(lower_[i + 1], lower_[i] - charge);
    }
  }

  double upper(std::int64_t y) const { return y < first_ ? 1 : std::min(1.0, upper_[place(y)]); }
  double lower(std::int64_t y) const { return lower_[place(y)]; }

 private:
  std::size_t place(std::int64_t y) const {
    const auto last = static_cast<std::int64_t>(upper_.size()) - 1;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(y - first_, 0, last));
  }

  /// e^x, x the difference of numbers as large as `size`.
  static double rounded_up_exp(double x, double size) {
    return std::exp(x + 8 * kUnit * (1 + std::abs(size)));
  }

  /// E[e^{s X}] >= e^{s a} Pr[X >= a].
  static double chernoff(double log_moment, double s, double a) {
    if (!(s > 0) || log_moment >= s * a) return 1;
    return rounded_up_exp(log_moment - s * a, std::abs(log_moment) + std::abs(s * a));
  }

  static std::vector<double> suffix(const pld::TiltedSum& sum, double sign) {
    std::vector<double> result(sum.value.size() + 1, 0.0);
    const double relative =
        1.01 * sum.relative +
        kUnit * (static_cast<double>(sum.value.size()) + 16 +
                 4 * (std::abs(sum.log_scale) +
                      sum.tilt * (std::abs(sum.point(0)) + std::abs(sum.point(sum.value.size())))));
    double total = 0;
    for (std::size_t i = sum.value.size(); i-- > 0;) {
      const double mass = std::max(0.0, sum.value[i] + sign * sum.error);
      if (mass > 0) total += mass * std::exp(sum.log_scale - sum.tilt * sum.point(i));
      result[i] = std::max(0.0, total * (1 + sign * relative));
    }
    return result;
  }

  std::int64_t first_ = 0;  ///< where the window starts; below it nothing is known
  std::vector<double> upper_;
  std::vector<double> lower_;
};

/// The events "the cells' sum is at least y". All of them are events, so that the cells, which put
/// most coordinates at 0, need not be fine: the best y makes up for what they round away.
class Events {
 public:
  Events(const Cells& cells, const Survival& survival, bool remove, double epsilon, double apart)
      : first_(cells.first),
        sign_(remove ? 1 : -1),
        gains_(&cells.shifted[remove ? 2 : 1]),
        costs_(&cells.shifted[remove ? 1 : 2]),
        survival_(&survival),
        scale_(std::exp(epsilon) * (1 + 4 * kUnit)),
        apart_(apart) {}

  /// Pr[event] of the one law less e^eps Pr[event] of the other, from below.
  double value(std::int64_t y) const {
    double gain = 0;
    double cost = 0;
    for (std::size_t i = 0; i < gains_->low.size(); ++i) {
      const std::int64_t others = y - sign_ * (first_ + static_cast<std::int64_t>(i));
      gain += gains_->low[i] * survival_->lower(others);
      cost += costs_->high[i] * survival_->upper(others);
    }
    constexpr double kRounding = 1e-11;  // of two sums of at most kMostCells products
    return apart_ + gain * (1 - kRounding) - scale_ * cost * (1 + kRounding);
  }

  /// How far round-off and the window's ends have lowered the value.
  double open(std::int64_t y) const {
    double sum = 0;
    for (std::size_t i = 0; i < gains_->low.size(); ++i) {
      const std::int64_t others = y - sign_ * (first_ + static_cast<std::int64_t>(i));
      sum += (gains_->low[i] + scale_ * costs_->high[i]) *
             (survival_->upper(others) - survival_->lower(others));
    }
    return sum;
  }

  /// The y of a large value: ever farther from 0 both ways, then in steps that shrink around the
  /// largest.
  std::int64_t best(std::int64_t low, std::int64_t high) const {
    std::int64_t top = 0;
    double largest = value(top);
    const auto consider = [&](std::int64_t y) {
      if (y < low || y > high) return;
      const double here = value(y);
      if (!(here > largest)) return;
      largest = here;
      top = y;
    };
    for (std::int64_t y = 1; y <= std::max(-low, high); y += (y + 1) / 2) {
      consider(y);
      consider(-y);
    }
    for (std::int64_t step = std::abs(top) / 2; step > 1;) {
      step = (step + 2) / 4;
      const std::int64_t centre = top;
      for (std::int64_t k = -4; k <= 4; ++k) consider(centre + k * step);
    }
    return top;
  }

 private:
  std::int64_t first_;
  std::int64_t sign_;
  const Masses* gains_;
  const Masses* costs_;
  const Survival* survival_;
  double scale_;
  double apart_;
};

constexpr double kFineCell = 0.02;
constexpr double kFairCell = 0.2;
constexpr double kCoarsestCell = 64;
constexpr double kFairGrid = 16384;  ///< as long as its cells are fair
constexpr double kMostGrid = 65536;
constexpr std::size_t kLeastGrid = 1024;
constexpr double kMostLogRatio = 300;  ///< of v, whose square must not overflow

/// log of the probability that windows and cuts neglect (and charge).
constexpr double kNeglected = 34;

}  // namespace

double event_lower(double batches, double mu, double epsilon, bool remove) {
  if (!(epsilon < 300) || mu > kLargestEventShift) return 0;
  const Statistic statistic(mu, epsilon, remove);
  const auto copies = static_cast<std::int64_t>(batches) - 1;
  const auto others = static_cast<double>(copies);
  // A coordinate so large that it decides the event alone is cut off; so is one that never happens.
  double cut_z = 2 * mu + 9;
  Plan plan(statistic, others, cut_z);
  const double decisive =
      remove ? -plan.edge(0, -1, kNeglected).at : plan.edge(0, +1, kNeglected).at;
  const double never = std::exp(std::min(mu * cut_z - statistic.offset, kMostLogRatio));
  const double largest = std::min(std::max(decisive, 0.25), never * (never - 1));
  if (!(largest > 0) || !(largest / kMostCells < kCoarsestCell)) return 0;
  cut_z = statistic.z_of(0.5 * (1 + std::sqrt(1 + 4 * largest)));
  plan = Plan(statistic, others, cut_z);

  const double apart = remove ? threshold_value(batches, mu, epsilon, true, 1, cut_z) : 0;
  const double balance = plan.balance();
  const auto window = [&](double tilt) {
    Window w{tilt, plan.edge(tilt, -1, kNeglected), plan.edge(tilt, +1, kNeglected)};
    // However unlikely under tilt, the sum may be as low as a coordinate makes up for.
    w.low.at = std::min(w.low.at, -2 * (remove ? largest : 0.25));
    w.high.at = std::max(w.high.at, 0.5);
    // What is nearly all there is might as well be all: the plan sees single terms coarsely.
    const double lowest = -others * (remove ? 0.25 : largest);
    const double highest = others * (remove ? largest : 0.25);
    if (w.low.at < 0.7 * lowest) w.low.at = lowest;
    if (w.high.at > 0.7 * highest) w.high.at = highest;
    return w;
  };
  std::vector<Window> windows;
  if (balance > 0) windows.push_back(window(0.7 * balance));
  windows.push_back(window(0));
  // Cells fine where the event is decided, as far as the cells and the grid allow.
  double length = 0;
  for (const Window& w : windows) {
    // The plan overflowed: no event is tried, and none is claimed.
    if (!std::isfinite(w.length())) return 0;
    length = std::max(length, w.length());
  }
  const double spacing = std::max({kFineCell, std::min(kFairCell, 1.001 * length / kFairGrid),
                                   1.001 * length / kMostGrid, largest / kMostCells});
  if (!(spacing < kCoarsestCell)) return 0;
  const Cells cells = cells_of(statistic, spacing, largest);
  // The plan knows the coordinates, the sums are of cells.
  const double rounding = spacing * (4 * std::sqrt(others) + 4);
  double best = 0;
  for (Window& w : windows) {
    w.low.at -= rounding;
    w.high.at += rounding;
    std::size_t grid = kLeastGrid;
    while (static_cast<double>(grid - 4) * spacing < w.length()) grid *= 2;
    const Survival survival(cells, statistic.sign, copies, w, grid);
    const Events events(cells, survival, remove, epsilon, apart);
    const std::int64_t y = events.best(static_cast<std::int64_t>(w.low.at / spacing),
                                       static_cast<std::int64_t>(w.high.at / spacing));
    best = std::max(best, events.value(y));
    // Another tilt would only lower the round-off.
    if (best > 0 && events.open(y) < 1e-4 * best) break;
  }
  return std::clamp(best, 0.0, 1.0);
}

}  // namespace honest_epsilon::shuffle
