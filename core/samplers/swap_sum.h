#pragma once

#include "core/samplers/swap_law.h"

namespace honest_epsilon::shuffle {

/// How many terms the sum has, and how large they are.
struct SwapScale {
  double batches;   ///< T
  double clone;     ///< q: M - 1 is binomial, of T - 1 others
  double shared;    ///< h: the g-th step is the first shared one with probability h (1 - h)^(g-1)
  double largest;   ///< by which x is divided
  double about;     ///< roughly the mean to be found
  double knee = 0;  ///< b: the payoff is (s + b)+^2 / (4 b) in place of (s)+, or 0
};

/// The laws of its terms.
struct SwapTerms {
  GridLaw others;    ///< W
  GridLaw before;    ///< of the steps before the shared one; its masses add up to 1 - h
  FirstPlace first;  ///< of x, and the part d of R that is missing with it
};

/// The sum of the swap theorem (swaps.h), from above, where M > 1: at most the mean of
///   E (x / largest + B_1 + ... + B_{g-1} + V_1 + ... + V_{M-g})+ / M
/// over M > 1, g <= M, and over x and d, with (s + b)+^2 / (4 b) in place of (s)+ if b > 0. The B
/// and V are independent: the V of the law V_d that swaps.h puts in place of (1 - d) W, the B of
/// that of max(w, (1 - d) w), w of the law `before`. If b = 0, the mean is at most E x+ / (T q) + E
/// W+ + E w+ / (T h) as well, as V_d <= W+ and B <= w+, `before` taken as it is.
///
/// With Phi the moment function of that sum and an independent N(0, t), and G(v) = E (sum - v)+,
/// Poisson's summation of e^(s v) G(v) over the multiples of L says, for any s > 0 and
/// z_k = s + 2 pi i k / L,
///   G(0) <= sum_m e^(s m L) G(m L) = (1 / L) sum_k Phi(z_k) / z_k^2,
/// as no term on the left is negative: a sum of moments at equally spaced points of a vertical line
/// is an upper bound, whatever the line and the spacing. E (...)+ <= G(0), as the payoff is convex,
/// and the Gaussian factor e^(t z^2 / 2) ends the sum. The other payoff is e^(b z) / (2 b z^3) in
/// place of 1 / z^2. L and t are multiples of 1 / s and 1 / s^2, so that s alone is sought. The
/// mean over M and g is closed: with phi the moment of V, tau that of B, times 1 - h, and A(v) = (1
/// - q + q v)^T,
///   E sum_g h tau^(g-1) phi^(M-g) / M = h (A(phi) - A(tau)) / (T q (phi - tau)).
double swap_sum(const SwapTerms& terms, const SwapScale& scale);

/// What single points of lines prove of those x alone with which nothing is missing, from above,
/// and the s that proves it.
struct PointBound {
  double s, value;
};
PointBound by_points(const SwapTerms& terms, const SwapScale& scale);

}  // namespace honest_epsilon::shuffle
