#include "core/contour/one_epoch_curve.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/normal.h"

namespace honest_epsilon::contour {
namespace {

/// Corners and the axis' panels begin at whole parts of a unit of log rho.
constexpr int kPlaces = 8;

/// Upright, panels begin at whole parts of |rho|.
constexpr int kHeights = 16;

/// The longest panels that are tried, in these parts.
constexpr int kLongestAxis = 2 * kPlaces, kLongestUpright = 16 * kHeights;

/// How far around a place on the axis the integrand is bounded, for what nodes are off by.
constexpr double kNearbyAxis = 1.0 / 16;

/// Of the width asked, what one panel's rule or an end may leave open.
constexpr double kPart = 0.01;

constexpr int kMostPanels = 60;

}  // namespace

OneEpochCurve::OneEpochCurve(double bins, double blank, double mu, Direction direction)
    : integrand_(bins, blank, mu, direction),
      removal_(direction == Direction::remove),
      axis_{1.0 / kPlaces, std::nullopt, {}} {}

void OneEpochCurve::PathSum::operator+=(const PathSum& other) {
  value += other.value;
  slope += other.slope;
  error += other.error + 2 * kUnit * std::abs(value);
  last = other.last;
}

double OneEpochCurve::rho_at(int index) const {
  const double rho = std::exp(static_cast<double>(index) / kPlaces);
  return removal_ ? rho : -rho;
}

OneEpochCurve::PathCorner& OneEpochCurve::corner_at(int index) {
  const auto [found, is_new] = corners_.try_emplace(index);
  if (is_new) found->second.total = integrand_.upright_total(rho_at(index));
  return found->second;
}

int OneEpochCurve::corner(const EpochStrike& strike, double log_enough) {
  constexpr int kMostSteps = 200;
  const double variance = integrand_.bins() * std::expm1(integrand_.mu() * integrand_.mu());
  const double away = std::abs(strike.value - integrand_.bins());
  const double likely = std::log(std::max(away / variance, 1 / std::sqrt(variance)));
  // Far right it is small again, to no use.
  if (!corner_) {
    const double top = removal_ ? integrand_.likely_top(strike) : likely;
    corner_ = static_cast<int>(std::lround(kPlaces * std::min(likely, top)));
  }
  const auto height = [&](int index) { return corner_at(index).total.at(strike); };
  int at = *corner_;
  double here = height(at);
  for (int stride = kPlaces / 2; stride >= 1 && !(here <= log_enough); stride /= 2) {
    for (const int step : {stride, -stride}) {
      for (int i = 0; i < kMostSteps && !(here <= log_enough); ++i) {
        const double next = height(at + step);
        if (!(next < here)) break;
        at += step;
        here = next;
      }
    }
  }
  for (int i = 0; i < kMostSteps && here <= log_enough; ++i) {
    here = height(at - kPlaces / 2);
    if (here <= log_enough) at -= kPlaces / 2;
  }
  corner_ = at;
  return at;
}

double OneEpochCurve::guess(const EpochStrike& strike) {
  // The bound on the total is a few times what it is.
  constexpr double kFewNats = 2.5;
  const int from = corner(strike, -kInfinity);
  double most = corner_at(from).total.at(strike) - kFewNats;
  if (!removal_) return most;
  const double top = integrand_.likely_top(strike);
  if (!std::isfinite(top)) return -kInfinity;  // e^eps is no double
  constexpr int kMostNodes = 80, kStep = kPlaces / 2;
  int index = from / kStep;
  for (int i = 0; i < kMostNodes; ++i, --index) {
    const auto [found, is_new] = coarse_.try_emplace(index);
    if (is_new) found->second = integrand_.on_axis(static_cast<double>(index * kStep) / kPlaces);
    const PathNode& node = found->second;
    if (!(node.size_error < 1 && node.angle_error < 1)) continue;
    const double here = node.log_size + std::log(std::abs(node.factor)) - strike.value * node.rho;
    if (here < most - 1 && index * kStep < kPlaces * (top - 1)) break;
    most = std::max(most, here);
  }
  return most;
}

OneEpochCurve::PathBound OneEpochCurve::bound(const PathPart& part, double low, double high,
                                              double beyond, double beside) const {
  constexpr double kMostBesideAxis = 1.4, kMostBeside = 0.9;
  const bool free = part.line && removal_ && low > beyond;
  const double most = part.line ? kMostBeside * std::abs(part.line->rho) : kMostBesideAxis;
  if (!free && beside > most) return {kInfinity, 0, 0, 0, 0};
  return part.line ? integrand_.upright_bound(*part.line, low - beyond, high + beyond, beside)
                   : integrand_.axis_bound(low - beyond, high + beyond, 0, beside);
}

std::optional<OneEpochCurve::PathSum> OneEpochCurve::panel_sum(const PathPart& part,
                                                               PathPanel& panel, int from, int to,
                                                               const EpochStrike& strike,
                                                               double log_enough) const {
  const double low = part.unit * from, high = part.unit * to;
  const double half = 0.5 * (high - low), middle = 0.5 * (high + low);
  double log_off = kInfinity;
  for (std::size_t i = 0; i < kEllipses && !(log_off <= log_enough); ++i) {
    const quadrature::Ellipse& tried = tried_[i];
    if (!panel.ellipses[i])
      panel.ellipses[i] = bound(part, low, high, half * (tried.wide - 1), half * tried.high);
    log_off =
        std::min(log_off, tried.log_error + std::log(half) + panel.ellipses[i]->at(strike) + 1e-9);
  }
  if (!(log_off <= log_enough)) return std::nullopt;
  if (panel.nodes.empty()) {
    for (const quadrature::Node& node : rule_) {
      const double at = middle + half * node.position;
      panel.nodes.push_back(part.line ? integrand_.on_upright(*part.line, at)
                                      : integrand_.on_axis(at));
    }
  }
  PathSum sum;
  double sizes = 0, farthest = 0;
  for (std::size_t i = 0; i < kNodes; ++i) {
    const auto term = OneEpochIntegrand::term(panel.nodes[i], strike);
    const double weight = half * rule_[i].weight;
    sum.value += weight * term.value;
    sum.slope += weight * term.slope;
    sum.error += weight * term.error;
    sizes += weight * std::abs(term.value);
    const double far = part.line ? rule_[i].position : -rule_[i].position;
    if (far < farthest) continue;
    farthest = far;
    sum.last = part.line ? term.modulus : std::abs(term.value);
  }
  // As many cells as it takes for a bound on what nodes are off by.
  const double nearby = part.line ? part.unit : kNearbyAxis;
  const double slip = 2 * half * 4 * kUnit * std::max(std::abs(low), std::abs(high)) / nearby;
  double moved = kInfinity, count = 1;
  for (std::vector<PathBound>& bounds : panel.nearby) {
    if (moved <= std::exp(log_enough)) break;
    const double length = 2 * half / count;
    for (double at = low; static_cast<double>(bounds.size()) < count; at += length)
      bounds.push_back(bound(part, at, at + length, nearby, nearby));
    moved = 0;
    for (const PathBound& cell : bounds) moved += std::exp(cell.at(strike)) * slip / count;
    count *= 4;
  }
  sum.error += 72 * kUnit * sizes + (std::exp(log_off) + moved) * (1 + 1e-9);
  return sum;
}

std::optional<OneEpochCurve::PathSum> OneEpochCurve::part_sum(PathPart& part, int from,
                                                              const EpochStrike& strike,
                                                              double log_enough) {
  const int longest = part.line ? kLongestUpright : kLongestAxis;
  PathSum sum;
  for (int i = 0, at = from; i < kMostPanels; ++i) {
    PathPanel* panel = nullptr;
    std::optional<PathSum> added;
    for (int length = longest; length >= 1 && !added; length /= 2) {
      if (at % length != 0) continue;
      const int to = part.line ? at + length : at - length;
      panel = &part.panels[{at, to}];
      added = panel_sum(part, *panel, std::min(at, to), std::max(at, to), strike, log_enough);
      if (added) at = to;
    }
    if (!added || !(added->error < kInfinity)) return std::nullopt;
    sum += *added;
    // What follows is about as large as the last node; upright, times its height.
    const double place = part.unit * at;
    if (!(sum.last * (part.line ? place : 1) <= std::exp(log_enough))) continue;
    if (!panel->rest)
      panel->rest =
          part.line ? integrand_.upright_end(*part.line, place) : integrand_.axis_left(place);
    const double rest = panel->rest->at(strike);
    if (rest <= log_enough) {
      sum.error += std::exp(rest) * (1 + 1e-9);
      return sum;
    }
  }
  return std::nullopt;
}

std::optional<OneEpochCurve::PathSum> OneEpochCurve::path_sum(const EpochStrike& strike,
                                                              double log_delta, double width) {
  const double log_enough = log_delta + std::log(kPart * width);
  const int index = corner(strike, log_enough);
  PathSum sum;
  if (removal_) {
    const auto axis = part_sum(axis_, index, strike, log_enough);
    if (!axis) return std::nullopt;
    sum += *axis;
    // The corner is a double, and its logarithm is not quite what was summed to.
    const double rho = rho_at(index), slip = 16 * kUnit * (1 + std::abs(std::log(rho)));
    const double v = std::log(rho);
    sum.error += slip * std::exp(integrand_.axis_bound(v - slip, v + slip, 0, 0).at(strike));
  }
  const double total = corner_at(index).total.at(strike);
  if (total <= log_enough) {
    sum.error += std::exp(total) * (1 + 1e-9);
    return sum;
  }
  std::optional<PathPart>& upright = corner_at(index).upright;
  if (!upright) {
    const double rho = rho_at(index);
    upright = PathPart{std::abs(rho) / kHeights, integrand_.upright(rho), {}};
  }
  const auto above = part_sum(*upright, 0, strike, log_enough);
  if (!above) return std::nullopt;
  sum += *above;
  return sum;
}

std::optional<OwnDelta> OneEpochCurve::asked(double epsilon, double width) {
  const EpochStrike strike = integrand_.strike(epsilon);
  if (!removal_ && strike.value + strike.error <= 0) return OwnDelta{};
  if (!(strike.value - strike.error > 0)) return std::nullopt;
  double log_delta = guess(strike);
  constexpr int kMostTries = 3;
  constexpr double kHardly = 0.7;
  for (int i = 0; i < kMostTries && std::isfinite(log_delta); ++i) {
    const auto sum = path_sum(strike, log_delta, width);
    if (!sum) return std::nullopt;
    if (!(sum->error < kInfinity)) return std::nullopt;
    const double before = log_delta;
    log_delta = std::log(std::max(sum->value, sum->error));
    const bool same = std::abs(log_delta - before) < kHardly;
    if (sum->value > 0 && (sum->error <= 0.5 * width * sum->value || same))
      return OwnDelta{sum->value, sum->slope, sum->error};
  }
  return std::nullopt;
}

std::optional<Interval> OneEpochCurve::delta(double epsilon, double width) {
  const auto found = asked(epsilon, width);
  return found ? std::optional(found->interval()) : std::nullopt;
}

double OneEpochCurve::bulk_guess(double target) {
  constexpr int kMostSteps = 30;
  constexpr double kFewNats = 2.5, kClose = 0.05, kLongest = 3;
  double at = 0.1;
  for (int i = 0; i < kMostSteps; ++i) {
    const EpochStrike strike = integrand_.strike(at);
    if (!(strike.value > 0) || !(strike.value < kInfinity)) return 0.5 * at;
    const int index = corner(strike, -kInfinity);
    const double above = corner_at(index).total.at(strike) - kFewNats - std::log(target);
    const double slope = strike.slope * rho_at(index) - (removal_ ? 0 : 1);
    const double next = std::clamp(at + above / slope, at / kLongest, at * kLongest);
    const bool close = std::abs(above) < kClose || std::abs(next - at) < kClose * kClose * at;
    at = next;
    if (close) break;
  }
  return at;
}

std::optional<Interval> OneEpochCurve::epsilon(double target, double width) {
  double start = bulk_guess(target);
  if (removal_) {
    // Where P has one such ratio beyond, beside the others' mean.
    const double mu = integrand_.mu(), t = mu + normal::upper_quantile_estimate(target);
    start =
        std::max(start, std::log1p(std::exp(mu * t - 0.5 * mu * mu) / integrand_.strike(0).slope));
  }
  return own_epsilon([this](double at, double wide) { return asked(at, wide); }, target, start,
                     width);
}

}  // namespace honest_epsilon::contour
