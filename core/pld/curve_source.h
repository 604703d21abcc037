#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/pld/source.h"

namespace honest_epsilon::pld {

/// A curve at K = e^log_k.
struct CallSample {
  double log_k;
  double k;
  Interval value;
};

/// A step known through its privacy curve alone, certified from both sides: U = dP/dQ under Q
/// through
///   call(K) = E[(U - K)+]  (direction remove)   and   put(K) = E[(K - U)+] = call(K) - 1 + K
///   (add).
/// The two differ by a line and determine the same law; each keeps its digits where it is small.
///
/// Upper law: the lower convex hull of the upper values on the lattice K_j = e^(j D), from K = 0
/// on. The true curve is convex and below them, hence below the hull, so the hull's own pair
/// dominates. Lower law: the hull of the lower values, each lowered by how far the curve may sag
/// below its chords. A hull's slopes change by the Q-masses, and a mass times its K is the P-mass.
/// Of the lattice only a range is followed: an upper law moves what lies before it to its first
/// point, a lower law leaves it out.
/// Cite: [CD22].
class CurveSource : public Source {
 public:
  /// call (remove) or put (add) at K = e^log_k. Domain: low <= log_k <= high.
  using CallCurve = std::function<Interval(double log_k, Direction direction)>;
  /// `least` and `most` are ends of log U itself: between low and high the curve is followed, and
  /// beyond them there may be mass all the same. Where they are finite an upper law ends there, so
  /// that an atom at an end keeps its loss, which would else count as infinite in part.
  CurveSource(CallCurve curve, double low, double high, double least = -kInfinity,
              double most = kInfinity)
      : curve_(std::move(curve)), low_(low), high_(high), least_(least), most_(most) {}

  std::vector<LossNode> nodes(Direction direction) const override;
  LatticeLaw law(Direction direction, double spacing, Range range, bool up,
                 double tilt) const override;
  double highest(Direction direction) const override {
    return direction == Direction::remove ? most_ : -least_;
  }

 private:
  /// The lattice's points from one to another.
  struct Section {
    std::int64_t first, last;
  };
  Section section_at(double spacing, Range range, bool up) const;
  /// The curve at any log K: beyond low or high it is bounded by its value there.
  Interval at(double log_k, Direction direction) const;
  /// Until it is asked again.
  std::span<const CallSample> samples_at(Direction direction, double spacing,
                                         Section section) const;

  CallCurve curve_;
  double low_;
  double high_;
  double least_;
  double most_;
  /// Laws of both sides, and of several plans, are drawn from one lattice's samples.
  struct Known {
    Direction direction;
    double spacing;
    Section section{};
    std::vector<CallSample> samples;
  };
  mutable std::vector<Known> known_;
};

}  // namespace honest_epsilon::pld
