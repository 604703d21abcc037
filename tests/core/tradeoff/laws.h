#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "core/tradeoff/curve.h"

namespace honest_epsilon::testing {

/// What every trade-off function obeys: from 1 - delta down to 0, below guessing, convex; and what
/// every band obeys.
inline void check_laws(const tradeoff::TradeOffCurve& curve) {
  for (const auto& points : {curve.lower_points(), curve.upper_points()}) {
    REQUIRE(points.size() >= 2);
    CHECK(points.front().alpha == 0);
    CHECK(points.back().alpha == 1);
    CHECK(points.back().beta == 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      CAPTURE(points[i].alpha);
      CHECK(points[i].beta >= 0);
      CHECK(points[i].alpha + points[i].beta <= 1 + 1e-12);
      if (i == 0) continue;
      CHECK(points[i].alpha > points[i - 1].alpha);
      CHECK(points[i].beta <= points[i - 1].beta);
      if (i + 1 == points.size()) continue;
      // Convex: no vertex is above the chord of its neighbours.
      const double share =
          (points[i].alpha - points[i - 1].alpha) / (points[i + 1].alpha - points[i - 1].alpha);
      const double chord = points[i - 1].beta * (1 - share) + points[i + 1].beta * share;
      CHECK(points[i].beta <= chord + 1e-12);
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
