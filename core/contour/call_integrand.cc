#include "core/contour/call_integrand.h"

#include <algorithm>
#include <cmath>

#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"

namespace honest_epsilon::contour {

CallIntegrand::CallStrike CallIntegrand::strike(double epsilon) const {
  const double all = (bins_ + blank_) * std::exp(epsilon);
  return {all - blank_, 8 * kUnit * all, all};
}

CallIntegrand::CallNode CallIntegrand::at(double v) const {
  const auto [log_modulus, phase] = ratio_.on_axis(v);
  const double power = bins_ * log_modulus.value, angle = bins_ * phase.value;
  const double log_scale = std::log(kPi * (bins_ + blank_));
  return {std::exp(v), power - v - log_scale, -std::sin(angle),
          bins_ * log_modulus.error +
              kUnit * (4 * std::abs(power) + 8 * std::abs(v) + 4 * log_scale + 16),
          bins_ * phase.error + 4 * kUnit * std::abs(angle)};
}

CallIntegrand::CallTerm CallIntegrand::term(const CallNode& sample, const CallStrike& strike) {
  const double fall = strike.value * sample.rho;
  const double modulus = std::exp(sample.log_size - fall);
  const double value = modulus * sample.sine;
  const double relative = sample.size_error + strike.error * sample.rho +
                          kUnit * (8 * fall + 4 * std::abs(sample.log_size) + 16);
  return {modulus, value, std::abs(value) * relative + modulus * sample.angle_error + kTiny};
}

double CallIntegrand::Bound::at(double strike) const {
  const double at_low = log_power_low - strike * rho_low;
  const double at_high = log_power_high - strike * rho_high;
  const double sizes = std::abs(log_power_low) + std::abs(log_power_high) + strike * rho_high;
  return log_front + std::max(at_low, at_high) + 1e-9 + 16 * kUnit * sizes;
}

CallIntegrand::Bound CallIntegrand::bound(double low, double high, double b_low,
                                          double b_high) const {
  const double turn = ratio_.saddle(0.5 * (low + high));
  const double after = ratio_.log_right_upper(low, high, turn, b_low, b_high);
  const double before = ratio_.log_right_upper(low, high, turn, -b_high, -b_low);
  const double most = std::exp(std::max(after, before));
  const auto power_at = [&](double log_rho) {
    const double left = ratio_.left_less_one(std::exp(log_rho), turn).upper();
    return (bins_ - 1) * std::log1p(left + most) * (1 + 8 * kUnit) +
           16 * kUnit * (1 + std::abs(log_rho)) * bins_ * (std::abs(left) + most);
  };
  const double least = low + std::log(std::cos(b_high)), largest = high + std::log(std::cos(b_low));
  return {log_add(after, before) + std::log(bins_ / (bins_ + blank_)) - std::log(kTwoPi) - low,
          power_at(least), std::exp(least) * (1 - 16 * kUnit * (1 + std::abs(least))),
          power_at(largest), std::exp(largest) * (1 - 16 * kUnit * (1 + std::abs(largest)))};
}

double CallIntegrand::log_left(double from, double b) const {
  const double turn = ratio_.saddle(from), mu = ratio_.mu();
  const double fall = turn / mu - 1;
  constexpr double kLeastFall = 0.1;
  if (fall < kLeastFall) return kInfinity;
  const double after = ratio_.log_right_upper(from, from, turn, b, b);
  const double before = ratio_.log_right_upper(from, from, turn, -b, -b);
  const double w = std::exp(from + mu * turn - 0.5 * mu * mu) * (1 + 1e-12);
  const double most = ratio_.left_less_one(std::exp(from) * std::cos(b), turn).upper() +
                      normal::upper_tail(turn) * std::exp(w) * (1 + 1e-9) +
                      std::exp(std::max(after, before));
  return log_add(after, before) - std::log(kTwoPi) - from +
         std::max((bins_ - 1) * std::log1p(most), 0.0) * (1 + 1e-12) - std::log(fall) + 1e-9;
}

double CallIntegrand::log_beyond(double from, const CallStrike& strike) const {
  const double turn = ratio_.saddle(from), rho = std::exp(from);
  const double after = ratio_.log_right_upper(from, from, turn, 0, 0);
  const double most = ratio_.left_less_one(rho, turn).upper() + std::exp(after);
  return bins_ * std::log1p(most) * (1 + 16 * kUnit) - strike.value * rho * (1 - 16 * kUnit) -
         kLogTwo - from - std::log(bins_ + blank_) + 1e-9;
}

/// t_1 / mu - 1, by which Im phi / rho rises, is (K - T) rho there.
double CallIntegrand::likely_top(const CallStrike& strike) const {
  constexpr int kRounds = 8;
  double v = -std::log(bins_);
  for (int i = 0; i < kRounds; ++i) {
    const double rise = std::max(1.0, ratio_.saddle(v) / mu() - 1);
    v = std::log(rise / std::max(strike.value - bins_, std::sqrt(bins_)));
  }
  return v;
}

}  // namespace honest_epsilon::contour
