#pragma once

#include <functional>

namespace honest_epsilon {

/// A bracket [low, high] of the point where a decreasing predicate-like function changes sign.
struct Bracket {
  double low;
  double high;
};

/// Shrinks [low, high] with f(low) >= 0 > f(high) until it is as narrow as `tolerance` (relative to
/// its magnitude) or the evaluations are spent. f need not be continuous; the returned ends keep
/// their signs, so whichever end is the safe one may be used as it is.
Bracket shrink(const std::function<double(double)>& f, double low, double high, double tolerance,
               int evaluations = 200);

/// Where f is largest on [low, high]: the best of a coarse scan, refined. For functions with a flat
/// stretch or a second hump, where a unimodal search would get lost.
double largest_on(const std::function<double(double)>& f, double low, double high);

/// The minimiser of a unimodal function on [low, high], to about `tolerance` relative (Brent).
double minimizer(const std::function<double(double)>& f, double low, double high);

}  // namespace honest_epsilon
