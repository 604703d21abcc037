#include "core/contour/shift_ratio.h"

#include <algorithm>
#include <cmath>

namespace honest_epsilon::contour {

ShiftRatio::ShiftRatio(const pairs::Records& records, double mu) : mu_(mu) {
  const double q = records.q;
  if (records.count == 1) {
    any_ = q;
    weight_ = {rounded(1 - q, 1), q};
    log_weight_ = {rounded(std::log1p(-q), kFunctionError), rounded(std::log(q), kFunctionError)};
    return;
  }
  const pairs::ShiftWeights shifts = pairs::shifts_of(records, mu);
  for (std::size_t j = 0; j < shifts.log_weight.size(); ++j) {
    log_weight_.emplace_back(shifts.log_weight[j], shifts.error[j]);
    weight_.push_back(exp(log_weight_.back()));
  }
  any_ = -std::expm1(log_none()) * (1 + 1e-9);
}

ShiftRatio::RatioValue ShiftRatio::at(Complex t) const {
  // mu has an error of its own, and so do its multiple and both products.
  const auto exponent = [&](std::size_t j) {
    const double shift = static_cast<double>(j) * mu_;
    return Ball(shift * (t - 0.5 * shift), 5 * kUnit * shift * (modulus(t) + shift));
  };
  double top = log_none();
  for (std::size_t j = 1; j < terms(); ++j)
    top = std::max(top, (log_weight_[j].value + exponent(j).value).real());
  constexpr double kLarge = 1, kNear = 0.5;
  if (top < kLarge) {
    Ball excess;
    for (std::size_t j = 1; j < terms(); ++j) excess = excess + weight_[j] * expm1(exponent(j));
    if (modulus(excess.value) < kNear) return {log1p(excess), excess};
  }
  Ball sum;
  for (std::size_t j = 0; j < terms(); ++j) sum = sum + exp(log_weight_[j] + exponent(j) - top);
  const Ball log = top + honest_epsilon::log(sum);
  return {log, expm1(log)};
}

}  // namespace honest_epsilon::contour
