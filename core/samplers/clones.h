#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/contour/moments.h"

/// The clone theorem, this project's own: it proves shuffled batches more private than known ones.
/// The methods page has the full proof.
namespace honest_epsilon::shuffle {

/// What one freshly permuted epoch reveals at most, zero-out neighbours, Gaussian noise:
///   delta(eps) <= failure + (1 + e^eps) variation + the curve of `moments`,   in both directions.
///
/// For any 0 < lambda <= 1, mu = 1 / noise multiplier and T batches,
///   kappa = lambda H_{1/lambda}(N(0) || N(mu)),   w = lambda / (1 + kappa),   M - 1 ~ Bin(T-1, w),
///   delta(eps) <= E_M delta_bins(M)(eps) + (1 + e^eps) (T - 1) kappa,
/// delta_bins(M) the curve of balls-and-bins over M bins, M = 1 the Gaussian one.
///
/// What a record adds to a sum may depend on the past, but on no other record of its batch.
///
/// Proof. (1) Take one record out of every batch, the record in question being one of the T. Given
/// all else, any order of the T over their T places is as likely as any other. (2) Another record's
/// step, N(m) with |m| <= mu, is within kappa in total variation of
///   R = max(N(m), lambda N(0)) / (1 + kappa_m),   kappa_m <= kappa,
/// whatever m the past has led to; over T - 1 steps, by kappa (T - 1) in all, under either dataset.
/// (3) R >= w N(0): with probability w, by a coin of its own, the record acts as the zeroed record
/// does. Tell the adversary the coins, and the places of the records whose coins fell otherwise:
/// that only helps. M = 1 + Bin(T - 1, w) places remain, and the record in question is at each with
/// the same probability: balls-and-bins [BB25, Thm 3.1].
///
/// More bins reveal less (insert a step of pure noise at random), so M may be rounded down, and by
/// as little as Pr[M < m] = failure it may be rounded up to m. An epoch that leaves the record out
/// reveals nothing about it, so that records left out at random change nothing.
///
/// One permutation that serves k epochs: R replaces N(m) in each, which costs k (T - 1) kappa. Tell
/// the adversary all coins, and the places of the records that were no clones at least once:
/// M = 1 + Bin(T - 1, w^k) places remain, and the record is at the same one in every epoch:
/// balls-and-bins at sqrt(k) mu.
struct Clones {
  std::shared_ptr<const contour::Moments> moments;
  double weight;     ///< w^k, from below
  double variation;  ///< k (T - 1) kappa, from above
  double failure;    ///< Pr[M < m], from above
};

/// batches: T, all of one size. Where the last one is shorter, T - 1: leave out batch i with
/// probability 1 - (T - 1) p_i, p_i <= 1 / (T - 1) that of the record to be in it, and spread the
/// record evenly over the others; so it is in batch i with probability p_i.
/// mu: the shift of one known batch; variation: what may be spent on it; epochs: how many share the
/// permutation. None where there are too few clones to be of use.
std::optional<Clones> clones(double batches, double mu, double variation, double epochs = 1);

/// Steps of pure differential privacy, epsilon_0 each: no step's law is anywhere less than
/// e^-epsilon_0 times that of the zeroed record, so that w = e^-epsilon_0 and kappa = 0. An epoch
/// reveals at most what balls-and-bins over `bins` bins does, and everything with probability
/// `failure` = Pr[M < bins].
struct PureClones {
  double bins;
  double failure;  ///< from above, and at most what may be spent
};
PureClones pure_clones(double batches, double epsilon_0, double failure);

/// What an epoch reveals at most that stopped after `seen` of its T batches, 1 <= seen < T:
///   delta(eps) <= (1 + e^eps) variation + curve(direction, eps),   variation = seen kappa,
/// as only the seen steps' laws are replaced. With the coins of all T - 1 others known, and the
/// places of those that are no clones, the record in question is spread evenly over v + h places,
/// v of them seen: balls-and-bins over v bins, and with probability h / (v + h) none (SeenShare).
/// In law,
///   (v, h) = (1 + Bin(seen - 1, w), Bin(T - seen, w)) with probability seen / T, where the record
///   is seen, and (Bin(seen, w), 1 + Bin(T - seen - 1, w)) otherwise;   v = 0 reveals nothing.
/// More hidden places reveal less at the same v: the record is seen more rarely. At the same share
/// v / (v + h) more seen places do. So all of v_0 <= v <= v_1, h >= h_0 reveal at most what v_0
/// places with the share v_1 / (v_1 + h_0) do; and nothing reveals more than one known batch, which
/// stands for what is too rare, and for what rounding leaves. Where the last batch is shorter, T -
/// 1 again: who is in it is not seen, and spread evenly otherwise.
struct StoppedClones {
  std::function<double(Direction, double epsilon)> curve;  ///< from above; not for threads
  double variation;
};
std::optional<StoppedClones> stopped_clones(double batches, double seen, double mu,
                                            double variation);

}  // namespace honest_epsilon::shuffle
