#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/api/band.h"
#include "core/api/schema.h"

/// The trade-off function of a run, phases and releases together.
namespace honest_epsilon::api {

/// The privacy curve at one epsilon, both directions.
struct PrivacyPoint {
  double epsilon = 0;
  Interval remove;
  Interval add;
};
constexpr auto fields(const PrivacyPoint*) {
  using P = PrivacyPoint;
  return std::make_tuple(OutputField{"epsilon", &P::epsilon}, OutputField{"remove", &P::remove},
                         OutputField{"add", &P::add});
}

/// remove: the attack that finds the record (null hypothesis: it is absent).   add: the attack that
/// finds it missing.   symmetric: whichever of the two is worse, C(f).
struct TradeOffAnswer : Explanation {
  std::string sampler;
  std::string adjacency;  ///< as in Answer
  Band remove;
  Band add;
  Band symmetric;
  std::optional<DirectionsOut> delta;  ///< back from the curve, at the epsilon asked
  std::vector<PrivacyPoint> knots;     ///< the privacy curve where it was computed
  Derived derived;
};
constexpr auto fields(const TradeOffAnswer*) {
  using A = TradeOffAnswer;
  return explained_fields<A>(
      OutputField{"sampler", &A::sampler}, OutputField{"adjacency", &A::adjacency},
      OutputField{"remove", &A::remove}, OutputField{"add", &A::add},
      OutputField{"symmetric", &A::symmetric}, OutputField{"delta", &A::delta},
      OutputField{"knots", &A::knots}, OutputField{"derived", &A::derived});
}

std::variant<TradeOffAnswer, Issue> tradeoff(const Query& query);

}  // namespace honest_epsilon::api
