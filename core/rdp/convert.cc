#include "core/rdp/convert.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/root.h"

namespace honest_epsilon::rdp {
namespace {

constexpr double kLowestExcess = 1e-4, kHighestExcess = 1e6;  ///< order - 1

/// log of (1 - 1/a)^a / (a-1).
double log_gain(double order) {
  return -std::log(order - 1) + order * std::log1p(-1 / order);
}

double log_delta(double order, double divergence, double epsilon) {
  const double exponent = (order - 1) * (divergence - epsilon);
  const double gain = log_gain(order);
  const double error = (order - 1) * (divergence + epsilon) + order + std::abs(gain) + 1;
  return exponent + gain + 8 * kUnit * error;
}

double epsilon_at(double order, double divergence, double log_target) {
  const double rest = (log_gain(order) - log_target) / (order - 1);
  const double error =
      divergence + std::abs(rest) + (order + std::abs(log_target)) / (order - 1) + 1e-300;
  return std::max(0.0, divergence + rest + 8 * kUnit * error);
}

/// A divergence is never negative, and a NaN says nothing.
double usable(double divergence) {
  return divergence >= 0 ? divergence : kInfinity;
}

/// What a divergence at an order says.
using Objective = std::function<double(double order, double divergence)>;

/// The order with the smallest objective: a scan over log(a - 1), refined round the best point, and
/// the whole orders on either side, where bounds that are known at whole orders have their kinks.
///
/// Both objectives fall, then rise, and high orders may be costly: (a - 1) D_a is convex in a, so
/// that two orders say how far the next one is up at least. Bounds need not be convex: that only
/// chooses which orders are tried.
Converted smallest(const RenyiCurve& curve, const Objective& objective) {
  constexpr int kPoints = 32, kEnoughRises = 4;
  const double low = std::log(kLowestExcess);
  const double step = (std::log(kHighestExcess) - low) / kPoints;
  Converted best{kInfinity, 2};
  const auto consider = [&](double order) {
    const double divergence = usable(curve(order));
    const double value = divergence < kInfinity ? objective(order, divergence) : kInfinity;
    if (value < best.value) best = {value, order};
    return std::pair{value, (order - 1) * divergence};
  };
  int rises = 0;
  double before = 0, log_before = 0, here = 0, log_here = 0;  // order - 1; times the divergence
  for (int i = 0; i <= kPoints && rises < kEnoughRises; ++i) {
    const double excess = std::exp(low + step * i);
    if (rises > 0) {
      const double chord = log_here + (log_here - log_before) * (excess - here) / (here - before);
      if (objective(1 + excess, chord / excess) > best.value) break;
    }
    const double least = best.value;
    const auto [value, log_moment] = consider(1 + excess);
    rises = value > least ? rises + 1 : 0;
    before = std::exchange(here, excess);
    log_before = std::exchange(log_here, log_moment);
  }
  if (best.value == kInfinity) return best;
  const double centre = std::log(best.order - 1);
  // A bounded stand-in for +inf, so that the minimiser's interpolation stays finite.
  minimizer([&](double x) { return std::min(consider(1 + std::exp(x)).first, 1e300); },
            centre - step, centre + step);
  const double whole = std::floor(best.order);
  for (const double order : {whole, whole + 1}) {
    if (order > 1) consider(order);
  }
  return best;
}

/// log of sqrt(1 - e^-KL) >= delta(0), with the divergence of the lowest order for KL, which it
/// exceeds. Cite: [Can22].
Converted log_total_variation(const RenyiCurve& curve) {
  const double order = 1 + kLowestExcess;
  const double divergence = usable(curve(order));
  return {0.5 * std::log(-std::expm1(-divergence)) + 8 * kUnit, order};
}

}  // namespace

Converted delta_upper(const RenyiCurve& curve, double epsilon) {
  // Divergences grow with their order, and one that exceeds epsilon by x proves no delta below 1 -
  // e^-x. A bound may be loose at orders next to 1.
  constexpr double kNoDelta = 40, kLowest = 1 + kLowestExcess;
  if (std::min(usable(curve(kLowest)), usable(curve(2))) > epsilon + kNoDelta) return {1, kLowest};
  Converted best = smallest(curve, [&](double order, double divergence) {
    return log_delta(order, divergence, epsilon);
  });
  const Converted at_zero = log_total_variation(curve);
  if (at_zero.value < best.value) best = at_zero;
  const double value = std::exp(best.value) * (1 + 4 * kUnit * (1 + std::abs(best.value))) + kTiny;
  return {std::min(1.0, value), best.order};
}

Converted epsilon_upper(const RenyiCurve& curve, double delta) {
  const double log_target = std::log(delta);
  const Converted at_zero = log_total_variation(curve);
  if (delta >= 1 || at_zero.value <= log_target) return {0, at_zero.order};
  return smallest(curve, [&](double order, double divergence) {
    return epsilon_at(order, divergence, log_target);
  });
}

}  // namespace honest_epsilon::rdp
