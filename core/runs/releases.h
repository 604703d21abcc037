#pragma once

#include "core/runs/parts.h"

/// Releases known through their guarantee alone, each as the worst mechanism that satisfies it: the
/// upper end holds for every such release, the lower end for that one.
namespace honest_epsilon::releases {

/// (eps, delta): fails outright with probability delta, else randomised response of eps; tight.
/// Cite: [KOV15, Thm 3.3].
Parts approximate(double epsilon, double delta);

/// mu-GDP: one Gaussian; tight. Cite: [DRS22, Def 6].
Parts gaussian(double mu);

/// rho-zCDP: upper, the curve that Rényi divergence alpha rho allows at every order, as a pair;
/// lower, the Gaussian that satisfies it. Several such releases add their rho first. Cite: [BS16,
/// Def 1.1], [CKS20, Prop 12].
Parts concentrated(double rho, const Demand& demand);

/// Bounded range: no two losses of the mechanism differ by more than it, as those of an exponential
/// mechanism. Against such a mechanism with losses t and t - range, delta is
///   (e^range - e^t) (1 - e^(eps - t)) / (e^range - 1)   [DDR20],
/// whose largest value, at t = (eps + range) / 2, is the curve of the upper side,
///   delta(eps) = (e^(range/2) - e^(eps/2))^2 / (e^range - 1)   for |eps| <= range.
/// Lower, the mechanism of losses range / 2 and -range / 2. Domain: range >= 0.
Parts bounded_range(double range);

}  // namespace honest_epsilon::releases
