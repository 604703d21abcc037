#pragma once

#include "core/base/interval.h"

/// The Gaussian mechanism: N(mu, 1) against N(0, 1), mu = sensitivity / noise standard deviation.
namespace honest_epsilon::gaussian {

/// Privacy profile, the same in both directions.
///   delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)
///              = pdf(a) (R(a) - R(a + mu)),   a = eps/mu - mu/2,  R Mills' ratio, where a >= 0
/// Cite: [BW18, Thm 8].   Domain: mu > 0, any finite eps (also below 0).
/// Error: certified; upper/lower <= 1 + 3e-10 for mu in [1e-4, 20] and delta >= 1e-150.
Interval delta(double mu, double epsilon);

/// eps(target), certified: delta(lower).lower >= target or lower = 0; delta(upper).upper <= target.
/// Domain: mu > 0, 0 < target < 1.
Interval epsilon(double mu, double target);

}  // namespace honest_epsilon::gaussian
