#include "core/calibrate/solve.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace honest_epsilon::calibrate {
namespace {

/// How far below its target, as a logarithm, a measurement may stay.
constexpr double kSlack = 5e-4;

/// Rough measurements are off by about a percent; closer together they tell no slope.
constexpr double kRoughSlack = 1e-2;

/// Measurements after which a whole number may be within the slack, too, not only the last.
constexpr int kPatience = 12;

/// Infinite excesses, and those of zero, stand for this.
constexpr double kFar = 50;

/// The axis seen so that what is measured rises: u = log x, or -log x.
class RisingAxis {
 public:
  RisingAxis(const Axis& axis, const Excess& excess) : axis_(axis), excess_(excess) {}

  double u(double x) const { return axis_.rising ? std::log(x) : -std::log(x); }
  double x(double u) const {
    double value = std::exp(axis_.rising ? u : -u);
    // Towards the safe side.
    if (axis_.whole)
      value = axis_.rising ? std::floor(value * (1 + 1e-12)) : std::ceil(value * (1 - 1e-12));
    return std::clamp(value, axis_.low, axis_.high);
  }
  double safest() const { return u(axis_.rising ? axis_.low : axis_.high); }
  double boldest() const { return u(axis_.rising ? axis_.high : axis_.low); }
  double bolder(double x) const { return axis_.rising ? x + 1 : x - 1; }
  bool whole() const { return axis_.whole; }

  double at(double u, Care care) const {
    const double value = excess_(x(u), care);
    return std::isnan(value) ? kFar : std::clamp(value, -kFar, kFar);
  }

 private:
  const Axis& axis_;
  const Excess& excess_;
};

struct Probe {
  double u;
  double excess;
};

/// Where the excess changes sign, roughly, and how steeply.
struct Crossing {
  double u;
  double slope;
};

Crossing rough_guess(const RisingAxis& line, double start) {
  const double safest = line.safest();
  const double boldest = line.boldest();
  Probe here = {std::clamp(line.u(start), safest, boldest), 0};
  here.excess = line.at(here.u, Care::rough);
  std::optional<Probe> met;
  std::optional<Probe> missed;
  (here.excess <= 0 ? met : missed) = here;
  double step = 0.7;
  while (!met || !missed) {
    const double next = met ? std::min(boldest, met->u + step) : std::max(safest, missed->u - step);
    const Probe place = {next, line.at(next, Care::rough)};
    (place.excess <= 0 ? met : missed) = place;
    if (place.excess <= 0 ? next >= boldest : next <= safest) return {next, 1};
    step *= 1.8;
  }
  // False position with halved weights; bisection while an end is far off.
  double weight_met = 1;
  double weight_missed = 1;
  for (int i = 0; i < 40; ++i) {
    const double length = missed->u - met->u;
    const double slope = (missed->excess - met->excess) / length;
    if (length < 1e-9) return {met->u, std::max(slope, 1e-3)};
    const bool far = met->excess <= -kFar || missed->excess >= kFar;
    const double a = -met->excess * weight_met;
    const double b = missed->excess * weight_missed;
    const double share = far ? 0.5 : std::clamp(a / (a + b), 0.02, 0.98);
    const Probe place = {met->u + share * length, 0};
    const double value = line.at(place.u, Care::rough);
    if (std::abs(value) < kRoughSlack && !far) return {place.u - value / slope, slope};
    if (value <= 0) {
      met = Probe{place.u, value};
      weight_met = 1;
      weight_missed *= 0.5;
    } else {
      missed = Probe{place.u, value};
      weight_missed = 1;
      weight_met *= 0.5;
    }
  }
  return {met->u, (missed->excess - met->excess) / (missed->u - met->u)};
}

}  // namespace

Solved solve(const Axis& axis, const Excess& excess) {
  const RisingAxis line(axis, excess);
  const double safest = line.safest();
  const double boldest = line.boldest();
  const Crossing guess = rough_guess(line, axis.start);
  double slope = std::clamp(guess.slope, 1e-3, 1e3);
  double u = std::clamp(guess.u, safest, boldest);
  std::optional<Probe> met;
  std::optional<Probe> missed;
  double stride = 2;  // of the slack, when feeling for the other side
  for (int i = 0; i < 80; ++i) {
    const double x = line.x(u);
    const Probe place = {line.whole() ? line.u(x) : u, line.at(u, Care::fine)};
    const auto& other = place.excess <= 0 ? missed : met;
    if (other && std::abs(place.u - other->u) > 0) {
      const double seen = (place.excess - other->excess) / (place.u - other->u);
      if (seen > 0 && std::isfinite(seen)) slope = std::clamp(seen, 1e-3, 1e3);
    }
    (place.excess <= 0 ? met : missed) = place;
    if (place.excess <= 0 && place.u >= boldest) return {x, true, true};
    if (place.excess > 0 && place.u <= safest) return {x, false, false};
    const bool close = met && met->excess >= -kSlack;
    if (close && (!line.whole() || i >= kPatience)) return {line.x(met->u), true, false};
    if (met && missed) {
      const double good = line.x(met->u);
      const bool adjacent = line.whole() ? line.bolder(good) == line.x(missed->u)
                                         : missed->u - met->u < 1e-12 * std::abs(met->u) + 1e-14;
      if (adjacent) return {good, true, false};
    }
    // To just below the target by the slope seen, a little further each time that fails.
    double next = place.u - (place.excess + 0.4 * kSlack) / slope;
    if (!(met && missed)) {
      const double away = stride * kSlack / slope;
      next = place.excess <= 0 ? std::max(next, place.u + away) : std::min(next, place.u - away);
      if (line.whole()) {
        // At least one whole step.
        const double one = line.u(place.excess <= 0 ? line.bolder(x) : 2 * x - line.bolder(x));
        if (std::isfinite(one))
          next = place.excess <= 0 ? std::max(next, one) : std::min(next, one);
        else
          next = safest;
      }
      stride *= 4;
    } else {
      const double length = missed->u - met->u;
      const bool far = met->excess <= -kFar || missed->excess >= kFar;
      if (far || i % 4 == 3 || !(next > met->u && next < missed->u)) next = met->u + 0.5 * length;
      if (line.whole()) {
        // Strictly between the two.
        const double good = line.x(met->u);
        const double bad = line.x(missed->u);
        const double least = std::min(good, bad) + 1;
        const double most = std::max(good, bad) - 1;
        next = line.u(std::clamp(line.x(next), least, most));
      }
    }
    u = std::clamp(next, safest, boldest);
  }
  if (met) return {line.x(met->u), true, false};
  return {line.x(u), false, false};
}

}  // namespace honest_epsilon::calibrate
