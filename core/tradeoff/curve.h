#pragma once

#include <functional>
#include <vector>

#include "core/base/interval.h"
#include "core/pairs/pair.h"

/// Trade-off functions of pairs known through their privacy curves. Cite: [DRS22].
///
/// Null hypothesis: the record is absent (Q). Alternative: it is present (P). A test that rejects
/// has false positive rate alpha = Q(reject) and false negative rate 1 - P(reject) >= f(alpha), f =
/// T(Q, P) the trade-off function. With the call h(K) = E[(U - K)+] = sup_E P(E) - K Q(E), U =
/// dP/dQ, f is its conjugate:
///   f(alpha) = sup over K >= 0 of 1 - h(K) - K alpha.
/// A known value of h is a line that supports f, K = e^eps its steepness:
///   h(e^eps) = delta_remove(eps)                        ->  1 - delta_remove(eps) - e^eps alpha,
///   h(e^-eps) = 1 - e^-eps + e^-eps delta_add(eps)      ->  e^-eps (1 - delta_add(eps) - alpha).
namespace honest_epsilon::tradeoff {

/// Intervals for delta in both directions at one epsilon.
struct Knot {
  double epsilon = 0;
  Interval remove;
  Interval add;
};

/// Where a privacy curve is sampled.
struct Sampling {
  double smallest = 1e-12;  ///< no knots beyond the epsilon at which delta is below this
  double width =
      1e-3;        ///< width of the band asked for, as a share of what a test gains over guessing
  int most = 200;  ///< knots at most
  double highest = kInfinity;  ///< the curve is not evaluated beyond this epsilon
  double resolution = 1e-12;   ///< false positive rates below this matter less
  double noise = 0;            ///< above 0: the two ends are curves of their own, far apart, each
                               ///< known to this relative width, and each is to be followed
};

/// Samples both directions at common knots, the first at 0: nine over the range, then cells are
/// halved while they leave the band wider than asked.
using KnotAt = std::function<Knot(double epsilon)>;
std::vector<Knot> sample(const KnotAt& at, const Sampling& sampling = {});

/// The same for a pair whose two directions have one curve: eps >= 0 -> an interval that contains
/// delta.
std::vector<Knot> sample_symmetric(const std::function<Interval(double epsilon)>& curve,
                                   const Sampling& sampling = {});

/// C(f) = min(f, f^-1)**: the larger delta of the two directions in both, for
/// (min(f, g))* = max(f*, g*). Cite: [DRS22, Prop 2.12].
std::vector<Knot> symmetrised(std::vector<Knot> knots);

/// The two datasets exchanged.
std::vector<Knot> exchanged(std::vector<Knot> knots);

/// A line below a trade-off function: 1 - delta - e^epsilon alpha for epsilon >= 0,
/// e^epsilon (1 - alpha - delta) below.
struct Support {
  double epsilon = 0;
  double delta = 0;
};

/// The false positive and the false negative rate of a test.
struct ErrorRates {
  double false_positive_rate = 0;
  double false_negative_rate = 0;
};

/// A Gaussian mechanism no more private than a curve: G_mu lies below it wherever both error rates
/// are at least `resolution`, and `misfit` at most below it there, about.
struct GaussianBelow {
  Interval mu;        ///< the least such mu
  double misfit = 0;  ///< the largest f - G_mu met there, at mu.upper: an estimate
  double resolution = 0;
};

/// A trade-off function as a band between two convex polygons, each the maximum of its supports.
///
/// Lower polygon: the supports at the knots, delta rounded up. Each is below f.
///
/// Upper polygon: f(alpha) <= sup over K of 1 - L(K) - K alpha for any L <= h. h is convex and
/// falls with slopes in [-1, 0], so that between knots K_i and K_{i+1} it is above the line through
/// its two values before, continued, and above the one through its two values after:
///   l1(K) = lo_i - (up_{i-1} - lo_i) (K - K_i)/(K_i - K_{i-1}),
///   l2(K) = lo_{i+1} + (lo_{i+1} - up_{i+2}) (K_{i+1} - K)/(K_{i+2} - K_{i+1}),
/// their slopes kept within [-1, 0], lo and up the certified ends: l1 rises with h_i and falls with
/// h_{i-1}, l2 likewise. Take L = max(l1, l2). On each side of any point xi of the cell one line
/// alone bounds L from below; the supremum of 1 - line - K alpha over a piece is met at the piece's
/// ends. Hence the supports
///   (K_i, lo_i),  (xi, min(l1(xi), l2(xi))),  (K_{i+1}, lo_{i+1})
/// bound f over the whole cell, whichever xi is taken; best is the point where the lines meet, and
/// its round-off costs nothing but width. Beyond the last knot l1 falls to zero at some K, and a
/// support of delta 0 there bounds the rest. Both directions are treated so from K = 1 outwards,
/// the other direction's first knot being the neighbour before K = 1.
class TradeOffCurve {
 public:
  /// Knots sorted by epsilon, the first at 0.
  explicit TradeOffCurve(std::vector<Knot> knots);

  /// f(alpha): the least false negative rate at a false positive rate. Domain: 0 <= alpha <= 1.
  Interval false_negative_rate(double alpha) const;

  /// 1 - f(alpha), with its own digits where it is small. It bounds more than tests. An attack that
  /// infers something of a record Z (an attribute, or all of it, to some closeness) and knows all
  /// else guesses A(output) and succeeds on outputs in S_Z. With g = 1 - f, P_z(S_z) <= g(Q(S_z)),
  /// Q being the run without the record, or with it zeroed; and g is concave and rises:
  ///   E P_Z(S_Z) <= E g(Q(S_Z)) <= g(E Q(S_Z)) <= g(baseline).
  /// For Q does not depend on Z, so that E Q(S_Z) is a mean of what fixed guesses achieve; the
  /// baseline is what the best fixed guess does. Cite: [KGK25].
  Interval true_positive_rate(double alpha) const;

  /// The largest true positive rate minus false positive rate: the total variation distance.
  Interval advantage() const;

  /// The best guess' probability of being right when the record is there with this probability:
  ///   (1 - prior) + prior h((1 - prior) / prior).   Domain: 0 <= prior <= 1.
  Interval bayes_success(double prior) const;

  /// Back to the privacy curve; at a knot, the knot. Above by chords, below by l1 and l2.
  Interval delta(Direction direction, double epsilon) const;

  /// mu-GDP wherever both error rates are at least `resolution`. No finite number of knots says
  /// more: beyond the last knot the lower polygon falls off. On an edge of the lower polygon the
  /// convex G_mu is below it if it is so at both ends, so vertices decide. Certified.
  GaussianBelow gaussian_below(double resolution = 1e-6) const;

  /// The polygons' vertices from alpha = 0 to 1, for drawing: rounded like any double.
  std::vector<ErrorRates> lower_points() const;
  std::vector<ErrorRates> upper_points() const;

  const std::vector<Knot>& knots() const { return knots_; }
  const std::vector<Support>& lower_supports() const { return lower_; }

 private:
  std::vector<Knot> knots_;
  std::vector<Support> lower_;  ///< sorted by epsilon, as are the upper ones
  std::vector<Support> upper_;
};

}  // namespace honest_epsilon::tradeoff
