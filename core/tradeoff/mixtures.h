#pragma once

#include "core/base/interval.h"
#include "core/pairs/pair.h"
#include "core/tradeoff/curve.h"

/// Two-component mixtures of Gaussians of unit variance that a reader sets up,
///   P = (1-w) N(p1, 1) + w N(p2, 1),   Q = (1-w) N(q1, 1) + w N(q2, 1),
/// and what is proved about their trade-off function from the components alone. Cite: [WS23, sec.
/// 3 and 6].
namespace honest_epsilon::mixtures {

struct Mixtures {
  double weight = 0.5;  ///< w in [0, 1]
  double p1 = 0;
  double p2 = 0;  ///< means of the components, within 1e3 of 0
  double q1 = 0;
  double q2 = 0;
};

/// H(P || Q)(e^eps) of the mixtures themselves (remove; H(Q || P) for add), certified.
/// p - K q is a sum of at most four exponentials in x, times a density; its zeros are found by
/// Rolle: divided by one exponential, its derivative is such a sum of one fewer. The events between
/// the zeros give the value; where the sum is too close to zero for its sign to be sure, the
/// difference there is charged.
/// Domain: eps >= 0. Error: about 1e-13 of P(event) + e^eps Q(event).
Interval delta(const Mixtures& mixtures, Direction direction, double epsilon);

/// Joint concavity, as a bound on delta: (1-w) H(P1 || Q1) + w H(P2 || Q2), rounded up, as both
/// ends. It is what an observer learns who is told the component. Cite: [WS23, Lemma 3.1].
Interval delta_joint(const Mixtures& mixtures, Direction direction, double epsilon);

/// Advanced joint concavity. For any 0 <= gamma < w < eta <= 1 (or gamma = 0, eta = 1), with
///   K1 = K (eta - w) / ((1-w) (eta - gamma)),   K2 = K (w - gamma) / (w (eta - gamma)),
///   H_K(P || Q) <= (1-w) ((1-gamma) H_K1(P1 || Q1) + gamma H_K1(P1 || Q2))
///                + w ((1-eta) H_K2(P2 || Q1) + eta H_K2(P2 || Q2)),
/// for p - K q is the same combination without the positive parts. gamma = 0, eta = 1 is joint
/// concavity. The best gamma and eta are looked for; any give a bound. Cite: [WS23, Lemmas 6.2,
/// 6.3].
struct AdvancedBound {
  double delta_upper = 1;
  double gamma = 0;
  double eta = 1;
};
AdvancedBound best_advanced(const Mixtures& mixtures, Direction direction, double epsilon);

/// The bound alone.
Interval delta_advanced(const Mixtures& mixtures, Direction direction, double epsilon);

/// The curve of the mixtures' delta, T(Q, P), or of a bound on it: that one's lower polygon is
/// below their trade-off function, and the upper one only says how finely it was sampled.
using DeltaBound = Interval(const Mixtures& mixtures, Direction direction, double epsilon);
tradeoff::TradeOffCurve trade_off(const Mixtures& mixtures, const tradeoff::Sampling& sampling = {},
                                  DeltaBound* bound = delta);

}  // namespace honest_epsilon::mixtures
