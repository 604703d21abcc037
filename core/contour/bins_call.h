#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/contour/call_integrand.h"
#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// Direction remove of one epoch of balls-and-bins, where few of its ratios decide.
///
/// delta is the integral of F (CallIntegrand). Where a few large ratios decide, F has a single hump
/// and one sign: nothing cancels, whatever delta is. Where many decide, phi turns round and F
/// swings ever higher: then there is no answer here.
///
/// **The rule.** From some v_e on, F is bounded. Up to v_e, halfway between two nodes jh, it is
/// summed over the nodes; by residues the sum is off by at most
///   2 M / (e^{2 pi b / h} - 1) + 2 integral_0^b |F(v_e + iy)| dy / (e^{2 pi y / h} + 1),
///   M = integral of |F(a + ib)| over a < v_e,
/// as |F| is the same on Im v = -b [TW14, Section 5]. M is bounded cell by cell, and parts of [0,
/// b] in the second one by one. To the left the sum ends where the rest is small, as F's bound
/// falls there.
class BinsCall : public OwnCurve {
 public:
  /// Domain: T >= 2 bins and B >= 0 blank ones, T + B a double; mu > 0.
  BinsCall(double bins, double blank, double mu) : integrand_(bins, blank, mu) {}

  std::optional<Interval> delta(double epsilon, double width) override;
  std::optional<Interval> epsilon(double target, double width) override;

 private:
  using CallStrike = CallIntegrand::CallStrike;
  using CallNode = CallIntegrand::CallNode;
  /// Nodes at whole multiples of the coarsest step over the density.
  struct Trapezoids {
    int density;
    std::map<int, CallNode> samples;
    double step() const;
  };
  struct TrapezoidSum {
    double value = 0, slope = 0, error = 0;  ///< slope: d value / d epsilon
    double first = 0;                        ///< the leftmost node
  };
  /// |F| on a line Im v = b, from whole multiples of the coarsest step on.
  struct Strip {
    double half_width;
    std::map<int, CallIntegrand::Bound> cells;
  };
  /// A rule and its last node; what it is off by, with what lies beyond.
  struct Layout {
    int density, last;
    double off;
  };

  Trapezoids& rule(int density);
  const CallNode& sample(Trapezoids& rule, int index) const;
  /// The coarsest rule's largest term; none where there is none.
  std::optional<int> hump(const CallStrike& strike);
  /// Up to a last node, or else until terms are small; without the errors of the rule and beyond.
  ///   width: a relative one that is small enough
  std::optional<TrapezoidSum> sum(int density, std::optional<int> last, double epsilon,
                                  double width);
  /// log of what lies beyond v_e and of what the rule is off by there, at most.
  double log_end(const CallStrike& strike, double v, double step, double half_width) const;
  /// log M.
  double log_strip(Strip& strip, const CallStrike& strike, double v, double log_enough) const;
  /// The rule for an epsilon; none where many ratios decide.
  std::optional<Layout> layout(double epsilon, double delta, double width);
  /// delta, by the rule that suffices.
  std::optional<Interval> asked(double epsilon, double width);
  /// Where the sum is the target, from an epsilon near it.
  std::optional<double> root(int density, double target, double guess, double width);

  CallIntegrand integrand_;
  std::array<Strip, 3> strips_{Strip{0.9, {}}, Strip{0.45, {}}, Strip{0.2, {}}};
  std::vector<Trapezoids> rules_;
  std::optional<int> hump_;  ///< where it was last
  /// The largest epsilon that got no answer, and the width asked then.
  double out_of_reach_ = -1, width_out_of_reach_ = 0;
};

}  // namespace honest_epsilon::contour
