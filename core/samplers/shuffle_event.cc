#include "core/samplers/shuffle_event.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/math/root.h"
#include "core/pld/compose.h"
#include "core/pld/tilt_factors.h"
#include "core/samplers/shuffle_statistic.h"
#include "core/samplers/shuffle_threshold.h"

namespace honest_epsilon::shuffle {
namespace {

/// Where a tail is negligible, and the exponent of Chernoff's bound that shows it.
struct Edge {
  double at;
  double exponent;
};

/// The window of the tilted sum.
struct Window {
  double tilt;
  Edge low;
  Edge high;
  double length() const { return high.at - low.at; }
};

/// Values of one coordinate's w, and their probabilities.
struct Points {
  std::vector<double> w, weight;
};

/// The points of coordinates below `cut_z`, by quadrature.
Points points_of(const Statistic& statistic, double cut_z) {
  Points points;
  const double h = 0.1 * std::min(1.0, 1 / statistic.mu);
  for (double z = cut_z - 0.5 * h; z > -10; z -= h) {
    points.w.push_back(statistic.at(z));
    points.weight.push_back(normal::pdf(z) * h);
  }
  return points;
}

/// The points of cells; cells far from 0 are merged, the more the farther away.
Points points_of(const Cells& cells, double sign) {
  constexpr std::int64_t kSingle = 64;
  const std::vector<double>& mass = cells.shifted[0].high;
  const auto size = static_cast<std::int64_t>(mass.size());
  Points points;
  for (std::int64_t begin = 0; begin < size;) {
    const std::int64_t j = cells.first + begin;
    const std::int64_t end = std::min(size, begin + std::max<std::int64_t>(1, j / kSingle));
    double weight = 0;
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      weight += mass[static_cast<std::size_t>(i)];
      sum += mass[static_cast<std::size_t>(i)] * static_cast<double>(cells.first + i);
    }
    begin = end;
    if (!(weight > 0)) continue;
    points.w.push_back(sign * cells.spacing * sum / weight);
    points.weight.push_back(weight);
  }
  return points;
}

/// Cumulants of the other coordinates' sum of w: for planning, never in a bound.
class Plan {
 public:
  Plan(Points points, double copies)
      : copies_(copies), w_(std::move(points.w)), weight_(std::move(points.weight)) {
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
    for (int k = -12; k <= 20; ++k) s.push_back(sign * rate_ * std::exp(0.5 * kLogTwo * k));
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

  double mean() const { return mean_; }

  /// The tilt at which the sum's mean is zero, if it is negative without one.
  double balance() const {
    if (mean_ >= 0) return 0;
    const auto falls = [&](double s) { return log_moment(s * 1.001) < log_moment(s * 0.999); };
    double high = rate_;
    while (falls(high) && high < 1e6 * rate_) high *= 2;
    return bisect({0, high}, {30}, falls).low;
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
    if (!(wrapped > 0)) return;
    const double size = std::abs(whole) + tilt * (std::abs(bottom) + std::abs(top));
    wrapped *= 1 + kUnit * (8 * (1 + size) + pld::TiltFactors::units(tilt * cells.spacing));
    pld::TiltFactors untilted(sums.lower, grid, -tilt, whole);
    for (std::size_t i = grid; i-- > 0;)
      lower_[i] = std::max(lower_[i + 1], lower_[i] - wrapped * untilted(i));
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
                 pld::TiltFactors::units(sum.tilt * sum.spacing) +
                 4 * (std::abs(sum.log_scale) +
                      sum.tilt * (std::abs(sum.point(0)) + std::abs(sum.point(sum.value.size())))));
    double total = 0;
    auto untilting = sum.untilting();
    for (std::size_t i = sum.value.size(); i-- > 0;) {
      const double mass = std::max(0.0, sum.value[i] + sign * sum.error);
      if (mass > 0) total += mass * untilting(i);
      result[i] = std::max(0.0, total * (1 + sign * relative));
    }
    return result;
  }

  std::int64_t first_ = 0;  ///< where the window starts; below it nothing is known
  std::vector<double> upper_;
  std::vector<double> lower_;
};

/// The events "the cells' sum is at least y". Each is an event whatever the cells, so that the
/// cells, which put most coordinates at 0, need not be fine: the best y makes up for their
/// rounding.
class Events {
 public:
  Events(const Cells& cells, const Survival& survival, bool remove, const EventBounds& alone)
      : first_(cells.first),
        sign_(remove ? 1 : -1),
        p_masses_(&cells.shifted[remove ? 2 : 1]),
        q_masses_(&cells.shifted[remove ? 1 : 2]),
        survival_(&survival),
        alone_(alone) {}

  EventBounds bounds(std::int64_t y) const {
    double p = 0, q = 0;
    for (std::size_t i = 0; i < p_masses_->low.size(); ++i) {
      const std::int64_t others = y - sign_ * (first_ + static_cast<std::int64_t>(i));
      p += p_masses_->low[i] * survival_->lower(others);
      q += q_masses_->high[i] * survival_->upper(others);
    }
    constexpr double kRounding = 1e-11;  // of two sums of at most kMostCells products
    return {(alone_.p_lower + p) * (1 - kRounding), (alone_.q_upper + q) * (1 + kRounding)};
  }

  /// By how much round-off and the window's ends lower p - scale q, at most.
  double slack(std::int64_t y, double scale) const {
    double sum = 0;
    for (std::size_t i = 0; i < p_masses_->low.size(); ++i) {
      const std::int64_t others = y - sign_ * (first_ + static_cast<std::int64_t>(i));
      sum += (p_masses_->low[i] + scale * q_masses_->high[i]) *
             (survival_->upper(others) - survival_->lower(others));
    }
    return sum;
  }

  /// The y of an event of large worth: ever farther from 0 both ways, then in steps that shrink
  /// around the largest.
  template <class Worth>
  std::int64_t best(std::int64_t low, std::int64_t high, Worth worth) const {
    std::int64_t top = 0;
    double largest = worth(bounds(top));
    const auto consider = [&](std::int64_t y) {
      if (y < low || y > high) return;
      const double here = worth(bounds(y));
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
  const Masses* p_masses_;
  const Masses* q_masses_;
  const Survival* survival_;
  EventBounds alone_;
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

/// The delta that an event proves at one eps.
struct ForDelta {
  static constexpr double kGridShare = 1;
  double factor;  ///< e^eps
  double scale(const EventBounds& /*bounds*/) const { return factor; }
  double worth(const EventBounds& bounds) const { return bounds.p_lower - factor * bounds.q_upper; }
};

/// The eps at which an event proves one delta; it changes by no more than the log of delta does.
struct ForEpsilon {
  static constexpr double kGridShare = 0.5;
  double delta;
  double scale(const EventBounds& bounds) const {
    return (bounds.p_lower - delta) / std::max(bounds.q_upper, 1e-300);
  }
  double worth(const EventBounds& bounds) const { return scale(bounds); }
};

/// The events of one statistic, before any sum is transformed.
struct Setting {
  EventBounds alone;  ///< that one coordinate decides alone
  Cells cells;
  std::vector<Window> windows;
};

/// Nothing where no event is tried, and none is claimed.
///   share: of the longest grids.
std::optional<Setting> setting_of(const Statistic& statistic, double batches, double share) {
  const bool remove = statistic.sign > 0;
  const double others = batches - 1;
  // A coordinate so large that it decides the event alone is cut off; so is one that never happens.
  double cut_z = 2 * statistic.mu + 9;
  const Plan uncut(points_of(statistic, cut_z), others);
  const double decisive =
      remove ? -uncut.edge(0, -1, kNeglected).at : uncut.edge(0, +1, kNeglected).at;
  const double never = std::exp(std::min(statistic.mu * cut_z - statistic.offset, kMostLogRatio));
  const double largest = std::min(std::max(decisive, 0.25), never * (never - 1));
  if (!(largest > 0) || !(largest / kMostCells < kCoarsestCell)) return std::nullopt;
  cut_z = statistic.z_of(0.5 * (1 + std::sqrt(1 + 4 * largest)));

  // What the cells round away moves their sums, and the events with them.
  const Plan exact(points_of(statistic, cut_z), others);
  const auto window = [&](const Plan& plan, double tilt) {
    const double moved = plan.mean() - exact.mean();
    Window w{tilt, plan.edge(tilt, -1, kNeglected), plan.edge(tilt, +1, kNeglected)};
    // However unlikely under tilt, the sum may be as low as a coordinate makes up for.
    w.low.at = std::min(w.low.at, moved - 2 * (remove ? largest : 0.25));
    w.high.at = std::max(w.high.at, moved + 0.5);
    // A window that covers nearly the whole support is extended to all of it: the plan resolves
    // single terms only coarsely.
    const double lowest = -others * (remove ? 0.25 : largest);
    const double highest = others * (remove ? largest : 0.25);
    if (w.low.at < 0.7 * lowest) w.low.at = lowest;
    if (w.high.at > 0.7 * highest) w.high.at = highest;
    return w;
  };
  std::vector<double> tilts;
  if (const double balance = exact.balance(); balance > 0) tilts.push_back(0.7 * balance);
  tilts.push_back(0);
  // Cells fine where the event is decided, as far as the cells and the grid allow; of rounded cells
  // a window may be a little longer.
  constexpr double kRounded = 1.03;
  double length = 0;
  for (const double tilt : tilts) length = std::max(length, window(exact, tilt).length());
  const double stretched = kRounded * length / share;
  const double spacing = std::max({kFineCell, std::min(kFairCell, stretched / kFairGrid),
                                   stretched / kMostGrid, largest / kMostCells});
  if (!(spacing < kCoarsestCell)) return std::nullopt;
  Setting setting;
  if (remove) setting.alone = threshold_event(batches, statistic.mu, true, 1, cut_z);
  setting.cells = cells_of(statistic, spacing, largest);
  const Plan rounded(points_of(setting.cells, statistic.sign), others);
  for (const double tilt : tilts) {
    setting.windows.push_back(window(rounded, tilt));
    if (!std::isfinite(setting.windows.back().length())) return std::nullopt;  // a plan overflowed
  }
  return setting;
}

/// The largest worth of an event that the statistic for `epsilon` makes, at least 0.
template <class Asked>
double best_event(double batches, double mu, double epsilon, bool remove, const Asked& asked) {
  if (!(epsilon < 300) || mu > kLargestEventShift) return 0;
  const Statistic statistic(mu, epsilon, remove);
  const std::optional<Setting> setting = setting_of(statistic, batches, Asked::kGridShare);
  if (!setting) return 0;
  const Cells& cells = setting->cells;
  const double spacing = cells.spacing;
  const double largest = spacing * static_cast<double>(cells.shifted[0].low.size());
  double best = 0;
  for (const Window& w : setting->windows) {
    std::size_t grid = kLeastGrid;
    while (static_cast<double>(grid - 4) * spacing < w.length()) grid *= 2;
    const Survival survival(cells, statistic.sign, static_cast<std::int64_t>(batches) - 1, w, grid);
    const Events events(cells, survival, remove, setting->alone);
    // The others' sum, and one coordinate more.
    const std::int64_t y =
        events.best(static_cast<std::int64_t>((w.low.at - largest) / spacing),
                    static_cast<std::int64_t>((w.high.at + largest) / spacing),
                    [&](const EventBounds& bounds) { return asked.worth(bounds); });
    const EventBounds bounds = events.bounds(y);
    best = std::max(best, asked.worth(bounds));
    // Another tilt would only lower the round-off.
    constexpr double kLittle = 0.01;
    const double scale = asked.scale(bounds);
    if (best > 0 && events.slack(y, scale) < kLittle * (bounds.p_lower - scale * bounds.q_upper))
      break;
  }
  return best;
}

}  // namespace

double event_lower(double batches, double mu, double epsilon, bool remove) {
  const ForDelta asked{std::exp(epsilon) * (1 + 4 * kUnit)};
  return std::min(1.0, best_event(batches, mu, epsilon, remove, asked) * (1 - 4 * kUnit));
}

double event_epsilon(double batches, double mu, double delta, double near, bool remove) {
  const double scale = best_event(batches, mu, near, remove, ForEpsilon{delta});
  // Three roundings and the logarithm's.
  return scale > 1 ? std::max(0.0, std::log(scale) * (1 - 4 * kUnit) - 8 * kUnit) : 0;
}

}  // namespace honest_epsilon::shuffle
