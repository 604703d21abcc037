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

}  // namespace honest_epsilon::releases
