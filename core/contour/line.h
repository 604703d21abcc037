#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/contour/moments.h"

/// The privacy curve of a run from its moment function, sampled on one vertical line.
namespace honest_epsilon::contour {

/// Equal, independent steps.
struct MomentSteps {
  std::shared_ptr<const Moments> moments;
  double copies = 1;
  bool exchanged = false;  ///< P and Q

  Direction own(Direction direction) const { return own_direction(direction, exchanged); }
};

/// The smallest relative error that a line is planned for: columns leave about as much open.
inline constexpr double kRelativeWidth = 2e-10;

/// More samples than this are slower than the lattice transforms.
inline constexpr std::size_t kMostSamples = 30000;

/// Where a line should be at its best. Nothing here enters a bound: a bad goal gives a wide
/// interval.
struct LineGoal {
  double epsilon = 0;
  double log_delta = 0;
  double relative_error = kRelativeWidth;  ///< of delta, as far as the planner has a say in it
  double most_error = 1;  ///< the absolute error of delta from which on a line is of no use
  std::size_t most_samples = kMostSamples;
};

/// A run in one direction, as plans see it: log K on a ladder of places on the real line, roughly,
/// made once for any number of questions.
class Sketch {
 public:
  struct Place {
    double a;
    double log_moment;
    double log_cap;     ///< log C(a) of Chernoff's bound, as in Line
    double log_kernel;  ///< log a (a + 1)
  };

  Sketch(std::vector<MomentSteps> components, Direction direction);

  /// Roughly the logarithm of delta at an epsilon, and the epsilon at a delta, by Chernoff's bound
  /// and by what jumps add.
  double log_delta(double epsilon) const;
  double epsilon(double delta) const;
  /// log of the sum of all steps' deltas, each alone, roughly.
  double log_delta_alone(double epsilon) const;

  const std::vector<MomentSteps>& components() const { return components_; }
  Direction direction() const { return direction_; }
  const std::vector<Place>& ladder() const { return ladder_; }
  double copies() const;  ///< of all steps
  /// Columns of the whole run need Re z at least here.
  double lowest_place() const;
  double log_moment(double x) const;  ///< log K(x)

 private:
  std::vector<MomentSteps> components_;
  Direction direction_;
  std::vector<Place> ladder_;
  double jumps_under_p_ = 0, jumps_under_q_ = 0;
};

/// log K(a) from above, at a real place.
struct Chernoff {
  double a = 1;
  double log_moment = 0;
  double jumped = 0;  ///< at least the mass of the jumps that K leaves out

  /// log of K(a) C(a) e^{-a eps}, C(a) as in Line, and of what jumps may add, from above: no less
  /// than log delta.
  double log_bound(double epsilon) const;
};

/// The bound that seems best at an epsilon, with what jumps may add: it holds at any epsilon. None
/// where no column serves.
std::optional<Chernoff> best_chernoff(const Sketch& run, double epsilon);

/// Below e^-640 a delta's terms come near the smallest doubles: there is no line for it.
inline constexpr double kLeastLogDelta = -640;

struct LinePlan;

/// Samples of K(z) = prod_i K_i(z)^copies_i on Re z = c > 0.
///
/// With S the sum of the losses under P and z = c + iy,
///   (1/2 pi i) integral K(z) e^{-z eps} / (z (z+1)) dz = E_P (1 - e^{eps-S})_+ = delta.
/// The trapezoid rule of step h = 2 pi / W sums, exactly, over the aliases [Poisson summation]
///   sum_m delta(eps + mW) e^{cmW},
/// whose terms have one sign: the upper end needs no charge for them. The lower end is charged,
/// with r(a) = e^{-(a - c) W},
///   m < 0: e^{-cW} / (1 - e^{-cW}), as delta <= 1;
///   m > 0: K(a) C(a) e^{-a eps} r/(1-r) for any a > c, as E (1 - e^{x-S})_+ <= K(a) C(a) e^{-ax},
///          C(a) = a^a / (1+a)^{1+a} = sup_x (1 - e^{-x}) e^{-ax}.
/// Beyond the last sample, at Y, the rest of the sum is at most
///   (1/pi) sup |K(c + iy)| e^{-c eps} integral_Y dy / |z (z+1)|,
/// the supremum over the places left, by Decay. Errors of log K at the nodes, and round-off, are
/// charged term by term. Where K leaves jumps out, what they add to delta is P(J) - e^eps
/// Q(J) and their shortfall, which is bounded (jumps.h).
class Line {
 public:
  /// A line for the goal; none where too many samples would be needed.
  static std::optional<Line> make(const Sketch& run, const LineGoal& goal);

  /// Holds delta at any epsilon, a negative one too; narrow near the goal's.
  Interval delta(double epsilon) const;

  /// delta, and d log delta / d epsilon, without bounds: for Newton's method.
  struct ValueAndSlope {
    double delta, log_slope;
  };
  ValueAndSlope estimate(double epsilon) const;

  /// How fast its aliases grow away from its goal: the slope of their logarithm.
  double alias_steepness() const { return chernoff_.a; }

  std::size_t samples() const { return samples_.size(); }

 private:
  static std::optional<Line> sampled(const Sketch& run, const LineGoal& goal, const LinePlan& plan);
  bool climb(const Sketch& run, const LineGoal& goal,
             const std::vector<std::unique_ptr<const Column>>& columns, double height);
  /// K(z) / (z (z+1)), in polar form, and half of it on the real line.
  struct LineSample {
    double y;
    double size;
    double log_modulus;    ///< of K
    double phase;          ///< of K
    double kernel_phase;   ///< of 1 / (z (z+1))
    double error;          ///< relative, of a term at epsilon 0
    double epsilon_error;  ///< what each unit of epsilon adds to it
  };
  /// A term of the sum at an epsilon.
  struct LineTerm {
    double modulus;
    double phase;
  };
  LineSample sample(double y, const LogMoment& at) const;
  LineTerm term(const LineSample& sample, double epsilon) const;
  double alias(double epsilon) const;
  double beyond(double epsilon) const;
  /// What jumps add to delta.
  Interval jumped(double epsilon) const;

  double c_ = 0;
  double spacing_ = 0;
  std::vector<LineSample> samples_;
  Chernoff chernoff_;                  ///< by which aliases are charged
  double log_bound_beyond_ = 0;        ///< on |K|, past the last sample
  Jumps jumps_;                        ///< of the run
  std::optional<Chernoff> shortfall_;  ///< bounds e^-eps times it at -eps, where there are jumps
};

}  // namespace honest_epsilon::contour
