#include "core/samplers/shuffle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/invert.h"
#include "core/math/normal.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/pld/compose.h"
#include "core/pld/profile.h"
#include "core/pld/table_source.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/charge.h"
#include "core/samplers/clones.h"
#include "core/samplers/deterministic.h"

namespace honest_epsilon::shuffle {
namespace {

/// Relative error of a normal tail at z - shift, the rounding of the argument included.
double tail_error(double z, double shift) {
  const double far = std::abs(z) + shift + 1;
  return 2 * (normal::kRelativeError + 2 * kUnit * far * far);
}

/// log Pr[max of the coordinates < z], with one of them shifted where the record is used.
double log_all_below(double batches, double z, double shift, double used) {
  const double shifted = std::log1p(-normal::upper_tail(z - shift));
  const double unshifted = std::log1p(-normal::upper_tail(z));
  if (used == 1) return shifted + (batches - 1) * unshifted;
  return batches * unshifted + std::log1p(used * std::expm1(shifted - unshifted));
}

double threshold_value(double batches, double mu, double epsilon, bool remove, double used,
                       double z) {
  const double log_p = log_all_below(batches, z, 2 * mu, used);
  const double log_q = log_all_below(batches, z, mu, used);
  const double scale = std::exp(std::min(epsilon, 700.0));
  const double error = tail_error(z, 2 * mu) * 4;
  if (remove) {
    const double p = -std::expm1(log_p);
    const double q = -std::expm1(log_q);
    return p * (1 - error) - scale * q * (1 + error);
  }
  // Pr[max < z] = e^log: the error of the log is relative to itself, at most.
  const double p = std::exp(log_p);
  const double q = std::exp(log_q);
  return q * (1 - error * (1 - log_q)) - scale * p * (1 + error * (1 - log_p));
}

// -- the best event -----------------------------------------------------------------------------

/// P >= e^eps Q where sum_t w(x_t) >= 0, w = v^2 - v, v = e^{mu z - eps - 3 mu^2 / 2}; in direction
/// add, Q >= e^eps P where sum_t w >= 0, w = v - v^2, v = e^{mu z + eps - 3 mu^2 / 2}.
struct Statistic {
  double mu;
  double offset;  ///< log v = mu z - offset
  double sign;    ///< +1 remove, -1 add

  Statistic(double mu_in, double epsilon, bool remove)
      : mu(mu_in),
        offset((remove ? epsilon : -epsilon) + 1.5 * mu_in * mu_in),
        sign(remove ? 1 : -1) {}

  double at(double z) const {
    const double v = std::exp(mu * z - offset);
    return sign * v * (v - 1);
  }
  double z_of(double v) const { return v > 0 ? (std::log(v) + offset) / mu : -kInfinity; }
};

/// Masses of one coordinate over lattice cells of w, rounded down and up.
struct Masses {
  std::vector<double> low;
  std::vector<double> high;
};

/// The lattice cells of w, for a coordinate without shift, shifted once (mu) and twice. All three
/// use the very same cells, so that the placing of cells is another event, not an error.
struct Cells {
  double spacing = 1;
  std::int64_t first = 0;
  std::array<Masses, 3> shifted;
};

/// Both tails of the coordinate at one boundary, for each shift.
struct Boundary {
  double z = 0;
  std::array<double, 3> below{};
  std::array<double, 3> above{};
};

Boundary boundary(double z, double mu) {
  Boundary b;
  b.z = z;
  for (std::size_t s = 0; s < 3; ++s) {
    const double x = z - static_cast<double>(s) * mu;
    const double tail = normal::upper_tail(std::abs(x));
    b.below[s] = x < 0 ? tail : 1 - tail;
    b.above[s] = x < 0 ? 1 - tail : tail;
  }
  return b;
}

/// Adds the mass between two boundaries to cell i, rounded both ways.
void add_mass(std::array<Masses, 3>& shifted, std::size_t i, const Boundary& low,
              const Boundary& high, double mu) {
  if (!(high.z > low.z)) return;
  for (std::size_t s = 0; s < 3; ++s) {
    // From the tail that is small, so that the difference keeps its digits.
    const bool left = high.below[s] < low.above[s];
    const double scale = left ? high.below[s] : low.above[s];
    const double value = left ? high.below[s] - low.below[s] : low.above[s] - high.above[s];
    const double error =
        scale * tail_error(left ? high.z : low.z, static_cast<double>(s) * mu) + 2 * kUnit * scale;
    shifted[s].low[i] += std::max(0.0, value - error);
    shifted[s].high[i] += std::max(0.0, value + error);
  }
}

/// Index j stands for w sign in [(j - 1/2) D, (j + 1/2) D), from -1/4 to `largest` = v (v - 1) at
/// the cut; larger v are left out.
Cells cells_of(const Statistic& statistic, double spacing, double largest) {
  const auto index = [&](double m) {
    return static_cast<std::int64_t>(std::floor(m / spacing + 0.5));
  };
  Cells cells;
  cells.spacing = spacing;
  cells.first = index(-0.25);
  const std::int64_t last = index(largest);
  for (Masses& m : cells.shifted) {
    m.low.assign(static_cast<std::size_t>(last - cells.first + 1), 0.0);
    m.high = m.low;
  }
  const auto root = [](double m) { return std::sqrt(std::max(0.0, 1 + 4 * m)); };
  const auto rising = [&](double m) {
    return boundary(statistic.z_of(0.5 * (1 + root(m))), statistic.mu);
  };
  const auto falling = [&](double m) {
    return boundary(m >= 0 ? -1e6 : statistic.z_of(-2 * m / (1 + root(m))), statistic.mu);
  };
  Boundary rise = rising(-0.25);
  Boundary fall = falling(-0.25);
  for (std::int64_t j = cells.first; j <= last; ++j) {
    const auto i = static_cast<std::size_t>(j - cells.first);
    const double end = std::min(largest, (static_cast<double>(j) + 0.5) * spacing);
    const Boundary next = rising(end);
    add_mass(cells.shifted, i, rise, next, statistic.mu);
    rise = next;
    if (j > 0) continue;
    const Boundary lower = falling(end);
    add_mass(cells.shifted, i, lower, fall, statistic.mu);
    fall = lower;
  }
  return cells;
}

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
    pld::Steps step;
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

/// Beyond this shift v leaves the doubles, and one coordinate decides.
constexpr double kLargestEventShift = 25;

constexpr double kFineCell = 0.02;
constexpr double kFairCell = 0.2;
constexpr double kCoarsestCell = 64;
constexpr double kMostCells = 16384;
constexpr double kFairGrid = 16384;  ///< as long as its cells are fair
constexpr double kMostGrid = 65536;
constexpr std::size_t kLeastGrid = 1024;
constexpr double kMostLogRatio = 300;  ///< of v, whose square must not overflow

/// log of the probability that windows and cuts neglect (and charge).
constexpr double kNeglected = 34;

}  // namespace

double threshold_lower(double batches, double mu, double epsilon, bool remove, double used) {
  const auto value = [&](double z) {
    return threshold_value(batches, mu, epsilon, remove, used, z);
  };
  // C may lie below 0: for small eps and large sigma the best threshold does.
  const double best = value(largest_on(value, -8, 2 * mu + 10));
  return best > 0 ? std::min(best, 1.0) : 0;
}

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

namespace {

struct Shape {
  double batches;
  double full_batches;
  double mu;        ///< of the epochs that share one permutation
  double rounds;    ///< whole epochs with their own
  double used;      ///< the share of the records that an epoch uses
  double last = 0;  ///< batches of the epoch that the run stopped in
  bool known() const { return batches == 1 && used == 1; }
  double begun() const { return rounds + (last > 0 ? 1 : 0); }
  bool last_only() const { return rounds == 0; }
  /// The epoch that the run stopped in, as one that has its batches alone, and leaves records out.
  Shape last_epoch() const { return {last, last, mu, 1, used * last / batches * (1 - 4 * kUnit)}; }
};

Shape shape_of(const Run& run) {
  const auto epochs = static_cast<double>(run.epochs);
  const auto batches = static_cast<double>(run.steps_per_epoch);
  const double mu = 1 / run.noise_multiplier;
  const double full = batches - (run.short_batch ? 1 : 0);
  if (!run.redrawn_each_epoch) return {batches, full, mu * std::sqrt(epochs), 1, run.used_share};
  if (run.missing_steps == 0) return {batches, full, mu, epochs, run.used_share};
  const double last = batches - static_cast<double>(run.missing_steps);
  return {batches, full, mu, epochs - 1, run.used_share, last};
}

/// The largest eps the threshold bound reaches, pushed up as far as a few event bounds prove.
double lower_epsilon(const Shape& shape, double target, bool remove) {
  const double batches = shape.batches, mu = shape.mu, used = shape.used;
  const auto threshold = [&](double e) { return threshold_lower(batches, mu, e, remove, used); };
  const auto excess = [&](double e) {
    return std::log(std::max(event_lower(batches, mu, e, remove), 1e-300) / target);
  };
  const double start =
      invert_decreasing([&](double e) { return Interval{threshold(e), threshold(e)}; }, target)
          .lower;
  if (used < 1) return start;
  // Relative, of eps: theory leaves more open, and direction add seldom decides.
  const double enough = remove ? 5e-4 : 1e-2;
  double low = start;
  double excess_low = excess(start);
  if (!(excess_low > 0)) return start;
  // log delta falls with eps, ever faster: at first about as fast as the threshold's, then secants,
  // which stay on the proved side.
  const double near = start + 1e-3 * (start + mu);
  double slope = std::log(threshold(start) / threshold(near)) / (near - start);
  if (!(slope > 0 && std::isfinite(slope))) slope = excess_low / (0.02 * (start + mu));
  double high = start;
  double excess_high = 0;
  for (int i = 0; i < 12; ++i) {
    const bool bracketed = excess_high < 0;
    const double width = bracketed ? high - low : excess_low / slope;
    if (width < 2 * enough * (low + width)) break;
    const double place = bracketed ? excess_low / (excess_low - excess_high) : 1;
    const double e = low + width * std::clamp(place, 0.05, bracketed ? 0.95 : 1.0);
    const double here = excess(e);
    if (here >= 0) {
      const double steeper = (excess_low - here) / (e - low);
      if (steeper > 0) slope = steeper;
      low = e;
      excess_low = here;
      if (here < enough * slope * e) break;
    } else {
      high = e;
      excess_high = std::max(here, -4 * excess_low - 1);
    }
  }
  return low;
}

/// The table is a lower bound whatever the grid; a moderate one suffices.
Effort composed_effort(Effort effort) {
  effort.log2_grid_limit = std::min(effort.log2_grid_limit, 15);
  effort.width = std::min(effort.width, 1e-4);
  return effort;
}

/// Cells of max x_t from `low` on, one of them beyond `high`.
std::vector<pairs::Cell> maxima(const Shape& shape, double low, double high) {
  constexpr int kCells = 3000;
  std::vector<pairs::Cell> cells;
  struct Below {
    double p;
    double q;
    double error;  ///< of either, relative to the smaller of it and its complement
  };
  const auto below = [&](double z) {
    return Below{log_all_below(shape.batches, z, 2 * shape.mu, shape.used),
                 log_all_below(shape.batches, z, shape.mu, shape.used),
                 4 * tail_error(z, 2 * shape.mu)};
  };
  const auto mass = [](double log_low, double log_high, double error) {
    // Pr[low <= max < high] = e^high - e^low, from the side that keeps digits.
    const double above_low = -std::expm1(log_low);
    const double above_high = -std::expm1(log_high);
    const double scale = std::min(std::exp(log_high), above_low);
    const double value =
        above_low < 0.5 ? above_low - above_high : std::exp(log_high) - std::exp(log_low);
    // The error of the log of a small probability is relative to that log.
    const double magnified = error * (1 + std::min(700.0, -log_high)) + 8 * kUnit;
    return pairs::Mass{std::max(0.0, value), scale * magnified};
  };
  Below last = below(low);
  for (int i = 1; i <= kCells + 1; ++i) {
    const double z = low + (high - low) * i / kCells;
    const Below here = i <= kCells ? below(z) : Below{0, 0, last.error};
    const double error = std::max(last.error, here.error);
    pairs::Cell cell;
    cell.p = mass(last.p, here.p, error);
    cell.q = mass(last.q, here.q, error);
    if (cell.p.value > 0 || cell.q.value > 0) cells.push_back(cell);
    last = here;
  }
  return cells;
}

/// What one epoch shows of itself, for composing epochs that are each permuted afresh: its largest
/// coordinate where that tells by itself; otherwise the sum of w that decides at eps = 0, rounded
/// to a lattice and taken modulo a window, so that its law is a cyclic convolution.
struct Shown {
  std::vector<pairs::Cell> maxima;
  std::vector<pairs::Cell> sums;
};
Shown shown_by_epoch(const Shape& shape) {
  const double furthest = 2 * shape.mu + 9;
  // With much noise balls-and-bins shows as much.
  constexpr double kLeastShift = 0.02;
  if (!(shape.mu >= kLeastShift && shape.mu <= kLargestEventShift))
    return {maxima(shape, -2, furthest), {}};
  const Statistic statistic(shape.mu, 0, true);
  constexpr double kDecisive = 10;                // of deviations of the sum
  constexpr double kLeast = 1e-3, kMost = 1e130;  // the square of a w does not overflow
  constexpr int kRounds = 100;                    // any cut is as valid
  const double h = 0.1 * std::min(1.0, 1 / shape.mu);
  double largest = std::min(statistic.at(furthest), kMost), deviation = 0;
  double last = kInfinity;
  for (int round = 0; round < kRounds && last > 1.01 * largest; ++round) {
    double square = 0;
    for (double z = -10; z < furthest; z += h) {
      const double w = std::min(statistic.at(z), largest);
      square += h * normal::pdf(z) * w * w;
    }
    deviation = std::sqrt(shape.batches * square);
    last = largest;
    largest = std::max(std::min(largest, kDecisive * deviation), kLeast);
  }
  const std::size_t grid = shape.batches < 1e5 ? 1 << 15 : 1 << 16;
  constexpr double kDeviations = 10;
  const double low = -kDeviations * deviation - 0.25;
  const double spacing =
      std::max((2 * kDeviations * deviation + 2 * largest) / static_cast<double>(grid),
               (0.25 + largest) / kMostCells);
  const Cells cells = cells_of(statistic, spacing, largest);

  const auto step = [&](const Masses& masses, std::int64_t copies) {
    pld::Steps result;
    result.copies = copies;
    for (const bool up : {true, false}) {
      pld::LatticeLaw& law = up ? result.upper : result.lower;
      law.spacing = spacing;
      law.first = cells.first;
      law.mass = up ? masses.high : masses.low;
    }
    return result;
  };
  // The coordinate that may be shifted, among the others.
  const auto sum_with = [&](std::size_t shift) {
    Masses masses = cells.shifted[shift];
    const double unused = 1 - shape.used;
    for (std::size_t i = 0; i < masses.low.size() && unused > 0; ++i) {
      masses.low[i] =
          (1 - 4 * kUnit) * (shape.used * masses.low[i] + unused * cells.shifted[0].low[i]);
      masses.high[i] =
          (1 + 4 * kUnit) * (shape.used * masses.high[i] + unused * cells.shifted[0].high[i]);
    }
    return pld::compose(
        {step(cells.shifted[0], static_cast<std::int64_t>(shape.batches) - 1), step(masses, 1)}, 0,
        low, grid);
  };
  const pld::TiltedPair with = sum_with(2), without = sum_with(1);
  const auto mass = [](const pld::TiltedPair& sums, std::size_t begin, std::size_t end) {
    double least = 0, most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      least += std::max(0.0, sums.lower.value[i] - sums.lower.error);
      most += std::max(0.0, sums.upper.value[i] + sums.upper.error);
    }
    const double units = 8 + static_cast<double>(end - begin);
    least *= std::exp(sums.lower.log_scale) * (1 - sums.lower.relative - units * kUnit);
    most *= std::exp(sums.upper.log_scale) * (1 + sums.upper.relative + units * kUnit);
    return pairs::Mass{0.5 * (least + most), 0.5 * (most - least) * (1 + 4 * kUnit)};
  };
  // Points are taken together until their masses are known well; what is left is left out.
  constexpr std::size_t kPointsPerEvent = 16;
  constexpr double kKnown = 1e-3;
  Shown shown;
  const double cut = statistic.z_of(0.5 * (1 + std::sqrt(1 + 4 * largest)));
  shown.maxima = maxima(shape, cut, std::max(cut, furthest));
  for (std::size_t begin = 0, end = kPointsPerEvent; end <= grid; end += kPointsPerEvent) {
    pairs::Cell event;
    event.p = mass(with, begin, end);
    event.q = mass(without, begin, end);
    const bool known =
        event.p.error < kKnown * event.p.value && event.q.error < kKnown * event.q.value;
    if (!known) continue;
    shown.sums.push_back(event);
    begin = end;
  }
  return shown;
}

/// All cells as one.
pairs::Cell together(const std::vector<pairs::Cell>& cells) {
  pairs::Cell whole;
  for (const pairs::Cell& cell : cells) {
    whole.p = {whole.p.value + cell.p.value, whole.p.error + cell.p.error};
    whole.q = {whole.q.value + cell.q.value, whole.q.error + cell.q.error};
  }
  const double units = kUnit * static_cast<double>(cells.size());
  whole.p.error += units * whole.p.value;
  whole.q.error += units * whole.q.value;
  return whole;
}

/// What all epochs show, with every largest coordinate told.
///   in_brief: told only that there was one that decides. Where such are very rare, a plan of
///   transforms made for them fails the rest.
struct ShownByAll {
  std::vector<Steps> in_full, in_brief;
};
ShownByAll shown(const Shape& shape) {
  ShownByAll all;
  const auto add = [&](const Shape& epoch, double epochs) {
    const Shown shown = shown_by_epoch(epoch);
    const auto copies = static_cast<std::int64_t>(epochs);
    std::vector<pairs::Cell> cells = shown.sums;
    if (const pairs::Cell any = together(shown.maxima); any.q.error < any.q.value)
      cells.push_back(any);
    if (!shown.sums.empty())
      all.in_brief.push_back({std::make_shared<pld::TableSource>(cells), copies});
    cells = shown.sums;
    cells.insert(cells.end(), shown.maxima.begin(), shown.maxima.end());
    all.in_full.push_back({std::make_shared<pld::TableSource>(cells), copies});
  };
  if (shape.rounds > 0) add(shape, shape.rounds);
  if (shape.last > 0) add(shape.last_epoch(), 1);
  return all;
}

/// Whether the pair of [HP24] is this run's.
bool is_plain(const Run& run) {
  return run.mechanism == Mechanism::gaussian && run.adjacency != Adjacency::substitution &&
         run.records_per_user == 1;
}

/// A run of balls-and-bins that shuffled batches reveal at least as much as: all other gradients
/// may be zero, and then one record's batch is uniform. (Where a batch is short it is not, and
/// reveals all the more: H is convex, and the average over all orders of the batches is uniform.)
/// With the others at -1, substituting -1 by 1 moves one batch by twice the clipping norm, and no
/// other.
Run as_bins(const Run& run) {
  Run bins = run;
  bins.records_per_user = 1;
  bins.adjacency = Adjacency::zero_out;
  if (run.adjacency == Adjacency::substitution && run.mechanism != Mechanism::randomized_response)
    bins.noise_multiplier /= 2;
  return bins;
}

double largest_lower(const Directions& d) {
  return std::max(d.remove.lower, d.add.lower);
}

Finding known_batches(const Run& run, Asked asked, double given, const Effort& effort) {
  return asked == Asked::epsilon ? deterministic::epsilon(run, given, effort)
                                 : deterministic::delta(run, given, effort);
}

Finding asked_of_bins(const Run& run, Asked asked, double given, const Effort& effort) {
  return asked == Asked::epsilon ? balls_and_bins::epsilon(run, given, effort)
                                 : balls_and_bins::delta(run, given, effort);
}

/// The same where the record is in the last epoch's batches by chance, and the adversary told.
Finding stopped_in_known_batches(const Run& run, const Shape& shape, Asked asked, double given,
                                 const Effort& effort) {
  Finding finding = known_batches(run, asked, given, effort);
  const double seen = std::min(1.0, shape.last / shape.full_batches * (1 + 2 * kUnit));
  const double with = std::sqrt(shape.begun()) * shape.mu * (1 + 4 * kUnit);
  const double without = std::sqrt(shape.rounds) * shape.mu * (1 + 4 * kUnit);
  const auto above = [&](double epsilon) {
    const double else_ = shape.rounds > 0 ? gaussian::delta(without, epsilon).upper : 0;
    // What is seen rounds up, and counts against what it replaces.
    const double delta = else_ + seen * (gaussian::delta(with, epsilon).upper - else_);
    return delta * (1 + 8 * kUnit);
  };
  const double upper =
      asked == Asked::epsilon
          ? invert_decreasing([&](double e) { return Interval{above(e), above(e)}; }, given).upper
          : above(given);
  for (Interval* value : {&finding.directions.remove, &finding.directions.add}) {
    value->upper = std::min(value->upper, upper);
    value->lower = 0;
  }
  return finding;
}

/// Parts that dominate the run and all of its last epoch: known batches, or, where a variation may
/// be spent, clones.
Parts from_above(const Run& run, const Demand& demand) {
  Parts result = deterministic::parts(run, demand);
  if (!(demand.variation > 0) || !is_plain(run) || !has_clones(run)) return result;
  const Shape shape = shape_of(run);
  const double epochs = shape.begun();
  const double kept = run.redrawn_each_epoch ? 1 : static_cast<double>(run.epochs);
  const auto epoch = clones(shape.full_batches, run.shift(), demand.variation / epochs, kept);
  if (!epoch) return result;
  Steps steps;
  steps.copies = static_cast<std::int64_t>(epochs);
  steps.moments = epoch->moments;
  result.upper = {{steps}, 0};
  result.symmetric = false;
  result.failure = {0, epochs * epoch->failure * (1 + 4 * kUnit)};
  result.variation = epochs * epoch->variation * (1 + 4 * kUnit);
  return result;
}

/// delta of a run that stopped in its first epoch, at most, by clones that cost a part of about
/// this; +inf where there are too few.
double stopped_delta(const Shape& shape, double epsilon, double about) {
  constexpr double kPart = 0.3;
  const double powers = 1 + std::exp(epsilon);
  const auto epoch =
      stopped_clones(shape.full_batches, shape.last, shape.mu, kPart * about / powers);
  if (!epoch) return kInfinity;
  const double largest = std::max(epoch->curve(pairs::Direction::remove, epsilon),
                                  epoch->curve(pairs::Direction::add, epsilon));
  return (largest + powers * epoch->variation) * (1 + 16 * kUnit);
}

/// The least end that a few tries prove.
///   delta: (epsilon, about) -> delta at most, by clones that cost a part of `about`; +inf for none
///   known: an end that holds.   expected: roughly what will be found
template <class Delta>
double least_upper(Delta delta, Asked asked, double given, double known, double expected) {
  constexpr int kTries = 8;
  constexpr double kNear = 0.75;
  double best = known;
  if (asked != Asked::epsilon) {
    double about = std::min(known, 2 * expected);
    for (int i = 0; i < kTries; ++i) {
      const double found = delta(given, about);
      best = std::min(best, found);
      if (!(found < kInfinity) || (found > kNear * about && found < about / kNear)) break;
      about = std::min(found, known);
    }
    return best;
  }
  // Secants on log delta, as far as they are of use.
  double at = std::min(expected, known), last = 0, last_log = 0;
  for (int i = 0; i < kTries; ++i) {
    const double found = delta(at, given);
    if (!(found < kInfinity)) {
      at *= 0.7;  // a smaller epsilon leaves more to be spent
      continue;
    }
    if (found <= given) best = std::min(best, at);
    if (found <= given && found > kNear * given) break;
    const double log = std::log(found / given);
    const double slope = (log - last_log) / (at - last);
    const bool usable = last > 0 && slope < 0;
    const double next = usable ? at - (log + 0.1) / slope : at * (found > given ? 1.3 : 0.8);
    last = std::exchange(at, std::clamp(next, 0.5 * at, std::min(2 * at, best)));
    last_log = log;
    if (std::abs(at - last) < 1e-3 * at) break;
  }
  return best;
}

/// lower: the lower ends, from which the upper ones are seldom far.
Finding upper_ends(const Run& run, Asked asked, double given, const Effort& effort,
                   const Directions& lower) {
  constexpr double kUsualGap = 1.3;
  const double expected = kUsualGap * std::max(lower.remove.lower, lower.add.lower);
  const auto above = [&](const Demand& demand) {
    Parts parts = from_above(run, demand);
    parts.tight = true;
    return parts;
  };
  Finding finding = compose(above, static_cast<double>(run.epochs), asked, given, effort, expected);
  const Shape shape = shape_of(run);
  if (!shape.last_only() || !has_clones(run)) return finding;
  Directions& d = finding.directions;
  const double known = std::max(d.remove.upper, d.add.upper);
  const double upper =
      least_upper([&](double e, double about) { return stopped_delta(shape, e, about); }, asked,
                  given, known, std::min(expected, known));
  d.remove.upper = std::min(d.remove.upper, upper);
  d.add.upper = std::min(d.add.upper, upper);
  return finding;
}

/// A lower end; none is proved by what no machine holds.
template <class Ask>
double proved(Ask ask) {
  try {
    return ask();
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

/// Lower ends: what one permutation proves by itself; or what several prove composed, each seen
/// through its largest coordinate and a sum, or with all other gradients zero.
///   single: asks one permutation.   composed: asks epochs.   bins: asks balls-and-bins.
template <class Single, class Composed, class Bins>
Directions from_below(const Run& run, Single single, Composed composed, Bins bins) {
  const Shape shape = shape_of(run);
  if (shape.known()) return {};
  if (shape.rounds == 1 && shape.last == 0) return {{single(shape, true)}, {single(shape, false)}};
  Directions lower;
  if (shape.last_only()) {
    const Shape last = shape.last_epoch();
    lower = {{single(last, true)}, {single(last, false)}};
  } else {
    const ShownByAll all = shown(shape);
    for (const std::vector<Steps>* steps : {&all.in_full, &all.in_brief}) {
      if (steps->empty()) continue;
      std::vector<pld::Component> epochs;
      for (const Steps& each : *steps) epochs.push_back({each.source.get(), each.copies});
      lower.remove.lower = std::max(lower.remove.lower, composed(epochs, pairs::Direction::remove));
      lower.add.lower = std::max(lower.add.lower, composed(epochs, pairs::Direction::add));
    }
  }
  if (shape.used < 1) return lower;
  const Directions spread = bins(as_bins(run));
  lower.remove.lower = std::max(lower.remove.lower, spread.remove.lower);
  lower.add.lower = std::max(lower.add.lower, spread.add.lower);
  return lower;
}

/// What proves both ends, in words.
const char* method_of(const Shape& shape, bool cloned) {
  if (shape.last_only() && shape.used == 1)
    return cloned ? "lower: best threshold or balls-and-bins; upper: clones"
                  : "lower: best threshold or balls-and-bins; upper: deterministic batches";
  if (shape.begun() > 1)
    return cloned
               ? "lower: each epoch's largest and sum, or balls-and-bins, composed; upper: clones"
               : "lower: each epoch's largest and sum, or balls-and-bins, composed; upper: "
                 "deterministic batches";
  if (shape.used < 1)
    return cloned ? "lower: best threshold; upper: clones"
                  : "lower: best threshold; upper: deterministic batches";
  return cloned ? "lower: best threshold and best event; upper: clones"
                : "lower: best threshold and best event; upper: deterministic batches";
}

/// The ends of a run of [HP24]'s pair.
Finding bracketed(const Run& run, Asked asked, double given, const Effort& effort,
                  const Directions& below) {
  const Shape shape = shape_of(run);
  const Finding known = shape.last > 0 ? stopped_in_known_batches(run, shape, asked, given, effort)
                                       : known_batches(run, asked, given, effort);
  if (shape.known()) return known;
  Finding finding = upper_ends(run, asked, given, effort, below);
  Interval& remove = finding.directions.remove;
  Interval& add = finding.directions.add;
  remove.upper = std::min(remove.upper, known.directions.remove.upper);
  add.upper = std::min(add.upper, known.directions.add.upper);
  const bool cloned =
      std::max(remove.upper, add.upper) < known.directions.remove.upper * (1 - 1e-9);
  finding.method = method_of(shape, cloned);
  remove.lower = std::min(below.remove.lower, remove.upper);
  add.lower = std::min(below.add.lower, add.upper);
  if (shape.rounds == 1 && shape.last == 0 && shape.used == 1) {
    const double value = std::max(remove.lower, add.lower);
    finding.conjecture = Interval{value, value, IntervalKind::estimate};
  }
  return finding;
}

/// Neighbours that differ in several records, or in one that is replaced: single ones are zeroed
/// and put back, one after the other, in a chain of neighbours.
///   known: an end that holds
double record_by_record(const Run& run, Asked asked, double given, const Effort& effort,
                        double known) {
  const bool replaced = run.adjacency == Adjacency::substitution;
  const auto links = static_cast<double>(run.records_per_user) * (replaced ? 2 : 1);
  Run single = run;
  single.records_per_user = 1;
  if (replaced) single.adjacency = Adjacency::zero_out;
  const Shape shape = shape_of(single);
  const auto attack = [&](double epsilon) {
    const double each = epsilon / links;
    return threshold_lower(shape.batches, shape.mu, each, true, shape.used) *
           group_factor(links, each);
  };
  const auto clones = [&](double epsilon, double about) {
    constexpr double kPart = 0.3;
    const double each = epsilon / links, factor = group_factor(links, each);
    Parts parts = from_above(single, {0, effort, kPart * about / factor / (1 + std::exp(each))});
    if (parts.variation == 0) return kInfinity;
    parts.tight = true;
    const Directions d = Profile(std::move(parts), effort, about).delta(each).directions;
    return std::max(d.remove.upper, d.add.upper) * factor * (1 + 4 * kUnit);
  };
  constexpr double kUsualGap = 1.15;
  if (asked != Asked::epsilon)
    return least_upper(clones, asked, given, known, std::min(known, attack(given)));
  double low = 0, high = known;
  while (high - low > 1e-3 * high) {
    const double middle = 0.5 * (low + high);
    (attack(middle) > given ? low : high) = middle;
  }
  // Epochs add up to more than one of them shows.
  const double expected = kUsualGap * high;
  return least_upper(clones, asked, given, known,
                     shape.rounds == 1 ? expected : std::sqrt(expected * known));
}

/// Balls-and-bins over the clones of steps that are purely private.
///   least: the run's lower ends, beside which little may be spent.
Directions over_clones(const Run& run, Asked asked, double given, const Effort& effort,
                       const Directions& least) {
  constexpr double kPart = 1e-3;
  Directions nothing = {{0, kInfinity}, {0, kInfinity}};
  const double delta = asked == Asked::epsilon ? given : largest_lower(least);
  const auto epochs = static_cast<double>(run.epochs);
  const PureClones epoch =
      pure_clones(shape_of(run).full_batches, run.shift(), kPart * delta / epochs);
  if (!(delta > 0 && epoch.bins > 1)) return nothing;
  const double failure = epochs * epoch.failure * (1 + 4 * kUnit);
  Run bins = run;
  bins.steps_per_epoch = static_cast<std::int64_t>(epoch.bins);
  const double rest = asked == Asked::epsilon ? (given - failure) * (1 - 4 * kUnit) : given;
  Directions d = asked_of_bins(bins, asked, rest, effort).directions;
  if (asked == Asked::epsilon) return d;
  for (Interval* value : {&d.remove, &d.add})
    value->upper = std::min(1.0, (value->upper + failure) * (1 + 4 * kUnit));
  return d;
}

/// The ends of runs that are not [HP24]'s pair: known batches or clones above, balls-and-bins
/// below.
Finding beyond_plain(const Run& run, Asked asked, double given, const Effort& effort) {
  Finding finding = known_batches(run, asked, given, effort);
  Directions& d = finding.directions;
  const double known = std::max(d.remove.upper, d.add.upper);
  const Finding bins = asked_of_bins(as_bins(run), asked, given, effort);
  if (has_clones(run) && run.mechanism == Mechanism::gaussian) {
    d.remove.upper = d.add.upper =
        std::min(known, record_by_record(run, asked, given, effort, known));
  } else if (has_clones(run)) {
    const Directions above = over_clones(run, asked, given, effort, bins.directions);
    d.remove.upper = std::min(d.remove.upper, above.remove.upper);
    d.add.upper = std::min(d.add.upper, above.add.upper);
  }
  const bool cloned = std::max(d.remove.upper, d.add.upper) < known * (1 - 1e-9);
  d.remove.lower = d.add.lower = 0;
  if (run.used_share < 1) {
    finding.method = cloned ? "upper: clones" : "upper: deterministic batches";
    return finding;
  }
  finding.method = cloned
                       ? "lower: balls-and-bins, which reveals less; upper: clones"
                       : "lower: balls-and-bins, which reveals less; upper: deterministic batches";
  finding.grid_points = bins.grid_points;
  const double larger = std::max(bins.directions.remove.lower, bins.directions.add.lower);
  const bool symmetric = run.adjacency == Adjacency::substitution;
  d.remove.lower = std::min(symmetric ? larger : bins.directions.remove.lower, d.remove.upper);
  d.add.lower = std::min(symmetric ? larger : bins.directions.add.lower, d.add.upper);
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  const Asked asked = epsilon == 0 ? Asked::total_variation : Asked::delta;
  if (!is_plain(run)) return beyond_plain(run, asked, epsilon, effort);
  const auto single = [&](const Shape& shape, bool remove) {
    const double threshold = threshold_lower(shape.batches, shape.mu, epsilon, remove, shape.used);
    if (shape.used < 1) return threshold;
    return std::max(threshold, event_lower(shape.batches, shape.mu, epsilon, remove));
  };
  const auto composed = [&](const std::vector<pld::Component>& epochs, pairs::Direction direction) {
    return proved([&] {
      return pld::delta(epochs, direction, epsilon, composed_effort(effort)).value.lower;
    });
  };
  const auto bins = [&](const Run& spread) {
    return balls_and_bins::delta(spread, epsilon, effort).directions;
  };
  return bracketed(run, asked, epsilon, effort, from_below(run, single, composed, bins));
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  if (!is_plain(run)) return beyond_plain(run, Asked::epsilon, delta, effort);
  const auto single = [&](const Shape& shape, bool remove) {
    return lower_epsilon(shape, delta, remove);
  };
  const auto composed = [&](const std::vector<pld::Component>& epochs, pairs::Direction direction) {
    return proved([&] {
      return pld::epsilon(epochs, direction, delta, composed_effort(effort)).value.lower;
    });
  };
  const auto bins = [&](const Run& spread) {
    return balls_and_bins::epsilon(spread, delta, effort).directions;
  };
  return bracketed(run, Asked::epsilon, delta, effort, from_below(run, single, composed, bins));
}

Parts parts(const Run& run, const Demand& demand) {
  Parts result = from_above(run, demand);
  const Shape shape = shape_of(run);
  if (shape.known()) return result;
  result.tight = false;
  if (is_plain(run)) {
    result.symmetric = false;
    result.lower = {shown(shape).in_full, 0};
    return result;
  }
  if (shape.used < 1) {
    result.lower = {};
    result.symmetric = run.adjacency == Adjacency::substitution;
    return result;
  }
  const Parts bins = balls_and_bins::parts(as_bins(run), demand);
  result.lower = bins.tight ? bins.upper : bins.lower;
  result.symmetric = run.adjacency == Adjacency::substitution;
  return result;
}

bool has_clones(const Run& run) {
  constexpr double kLargestShift = 6;
  const bool pure = run.mechanism != Mechanism::gaussian;
  const bool single = run.records_per_user == 1 && run.adjacency != Adjacency::substitution;
  if (pure && !(single && (run.redrawn_each_epoch || run.epochs == 1))) return false;
  return run.steps_per_epoch > 1 && run.shift() <= kLargestShift;
}

bool can_stop_midway(const Run& run) {
  return is_plain(run) && run.steps_per_epoch > 1 && (run.redrawn_each_epoch || run.epochs == 1);
}

rdp::Curve renyi(const Run& run) {
  return deterministic::renyi(run);
}

}  // namespace honest_epsilon::shuffle
