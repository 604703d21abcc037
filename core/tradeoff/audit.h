#pragma once

#include <vector>

#include "core/tradeoff/curve.h"

/// Audits with one run. m records, the canaries, are included or not by a fair coin each, on their
/// own; training sees those included; whoever sees the run's output then guesses at most r of the
/// coins, r fixed beforehand, and V of these guesses are right. Too many right guesses refute a
/// claim of privacy. Two bounds hold on Pr[V >= v], for every attack.
///
/// By (epsilon, delta): with B ~ Bin(r, e^eps / (1 + e^eps)),
///   Pr[V >= v] <= Pr[B >= v] + 2 m delta max_{1<=i<=v} Pr[v - i <= B < v] / i.           (1)
/// Cite: [SNJ23, Thm 5.2 and Appendix D].
///
/// By a trade-off function f that no two neighbouring datasets fall below, in either order
/// (symmetric). Let g = 1 - f: concave, rising, and P(E) <= g(Q(E)). Let p_i = Pr[V = i],
/// P_c = Pr[V >= c]. For a canary j and a guess b let E be: j is guessed to be b, and at least
/// c - 1 of the guesses at other canaries are right. Given the other coins, E depends on the output
/// alone, and coin j moves its probability by at most g; over the other coins g is concave. So
///   Pr[E, coin j is b] <= g(2 Pr[E, coin j is not b]) / 2.
/// On the left j is a right guess and V >= c; on the right j is a wrong one and V >= c - 1. Summed
/// over the 2 m pairs (j, b), by concavity again, with at most r - V wrong guesses:
///   U_c <= m g(W_{c-1} / m),   U_c = sum_{i>=c} i p_i,   W_c = sum_{i>=c} (r - i) p_i.     (2)
/// By parts, U_c = c P_c + sum_{i>c} P_i and W_{c-1} = (r - c + 1) P_{c-1} - sum_{i>=c} P_i. With w
/// the inverse of g, the least Q(E) where P(E) is given, (2) reads
///   (r - c + 1) P_{c-1} >= m w(U_c / m) + sum_{i>=c} P_i,                                  (3)
/// whose right side grows with every P_i, i >= c. So from P_v >= tau alone lower bounds follow on
/// P_{v-1}, ..., P_0, each from those before; where one exceeds 1, Pr[V >= v] < tau.
/// Cite: [MMC25] for the idea; (2) and (3) are proved here.
///
/// Audits with many runs. An attack with fixed thresholds is tried on n members and m non-members,
/// each in a run of its own; at a threshold it calls a of the members and b of the non-members
/// members. Of a run with trade-off function f, g = 1 - f as above, the rates obey tpr <= g(fpr).
/// Pr[Bin(m, x) <= b] falls with x, and Pr[Bin(n, g(x)) >= a] rises; whatever fpr is, twice the
/// smaller of them at x = fpr is a p-value, so that
///   2 max_x min(Pr[Bin(m, x) <= b], Pr[Bin(n, g(x)) >= a]),
/// times the number of thresholds, is one for the run. With g of a claim alone this is the
/// interval of Clopper and Pearson for either rate at half the error. Cite: [JUO20], [CP34].
namespace honest_epsilon::audit {

/// The result of an audit.   Domain: whole numbers, 0 <= correct <= guesses <= canaries,
/// guesses >= 1.
struct Record {
  double canaries = 1;  ///< m
  double guesses = 1;   ///< r
  double correct = 0;   ///< v
};

/// How often an attack called members and non-members members, at one threshold.
struct Positives {
  double members = 0;      ///< a
  double non_members = 0;  ///< b
};

/// The same at several thresholds, all fixed beforehand.   Domain: whole numbers, a <= members,
/// b <= non_members; both totals >= 1.
struct AttackCounts {
  double members = 1;      ///< n
  double non_members = 1;  ///< m
  std::vector<Positives> thresholds;
};

/// Pr[V >= v] at most, if the run is (epsilon, delta)-private: (1).   Domain: epsilon, delta >= 0.
double p_value_upper(const Record& record, double epsilon, double delta);

/// Pr[V >= v] at most, if every one of these holds in both directions: (3).
///   claims: the run is (epsilon, delta)-private.
double p_value_upper(const Record& record, const std::vector<tradeoff::Support>& claims);

/// The least of (1) at each claim and of (3) with all of them. Each bounds the same probability, so
/// no correction for their number is needed; the claims are fixed before the audit.
double least_p_value(const Record& record, const std::vector<tradeoff::Support>& claims);

/// The p-value of an attack's counts, from above, if every claim holds in both directions.
double least_p_value(const AttackCounts& counts, const std::vector<tradeoff::Support>& claims);

/// An epsilon such that (epsilon, delta)-privacy is refuted: Pr[V >= v] <= error if it held. 0
/// where nothing is refuted. A smaller epsilon is a stronger claim, and refuted with it.
///   Domain: 0 <= delta < 1, 0 < error < 1.
double epsilon_lower(const Record& record, double delta, double error);
double epsilon_lower(const AttackCounts& counts, double delta, double error);

}  // namespace honest_epsilon::audit
