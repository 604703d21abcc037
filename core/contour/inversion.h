#pragma once

#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/contour/line.h"

namespace honest_epsilon::contour {

/// No line distinguishes a delta below this from 0: a little above e^kLeastLogDelta.
inline constexpr double kNoLineBelow = 1e-270;

/// Whether an interval is as narrow as asked, relative to its upper end, or its upper end is at
/// most kNoLineBelow.
inline bool is_settled(const Interval& value, double width) {
  return value.is_narrow(width) || value.upper <= kNoLineBelow;
}

/// One direction's privacy curve, by as many lines as its questions need. A question that lines do
/// not serve, such as that of a dozen steps or fewer, gets no answer.
class Inversion {
 public:
  Inversion(std::vector<MomentSteps> components, Direction direction);

  /// Holds delta at an epsilon >= 0.   width: the relative width that suffices. negligible: a delta
  /// that need not be distinguished from 0, and an absolute width that suffices. Where Chernoff's
  /// bound is at most `negligible`, the answer is [0, that bound].
  std::optional<Interval> delta(double epsilon, double width = kRelativeWidth,
                                double negligible = kNoLineBelow);

  /// Holds the smallest epsilon >= 0 with delta(epsilon) <= target, 0 < target < 1. It is 0 where
  /// the target is at least the run's total variation, which is at most
  ///   1 - prod_i (1 - TV_i)^copies_i,
  /// as steps that are coupled best and one by one all agree with that probability.
  std::optional<Interval> epsilon(double target, double width = kRelativeWidth);

  /// The largest possible loss, rounded up; as an epsilon it holds for every delta.
  double largest_loss() const { return largest_loss_; }

 private:
  struct Root;
  /// delta as the lines made so far have it, the last first, until it is as narrow as asked.
  std::optional<Interval> by_known_lines(double epsilon, double width) const;
  /// Roughly the logarithm of delta at an epsilon.
  double guess_log_delta(double epsilon);
  double log_delta_without(const Sketch& rest, double epsilon);
  /// No less than delta at an epsilon; 1 where no column serves. Below what is negligible it need
  /// not be small.
  double chernoff(double epsilon, double negligible);
  const Sketch& run();
  /// The other direction's.
  const Sketch& swapped_run();
  Root root_of(const Line& line, double log_target, double guess) const;
  std::optional<Interval> enclosed(const Line& line, double target, const Root& root) const;
  /// What lines found of an epsilon, and where it seems to be.
  struct LocatedEpsilon {
    std::optional<Interval> epsilon;
    double near;
    std::size_t samples;  ///< of all lines
  };
  /// By lines of one sketch.   error: the relative one that they may have
  LocatedEpsilon epsilon_from(const Sketch& run, double target, double width, double error);
  std::optional<Interval> delta_from(const Sketch& run, double epsilon, double log_delta,
                                     double error);
  /// The run without what does not matter to a delta near epsilon at this relative error, and
  /// without jumps; none where the moments do not leave anything out.
  std::optional<Sketch> rest(double epsilon, double log_delta, double error);
  /// The same near the epsilon of a target, and that, roughly.
  std::optional<Sketch> rest_at(double target, double error, double& epsilon);
  /// Whether the whole run's columns serve a question: none where high powers are needed.
  bool whole_serves(const Sketch& rest, double epsilon, double log_delta);

  std::vector<MomentSteps> components_;
  Direction direction_;
  bool has_columns_;  ///< the whole run, with its jumps
  bool reaches_far_;
  double largest_loss_ = 0;
  double total_variation_ = 1;  ///< of the run, rounded up
  std::optional<Sketch> run_;
  std::optional<Sketch> swapped_run_;  ///< seen from the other direction
  std::vector<Line> lines_;
  std::optional<Chernoff> chernoff_;  ///< the last that was asked for
};

}  // namespace honest_epsilon::contour
