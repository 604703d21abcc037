#pragma once

#include <vector>

#include "core/base/direction.h"
#include "core/runs/parts.h"
#include "core/samplers/swap_law.h"

/// The swap theorem, this project's own: where batches are many and noise is large it proves more
/// than known batches. web/docs/proofs.md has it in plain words.
namespace honest_epsilon::shuffle {

/// The record in question.
struct Swapped {
  double mu;      ///< the shift of one known batch
  bool replaced;  ///< or zeroed
};

/// delta(eps), eps >= 0, of one freshly permuted epoch and Gaussian noise, at most.
///
/// In units of sigma, the record in question adds u under P and v under Q, zero-out neighbours with
/// v = 0 (direction remove) or u = 0 (add), and replaced records with any |u|, |v| <= mu. Let X_m
/// be the density of N(m) relative to N(0), a = e^eps and 0 < lambda <= 1; let
///   p = lambda (1 - delta_mu(ln 1/lambda)),   M - 1 ~ Bin(T - 1, p),
/// and W_1, W_2, ... independent, of the law whose options are, for c >= 0 and under N(0),
///   E (W - c)+ = E (X_b - a X_d - c min(1, X_-mu / p))+,
///   E (-W - c)+ = E (a X_d - X_b - c min(1, X_mu / p))+,
/// with (b, d) = (mu, 0) for remove, (0, -mu) for add and (mu, -mu) for replaced records. (W
/// exists: the slopes of both at c = 0 add up to no more than 1, the rest is an atom at 0, E W = 1
/// - a, and parity gives the options at negative strikes.) Then
///   delta(eps) <= E_M sup E (x + r_1 W_1 + ... + r_{M-1} W_{M-1})+ / M,
/// where x = X_u - a X_v, and r_j is min(l, X_m) / p for some |m| <= mu and the l in [p, lambda]
/// that makes its mean 1; all are functions of one output, which is independent of the W. So 0 <=
/// r_j <= lambda / p. The supremum's x is X_b - a X_d: it is largest in convex order.
///
/// Where the last batch is short T is one less: leave out batch i with probability 1 - (T - 1) p_i,
/// p_i <= 1 / (T - 1) that of the record to be in it, and spread the record evenly over the others;
/// so it is in batch i with probability p_i. Epochs that leave records out, or stop midway, reveal
/// no more than whole ones. Neighbours that differ in more than one record are reached one at a
/// time, and fixed shards are told but for the record's own.
///
/// Proof. (1) Take one record out of every batch, the record in question being one of the T. Given
/// all else, any order of the T over their T places is as likely as any other.
/// (2) Another record's step N(m), |m| <= mu, is at least p C, where C has the density
///   min(l, X_m) / p   relative to N(0), and l in [p, lambda] is such that the mass is 1.
/// (As |m| falls, the mass of min(lambda, X_m) rises from p on.) Label each record a clone with
/// probability p, whose step is C, whatever the past. Tell the adversary the labels, and the places
/// of the records that are no clones. M places remain, at which the record and M - 1 clones are in
/// an order as likely as any. The others are the same in both datasets.
/// (3) Draw that order so: the record to the place that is first in time, the clones to the others;
/// then, each with probability 1 / M, the record and one of the clones are swapped, or none is.
/// Tell the adversary where all clones were. The kernels of all other steps depend on outputs
/// alone, and cancel: relative to the law of the outputs with N(0) in the record's place and none
/// swapped,
///   M (P - a Q) = x + sum_j r_j V_j,   V_j = (X_u - a X_v) / C_j,
/// r_j being the density of clone j's step at the first place, and C_j at its own.
/// (4) Given the past, no option on V_j is dearer than that on W: E (V - c)+ is the mean of a
/// convex function of the sum of X_u, -a X_v and -c min(l, X_m) / p. These rise along u, along -v
/// and along -m; the mean is largest where all rise together (stop-loss of comonotone sums), and
/// the longer they are: X_u and -a X_v grow in convex order with |u| and |v|, and -min(1, x / p),
/// which is at least -min(l, x) / p as l >= p, is convex and falls in x. Likewise where V is small.
/// From the last place to the first, each V_j may be replaced by a W of its own: the mean of a
/// convex function of the sum grows. QED.
///
/// What is computed: R = lambda / p, r_j = R (1 - d_j), 0 <= d_j <= 1, and x, in units of R.
/// (a) For c <= 0 and k = 1 - d, an option at c is dearer on k W than on W for k below some k_c, or
/// for none: its price is convex in k, and equal at k = 1. So max(E (k W - c)+, E (W - c)+) is
/// convex in d and grows with it; it is the option on V_d = max(W, min(k W, c_k)), c_k being the
/// least c <= 0 from which on W's options are the dearer ones. c_k rises as k falls, and with it
/// every value of V_d. Hence, for independent V of these laws,
///   E (x + sum_j r_j W_j)+ <= F(d, x) = E (x + sum_j V_{d_j})+,
/// and F is convex in x and in each d_j, grows in all of them, and grows the faster in each the
/// larger the others are: its slope in d_j is the mean of a function that grows with x + the
/// others. (b) Given the means of functions of each of its arguments, such an F is largest on
/// average where they rise together (Lorentz's inequality), and then grows with each in convex
/// order: if y(t) and z(t) rise and y is below z in that order, F's slope at y(t) rises in t, and
/// the mean of z - y over t > s is not negative. Now d_j is below d(t) = 1 - min(1, X_-mu(t) /
/// lambda) in convex order, with which it shares its mean: puts on min(l, X_m) at strikes below l
/// are those on X_m, which grow with |m|, and at strikes above l they are as cheap as the mean
/// allows. And x is below X_b - a X_d. So for t ~ N(0),
///   delta(eps) <= R E_M E_t F(d(t), ..., d(t), x(t)) / M.
/// (c) Between two t, x and d are replaced by their values at one of them, at the larger of the two
/// probabilities that keep their means, as is d between two levels. W's law and x's are cut off
/// at a largest value, which costs E (W - that)+ and E (x - that)+ E 1 / M: the r_j have mean 1,
/// and E 1 / M <= 1 / (T p). M = 1 costs what known batches do. The rest is a sum of moments
/// (swap_sum.h).
/// Epochs: a convex majorant of one epoch's curve is that of a pair, which dominates the epoch
/// whatever came before, so that its powers dominate several [ZDW22].
class SwapBound {
 public:
  /// batches: T, all of one size; lambda: any in (0, 1]
  SwapBound(double batches, const Swapped& record, double lambda);

  /// delta of known batches, at most.
  double known(Direction direction, double epsilon) const;

  /// about: roughly the delta to be found; what is left out is small to it. Not for threads.
  double delta(Direction direction, double epsilon, double about) const;

 private:
  Shown shown_of(Direction direction) const;

  double others_;  ///< T - 1
  double mu_, lambda_;
  bool replaced_;
  double clone_;    ///< p, from below
  double largest_;  ///< lambda / p, from above
};

/// Epochs that are each permuted anew, from above, by the best of a few lambda; a single one also
/// by its curve.
///   aim: to which delta all of them together are followed (core/runs/aims.h)
Steps swap_steps(double batches, const Swapped& record, double epochs, double aim);

/// The epsilon at a delta that the curve of a single epoch proves in both directions, where it is
/// less than a known one.   expected: roughly
double swap_epsilon(double batches, const Swapped& record, double delta, double known,
                    double expected);

}  // namespace honest_epsilon::shuffle
