#pragma once

#include "core/base/ball.h"

namespace honest_epsilon {

/// (e^x - 1 - x) / x^2, to 1e-17 of itself before rounding. Domain: |x| < 1/2.
Complex exponential_rest(Complex x);

}  // namespace honest_epsilon
