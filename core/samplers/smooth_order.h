#pragma once

#include <memory>

#include "core/samplers/swap_law.h"

namespace honest_epsilon::shuffle {

/// Laws for W of the swap theorem (swaps.h), for replaced records and whole steps, that serve
/// smooth functions alone and are narrower for it: for every f that grows with f' <= 1 and
///   f''(s + c) <= e^(kappa |c|) f''(s),
/// E f(V) <= E f(W) + beyond, whatever u, v and m are.
///
/// Sums with independent terms and factors of at most 1 keep f in this class, so that W takes the
/// place of one V_j after the other as before. As E f(V) = f(0) + f'(0) E V + the integral over
/// c > 0 of
///   f''(c) E (V - c)+ + f''(-c) E (-V - c)+,
/// and f''(c) / f''(-c) lies between e^(-2 kappa c) and e^(2 kappa c), it is enough that E W is no
/// less than E V = 1 - a and that, for every c > 0, both with kappa and with -kappa,
///   e^(kappa c) E (V - c)+ + e^(-kappa c) E (-V - c)+
/// is no larger than the same sum for W. So one V must be dear in calls and puts at once. The
/// dearest calls are those of u = -m, v = m, and the dearest puts those of u = m, v = -m.
///
/// Which V matter, in units of mu. Under N(m), V = X - a Y with lognormal X and Y of mean 1, whose
/// logarithms have the variances and the covariance
///   A = |u - m|^2,   B = |v - m|^2,   G = (u - m) (v - m).
/// As these change, E F(V) of a convex F changes by half the mean of
///   F''(V) (A' x^2 - 2 G' x y + B' y^2),   x = X, y = a Y.
/// (1) |u| = |v| = |m| = 1: lengthen each to 1 in a new dimension; V is the conditional mean of the
/// new V.
/// (2) Let r, t and w be the angles between u and m, v and m, u and v. V grows in convex order with
/// w, as G falls, and w <= min(r + t, 2 pi - r - t).
/// (3) If r + t < pi, let w = r + t, and r and t grow at the rates 1 / sin r and 1 / sin t until
/// r + t = pi: A' = B' = 2 and 2 - G' = S = sin(r + t) (1 / sin r + 1 / sin t) >= 0, so that the
/// change is the mean of F'' ((x - y)^2 + S x y). Hence with q = pi - t only 0 <= q <= r <= pi and
/// w = pi - (r - q) are left.
/// (4) Calls at c >= 0 are decided where x - y = c, and grow as u m falls, v m rises or u v falls:
/// half of A' x^2 - 2 G' x y + B' y^2 is then x c, y c or x y. Puts grow as u m rises, v m falls or
/// u v falls. So over a cell r1 <= r <= r2, q1 <= q <= q2, with g = max(0, r1 - q2), no call is
/// dearer than that of
///   A = 2 - 2 cos r2,   B = 2 + 2 cos q2,   G = 1 - cos g - cos r2 + cos q2,
/// and no put than that of r1 and q1 instead of r2 and q2. There are such X and Y, as G lies
/// between 0 and what it is of the V with these angles, whose r - q is no less than g.
class SmoothOrder {
 public:
  /// mu: the shift of one known batch
  explicit SmoothOrder(double mu);
  ~SmoothOrder();

  /// a: e^epsilon; negligible: as for swap_law
  GridLaw law(double a, double kappa, double negligible) const;

 private:
  class Cells;
  double mu_;
  std::unique_ptr<const Cells> cells_;
};

/// E (X - a Y - c)+, c >= 0, X and Y lognormal of mean 1, from above: what corners of cells cost.
///   x, y, covariance: of ln X and ln Y
double spread_call(double x, double y, double covariance, double a, double c);

}  // namespace honest_epsilon::shuffle
