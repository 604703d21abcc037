#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/pld/payoff.h"
#include "core/pld/source.h"

namespace honest_epsilon::pld {

/// Tilt, window and grid for one question about one direction. Nothing here enters a bound: a bad
/// plan gives a wide interval, never a wrong one.
struct TransformPlan {
  double strike = 0;     ///< the epsilon (or sum of ratios) in question, estimated if not given
  double log_value = 0;  ///< and log of the expected payoff there
  double saddle = 0;     ///< the tilt at which the strike is typical
  double tilt = 0;       ///< the tilt used
  double top = 0;        ///< sums above are charged by Chernoff
  double window = 0;     ///< length of the cyclic window, ending at top
  std::size_t grid = 0;  ///< points of the transform
  std::vector<Range> ranges;  ///< for each component, the losses log dP/dQ to resolve
  std::vector<double> up;     ///< positive exponents for Chernoff bounds of the upper tail
  std::vector<double> down;   ///< exponents <= 0 for the lower tail
};

/// The question: the expected payoff at a strike, or the strike at which it has a given value; both
/// are set when an earlier answer gives rough values and only digits are missing.
struct Goal {
  std::optional<double> strike;
  std::optional<double> log_value;
  double slack;  ///< what discretisation may cost log E[payoff]; relative to the strike if none is
                 ///< given
};

TransformPlan make_plan(const std::vector<SourceSteps>& components, Direction direction,
                        Payoff payoff, Goal goal, int log2_grid_limit);

/// Saddle-point estimate of log E[payoff] at a strike.
double log_value_estimate(const std::vector<SourceSteps>& components, Direction direction,
                          Payoff payoff, double strike);

}  // namespace honest_epsilon::pld
