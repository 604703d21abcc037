#pragma once

#include "core/pairs/pair.h"

/// A normal law's mass of an interval, wide or narrow.
namespace honest_epsilon::pairs {

/// Pr[low < N(centre, 1) < high], from whichever tail is small, with its error.
Mass normal_mass(double low, double high, double centre);

/// Half-width times (|a| + 4) below which the series of narrow_integral holds to 4e-16.
inline constexpr double kNarrow = 0.15;

/// (1/2h) int_{-h}^{h} exp(-a x - x^2/2) dx = sum_k He_2k(a) h^2k / (2k+1)!, up to k = 4. The rest
/// is at most (|a| h + sqrt(10) h)^10 / 11! < 2e-16 for (|a| + 4) h <= kNarrow.
double narrow_integral(double a, double h);

}  // namespace honest_epsilon::pairs
