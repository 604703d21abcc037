#pragma once

#include <memory>

#include "core/monte_carlo/request.h"
#include "core/monte_carlo/summands.h"

namespace honest_epsilon::monte_carlo {

/// Balls-and-bins, one epoch, direction remove: delta = E_Q[(S - K)+], S = (1/T) sum_t U_t, K =
/// e^eps.
///
/// A ratio above M = T K makes S > K by itself. With c its place, q = Pr_Q[U > M], p = E_Q[U; U >
/// M],
///   E[(S - K)+; max U > M] = (1 - (1 - p)(1 - q)^(T-1)) - K (1 - (1 - q)^T)      ("exact").
/// The rest is written by which coordinate z is the largest (Asmussen and Kroese): given the
/// others' sum R and largest place m, integrated over z in (m, c),
///   Y = T E[((U + R)/T - K)+; m < z < c] = [p(a) - p(c)] - (M - R) [q(a) - q(c)],
///   a = max(m, place of M - R),   q(z) = Phi(-z),   p(z) = Phi(mu - z);
/// E[(S - K)+; max U <= M] = E[Y]. Cite: [AK06].
///
/// Bound. Y grows with R, without limit but for what T - 1 coordinates can sum to, which no number
/// of samples could rule out. So Y counts only where R <= r < M, and is then at most Y(m = -inf, R
/// = r), a few times its mean. What is left out,
///   E[(S - K)+; max U <= M, sum less its largest term > r],
/// is at most the same event's probability under P (S 1_A has the mean P(A)), which is bounded in
/// closed form (see `remainder`). All three are chosen before a sample is drawn.
///
/// Where noise is so large that no single coordinate decides, this proves little. Such an epsilon
/// takes its interval from the plain summand (1 - K/S)+ under P, of which the sample has everything
/// but the record's own coordinate. Y gives only its estimate, which is still far better.
std::unique_ptr<Summands> conditional_summands(const SampleRequest& request);

}  // namespace honest_epsilon::monte_carlo
