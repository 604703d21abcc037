#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/portable.h"
#include "core/math/variates.h"

namespace honest_epsilon::monte_carlo {

/// How delta at one epsilon follows from the mean of summands in [0, 1]:
///   delta = exact + bound * mean + r,   0 <= r <= remainder.
/// Each of the three may be off by `relative_error`, each summand by `summand_error`.
struct Part {
  std::size_t epsilon = 0;  ///< which one of the request's
  bool proves = true;       ///< false: the mean is an estimate without a confidence interval
  double exact = 0;
  double exact_error = 0;  ///< absolute
  double bound = 1;
  double remainder = 0;
  double relative_error = 0;
  double summand_error = 0;
};

/// A way to write delta as a mean, for every epsilon of a request: one part each, or two of which
/// one proves.
class Summands {
 public:
  virtual ~Summands() = default;

  /// Forgets what earlier draws left over: a chunk starts from nothing.
  virtual void restart() {}

  /// One sample: for each epsilon a summand in [0, 1] that bounds the sought one from above, and
  /// one that bounds it from below; `lower` is empty where both are the same.
  virtual void draw(variates::Generator& source, std::span<double> upper,
                    std::span<double> lower) = 0;

  const std::vector<Part>& parts() const { return parts_; }

 protected:
  std::vector<Part> parts_;
};

/// (1 - e^(epsilon - loss))+, in [0, 1].
inline double payoff(double epsilon, double loss) {
  return loss > epsilon ? 1 - portable::exp(epsilon - loss) : 0;
}

}  // namespace honest_epsilon::monte_carlo
