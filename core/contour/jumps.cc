#include "core/contour/jumps.h"

#include <algorithm>
#include <cmath>

#include "core/math/log_domain.h"
#include "core/math/normal.h"

namespace honest_epsilon::contour {

// The place and the shift round by a unit each, the shift has one of mu's, and the tail's logarithm
// has a slope below |z| + 1.
Charged jump_mass(double place, double shift) {
  const double z = place - shift, error = 4 * kUnit * (std::abs(place) + std::abs(shift));
  const double value = normal::upper_tail(z);
  return {value, value * (normal::kRelativeError + error * (std::max(z, 0.0) + 1)) + kTiny};
}

double log_jump_expectation(double place, const std::function<double(double)>& log_f) {
  constexpr double kCell = 1.0 / 16, kBeyond = 12;
  LogSum sum;
  double low = place;
  for (; low < place + kBeyond; low += kCell)
    sum.add(normal::log_pdf_upper(low, low + kCell) + std::log(kCell) + log_f(low));
  sum.add(normal::log_upper_tail(low) + log_f(low));
  // The exponents round by less than a billionth of the largest that counts.
  const double value = sum.log_upper();
  return value + 1e-9 * (1 + std::abs(value));
}

void AnyStep::add(double copies, const Charged& each) {
  log_none_low_ += copies * std::log1p(-std::min(each.upper(), 1.0));
  log_none_high_ += copies * std::log1p(-std::max(each.lower(), 0.0));
}

// Products, logarithms and exponentials round by a few units each, their sum by one a step kind.
Charged AnyStep::mass() const {
  const double low = -std::expm1(log_none_high_), high = -std::expm1(log_none_low_);
  return {0.5 * (low + high), 0.5 * (high - low) + 64 * kUnit * high + kTiny};
}

}  // namespace honest_epsilon::contour
