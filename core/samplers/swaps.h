#pragma once

#include <vector>

#include "core/base/direction.h"
#include "core/runs/parts.h"

/// The swap theorem, this project's own: where batches are many and noise is large it proves more
/// than the clone theorem (clones.h). The methods page has it in plain words.
namespace honest_epsilon::shuffle {

/// delta(eps), eps >= 0, of one freshly permuted epoch of zero-out neighbours and Gaussian noise,
/// at most.
///
/// Let X_m be the density of N(m) relative to N(0), a = e^eps and 0 < lambda <= 1; let
///   p = lambda (1 - delta_mu(ln 1/lambda)),   M - 1 ~ Bin(T - 1, p),
/// and W_1, W_2, ... independent, of the law whose options are, in direction remove and for c >= 0,
///   E (W - c)+ = E (X_mu - a - c min(1, X_-mu / lambda))+,
///   E (-W - c)+ = E (a - X_mu - c min(1, X_mu / lambda))+,
/// under N(0). In direction add 1 - a X_mu stands in place of X_mu - a, a X_mu - 1 in place of
/// a - X_mu, and X_-mu and X_mu are exchanged. (W exists: the slopes of both at c = 0 add up to no
/// more than 1, the rest is an atom at 0, E W = 1 - a, in direction add too, and parity gives the
/// options at negative strikes.) Then
///   delta(eps) <= E_M sup E (x + r_1 W_1 + ... + r_{M-1} W_{M-1})+ / M,
/// where x is X_u - a, or 1 - a X_u, for some |u| <= mu, and r_j is min(l, X_m) / p for some
/// |m| <= mu and the l in [p, lambda] that makes its mean 1; all are functions of one output, which
/// is independent of the W. So 0 <= r_j <= lambda / p.
///
/// Where the last batch is short T is one less, as in clones.h, and epochs that leave records out
/// reveal no more. Neighbours that differ in more than one record are reached one at a time, and
/// fixed shards are told but for the record's own.
///
/// Proof. (1) Take one record out of every batch, the record in question being one of the T. Given
/// all else, any order of the T over their T places is as likely as any other.
/// (2) Another record's step N(m), |m| <= mu, is at least p C, where C has the density
///   min(l, X_m) / p   relative to N(0), and l in [p, lambda] is such that the mass is 1.
/// (As |m| falls, the mass of min(lambda, X_m) rises from p on.) Label each record a clone with
/// probability p, whose step is C, whatever the past. Tell the adversary the labels, and the places
/// of the records that are no clones. M places remain, at which the record and M - 1 clones are in
/// an order as likely as any.
/// (3) Draw that order so: the record to the place that is first in time, the clones to the others;
/// then, each with probability 1 / M, the record and one of the clones are swapped, or none is.
/// Tell the adversary where all clones were. The kernels of all other steps depend on outputs
/// alone, and cancel: relative to the law of the outputs with the record zeroed and none swapped,
/// with P the law with the record and Q the one with it zeroed,
///   M (P - a Q) = x + sum_j r_j V_j,   V_j = (X_u - a) / C_j  (for add: (1 - a X_u) / C_j),
/// r_j being the density of clone j's step at the first place, and C_j at its own.
/// (4) Given the past, no option on V_j is dearer than that on W: where V is large, X_u is, and
/// min(l, X_m) is small; both are monotone, along u and along -m, so that the mean of a convex
/// function of their sum is largest for opposite ones (stop-loss of comonotone sums), and the
/// longer they are: X_u grows in convex order with |u|, and -min(1, x / lambda) is convex and falls
/// in x. Likewise where V is small, along +m. From the last place to the first, each V_j may be
/// replaced by a W of its own: the mean of a convex function of the sum grows. QED.
///
/// What is computed: (a) x is cut off at x_0, which costs E (x - x_0)+ / M; r_j below
/// theta lambda / p, theta <= p / lambda, are raised to it, which costs E (theta lambda / p - r_j)+
/// E (-W)+ each: as theta lambda <= p <= l, the first factor is at most
/// theta lambda / p delta_mu(-ln theta lambda).
/// (b) The mean is convex in each r_j: they may be 1 or theta (times lambda / p) at random. Let k
/// of n = M - 1 be 1, and f(k, x) = E (x + S)+. Then n - k has a mean of at most
///   n (1 - p / lambda) / (1 - theta),
/// so that a bound f(k, x) <= g(x) + (n - k) slope, linear in k, does.
/// (c) With phi(z) = E e^(z W), z = s + iy and any s > 0,
///   E (x + S)+ <= e^(s x) / (2 pi) int |phi(z)|^k |phi(theta z)|^(n-k) e^(t (s^2 - y^2) / 2) dy /
///   |z|^2:
/// (x + S)+ may be blurred by an independent N(0, t), and (v)+ is the integral of e^(z v) / z^2.
/// For any set of values, with A and B the sums of e^(s(w + w')) (w - w')^2 and ^4 over its pairs,
///   |phi(z)|^2 <= phi(s)^2 - y^2 A / 2 + y^4 B / 24,
/// which leaves a Gaussian integral up to some y, and beyond it 1 / y^2 is enough.
/// (d) W's law is replaced by one on a grid with options no less dear.
/// Epochs: a convex majorant of one epoch's curve is that of a pair, which dominates the epoch
/// whatever came before, so that its powers dominate several [ZDW22].
class SwapBound {
 public:
  /// batches: T, as in clones.h; mu: the shift of one known batch.   lambda: any in (0, 1]
  SwapBound(double batches, double mu, double lambda);

  /// delta of known batches, at most.
  double known(double epsilon) const;

  /// about: roughly the delta to be found; what is left out is small to it. Not for threads.
  double delta(Direction direction, double epsilon, double about) const;

 private:
  /// A value to which M is rounded down, and the probability of a smaller one, from above.
  struct Rung {
    double places, below;
  };
  /// From 1 on, by half a deviation; M is rounded down to 1 with about a negligible probability.
  std::vector<Rung> rungs(double negligible) const;

  double others_;  ///< T - 1
  double mu_, lambda_;
  double clone_;                       ///< p, from below
  double largest_;                     ///< lambda / p, from above
  mutable std::vector<Rung> falling_;  ///< as far down as rungs were asked for
};

/// Epochs that are each permuted anew, from above, by the best of a few lambda; a single one also
/// by its curve.
///   aim: to which delta all of them together are followed (core/runs/aims.h)
Steps swap_steps(double batches, double mu, double epochs, double aim);

/// The epsilon at a delta that the curve of a single epoch proves in both directions, where it is
/// less than a known one.
double swap_epsilon(double batches, double mu, double delta, double known);

}  // namespace honest_epsilon::shuffle
