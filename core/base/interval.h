#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace honest_epsilon {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How far an interval's two ends can be trusted. Never present one kind as another.
enum class IntervalKind {
  certified,   ///< both ends proved, round-off and truncation included
  bound,       ///< one end proved, nothing said of the other
  confidence,  ///< both ends hold up to a stated error probability
  estimate,    ///< no guarantee
};

/// A closed interval that contains the truth. An end at infinity says "no bound on that side".
struct Interval {
  double lower = 0;
  double upper = kInfinity;
  IntervalKind kind = IntervalKind::certified;

  /// Whether it is as narrow as asked, relative to its upper end.
  bool is_narrow(double width) const { return upper < kInfinity && upper - lower <= width * upper; }
};

/// The intersection, for two intervals that both contain the truth. Ends that crossed (they cannot,
/// unless a proof is wrong) fall back to the wider reading, so that lower <= upper always holds.
inline Interval intersect(const Interval& a, const Interval& b) {
  const double lower = std::max(a.lower, b.lower);
  const double upper = std::min(a.upper, b.upper);
  if (lower > upper) return {std::min(a.lower, b.lower), std::max(a.upper, b.upper), a.kind};
  return {lower, upper, a.kind};
}

/// What is known by two answers of which either may be missing.
inline std::optional<Interval> intersect(const std::optional<Interval>& a,
                                         const std::optional<Interval>& b) {
  if (a && b) return intersect(*a, *b);
  return a ? a : b;
}

/// The interval of the maximum of two quantities.
inline Interval maximum(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper), a.kind};
}

}  // namespace honest_epsilon
