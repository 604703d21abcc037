#pragma once

#include "core/samplers/swap_law.h"

namespace honest_epsilon::shuffle {

/// How many terms the sum has, and how large they are.
struct SwapScale {
  double batches;  ///< T
  double clone;    ///< p: M - 1 is binomial, of T - 1 others
  double largest;  ///< by which x is divided
  double about;    ///< roughly the mean to be found
};

/// The sum of the swap theorem (swaps.h), from above, where M > 1: at most the mean of
///   E (x / largest + V_1 + ... + V_{M-1})+ / M
/// over M > 1, and over x and the part d of the clones that is missing with it, in `first`. The V
/// are independent, of the law V_d that swaps.h puts in place of (1 - d) W; as V_d <= W+, the mean
/// is at most E x+ / (T p) + E W+ as well.
///
/// With Phi the moment function of that sum and an independent N(0, t), and G(v) = E (sum - v)+,
/// Poisson's summation of e^(s v) G(v) over the multiples of L says, for any s > 0 and
/// z_k = s + 2 pi i k / L,
///   G(0) <= sum_m e^(s m L) G(m L) = (1 / L) sum_k Phi(z_k) / z_k^2,
/// as no term on the left is negative: a sum of moments at equally spaced points of a vertical line
/// is an upper bound, whatever the line and the spacing. E (...)+ <= G(0), as the payoff is convex,
/// and the Gaussian factor e^(t z^2 / 2) ends the sum. L and t are multiples of 1 / s and 1 / s^2,
/// so that s alone is sought. The mean over M is closed: with phi the moment of V and q = 1 - p,
///   E phi^(M-1) / M = ((q + p phi)^T - q^T) / (T p phi).
double swap_sum(const GridLaw& law, const FirstPlace& first, const SwapScale& scale);

}  // namespace honest_epsilon::shuffle
