#pragma once

#include "core/base/interval.h"

/// Confidence ends for the mean of independent numbers in [0, 1], from their number, average and
/// average square. Each end is wrong with probability at most `error`; round-off goes to the safe
/// side. With no samples, or error 0, the ends are 0 and 1.
namespace honest_epsilon::monte_carlo {

/// What has been seen of the numbers. They need not be equally distributed.
struct Observed {
  double samples = 0;
  double mean = 0;
  double mean_square = 0;
};

/// Chernoff's bound: the p on either side of the average q at which
///   samples KL(q || p) = log(1 / error),   KL(q || p) = q log(q/p) + (1-q) log((1-q)/(1-p)).
/// Pr[average <= q] <= exp(-samples KL(q || p)) for q below the true mean p, and likewise above.
/// Cite: [Hoe63, Thm 1], [BB25, Thm 4.1].
Interval chernoff(const Observed& seen, double error);

/// q +- sqrt(log(1 / error) / (2 samples)). Cite: [Hoe63, Thm 2], [AP24, App. B.2].
Interval hoeffding(const Observed& seen, double error);

/// q +- (sqrt(2 V log(2 / error) / samples) + 7 log(2 / error) / (3 (samples - 1))), V the sample
/// variance: far closer than the others where the numbers vary little. Cite: [MP09, Thm 4].
Interval bernstein(const Observed& seen, double error);

}  // namespace honest_epsilon::monte_carlo
