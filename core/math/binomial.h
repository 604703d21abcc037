#pragma once

#include <cstdint>

#include "core/base/rounding.h"

/// Binomial probabilities through Stirling's series and the deviance, so that no factorial and no
/// power ever over- or underflows on the way.
///   Pr[Bin(n, p) = k] = sqrt(n / (2 pi k (n-k))) exp(s(n) - s(k) - s(n-k) - n KL(k/n || p)),
/// s(n) = log n! - log(sqrt(2 pi n) (n/e)^n) = 1/(12 n) - 1/(360 n^3) + ...
/// Cite: [Loa00].
namespace honest_epsilon::binomial {

/// A probability and a bound on its absolute error. Below 1e-290 the error is not less than 1e-300,
/// since the value may have underflowed.
using Probability = Charged;

/// Pr[Bin(n, p) = k] for the double p taken as exact. Domain: 0 <= k <= n <= 2^53, 0 < p <= 1.
Probability pmf(std::int64_t n, double p, std::int64_t k);

/// The same with rest = 1 - p given apart, both within a relative `error`.
/// Domain: n <= 2^48, error <= 16 kUnit, so that n error^2 is nothing beside a unit.
Probability pmf(std::int64_t n, double p, double rest, double error, std::int64_t k);

/// Pr[Bin(n, 1/2) = k]. Domain: 0 <= k <= n <= 2^53.
Probability half_pmf(std::int64_t n, std::int64_t k);

/// Pr[Bin(n, 1/2) >= k], summed from k upwards. Domain: n/2 < k <= n, or k = n + 1, which has
/// probability 0. Takes about 10 sqrt(n) steps at most.
Probability half_upper_tail(std::int64_t n, std::int64_t k);

/// n KL(k/n || p) for real k: the exponent of Chernoff's bound on Bin(n, p) beyond k, on the side
/// away from its mean.
double deviance(double n, double p, double k);

}  // namespace honest_epsilon::binomial
