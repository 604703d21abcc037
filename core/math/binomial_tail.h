#pragma once

#include "core/base/interval.h"

/// The tails of a binomial law, for numbers of trials up to 1e12.
namespace honest_epsilon::binomial {

/// Pr[Bin(trials, p) > k], from k + 1 > trials p on
///   pmf(k+1) (1 + r_1 + r_1 r_2 + ...),  r_i = (n-k-i) / (k+1+i) * p / (1-p),
/// the ratios falling, the rest at most a geometric series. Each ratio rounds by five units, their
/// product over 2e5 of them by 1.2e-10. Below that it is 1 - Pr[Bin(trials, 1 - p) >= trials - k].
///   Domain: whole trials >= 0 and k, 0 < p <= 1.
Interval upper_tail(double trials, double p, double k);

/// Pr[Bin(trials, p) > k], at most.
inline double upper_tail_upper(double trials, double p, double k) {
  return upper_tail(trials, p, k).upper;
}

/// Pr[Bin(trials, p) <= k], at most.   Domain: 1 - p a double, 0 < p < 1.
double cumulative_upper(double trials, double p, double k);

/// The smallest k with Pr[Bin(trials, p) > k] <= tail, or a little more where rounding decides.
double quantile_upper(double trials, double p, double tail);

}  // namespace honest_epsilon::binomial
