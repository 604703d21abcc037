#pragma once

#include <vector>

#include "core/tradeoff/curve.h"
#include "core/wire/schema.h"

namespace honest_epsilon::wire {

constexpr auto fields(const tradeoff::ErrorRates*) {
  using E = tradeoff::ErrorRates;
  return outputs<&E::false_positive_rate, &E::false_negative_rate>();
}

constexpr auto fields(const tradeoff::Knot*) {
  using K = tradeoff::Knot;
  return outputs<&K::epsilon, &K::remove, &K::add>();
}

constexpr auto fields(const tradeoff::GaussianBelow*) {
  using G = tradeoff::GaussianBelow;
  return outputs<&G::mu, &G::misfit, &G::resolution>();
}

}  // namespace honest_epsilon::wire

/// A trade-off curve on the wire, the same whatever it is drawn for.
namespace honest_epsilon::accounts {

/// How often the best attack at a false positive rate finds the record.
struct AttackRate {
  double false_positive_rate = 0;
  Interval true_positive_rate;
};
constexpr auto fields(const AttackRate*) {
  using A = AttackRate;
  return wire::outputs<&A::false_positive_rate, &A::true_positive_rate>();
}

/// How often the best guess is right, when the record is there with this probability.
struct Guess {
  double prior = 0;
  Interval success;
};
constexpr auto fields(const Guess*) {
  return wire::outputs<&Guess::prior, &Guess::success>();
}

/// A trade-off function between two convex polygons, vertices in order of the false positive rate,
/// and what is read off it. A curve proved from one side has no upper polygon.
struct Band {
  std::vector<tradeoff::ErrorRates> lower;
  std::vector<tradeoff::ErrorRates> upper;
  Interval advantage;
  std::vector<AttackRate> attack_rates;
  std::vector<Guess> guesses;
  tradeoff::GaussianBelow gaussian;
};
constexpr auto fields(const Band*) {
  using B = Band;
  return wire::outputs<&B::lower, &B::upper, &B::advantage, &B::attack_rates, &B::guesses,
                       &B::gaussian>();
}

/// No reader can tell error rates below this from 0.
inline constexpr double kGaussianResolution = 1e-6;

/// How finely a curve must be known for what is asked of it.
tradeoff::Sampling sampling_for(const wire::Readings& readings, double width = 1e-3);

/// certified: both polygons are proved.   bound: only the lower one is, so that what is read off
/// has upper ends alone.
Band band_of(const tradeoff::TradeOffCurve& curve, const wire::Readings& readings,
             IntervalKind kind = IntervalKind::certified);

}  // namespace honest_epsilon::accounts
