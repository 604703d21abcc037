#pragma once

#include <cstdint>
#include <vector>

#include "core/pairs/pair.h"

/// Records that fall into exactly k of an epoch's T steps, as one attack sees them.
namespace honest_epsilon::balls_and_bins {

/// The events of the statistic  Z = sum_t f(x_t),  f(x) = log(1 - q + q e^{mu x - mu^2/2}),  q =
/// k/T,  with which a Poisson sample of the same rate would be told apart: with k of the x_t
/// shifted by mu, whichever they are, Z is k terms of one law and T - k of another, so that its
/// laws are two powers of transforms. Terms are rounded to a lattice and the sum is read modulo a
/// window: both only make the attack see less, and neither has an error.
/// What round-off leaves uncertain is the masses' error.
///   mu: the shift;  domain: mu > 0, 1 <= hits <= steps. Empty where doubles do not hold the
///   masses.
std::vector<pairs::Cell> participation_events(double mu, std::int64_t steps, std::int64_t hits);

}  // namespace honest_epsilon::balls_and_bins
