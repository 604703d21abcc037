#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

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
  bool is_of_use(double variation) { return at_power(exponent_of(variation)) != nullptr; }

  /// Lowers the upper ends at an epsilon.
  ///   expected: roughly the delta to be found, where nothing is known of neighbouring epsilons
  ///   true where it did
  bool lower(double epsilon, Directions& d, double expected);

 private:
  /// What was tried at an epsilon.
  struct Attempt {
    double epsilon;
    double before;  ///< the upper end that was known
    double found;   ///< by the best power
  };
  static int exponent_of(double variation);
  static double of_exponent(int exponent);
  Profile* at_power(int exponent);
  /// The power whose charge is a usual part of a delta.
  static int usual_exponent(double delta, double epsilon);
  /// Whether what was found nearby was far above what is known.
  bool is_hopeless(double epsilon, double before) const;

  std::function<Parts(double)> make_;
  Effort effort_;
  double negligible_;
  std::map<int, std::optional<Profile>> profiles_;
  std::vector<Attempt> attempts_;
};

}  // namespace honest_epsilon
