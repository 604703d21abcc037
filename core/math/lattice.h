#pragma once

#include <cmath>

namespace honest_epsilon {

/// The largest number of twelve binary digits that is not above `spacing` > 0: its multiples are
/// exact doubles up to the 2^41st.
inline double short_below(double spacing) {
  int exponent = 0;
  const double mantissa = std::frexp(spacing, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, 12)), exponent - 12);
}

}  // namespace honest_epsilon
