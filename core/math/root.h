#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace honest_epsilon {

/// Two places between which a function crosses a level.
struct Bracket {
  double low;
  double high;
};

/// When a bracket has been halved enough.
struct Halvings {
  int most = 200;
  double relative = 0;  ///< to its upper end
  double absolute = 0;

  bool go_on(int done, const Bracket& bracket) const {
    return done < most && bracket.high - bracket.low > relative * bracket.high + absolute;
  }
};

inline double halfway(double low, double high) {
  return 0.5 * (low + high);
}

/// The geometric mean where the ends are far apart, so that tiny roots are found too; otherwise the
/// midpoint.
inline double halfway_in_size(double low, double high) {
  return high > 4 * low ? std::sqrt(low * high) : halfway(low, high);
}

/// Halves [low, high]; lies_above(x) says whether the point sought lies above x. The predicate is
/// not evaluated at the original ends; an end that has moved was tested, so the safe one can be
/// used directly.
template <class LiesAbove>
Bracket bisect(Bracket bracket, const Halvings& enough, LiesAbove lies_above,
               double (*middle_of)(double, double) = halfway) {
  for (int done = 0; enough.go_on(done, bracket); ++done) {
    const double middle = middle_of(bracket.low, bracket.high);
    (lies_above(middle) ? bracket.low : bracket.high) = middle;
  }
  return bracket;
}

/// A function's value and slope at a place.
struct Tangent {
  double value;
  double slope;
};

/// The zero of a rising function, by Newton's method from `z`; a step that would leave the bracket
/// is replaced by a bisection. Accurate to a few units in the last place.
template <class At>
double newton(Bracket bracket, double z, At at) {
  for (int step = 0; step < 100; ++step) {
    const Tangent here = at(z);
    double next = z - here.value / here.slope;
    if (here.value == 0 || std::abs(next - z) <= 0x1p-52 * std::abs(z)) return z;
    (here.value > 0 ? bracket.high : bracket.low) = z;
    const auto inside = [&] { return next > bracket.low && next < bracket.high; };
    if (!inside()) next = halfway(bracket.low, bracket.high);
    if (!inside()) return z;
    z = next;
  }
  return z;
}

/// The zero of a rising function between positive ends, to a relative width: its slope may change
/// so fast that the size of a step says little, and so no step is shorter than half of that width.
template <class At>
double newton_within(Bracket bracket, double z, double width, At at) {
  for (int step = 0; step < 100; ++step) {
    const Tangent here = at(z);
    (here.value > 0 ? bracket.high : bracket.low) = z;
    if (bracket.high - bracket.low <= width * bracket.high) break;
    const double next = z - here.value / here.slope, least = 0.5 * width * z;
    z = here.value > 0 ? std::min(next, z - least) : std::max(next, z + least);
    if (!(z > bracket.low && z < bracket.high)) z = halfway_in_size(bracket.low, bracket.high);
  }
  return halfway(bracket.low, bracket.high);
}

/// The least of some values, and its place.
struct Lowest {
  std::size_t place;
  double value;
};

/// The least of `count` values downhill from one of them, so that few are asked for. Infinite ones
/// lie above the others, or are not met.
Lowest downhill(std::size_t from, std::size_t count, const std::function<double(std::size_t)>& of);

/// Shrinks [low, high] with f(low) >= 0 > f(high) until it is as narrow as `tolerance` (relative to
/// its magnitude) or the evaluations are spent. f need not be continuous; the returned ends keep
/// their signs, so whichever end is the safe one may be used as it is.
Bracket shrink(const std::function<double(double)>& f, double low, double high, double tolerance,
               int evaluations = 200);

/// Where f is largest on [low, high]: the best of a coarse scan, refined. For functions with a flat
/// stretch or a second local maximum, where a unimodal search may fail.
double largest_on(const std::function<double(double)>& f, double low, double high);

/// The minimiser of a unimodal function on [low, high], to about `tolerance` relative (Brent).
double minimizer(const std::function<double(double)>& f, double low, double high);

}  // namespace honest_epsilon
