#pragma once

#include <vector>

/// Laws of a privacy loss on a plain lattice, in double precision: of use where about three digits
/// are compared.
namespace honest_epsilon::oracle {

/// Whether a law's H lies below the true one or above it.
enum class Side { below, above };

/// Two laws P and Q of outcomes, told apart by the loss log dP/dQ alone. Below, outcomes count as
/// one whose losses fall between the same two multiples of kStep, which hides something; above,
/// each is split between the two multiples, which reveals something. Either way both masses stay,
/// and H moves by about kStep^2 / 10 of itself a step.
class Law {
 public:
  static constexpr double kStep = 0.05;

  /// Nothing is revealed.
  Law(Side side) : side_(side) { add(1, 1); }

  /// Adds an outcome of probabilities p and q.
  void add(double p, double q);

  /// P and Q change places.
  Law swapped() const;

  /// Both outcomes are seen.
  Law times(const Law& other) const;
  Law power(int n) const;

  /// Under P one of the two is drawn from its P, the first with probability w, the other one from
  /// its Q; under Q both from their Q: the ratio is w R_1 + (1 - w) R_2.
  Law mixed(const Law& other, double w) const;
  /// With probability w the outcome is drawn from P, else from Q: the ratio is w R + 1 - w.
  Law diluted(double w) const { return w < 1 ? mixed(Law(side_), w) : *this; }

  /// sup over events of P - e^eps Q, and of Q - e^eps P.
  double remove(double epsilon) const;
  double add_direction(double epsilon) const;

  /// A law of which every outcome is still to be added.
  static Law unfinished(Side side) {
    Law law(side);
    law.outcomes_.clear();
    return law;
  }

 private:
  struct Outcome {
    double p = 0, q = 0;
  };
  Outcome& at(int place);
  void add(double p, double q, double loss);
  void trim();
  std::vector<double> losses() const;

  Side side_;
  int first_ = 0;  ///< outcomes_[i] has a loss from (first_ + i) kStep up, above: that one
  std::vector<Outcome> outcomes_;
  double only_p_ = 0, only_q_ = 0;  ///< masses of outcomes that the other law does not have
};

/// Places on the line, with weights of sum one.
struct Shifts {
  std::vector<double> place, weight;
};
inline const Shifts kNoShift = {{0}, {1}};

/// Unit noise at such random places.
Law gaussian(Side side, const Shifts& p, const Shifts& q);
Law laplace(Side side, const Shifts& p, const Shifts& q);
/// One of two answers, right with probability e^e0 / (1 + e^e0), to a bit that is set with
/// probability `set` under P and never under Q.
Law response(Side side, double e0, double set);

}  // namespace honest_epsilon::oracle
