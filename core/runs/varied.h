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
  /// Which power seems best at an epsilon, and the ratio of the delta found to the rough curve's.
  struct Candidate {
    int exponent;
    double scale;
  };
  /// What was tried at an epsilon.
  struct Attempt {
    double epsilon;
    Candidate candidate;
    double before;  ///< the upper end that was known
    double rough;   ///< the rough curve's
    bool helped;
  };
  static int exponent_of(double variation);
  static double charge_at(int exponent, double epsilon);
  Profile* at_power(int exponent);
  /// The power whose charge is a usual part of a delta.
  static int usual_exponent(double delta, double epsilon);
  /// At the nearest epsilon that was tried before; null: at none.
  const Attempt* attempt_near(double epsilon) const;
  /// Whether a variation may help where it would come to `found`, by an attempt nearby.
  static bool may_help(const Attempt& near, double found, double rough, double before);
  double rough(int exponent, double epsilon, double scale);
  /// The exponent that seems best, sought from a candidate.   most: a delta that is known to hold
  int best_exponent(double epsilon, double most, Candidate from);

  std::function<Parts(double)> make_;
  Effort effort_;
  double negligible_;
  std::map<int, std::optional<Profile>> profiles_;
  std::vector<Attempt> attempts_;
  std::map<double, Directions> lowered_;  ///< at the epsilons asked
};

}  // namespace honest_epsilon
