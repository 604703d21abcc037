#pragma once

#include <functional>
#include <map>

#include "core/runs/aims.h"
#include "core/runs/parts.h"

namespace honest_epsilon {

/// Upper ends of delta by swaps (Demand::swaps) at any number of epsilons: the least that a few
/// aims prove, each composed once.
class BySwaps {
 public:
  /// make: the parts that are followed to an aim.
  BySwaps(std::function<Parts(double aim)> make, const Effort& effort);

  /// Whether swaps lower the upper side of any of the runs.
  bool serve() const { return serve_; }

  /// Lowers the upper ends at an epsilon.   expected: roughly the delta to be found, where it is
  /// known   true where it did
  bool lower(double epsilon, Directions& d, double expected = kInfinity);

  /// Swaps leave more open than finer lattices gain.
  static Effort effort_of(const Effort& effort);

 private:
  std::function<Parts(double)> make_;
  Effort effort_;
  bool serve_;
  Aims aims_;
  std::map<int, Profile> profiles_;  ///< by an aim's exponent
};

}  // namespace honest_epsilon
