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

/// A whole number is bracketed within these, however large.
constexpr int kMostMeasurements = 200;

/// Excesses are clamped to this size; infinite ones become it.
constexpr double kFar = 50;

/// The axis, oriented so that the measured value rises: u = log x, or -log x.
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

Crossing rough_guess(const RisingAxis& line, double start, const std::function<bool(Care)>& stop) {
  const double safest = line.safest();
  const double boldest = line.boldest();
  Probe here = {std::clamp(line.u(start), safest, boldest), 0};
  here.excess = line.at(here.u, Care::rough);
  std::optional<Probe> met;
  std::optional<Probe> missed;
  (here.excess <= 0 ? met : missed) = here;
  double step = 0.7;
  while (!met || !missed) {
    if (stop(Care::rough)) return {met ? met->u : missed->u, 1};
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
    if (length < 1e-9 || stop(Care::rough)) return {met->u, std::max(slope, 1e-3)};
    const bool far = met->excess <= -kFar || missed->excess >= kFar;
    const double a = -met->excess * weight_met;
    const double b = missed->excess * weight_missed;
    const double share = far ? 0.5 : std::clamp(a / (a + b), 0.02, 0.98);
    const Probe place = {met->u + share * length, 0};
    // No whole number is left between the two.
    const double x = line.x(place.u);
    if (line.whole() && (x == line.x(met->u) || x == line.x(missed->u)))
      return {met->u, std::max(slope, 1e-3)};
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

/// The search for the boldest place whose excess is not positive, from a rough guess on.
class Search {
 public:
  Search(const RisingAxis& line, const Crossing& guess)
      : line_(line), slope_(bounded(guess.slope)) {}

  std::optional<Probe> met;
  std::optional<Probe> missed;

  void add(const Probe& place) {
    const auto& other = place.excess <= 0 ? missed : met;
    if (other && std::abs(place.u - other->u) > 0) {
      const double seen = (place.excess - other->excess) / (place.u - other->u);
      if (seen > 0 && std::isfinite(seen)) slope_ = bounded(seen);
    }
    (place.excess <= 0 ? met : missed) = place;
  }

  bool is_close() const { return met && met->excess >= -kSlack; }

  /// Whether nothing, or no whole number, lies between the two sides.
  bool is_tight() const {
    if (!met || !missed) return false;
    return line_.whole() ? line_.bolder(line_.x(met->u)) == line_.x(missed->u)
                         : missed->u - met->u < 1e-12 * std::abs(met->u) + 1e-14;
  }

  /// Aims just below the target, by the slope seen; at it for the last whole number.
  double next(const Probe& place, int round) {
    const double aimed = place.u - (place.excess + (line_.whole() ? 0 : 0.4 * kSlack)) / slope_;
    return met && missed ? between(aimed, round) : outwards(place, aimed);
  }

 private:
  static double bounded(double slope) { return std::clamp(slope, 1e-3, 1e3); }

  /// Searches for the other side, farther at every failure.
  double outwards(const Probe& place, double next) {
    const auto further = [&](double to) {
      return place.excess <= 0 ? std::max(next, to) : std::min(next, to);
    };
    const double away = stride_ * kSlack / slope_;
    next = further(place.excess <= 0 ? place.u + away : place.u - away);
    stride_ *= 4;
    if (!line_.whole()) return next;
    // At least one whole step.
    const double x = line_.x(place.u);
    const double one = line_.u(place.excess <= 0 ? line_.bolder(x) : 2 * x - line_.bolder(x));
    return std::isfinite(one) ? further(one) : line_.safest();
  }

  /// Uses the slope; bisects every fourth round, every other one where the last whole number is
  /// near, and wherever the slope is not usable.
  double between(double next, int round) const {
    const double length = missed->u - met->u;
    const bool far = met->excess <= -kFar || missed->excess >= kFar;
    const bool halves = is_close() ? round % 2 == 1 : round % 4 == 3;
    if (far || halves || !(next > met->u && next < missed->u)) next = met->u + 0.5 * length;
    if (!line_.whole()) return next;
    // Strictly between the two.
    const double good = line_.x(met->u);
    const double bad = line_.x(missed->u);
    const double least = std::min(good, bad) + 1;
    const double most = std::max(good, bad) - 1;
    return line_.u(std::clamp(line_.x(next), least, most));
  }

  const RisingAxis& line_;
  double slope_;
  double stride_ = 2;  ///< of the slack
};

}  // namespace

Solved solve(const Axis& axis, const Excess& excess, const std::function<bool(Care)>& stop) {
  const RisingAxis line(axis, excess);
  const double safest = line.safest();
  const double boldest = line.boldest();
  const Crossing guess = rough_guess(line, axis.start, stop);
  Search search(line, guess);
  double u = std::clamp(guess.u, safest, boldest);
  for (int i = 0; i < kMostMeasurements; ++i) {
    const double x = line.x(u);
    const Probe place = {line.whole() ? line.u(x) : u, line.at(u, Care::fine)};
    search.add(place);
    if (place.excess <= 0 && place.u >= boldest) return {x, true, true};
    if (place.excess > 0 && place.u <= safest) return {x, false, false};
    const bool enough = search.is_close() && !line.whole();
    if (enough || search.is_tight()) return {line.x(search.met->u), true, false};
    if (search.met && stop(Care::fine)) break;
    u = std::clamp(search.next(place, i), safest, boldest);
  }
  if (search.met) {
    const double missed = search.missed ? search.missed->u : boldest;
    return {line.x(search.met->u), true, false, line.x(missed)};
  }
  return {line.x(u), false, false};
}

}  // namespace honest_epsilon::calibrate
