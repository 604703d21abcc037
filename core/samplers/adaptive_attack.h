#pragma once

#include <vector>

#include "core/pairs/pair.h"

/// Adaptive attacks on one epoch of shuffled batches, from below.
///
/// In units of the noise, the record in question adds p to its batch under P and q under Q. Every
/// other record adds m_t to batch t, -mu or mu, chosen by the outputs before. Relative to the law
/// Q_0 of outputs y_t ~ N(m_t), with X_m the density of N(m) relative to N(0) and a = e^eps,
///   T (dP - a dQ) / dQ_0 = z_T,   z_t = z_{t-1} + (X_p(y_t) - a X_q(y_t)) / X_{m_t}(y_t),
/// so that delta >= E (z_T)+ / T. Where the record is in no batch with probability 1 - u, z_0 is
/// (1 - a) T (1 - u) / u in place of 0, and u / T comes in place of 1 / T.
///
/// The value V_t(z) = E((z_T)+ | z_t = z) of the best rule follows backwards,
///   V_{t-1}(z) = max over m of E V_t(z + (X_p - a X_q) / X_m).
/// All V are convex, rise and are not negative, so that each step keeps a lower bound:
///  - the increment's law is divided into cells, and each cell replaced by its mean (Jensen);
///  - V_t is replaced by some of its tangents.
/// Each mean is as good as an attack that sees no more than the cells. Batches that follow each
/// other may share one choice of m: their sum's law comes by doubling, cells merged each time.
namespace honest_epsilon::shuffle {

struct AttackedEpoch {
  double batches;
  double mu;             ///< the most that any record adds
  double with, without;  ///< what the record in question adds under P and under Q
  double used = 1;       ///< the probability that it is in some batch
};

/// The delta that an attack proves. Certified; 0 where none is tried.
double adaptive_lower(const AttackedEpoch& epoch, double epsilon);

/// An epsilon at which an attack proves delta, nearly the largest. Certified; 0 where none proves
/// any.
///   near: where it is sought first;   decided: what the other direction proves; where this one
///   proves less, a few hundredths less will do
double adaptive_epsilon(const AttackedEpoch& epoch, double delta, double near, double decided = 0);

/// The events that an attack tells apart in one epoch: cells of z_T, summed over cells of the
/// outputs. Each is an event whatever the cells, so that they need not be fine. The others choose
/// where the record is replaced, and else add -mu throughout; nothing where no attack is tried.
///   epsilon: what the rule is made for
std::vector<pairs::Cell> adaptive_cells(const AttackedEpoch& epoch, double epsilon);

}  // namespace honest_epsilon::shuffle
