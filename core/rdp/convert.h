#pragma once

#include "core/rdp/renyi.h"

/// From a Renyi bound to (epsilon, delta), at the best order.
namespace honest_epsilon::rdp {

/// Which inequality turns D_a into delta(eps), K = (a-1)(D_a - eps):
///   canonne  delta <= e^K / (a-1) (1 - 1/a)^a           [CKS20, Prop 12]
///   mironov  delta <= e^K                               [Mir17, Prop 3]; never smaller
/// With either, delta(eps) <= delta(0) <= sqrt(1 - e^{-D_a}) (Bretagnolle-Huber) is used too.
enum class Conversion { canonne, mironov };

/// A bound, and the order at which it was found.
struct Converted {
  double value;
  double order;
};

/// An upper bound on delta(epsilon), rounded up; in [0, 1]. `curve` is the whole run's bound, in
/// both directions; +inf allowed. The order is searched for in (1, 1e6]: log delta is convex in it.
Converted delta_upper(const RenyiCurve& curve, double epsilon,
                      Conversion conversion = Conversion::canonne);

/// An upper bound on epsilon(delta), rounded up; >= 0, +inf where there is none.
Converted epsilon_upper(const RenyiCurve& curve, double delta,
                        Conversion conversion = Conversion::canonne);

}  // namespace honest_epsilon::rdp
