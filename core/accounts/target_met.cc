#include "core/accounts/target_met.h"

#include <algorithm>
#include <cmath>

#include "core/accounts/account.h"
#include "core/accounts/answer.h"
#include "core/accounts/band.h"
#include "core/accounts/sampled.h"
#include "core/base/rounding.h"

namespace honest_epsilon::accounts {
namespace {

/// The readings that the question "tradeoff" would be asked for it.
wire::Readings readings_of(const wire::Target& target) {
  wire::Readings readings;
  if (target.measure != wire::Measure::gdp) readings.false_positive_rates = {target.at};
  return readings;
}

struct Measured {
  Interval value;
  double gap = 0;           ///< GaussianBelow::misfit
  bool own_proofs = false;  ///< as in TradeOffAnswer
};

/// Advantage and accuracy are one delta: with p the prior, K = (1 - p) / p and p <= 1/2,
///   accuracy = 1 - p + p delta(log K);   p > 1/2 the same with the two datasets exchanged.
Measured by_delta(const wire::Target& target, const wire::Query& query, const Programme& programme,
                  calibrate::Care care) {
  const bool halves = target.measure == wire::Measure::advantage || target.at == 0.5;
  const double epsilon = halves ? 0 : std::abs(std::log(target.at / (1 - target.at)));
  const Effort effort = effort_of(care, query.width.value_or(kDefaultWidth));
  // A lower epsilon has a larger delta.
  const Asked asked = halves ? Asked::total_variation : Asked::delta;
  const double given = std::max(0.0, epsilon * (1 - 4 * kUnit) - kUnit);
  const Proved proved = care == calibrate::Care::fine
                            ? account_twice(programme, asked, given, effort)
                            : Proved{account(programme, asked, given, effort), std::nullopt};
  const Directions& d = proved.finding.directions;
  const bool own_proofs = proved.published.has_value();
  const Interval delta = maximum(d.remove, d.add);
  if (target.measure == wire::Measure::advantage) return {delta, 0, own_proofs};
  const double floor = target.floor();
  // That epsilon lies below the true one by less than this, and delta falls by no more than epsilon
  // rises.
  const double below = 8 * kUnit * (epsilon + 1);
  const double least = std::max(0.0, delta.lower - below);
  Interval value = within_unit(affine(floor, 1 - floor, {least, delta.upper}));
  value.kind = delta.kind;
  return {value, 0, own_proofs};
}

Measured measured(const wire::Target& target, const wire::Query& query, const Programme& programme,
                  calibrate::Care care) {
  if (target.measure == wire::Measure::advantage || target.measure == wire::Measure::accuracy)
    return by_delta(target, query, programme, care);
  tradeoff::Sampling sampling =
      sampling_for(readings_of(target), query.width.value_or(kDefaultCurveWidth));
  if (care == calibrate::Care::rough) {
    // Within a percent or so, by few knots.
    sampling.width = std::max(sampling.width, 2e-2);
    sampling.most = 32;
  }
  const Sampled sampled = sampled_curve(programme, sampling);
  const tradeoff::TradeOffCurve curve(tradeoff::symmetrised(sampled.knots));
  if (target.measure != wire::Measure::gdp)
    return {curve.true_positive_rate(target.at), 0, sampled.own_proofs};
  const tradeoff::GaussianBelow fit = curve.gaussian_below(kGaussianResolution);
  return {fit.mu, fit.misfit, sampled.own_proofs};
}

}  // namespace

Effort effort_of(calibrate::Care care, double width) {
  Effort effort;
  effort.width = width;
  if (care == calibrate::Care::rough) {
    effort.width = std::max(width, 1e-2);
    effort.log2_grid_limit = 15;
  }
  return effort;
}

double target_excess(const wire::Target& target, const wire::Query& query,
                     const Programme& programme, calibrate::Care care) {
  const double found = measured(target, query, programme, care).value.upper;
  const double floor = target.floor();
  const double excess = std::log(std::max(0.0, found - floor) / (target.limit - floor));
  // The quotient may round to 1.
  return found > target.limit ? std::max(excess, 1e-12) : std::min(excess, 0.0);
}

wire::TargetMet target_met(const wire::Target& target, const wire::Query& query,
                           const Programme& programme) {
  const wire::MeasureInfo& kind = info_of(target.measure);
  const Measured found = measured(target, query, programme, calibrate::Care::fine);
  wire::TargetMet met;
  met.name = kind.name;
  met.limit = target.limit;
  if (kind.at) met.at = target.at;
  met.value = found.value;
  met.own_proofs = found.own_proofs;
  if (target.measure == wire::Measure::gdp) {
    met.gap = found.gap;
    met.resolution = kGaussianResolution;
  }
  return met;
}

}  // namespace honest_epsilon::accounts
