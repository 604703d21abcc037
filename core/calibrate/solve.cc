#include "core/calibrate/solve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace honest_epsilon::calibrate {
namespace {

/// How far below its target, as a logarithm, a measurement may stay.
constexpr double kSlack = 5e-4;

/// Rough measurements are off by about a percent.
constexpr double kRoughSlack = 1e-2;

/// Two measurements this many slacks apart tell a slope.
constexpr double kTelling = 4;

/// A whole number is bracketed within these, however large.
constexpr int kMostMeasurements = 200, kMostRough = 40;

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

/// The search for the boldest place whose excess is not positive, closer than `slack` to it.
class Search {
 public:
  Search(const RisingAxis& line, double slope, double slack)
      : line_(line), slope_(bounded(slope)), slack_(slack) {}

  std::optional<Probe> met;
  std::optional<Probe> missed;

  void add(const Probe& place) {
    const auto& other = place.excess <= 0 ? missed : met;
    if (other && std::abs(place.excess - other->excess) > kTelling * slack_) {
      const double seen = (place.excess - other->excess) / (place.u - other->u);
      if (seen > 0 && std::isfinite(seen)) slope_ = bounded(seen);
    }
    (place.excess <= 0 ? met : missed) = place;
  }

  double slope() const { return slope_; }
  bool is_close() const { return met && met->excess >= -slack_; }

  /// Whether nothing, or no whole number, lies between the two sides.
  bool is_tight() const {
    if (!met || !missed) return false;
    return line_.whole() ? line_.bolder(line_.x(met->u)) == line_.x(missed->u)
                         : missed->u - met->u < 1e-12 * std::abs(met->u) + 1e-14;
  }

  /// Aims just below the target, by the slope seen; at it for the last whole number.
  double next(const Probe& place, int round) {
    const double aimed = place.u - (place.excess + (line_.whole() ? 0 : 0.4 * slack_)) / slope_;
    return met && missed ? between(aimed, round) : outwards(place, aimed);
  }

 private:
  static double bounded(double slope) { return std::clamp(slope, 1e-3, 1e3); }

  /// Searches for the other side, farther at every failure.
  double outwards(const Probe& place, double next) {
    const auto further = [&](double to) {
      return place.excess <= 0 ? std::max(next, to) : std::min(next, to);
    };
    const double away = stride_ * slack_ / slope_;
    next = further(place.excess <= 0 ? place.u + away : place.u - away);
    stride_ *= 4;
    // At least one whole number: x() rounds towards the safe side, and so goes one that way anyhow.
    if (line_.whole() && place.excess <= 0)
      next = std::max(next, line_.u(line_.bolder(line_.x(place.u))));
    return next;
  }

  /// Uses the slope; bisects every fourth round, and wherever the slope is not usable.
  double between(double next, int round) const {
    const double length = missed->u - met->u;
    const bool far = met->excess <= -kFar || missed->excess >= kFar;
    if (far || round % 4 == 3 || !(next > met->u && next < missed->u)) next = met->u + 0.5 * length;
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
  double slack_;
  double stride_ = 2;  ///< of the slack
};

/// Where the excess changes sign and how steeply, by rough measurements.
std::pair<double, double> rough_guess(const RisingAxis& line, double start,
                                      const std::function<bool(Care)>& stop) {
  Search search(line, 1, kRoughSlack);
  double u = std::clamp(line.u(start), line.safest(), line.boldest());
  for (int i = 0; i < kMostRough; ++i) {
    const Probe place = {u, line.at(u, Care::rough)};
    search.add(place);
    if (std::abs(place.excess) < kRoughSlack && search.met && search.missed)
      return {u - place.excess / search.slope(), search.slope()};
    const bool at_end = place.excess <= 0 ? u >= line.boldest() : u <= line.safest();
    if (at_end) return {u, search.slope()};
    if (search.is_tight() || stop(Care::rough)) break;
    u = std::clamp(search.next(place, i), line.safest(), line.boldest());
  }
  return {search.met ? search.met->u : search.missed->u, search.slope()};
}

}  // namespace

Solved solve(const Axis& axis, const Excess& excess, const std::function<bool(Care)>& stop) {
  const RisingAxis line(axis, excess);
  const double safest = line.safest();
  const double boldest = line.boldest();
  const auto [guess, slope] = rough_guess(line, axis.start, stop);
  Search search(line, slope, kSlack);
  double u = std::clamp(guess, safest, boldest);
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
