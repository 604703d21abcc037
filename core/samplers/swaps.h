#pragma once

#include <memory>
#include <vector>

#include "core/base/direction.h"
#include "core/runs/parts.h"
#include "core/samplers/swap_law.h"
#include "core/samplers/swap_sum.h"

/// The swap theorem, this project's own: where batches are many and noise is large it proves more
/// than known batches. web/docs/proofs.md has it in plain words.
namespace honest_epsilon::shuffle {

/// The record in question.
struct Swapped {
  double mu;      ///< the shift of one known batch
  bool replaced;  ///< or zeroed
};

/// With whom the record in question changes places: with clones, or with anyone, by way of a shared
/// step. The payoff is (.)+, or one with a knee.
enum class Swap { clones, shared, shared_with_knee };

class WholeStepLaws;

/// delta(eps), eps >= 0, of one freshly permuted epoch and Gaussian noise, at most.
///
/// In units of sigma, the record in question adds u under P and v under Q, zero-out neighbours with
/// v = 0 (direction remove) or u = 0 (add), and replaced records with any |u|, |v| <= mu. Let X_m
/// be the density of N(m) relative to N(0), a = e^eps and 0 < lambda <= 1; let
///   p = lambda (1 - delta_mu(ln 1/lambda)),
///   C_m = min(l, X_m) / p   for |m| <= mu, with the l in [p, lambda] that makes its mean 1.
/// For D = C or D = X let W, W_1, W_2, ... be independent, of the law whose options are, for c >= 0
/// and under N(0),
///   E (W - c)+ = E (X_b - a X_d - c D_-mu)+,   E (-W - c)+ = E (a X_d - X_b - c D_mu)+,
/// with (b, d) = (mu, 0) for remove, (0, -mu) for add and (mu, -mu) for replaced records. (W
/// exists: the slopes of both at c = 0 add up to no more than 1, the rest is an atom at 0, E W = 1
/// - a, and parity gives the options at negative strikes.) Then:
///
/// Clones. With D = C and M - 1 ~ Bin(T - 1, p),
///   delta(eps) <= E_M sup E (x + r_1 W_1 + ... + r_{M-1} W_{M-1})+ / M.
/// A shared step. With D = X, 0 < beta < 1, h = beta p, k = (1 - beta) / (1 - h), and U_1, U_2, ...
/// independent, W / k with probability k and else 0,
///   delta(eps) <= (1 - h)^T + sum_{g <= T} h (1 - h)^{g-1} / T *
///                 sup E (x + q_1 U_1 + ... + q_{g-1} U_{g-1} + r_1 W_1 + ... + r_{T-g} W_{T-g})+.
/// The suprema are over |u|, |v|, |m| <= mu, x = X_u - a X_v and each r and q a C_m with an m of
/// its own, at one output y ~ N(0), so that r and q lie between 0 and lambda / p. The W are
/// independent of y. u, v and all m may depend on the U, which are those of earlier batches. Clones
/// prove more of few batches, a shared step of many.
///
/// Where the last batch is short T is one less: leave out batch i with probability 1 - (T - 1) p_i,
/// p_i <= 1 / (T - 1) that of the record to be in it, and spread the record evenly over the others;
/// so it is in batch i with probability p_i. Epochs that leave records out, or stop midway, reveal
/// no more than whole ones. Neighbours that differ in more than one record are reached one at a
/// time, and fixed shards are told but for the record's own.
///
/// Proof. (1) Take one record out of every batch, the record in question being one of the T. Given
/// all else, any order of the T over their T places is as likely as any other.
/// (2) A step N(m), |m| <= mu, is at least p C_m N(0): as |m| falls, the mass of min(lambda, X_m)
/// rises from p on.
/// Clones: label each record but the one in question a clone with probability p, whose step is C_m,
/// whatever the past. Tell the adversary the labels, and the places of the records that are no
/// clones. M places remain, at which the record and M - 1 clones are in an order as likely as any.
/// The others are the same in both datasets.
/// A shared step: label each place with probability h, whatever the past and whoever is there.
/// Records other than the one in question show C_m at labelled places, and elsewhere what is left
/// of their step, (X_m - h C_m) / (1 - h) >= k X_m; the one in question shows its own step at both.
/// Tell the adversary which labelled place is the first in time, g, and no more: later places have
/// their whole steps again. Where there is none, with probability (1 - h)^T, tell everything. All
/// T records take part, and M stands for T below.
/// (3) Draw the order so: the record to the place that is first in time, or to g, and the others
/// to the other places; then, each with probability 1 / M, the record and one of the others are
/// swapped, or none is. Tell the adversary where the others were. The kernels of all other steps
/// depend on outputs alone, and cancel: relative to the law of the outputs with N(0) in the
/// record's place and none swapped,
///   M (P - a Q) = x + sum_j r_j V_j,   V_j = (X_u - a X_v) / D_j,
/// r_j being the density with which the j-th of the others shows the output of the record's place,
/// which is a C_m wherever its own place is, and D_j that of its step at its own place.
/// (4) Given the past, no option on V_j is dearer than that on W: E (V - c)+ is the mean of a
/// convex function of the sum of X_u, -a X_v and -c D_m. These rise along u, along -v and along -m;
/// the mean is largest where all rise together (stop-loss of comonotone sums), and the longer they
/// are, as X_m and C_m grow in convex order with |m|: the mean of C_m is fixed, puts on min(l, X_m)
/// at strikes below l are those on X_m, and at strikes above l they are as cheap as the mean
/// allows. Likewise where V is small. Before a shared step D_m is at least k X_m, so that an option
/// on V at c costs no more than one on W at k c, which is one on U at c. From the last place to the
/// record's, each V_j may be replaced by a W of its own: the mean of a convex function of the sum
/// grows. Given y_1, ..., y_{g-1}, let H be the supremum of what is left, over u, v and all m at
/// place g: it is convex in the V_j before it and grows with them, so that each may be replaced by
/// a U of its own, from the last on. QED.
///
/// Payoffs with a knee. For b > 0, f(s) = (s + b)+^2 / (4 b) is no less than (s)+, and a mixture of
/// options, so that it may stand for (.)+ throughout, sums being measured in units of R as below.
/// Its second derivative rises, and the V_j after a shared step meet such functions alone, for
/// which a narrower W is enough (third_order.h). Those before it meet H, which is a supremum, and
/// keep U. As f is not bounded by a line, the V_j are cut before (.)+ is replaced.
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
/// others. A U before a shared step is known, and (1 - d) U <= max(U, (1 - d) U), which is convex
/// in d and grows with it. (b) Given the means of functions of each of its arguments, such an F is
/// largest on average where they rise together (Lorentz's inequality), and then grows with each in
/// convex order: if y(t) and z(t) rise and y is below z in that order, F's slope at y(t) rises in
/// t, and the mean of z - y over t > s is not negative. Now d_j is below d(t) = 1 - min(1, X_-mu(t)
/// / lambda) in convex order, by (4), and x is below X_b - a X_d. So for t ~ N(0), of clones,
///   delta(eps) <= R E_M E_t F(d(t), ..., d(t), x(t)) / M,
/// and likewise by a shared step, with max(U, (1 - d(t)) U) in F.
/// (c) Between two t, x and d are replaced by their values at one of them, at the larger of the two
/// probabilities that keep their means, as is d between two levels. W's law and x's are cut off
/// at a largest value, before (a), where the r_j have mean 1: it costs E (W - that)+ and, with
/// E 1 / M <= 1 / (T p), E (x - that)+ E 1 / M. U is cut where W is, and costs the same. M = 1
/// costs what known batches do. The rest is a sum of moments (swap_sum.h). Epochs: a convex
/// majorant of one epoch's curve is that of a pair, which dominates the epoch whatever came before,
/// so that its powers dominate several [ZDW22].
class SwapBound {
 public:
  /// batches: T, all of one size; lambda: any in (0, 1]; laws: of bounds that share them
  SwapBound(double batches, const Swapped& record, double lambda, Swap swap,
            std::shared_ptr<WholeStepLaws> laws = nullptr);

  /// delta of known batches, at most.
  double known(Direction direction, double epsilon) const;

  /// about: roughly the delta to be found; what is left out is small to it. Not for threads.
  double delta(Direction direction, double epsilon, double about) const;

 private:
  Shown shown_of(Direction direction) const;

  /// The sum over the steps of others that the record changes places with; that there may be none
  /// is not in it.   a: e^epsilon
  double by_clones(const Shown& shown, double a, double about) const;
  double by_shared_step(const Shown& shown, double a, double about, double beta) const;
  double sum(const SwapTerms& terms, const SwapScale& scale, double a) const;

  Swap swap_;
  std::shared_ptr<WholeStepLaws> laws_;
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
