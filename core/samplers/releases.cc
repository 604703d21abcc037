#include "core/samplers/releases.h"

#include <cmath>
#include <memory>

#include "core/base/rounding.h"
#include "core/pairs/randomized_response.h"
#include "core/pld/curve_source.h"
#include "core/rdp/convert.h"

namespace honest_epsilon::releases {

using pairs::Direction;

Parts approximate(double epsilon, double delta) {
  Parts parts;
  parts.tight = parts.symmetric = true;
  parts.failure = delta;
  if (epsilon == 0) return parts;
  const auto pair = std::make_shared<const pairs::RandomizedResponse>(1.0, epsilon);
  parts.upper.steps.push_back(
      {std::make_shared<pld::PairSource>(pair), 1, [epsilon](Direction direction, double e) {
         return randomized_response::delta(1.0, epsilon, 1, direction, e);
       }});
  return parts;
}

Parts gaussian(double mu) {
  Parts parts;
  parts.tight = parts.symmetric = true;
  parts.upper.squared_shift = mu * mu;
  return parts;
}

namespace {

/// delta(eps) of rho-zCDP, at most, for eps of either sign.
double curve_upper(double rho, double epsilon) {
  const auto renyi = [rho](double order) { return rho * order; };
  if (epsilon >= 0) return rdp::delta_upper(renyi, epsilon).value;
  // call(K) = put(K) + 1 - K, and the put is K times the mirrored call.
  const double k = std::exp(epsilon);
  return k * rdp::delta_upper(renyi, -epsilon).value * (1 + 8 * kUnit) - std::expm1(epsilon);
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
  const auto curve = [rho](double log_k, Direction direction) -> Interval {
    const double call = curve_upper(rho, log_k);
    // put(K) = call(K) - 1 + K; a small one is better taken from the mirror.
    if (direction == Direction::remove) return {0, call};
    const double mirrored = std::exp(log_k) * curve_upper(rho, -log_k) * (1 + 8 * kUnit);
    return {0, log_k < 0 ? mirrored : call + std::expm1(log_k)};
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

}  // namespace honest_epsilon::releases
