#pragma once

#include "core/rdp/renyi.h"

/// From a Renyi bound to (epsilon, delta), at the best order. With K = (a-1)(D_a - eps),
///   delta(eps) <= e^K / (a-1) (1 - 1/a)^a [CKS20, Prop 12],
/// and delta(eps) <= delta(0) <= sqrt(1 - e^{-D_a}) (Bretagnolle-Huber).
namespace honest_epsilon::rdp {

/// A bound, and the order at which it was found.
struct Converted {
  double value;
  double order;
};

/// An upper bound on delta(epsilon), rounded up; in [0, 1]. `curve` is the whole run's bound, in
/// both directions; +inf allowed. The order is searched for in (1, 1e6]: log delta is convex in it.
Converted delta_upper(const RenyiCurve& curve, double epsilon);

/// An upper bound on epsilon(delta), rounded up; >= 0, +inf where there is none.
Converted epsilon_upper(const RenyiCurve& curve, double delta);

}  // namespace honest_epsilon::rdp
