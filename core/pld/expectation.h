#pragma once

#include <cstdint>
#include <vector>

#include "core/base/effort.h"
#include "core/base/interval.h"
#include "core/pld/compose.h"
#include "core/pld/payoff.h"
#include "core/pld/plan.h"
#include "core/pld/source.h"

namespace honest_epsilon::pld {

/// E[payoff(sum - strike)+] of a sum of independent steps, certified, for every strike near the
/// planned one from a single pair of transforms.
///
/// Upper: the split laws; what lies above the window is charged by Chernoff, what wraps round into
/// it only adds. Lower: the lumped laws; what wrapped round is bounded and taken off. Round-off of
/// the transform is charged at every point.
///
/// Of a single end that is wanted, the other one's laws are not made, and it is trivial.
class Expectation {
 public:
  Expectation(const std::vector<SourceSteps>& components, Direction direction, Payoff payoff,
              const TransformPlan& plan, std::size_t grid, Wanted wanted = Wanted::both);

  double upper(double strike) const;
  double lower(double strike) const;

  /// Of a sum with a single kind of step: the ratios its laws cover (see LatticeLaw::covered).
  double covered_upper() const { return covered_upper_; }
  double covered_lower() const { return covered_lower_; }

 private:
  struct Moment {
    double s;
    double upper;  ///< log E e^{s sum} under the upper laws
    double lower;
  };

  /// Suffix sums over a window, from which the payoff at any strike follows at once.
  struct Suffix {
    std::vector<double> weight;  ///< sum over points from i on of the mass
    std::vector<double> payoff;  ///< the same of mass times payoff(point - point(i))
    double relative = 0;         ///< rounding of the terms, to be widened by what the strike adds
  };
  Suffix suffix_of(const TiltedSum& sum, double sign) const;
  double payoff_sum(const TiltedSum& sum, const Suffix& suffix, double strike, double sign) const;
  double chernoff(double strike) const;
  double above_top(double strike) const;
  double wrapped(double strike) const;

  Payoff payoff_;
  Wanted wanted_;
  TiltedPair sums_;
  Suffix upper_suffix_;
  Suffix lower_suffix_;
  std::vector<Moment> up_;
  std::vector<Moment> down_;
  double lowest_ = 0;         ///< smallest point of the lower laws' sum
  double highest_lower_ = 0;  ///< and their largest
  double highest_upper_ = 0;  ///< largest finite point of the upper laws' sum
  double covered_upper_ = 0;
  double covered_lower_ = 0;
  double infinite_ = 0;  ///< probability that any step's loss is infinite
};

}  // namespace honest_epsilon::pld
