#include "core/accounts/sampled.h"

#include <algorithm>

#include "core/accounts/account.h"
#include "core/accounts/remarks.h"
#include "core/wire/guard.h"

namespace honest_epsilon::accounts {
namespace {

/// Whether a delta that matters is wider than asked by more than is lost between transforms.
bool too_wide(const Directions& d, const tradeoff::Sampling& sampling) {
  const auto wide = [&](const Interval& delta) {
    return delta.upper > sampling.resolution &&
           delta.upper - delta.lower > 2 * sampling.width * delta.upper;
  };
  return wide(d.remove) || wide(d.add);
}

}  // namespace

Sampled sampled_curve(const Programme& programme, tradeoff::Sampling sampling) {
  // Transforms of this size take milliseconds, and serve several points each.
  const Effort effort{sampling.width, 16};
  // Of the rates that are followed, such a delta is a small part.
  const PrivacyCurve curve = privacy_curve(programme, effort, sampling.smallest);
  Sampled sampled;
  sampling.highest = curve.highest;
  sampling.noise = open_by_theory(programme) ? effort.width : 0;
  if (curve.by_swaps) {
    // The upper end comes from tries that differ by several percents.
    sampling.width = std::max(sampling.width, kOpenWidth);
    sampling.noise = 0.1;
  }
  const auto at = [&](double epsilon) -> tradeoff::Knot {
    const Finding finding = curve.delta(epsilon);
    sampled.method = finding.method;
    sampled.grid_points = std::max(sampled.grid_points, finding.grid_points);
    sampled.limited = sampled.limited || too_wide(finding.directions, sampling);
    bool widened = false;
    return {epsilon, wire::guarded(finding.directions.remove, 1, widened),
            wire::guarded(finding.directions.add, 1, widened)};
  };
  sampled.knots = tradeoff::sample(at, sampling);
  sampled.own_proofs = *curve.own_proofs;
  return sampled;
}

}  // namespace honest_epsilon::accounts
