#include "core/tradeoff/random_initialisation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::random_initialisation {
namespace {

/// Beyond this the density of the start is below 1e-300.
constexpr double kReach = 38;

/// delta of mu-GDP for mu known up to a few units.
Interval gaussian_delta(double mu, double epsilon) {
  if (!(mu > 0)) return {0, 0};
  // Two quotients, and what their terms carry.
  constexpr double kShiftError = 4 * kUnit;
  return {gaussian::delta(mu * (1 - kShiftError), epsilon).lower,
          gaussian::delta(mu * (1 + kShiftError), epsilon).upper};
}

/// The starts I in (low, high): their probability and mean, each from below and from above.
struct Starts {
  Interval mass;
  Interval mean;
};

Starts starts_between(double low, double high) {
  // Tails on the side that does not cancel.
  const bool upper = low + high > 0;
  const double far = normal::upper_tail(upper ? high : -low);
  const double near = normal::upper_tail(upper ? low : -high);
  const double mass = near - far;
  const double mass_error = normal::kRelativeError * (near + far);
  const double density_low = normal::pdf(low);
  const double density_high = normal::pdf(high);
  const double sum = density_low - density_high;
  const double sum_error = normal::kRelativeError * (density_low + density_high);
  Starts starts;
  starts.mass = {std::max(0.0, mass - mass_error), mass + mass_error};
  starts.mean = {low, high};
  if (mass > 0) {
    const double mean = sum / mass;
    const double error = (sum_error + std::abs(mean) * mass_error) / mass * (1 + 1e-9);
    starts.mean = {std::clamp(mean - error, low, high), std::clamp(mean + error, low, high)};
  }
  return starts;
}

/// Distances |a - I| at which the integrand changes its nature, from 0 to where clipping or the
/// density ends it.
std::vector<double> distances(const InitialisationModel& model, double epsilon) {
  const double end = std::min(model.clip, std::abs(model.offset) + kReach);
  const double bend = std::sqrt(2 * epsilon) * model.noise_multiplier;
  if (bend > 0 && bend < end) return {0, bend, end};
  return {0, end};
}

double clipped_share(const InitialisationModel& model) {
  return normal::upper_tail(model.clip - model.offset) +
         normal::upper_tail(model.clip + model.offset);
}

double width(const Interval& interval) {
  return interval.upper - interval.lower;
}

/// The starts on one side of the offset whose distance from it is between two values.
struct StartCell {
  double side = 1;      ///< -1 or 1
  bool convex = false;  ///< the Gaussian delta as a function of the distance; concave otherwise
  double near = 0;
  double far = 0;
  Interval at_near;
  Interval at_far;
  Interval value;   ///< E[delta; the start is in the cell]
  double open = 0;  ///< the part of the value's width that halving can close; the rest is round-off
};

/// E[delta] over the starts, by cells that are halved where it pays.
class StartCells {
 public:
  StartCells(const InitialisationModel& model, double epsilon) : model_(model), epsilon_(epsilon) {
    const std::vector<double> parts = distances(model, epsilon);
    const double bend = std::sqrt(2 * epsilon) * model.noise_multiplier;
    for (std::size_t part = 1; part < parts.size(); ++part) {
      const double near = parts[part - 1];
      const double far = parts[part];
      for (const double side : {-1.0, 1.0}) {
        StartCell kind;
        kind.side = side;
        kind.convex = far <= bend;
        add(near, at(near), far, at(far), kind);
      }
    }
  }

  /// Halves the cells that leave most open, an eighth of them at a time, until all of them leave a
  /// `share` of the upper end and what comes `beside` it, or there are `most`. Sums are taken
  /// anew each time: running ones would keep the round-off of the first, much larger values.
  Interval refined(double share, std::size_t most, double beside) {
    for (;;) {
      Interval value{0, 0};
      double open = 0;
      for (const StartCell& cell : cells_) {
        value = {value.lower + cell.value.lower, value.upper + cell.value.upper};
        open += cell.open;
      }
      if (cells_.size() >= most || !(open > share * (value.upper + beside))) return value;
      for (std::size_t left = cells_.size() / 8 + 1; left > 0; --left) halve_widest();
    }
  }

 private:
  static constexpr auto kClosed = [](const StartCell& a, const StartCell& b) {
    return a.open < b.open;
  };

  void halve_widest() {
    if (!(cells_.front().open > 0)) return;
    std::pop_heap(cells_.begin(), cells_.end(), kClosed);
    const StartCell cell = cells_.back();
    cells_.pop_back();
    const double middle = 0.5 * (cell.near + cell.far);
    const Interval at_middle = at(middle);
    add(cell.near, cell.at_near, middle, at_middle, cell);
    add(middle, at_middle, cell.far, cell.at_far, cell);
  }

  Interval at(double distance) const {
    return gaussian_delta(distance / model_.noise_multiplier, epsilon_);
  }

  /// Adds a cell of the same kind as `cell`.
  void add(double near, const Interval& at_near, double far, const Interval& at_far,
           StartCell cell) {
    cell.near = near;
    cell.at_near = at_near;
    cell.far = far;
    cell.at_far = at_far;
    measure(cell);
    cells_.push_back(cell);
    std::push_heap(cells_.begin(), cells_.end(), kClosed);
  }

  /// Jensen on one side, the chord on the other.
  void measure(StartCell& cell) const {
    const double a = model_.offset;
    const double near = cell.near;
    const double far = cell.far;
    const Starts starts =
        cell.side > 0 ? starts_between(a + near, a + far) : starts_between(a - far, a - near);
    // The mean distance; a +- u rounds by a unit of |a| + u.
    const double rounding = 4 * kUnit * (std::abs(a) + far);
    const double toward = cell.side > 0 ? starts.mean.lower - a : a - starts.mean.upper;
    const double away = cell.side > 0 ? starts.mean.upper - a : a - starts.mean.lower;
    const double mean_low = std::clamp(toward - rounding, near, far);
    const double mean_high = std::clamp(away + rounding, near, far);
    const auto chord = [&](double low, double high, double mean) {
      const double share = (mean - near) / (far - near);
      return low * (1 - share) + high * share;
    };
    cell.value =
        cell.convex
            ? Interval{starts.mass.lower * at(mean_low).lower,
                       starts.mass.upper * chord(cell.at_near.upper, cell.at_far.upper, mean_high)}
            : Interval{starts.mass.lower * chord(cell.at_near.lower, cell.at_far.lower, mean_low),
                       starts.mass.upper * at(mean_high).upper};
    const double round_off = std::min(width(cell.at_near), width(cell.at_far));
    cell.open = std::max(0.0, width(cell.value) - starts.mass.upper * round_off);
    // Nothing lies between neighbouring numbers.
    const double middle = 0.5 * (near + far);
    if (!(near < middle && middle < far)) cell.open = 0;
  }

  InitialisationModel model_;
  double epsilon_;
  std::vector<StartCell> cells_;  ///< a heap, the widest on top
};

/// The part of E[delta] from clipped starts, which all have the largest distance.
Interval clipped_part(const InitialisationModel& model, double epsilon) {
  if (!std::isfinite(model.clip)) return {0, 0};
  const Interval delta = gaussian_delta(gdp_mu(model), epsilon);
  const double share = clipped_share(model);
  return {delta.lower * share * (1 - 2 * normal::kRelativeError),
          delta.upper * share * (1 + 2 * normal::kRelativeError)};
}

}  // namespace

double gdp_mu(const InitialisationModel& model) {
  return model.clip / model.noise_multiplier;
}

Interval delta(const InitialisationModel& model, double epsilon) {
  // Six digits, or as many as so many cells give.
  const Interval clipped = clipped_part(model, epsilon);
  const Interval open = StartCells(model, epsilon).refined(1e-6, 8192, clipped.upper);
  // Sums of thousands of terms; the bend rounds to where the second derivative is nearly zero.
  constexpr double kRounding = 1e-11;
  return within_unit({(open.lower + clipped.lower) * (1 - kRounding),
                      (open.upper + clipped.upper) * (1 + kRounding) + kTiny});
}

tradeoff::TradeOffCurve trade_off(const InitialisationModel& model,
                                  const tradeoff::Sampling& sampling) {
  return tradeoff::TradeOffCurve(
      tradeoff::sample_symmetric([&](double epsilon) { return delta(model, epsilon); }, sampling));
}

double delta_estimate(const Gaussian& p, const Gaussian& q, double epsilon) {
  // log p/q - eps = A x^2 + 2 B x + C in x = position - q.mean.
  const double m = p.mean - q.mean;
  const double a = 0.5 / q.variance - 0.5 / p.variance;
  const double b = 0.5 * m / p.variance;
  const double c = -0.5 * m * m / p.variance + 0.5 * std::log(q.variance / p.variance) - epsilon;
  const auto above = [&](const Gaussian& law, double x) {
    return normal::upper_tail((x + q.mean - law.mean) / std::sqrt(law.variance));
  };
  const auto below = [&](const Gaussian& law, double x) {
    return normal::upper_tail(-(x + q.mean - law.mean) / std::sqrt(law.variance));
  };
  const double scale = std::exp(epsilon);
  if (a == 0) {
    if (b == 0) return std::max(0.0, -std::expm1(epsilon));
    const double x = -0.5 * c / b;
    const double value =
        b > 0 ? above(p, x) - scale * above(q, x) : below(p, x) - scale * below(q, x);
    return std::max(0.0, value);
  }
  const double discriminant = b * b - a * c;
  if (discriminant <= 0) return a > 0 ? std::max(0.0, -std::expm1(epsilon)) : 0;
  // The two roots, each without cancellation.
  const double t = -(b + std::copysign(std::sqrt(discriminant), b));
  const double low = std::min(t / a, c / t);
  const double high = std::max(t / a, c / t);
  const double value =
      a > 0 ? below(p, low) + above(p, high) - scale * (below(q, low) + above(q, high))
            : (above(p, low) - above(p, high)) - scale * (above(q, low) - above(q, high));
  return std::max(0.0, value);
}

double unclipped_renyi_divergence(double order, double offset, double noise_multiplier) {
  const double variance = 1 / (noise_multiplier * noise_multiplier);
  const double rate = 0.5 * order * (order - 1);
  const double room = 1 - 2 * rate * variance;
  if (!(room > 0)) return kInfinity;
  const double log_mean = rate * offset * offset * variance / room - 0.5 * std::log(room);
  return log_mean / (order - 1);
}

}  // namespace honest_epsilon::random_initialisation
