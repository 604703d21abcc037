#pragma once

#include <vector>

namespace honest_epsilon::contour {

/// How a transform N(s) falls along Re s = sigma, against N(sigma).
struct TransformFall {
  struct FallStep {
    double v;         ///< a distance from the real line
    double log_size;  ///< at most that from there on
  };
  std::vector<FallStep> steps;  ///< rising v, the first at 0
  double last = 0;              ///< beyond this v, and after the last step,
  double log_last = 0;          ///<   at most e^{log_last} (last / v)^2

  /// log |N(sigma + iv')| - log N(sigma), at most, for every v' >= v >= 0.
  double log_size_beyond(double v) const;
};

/// How a power moment falls along a vertical line, by its Hankel integral
///   K(w) = Gamma(w+1) / (2 pi i) integral_{Re s = sigma} N(s) s^{-w-1} ds,   w = p + iy.
/// With s = sigma (1 + i tan psi), a = p + 1 and z = a + iy,
///   |K| <= sigma^{1-a} / (2 pi) integral |N| e^{Phi(y, psi)} d psi,
///   Phi(y, psi) = log |Gamma(z)| + y psi + (a-2) log cos(psi).
/// Im digamma(z) = sum_n y / ((n+a)^2 + y^2) >= atan(y/a): Phi falls with y where tan(psi) <= y/a.
/// There it rises with psi, so that on a stretch below such a psi, and at all y' >= y, it is at
/// most Phi(y, psi). By Stirling's formula, whose rest is at most 1/(6a) in modulus, with theta =
/// arg z,
///   log |Gamma(z)| + y psi <= log(2 pi)/2 + (a-1/2) log(a / cos theta) - a + a tan(theta)
///                             (psi - theta) + 1/(6a),
/// which falls with theta from psi on, and is largest where psi - theta = sin(2 theta) / (4a): Phi
/// is at most
///   log(2 pi)/2 + (a-1/2) log a - a + 1/2 + 1/(6a) - (3/2) log cos(psi),
/// whatever y. Where psi < 0 it falls with y and with |psi|.
/// Domain: p >= 2.
class HankelDecay {
 public:
  HankelDecay(double power, double sigma, double log_first, TransformFall fall);
  /// log |K(p + iy')|, at most, for every y' >= y >= 0; y may be infinite.
  double log_bound_beyond(double y) const;

 private:
  struct Stretch {
    double slope;       ///< tan(psi) at its end
    double begin, end;  ///< psi
    double log_cos_begin, log_cos_end;
    double log_size;  ///< of |N| times the stretch's length
  };
  double order_, log_scale_, log_ridge_, log_rest_;
  std::vector<Stretch> stretches_;
};

}  // namespace honest_epsilon::contour
