#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/tradeoff/curve.h"

namespace honest_epsilon::testing {

/// G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu), certified. Domain: mu >= 0, 0 <= alpha <= 1.
/// Cite: [DRS22, Def 2.6].
inline Interval gdp_false_negative_rate(double mu, double alpha) {
  if (alpha <= 0) return {1, 1};
  if (alpha >= 1) return {0, 0};
  // A quantile with the tail on the wanted side of alpha, for both sides.
  const double z = normal::upper_quantile_estimate(alpha);
  const double slack = 1e-11 * (std::abs(z) + 1);
  const double below = normal::upper_tail(z - slack) * (1 - normal::kRelativeError) >= alpha
                           ? z - slack
                           : -kInfinity;
  const double above =
      normal::upper_tail(z + slack) * (1 + normal::kRelativeError) <= alpha ? z + slack : kInfinity;
  // f = Pr[N > mu - z], which rises with z.
  const double rounding = 2 * kUnit * (mu + std::abs(z));
  const double low = normal::upper_tail(mu - below + rounding) * (1 - normal::kRelativeError);
  const double high = normal::upper_tail(mu - above - rounding) * (1 + normal::kRelativeError);
  return {std::max(0.0, low - kTiny), std::min(high + kTiny, 1 - alpha)};
}

/// What every trade-off function obeys: from 1 - delta down to 0, below guessing, convex; and what
/// every band obeys.
inline void check_laws(const tradeoff::TradeOffCurve& curve) {
  for (const auto& points : {curve.lower_points(), curve.upper_points()}) {
    REQUIRE(points.size() >= 2);
    CHECK(points.front().false_positive_rate == 0);
    CHECK(points.back().false_positive_rate == 1);
    CHECK(points.back().false_negative_rate == 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      CAPTURE(points[i].false_positive_rate);
      CHECK(points[i].false_negative_rate >= 0);
      CHECK(points[i].false_positive_rate + points[i].false_negative_rate <= 1 + 1e-12);
      if (i == 0) continue;
      CHECK(points[i].false_positive_rate > points[i - 1].false_positive_rate);
      CHECK(points[i].false_negative_rate <= points[i - 1].false_negative_rate);
      if (i + 1 == points.size()) continue;
      // Convex: no vertex is above the chord of its neighbours.
      const double share = (points[i].false_positive_rate - points[i - 1].false_positive_rate) /
                           (points[i + 1].false_positive_rate - points[i - 1].false_positive_rate);
      const double chord = points[i - 1].false_negative_rate * (1 - share) +
                           points[i + 1].false_negative_rate * share;
      CHECK(points[i].false_negative_rate <= chord + 1e-12);
    }
  }
  for (int i = 0; i <= 100; ++i) {
    const double alpha = i / 100.0;
    CAPTURE(alpha);
    const Interval miss = curve.false_negative_rate(alpha);
    const Interval hit = curve.true_positive_rate(alpha);
    CHECK(miss.lower >= 0);
    CHECK(miss.lower <= miss.upper);
    CHECK(miss.upper <= 1 - alpha);
    CHECK(hit.lower <= hit.upper);
    CHECK(hit.lower <= 1 - miss.lower + 1e-12);
    CHECK(hit.upper >= 1 - miss.upper - 1e-12);
  }
}

}  // namespace honest_epsilon::testing
