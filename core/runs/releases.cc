#include "core/runs/releases.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/rounding.h"
#include "core/contour/even_moments.h"
#include "core/pairs/randomized_response.h"
#include "core/pld/curve_source.h"

namespace honest_epsilon::releases {

Parts approximate(double epsilon, double delta) {
  Parts parts;
  parts.tight = parts.symmetric = true;
  parts.failure = {delta, delta};
  if (epsilon == 0) return parts;
  const auto pair = std::make_shared<const pairs::RandomizedResponse>(1.0, epsilon);
  parts.upper.steps.push_back({std::make_shared<pld::PairSource>(pair), 1,
                               [epsilon](Direction direction, double e) {
                                 return randomized_response::delta(1.0, epsilon, 1, direction, e);
                               },
                               std::make_shared<contour::ResponseMoments>(epsilon)});
  return parts;
}

Parts gaussian(double mu) {
  Parts parts;
  parts.tight = parts.symmetric = true;
  parts.upper.squared_shift = mu * mu;
  return parts;
}

namespace {

/// log delta(eps), at most, of rho-zCDP at its best order, for eps of either sign:
///   min over a > 1 of  (a-1)(a rho - eps) - log(a-1) + a log(1 - 1/a),
/// whose derivative (2a-1) rho - eps + log(1 - 1/a) rises. Any order gives a bound.
double log_delta_upper(double rho, double epsilon) {
  // There the best order is at most 1 + e^(epsilon - rho), and delta above 1 - e^-40.
  if (epsilon < rho - 40) return 0;
  // Newton on log(a - 1), where the derivative runs from -inf upwards.
  double t = std::log(std::max(1e-8, (epsilon + rho) / (2 * rho) - 1));
  for (int i = 0; i < 60; ++i) {
    const double excess = std::exp(t);
    const double order = 1 + excess;
    const double slope = (2 * order - 1) * rho - epsilon - std::log1p(1 / excess);
    const double bend = 2 * rho * excess + 1 / order;
    const double step = std::clamp(slope / bend, -2.0, 2.0);
    t -= step;
    if (std::abs(step) < 1e-4) break;  // the bound is stationary: this costs 1e-8 of its logarithm
  }
  const double excess = std::exp(t);
  const double order = 1 + excess;
  const double terms[] = {excess * order * rho, -excess * epsilon, -t,
                          -order * std::log1p(1 / excess)};
  double sum = 0;
  double size = 0;
  for (const double term : terms) {
    sum += term;
    size += std::abs(term);
  }
  return sum + 16 * kUnit * (size + 1);
}

double call_upper(double rho, double epsilon) {
  return std::min(1.0, std::exp(log_delta_upper(rho, epsilon)) * (1 + 8 * kUnit));
}

/// delta(eps) of rho-zCDP, at most, for eps of either sign.
double curve_upper(double rho, double epsilon) {
  if (epsilon >= 0) return call_upper(rho, epsilon);
  // call(K) = put(K) + 1 - K, and the put is K times the mirrored call.
  const double k = std::exp(epsilon);
  return k * call_upper(rho, -epsilon) * (1 + 8 * kUnit) - std::expm1(epsilon) * (1 + 4 * kUnit);
}

}  // namespace

Parts concentrated(double rho, const Demand& demand) {
  Parts parts;
  parts.symmetric = true;
  if (rho == 0) {
    parts.tight = true;
    return parts;
  }
  const double reach = rho + 2 * std::sqrt(rho * -demand.log_floor);
  // Only this side's upper end is used; the lower one tells refinement when to stop.
  const auto closed = [](double upper) { return Interval{upper * (1 - 1e-9), upper}; };
  const auto curve = [rho, closed](double log_k, Direction direction) -> Interval {
    const double call = curve_upper(rho, log_k);
    // put(K) = call(K) - 1 + K; a small one is better taken from the mirror.
    if (direction == Direction::remove) return closed(call);
    const double mirrored = std::exp(log_k) * curve_upper(rho, -log_k) * (1 + 8 * kUnit);
    return closed(log_k < 0 ? mirrored : call + std::expm1(log_k));
  };
  Steps steps{std::make_shared<pld::CurveSource>(curve, -reach, reach), 1};
  steps.curve = [rho](Direction, double e) {
    const double upper = curve_upper(rho, e);
    return Interval{upper, upper};
  };
  parts.upper.steps.push_back(std::move(steps));
  parts.lower.squared_shift = 2 * rho * (1 - 8 * kUnit);
  return parts;
}

Parts bounded_range(double range) {
  const Parts least = approximate(0.5 * range, 0);
  if (range == 0) return least;
  // The numerator is a square of a difference, and has twice its relative error.
  const auto call = [range](double epsilon) {
    const double root = std::expm1(0.5 * (epsilon - range));
    return epsilon < range
               ? probability(root * root / -std::expm1(-range), 32 * kUnit * (1 + range))
               : Interval{0, kTiny};
  };
  const auto curve = [call](double log_k, Direction direction) -> Interval {
    if (direction == Direction::remove) return call(log_k);
    // call(K) - 1 + K is K times the mirrored call.
    const Interval mirrored = call(-log_k);
    return affine(0, std::exp(log_k), mirrored, 16);
  };
  Parts parts;
  parts.symmetric = true;
  Steps steps{std::make_shared<pld::CurveSource>(curve, -range, range, -range, range), 1};
  steps.curve = [call](Direction, double epsilon) { return call(epsilon); };
  steps.moments = std::make_shared<contour::RangeMoments>(range);
  parts.upper.steps.push_back(std::move(steps));
  parts.lower = least.upper;
  return parts;
}

}  // namespace honest_epsilon::releases
