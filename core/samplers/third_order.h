#pragma once

#include "core/samplers/swap_law.h"

namespace honest_epsilon::shuffle {

/// The share w that is enough for W of the swap theorem (swaps.h) with whole steps, where payoffs f
/// are convex, 0 at -infinity, and f'' rises: with V_1 the V that has the dearest calls (m = -step)
/// and V_2 the one that has the dearest puts (m = step), the law of mean 1 - a whose calls are
/// those of V_1, and whose puts cost 1 - w times what V_1's and w times what V_2's do (all at
/// strikes c >= 0), has E f(V) <= E f(W) whatever u, v and m are. With w = 1 that holds of any
/// convex f.
///
/// Such f are mixtures of (s - t)+^2 / 2 (degree 3 of the increasing convex orders [DLS98]).
/// Independent terms and factors of at most 1 keep them such. So let
///   F(V) = E (V + t)+^2 / 2,   C(V) = E V+^2 / 2,   S(V) = E V^2 / 2,
/// and P(V) be what puts cost at strikes up to t, summed. No call is dearer than that of V_1, so
/// t <= 0 needs no proof; and t > 0 only that F(V) <= F(V_1) + w Pi, Pi = P(V_2) - P(V_1). As
/// F(V) - F(V_1) = C(V) - C(V_1) + P(V) - P(V_1), and no put is dearer than that of V_2, it is at
/// most Pi - G, with G = C(V_1) - C(V). If it is at most L, too, whatever t is, then
/// w >= L / (L + G) will do, or any w where L <= 0.
///
/// Under N(m), V = x - y, x and y / a lognormal of mean 1, whose logarithms have the variances
/// A = |u - m|^2 and B = |v - m|^2 and the covariance g; let D = A + B - 2 g = |u - v|^2. As these
/// change,
///   dF = E 1{V > -t} (x^2 dA - 2 x y dg + y^2 dB) / 2.
/// (1) With dA >= 0 >= dB and D kept, that is (x - y) (x dA - y dB) / 2, of the sign of V, and F
/// changes by no less than S. (2) As g falls and D grows, F grows by no less than
///   E 1{V > 0} x y = a e^g Phi(((A - B) / 2 - ln a) / sqrt(D))   for each unit of g.
/// (3) |u|, |v| and |m| may be taken to be step, where they are not 0: lengthen them in a new
/// dimension; V is the conditional mean of the new V.
///
/// A zeroed record has one of u and v at 0, and D = step^2. All V are on a way to V_1 along which
/// (1) holds, so that L = S(V) - S(V_1). Towards V_2, in direction remove, u m = step^2 - z falls
/// with z, and
///   dL / dG = (a - e^z) / E (e^z x - y)+,
/// where x and y / a have mean 1 and ln (x / y) the variance D; the numerator falls in z and what
/// it is divided by grows, by its own derivative e^z Phi > 0. So where L > 0, L / G is largest at
/// z = 0, that is at V_2. In direction add, v m = step^2 - z and
///   dL / dG = (a e^z - 1) / E (x - e^z y)+,
/// which grows in z: L / G is largest at V_2 again.
///
/// A replaced record. Let r, q' and s be the angles between u and m, v and m, u and v. V grows in
/// convex order with s, as g falls, and s <= min(r + q', 2 pi - r - q'). If r + q' < pi, let s = r
/// + q', and r and q' grow at the rates 1 / sin r and 1 / sin q' until r + q' = pi: in units of
/// step^2, A and B grow at the rate 2 and g at 2 - e, e = sin(r + q') (1 / sin r + 1 / sin q') >=
/// 0, so that E f(V) changes by the mean of f'' ((x - y)^2 + e x y). With q = pi - q' only 0 <= q
/// <= r <= pi and s = pi - (r - q) are left. From there g falls, by (2), until D = 4 step^2, and
/// then (1) leads to V_1, along a straight line: both are laws all the way, as 0 <= g <= the g of
/// these angles at its beginning, and covariance matrices are a convex set. So with h the least
/// value of that Phi,
///   L = S(V') - S(V_1) - a h (e^g - e^g'),
/// V' having the g' of D = 4 step^2 in place of g. The angles are divided into cells: with
/// 2 b = pi - q, 2 c = pi - r, i = sin b and k = sin c / sin b, everything is a product of step^2
/// and functions that rise or fall in i and in k, and calls are dearest for the least i and k and
/// the largest D.
///
/// A V that is cut at some K is worth no more than V, so that all this holds of it, too, if only
/// W's calls are those of V_1 up to K, and cost no less all together.
struct ThirdOrder {
  double share;         ///< w
  double square_above;  ///< E V_1+^2 / 2, which is what all its calls cost together
};

///   a: e^epsilon, at least 1
ThirdOrder third_order(const Shown& shown, double a);

}  // namespace honest_epsilon::shuffle
