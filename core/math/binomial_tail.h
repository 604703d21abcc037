#pragma once

/// The upper tail of a binomial law, for numbers of trials up to 1e12.
namespace honest_epsilon::binomial {

/// Pr[Bin(trials, p) > k], at most; exact but for rounding where it matters.
///   pmf(k+1) (1 + r_1 + r_1 r_2 + ...),  r_i = (n-k-i) / (k+1+i) * p / (1-p),
/// the ratios falling, the rest a geometric series.   Domain: whole trials >= 0 and k, 0 < p <= 1.
double upper_tail_upper(double trials, double p, double k);

/// The smallest k with Pr[Bin(trials, p) > k] <= tail, or a little more where rounding decides.
double quantile_upper(double trials, double p, double tail);

}  // namespace honest_epsilon::binomial
