#pragma once

#include <memory>

#include "core/monte_carlo/request.h"
#include "core/monte_carlo/summands.h"

namespace honest_epsilon::monte_carlo {

/// Balls-and-bins, one epoch, on events outside of which the loss is at most epsilon. With w the
/// noise of all T coordinates in its own units and w^(1) the largest:
///   remove: E = {w^(1) >= c},  c = mu/2 + (epsilon - log(1 + (e^(mu^2) - 1)/T)) / mu,
///   add:    E = {w^(1) <= c},  c = mu/2 + (log T - epsilon)/mu: beyond it one ratio alone makes
///           the average of T exceed e^-epsilon.
/// Cite: [BB25, sec. 4 and B.1, Alg 5 and 10]; its event for add is printed without log T / mu, as
/// if all coordinates, not the largest, were above c, and misses most of delta.
///
/// Many epsilons from one sample: the events are nested. Each sample takes one of the n events at
/// random and is drawn given it, so its density over the unconditioned one is (1/n) sum_i
/// 1_i/Pr(E_i), and (1 - e^(epsilon - loss))+ over this has the wanted mean. Within E_j every
/// larger event holds, so the summand is at most bound_j = n / sum_{i: E_i contains E_j} 1/Pr(E_i);
/// for a single epsilon Pr(E), as in the paper.
///
/// With order statistics [BB25, B.3]: given that the largest noise is y at coordinate t, the others
/// are free below y. If t is the record's own coordinate they are T - 1 order statistics below y,
/// else y, the record's own noise below y (not, as printed there, its value below y), and T - 2
/// order statistics below y (there too, where t is the record's own, the print leaves out "below").
std::unique_ptr<Summands> importance_summands(const SampleRequest& request);

}  // namespace honest_epsilon::monte_carlo
