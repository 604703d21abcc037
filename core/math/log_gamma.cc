#include "core/math/log_gamma.h"

#include <array>
#include <cmath>

#include "core/base/ball.h"
#include "core/base/rounding.h"
#include "core/math/constants.h"

namespace honest_epsilon {
namespace {

/// From here on ten terms of Stirling's series suffice: see the header.
constexpr double kLeastModulus = 12;

/// B_2k / (2k (2k-1)), k = 1, 2, ...
constexpr std::array<double, 10> kStirling = {
    1.0 / 12,        -1.0 / 360, 1.0 / 1260,       -1.0 / 1680,      1.0 / 1188,
    -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400, 43867.0 / 244188, -174611.0 / 125400};

Complex stirling_rest(Complex z) {
  const Complex s = 1.0 / (z * z);
  Complex sum = 0;
  for (std::size_t k = kStirling.size(); k-- > 0;) sum = sum * s + kStirling[k];
  return sum / z;
}

Complex log_of(Complex z) {
  return {std::log(std::abs(z)), std::arg(z)};
}

}  // namespace

Ball log_power_over_gamma(Complex z, double modulus, double angle) {
  // z log w - log Gamma(z) = far (log w - log far) + far - n log w + log(far) / 2 - log(2 pi) / 2
  //                          - rest(far) + sum log(z + i),     far = z + n.
  Complex far = z;
  Complex shifted = 0;
  double error = 40;
  const Complex log_w{std::log(modulus), angle};
  for (; std::abs(far) < kLeastModulus; far += 1) {
    const Complex step = log_of(far) - log_w;
    shifted += step;
    error += 6 * (std::abs(step) + std::abs(log_w)) + 4;
  }
  const double ratio = modulus / std::abs(far);
  const Complex turn{std::log(ratio), angle - std::arg(far)};
  const double size = std::abs(far);
  // The quotient and its logarithm, an angle of two, and the product with far.
  const double turn_error = 16 + 6 * std::abs(turn) + 8 * std::abs(angle);
  const Complex half_log = 0.5 * log_of(far);
  const Complex value = far * turn + far + half_log - kHalfLogTwoPi - stirling_rest(far) + shifted;
  error += size * turn_error + 8 * size * std::abs(turn) + 4 * size + 8 * std::abs(half_log) +
           4 * std::abs(shifted);
  return {value, kUnit * error};
}

}  // namespace honest_epsilon
