#pragma once

#include <functional>
#include <map>
#include <optional>

#include "core/runs/parts.h"

namespace honest_epsilon {

/// delta that a total variation adds at an epsilon, from above: (1 + e^eps) variation.
double charge_of(double variation, double epsilon);

/// Upper ends of delta from laws at a small total variation from the run's (Demand::variation), at
/// any number of epsilons. A larger variation is charged more and lowers the rest of the bound; the
/// best is sought among the powers of a fixed ratio, each composed once.
class Varied {
 public:
  /// make: the parts for a variation of at most this size.
  Varied(std::function<Parts(double variation)> make, const Effort& effort, double negligible);

  /// Whether a variation of about this size can lower the upper side.
  bool is_of_use(double variation) { return at_place(place_of(variation)) != nullptr; }

  /// Lowers the upper ends at an epsilon.
  ///   expected: roughly the delta to be found, where nothing is known of neighbouring epsilons
  ///   true where it did
  bool lower(double epsilon, Directions& d, double expected);

 private:
  /// The estimated best choice at an epsilon: the exponent among the powers, and the ratio of the
  /// delta found to the rough curve's.
  struct Sight {
    int place;
    double scale;
  };
  static int place_of(double variation);
  static double charge_at(int place, double epsilon);
  Profile* at_place(int place);
  /// Where the charge is a usual part of a delta.
  static int usual_place(double delta, double epsilon);
  /// The choice at the nearest epsilon asked before.
  Sight sight_near(double epsilon, double expected) const;
  double rough(int place, double epsilon, double scale);
  /// The place that seems best, sought from another one.   most: a delta that is known to hold
  int best_place(double epsilon, double most, Sight from);

  std::function<Parts(double)> make_;
  Effort effort_;
  double negligible_;
  std::map<int, std::optional<Profile>> profiles_;
  std::map<double, Sight> sights_;        ///< at the epsilons where one helped
  std::map<double, Directions> lowered_;  ///< at the epsilons asked
};

}  // namespace honest_epsilon
