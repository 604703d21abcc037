#include "core/contour/one_epoch_integrand.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"

namespace honest_epsilon::contour {

OneEpochIntegrand::EpochStrike OneEpochIntegrand::strike(double epsilon) const {
  const bool removal = direction_ == Direction::remove;
  const double all = (bins_ + blank_) * std::exp(removal ? epsilon : -epsilon);
  return {all - blank_, 8 * kUnit * all + kUnit * blank_, removal ? all : -all,
          removal ? 0 : epsilon};
}

OneEpochIntegrand::NodeTerm OneEpochIntegrand::term(const PathNode& node,
                                                    const EpochStrike& strike) {
  const double fall = strike.value * node.rho, turned = strike.value * node.y;
  const double modulus = std::exp(node.log_size + strike.log_front - fall);
  const double relative =
      node.size_error + strike.error * std::abs(node.rho) +
      kUnit * (8 * std::abs(fall) + 4 * std::abs(node.log_size) + 4 * strike.log_front + 16);
  if (node.y == 0) {
    const double value = modulus * node.factor;
    return {modulus, value, -value * node.rho * strike.slope,
            std::abs(value) * relative + modulus * node.angle_error + kTiny};
  }
  const double angle = node.angle + turned;
  const double cosine = std::cos(angle), value = modulus * cosine;
  const double along = -node.rho * cosine - node.y * std::sin(angle);
  const double slope = modulus * along * strike.slope + (strike.slope < 0 ? value : 0);
  const double off = node.angle_error + strike.error * node.y + 8 * kUnit * std::abs(turned) +
                     4 * kUnit * std::abs(angle) + 8 * kUnit;
  return {modulus, value, slope, modulus * (relative + off) + kTiny};
}

double OneEpochIntegrand::PathBound::at(const EpochStrike& strike) const {
  const double at_low = log_power_low - strike.value * rho_low;
  const double at_high = log_power_high - strike.value * rho_high;
  const double sizes = std::abs(log_power_low) + std::abs(log_power_high) +
                       strike.value * (std::abs(rho_low) + std::abs(rho_high));
  return log_front + strike.log_front + std::max(at_low, at_high) + 1e-9 + 16 * kUnit * sizes +
         strike.error * std::max(std::abs(rho_low), std::abs(rho_high));
}

OneEpochIntegrand::PathNode OneEpochIntegrand::on_axis(double v) const {
  const auto [log_modulus, phase] = ratio_.on_axis(v);
  const double power = bins_ * log_modulus.value, angle = bins_ * phase.value;
  const double log_scale = std::log(kPi * (bins_ + blank_));
  return {std::exp(v),
          0,
          power - v - log_scale,
          0,
          -std::sin(angle),
          bins_ * log_modulus.error +
              kUnit * (4 * std::abs(power) + 8 * std::abs(v) + 4 * log_scale + 16),
          bins_ * phase.error + 4 * kUnit * std::abs(angle)};
}

OneEpochIntegrand::PathBound OneEpochIntegrand::axis_bound(double low, double high, double b_low,
                                                           double b_high) const {
  const double turn = ratio_.saddle(0.5 * (low + high));
  const double after = ratio_.log_right_upper(low, high, turn, b_low, b_high);
  const double before = ratio_.log_right_upper(low, high, turn, -b_high, -b_low);
  const double rest = std::max(after, before);
  const double least = std::exp(low) * std::cos(b_high), most = std::exp(high) * std::cos(b_low);
  const double units = 16 * kUnit * (2 + std::abs(low) + std::abs(high));
  return {log_add(after, before) + std::log(bins_ / (bins_ + blank_)) - std::log(kTwoPi) - low,
          (bins_ - 1) * ratio_.log_upper(least, turn, rest), least * (1 - units),
          (bins_ - 1) * ratio_.log_upper(most * (1 + units), turn, rest), most * (1 - units)};
}

OneEpochIntegrand::PathBound OneEpochIntegrand::axis_left(double from) const {
  const double turn = ratio_.saddle(from), mu = ratio_.mu();
  const double fall = turn / mu - 1, rho = std::exp(from);
  constexpr double kLeastFall = 0.1;
  if (fall < kLeastFall) return {kInfinity, 0, 0, 0, 0};
  const double log_rest = ratio_.log_right_upper(from, from, turn, 0, 0);
  const double w = std::exp(from + mu * turn - 0.5 * mu * mu) * (1 + 1e-12);
  const double rest =
      normal::upper_tail(turn) * std::exp(w) * (1 + 1e-9) + std::exp(log_rest) * (1 + 1e-9);
  const double units = 16 * kUnit * (1 + std::abs(from));
  return {log_rest + std::log(bins_ / (bins_ + blank_)) - std::log(kPi) - from - std::log(fall),
          (bins_ - 1) * std::log1p(rest), 0,
          (bins_ - 1) * ratio_.log_upper(rho * (1 + units), turn, std::log(rest)),
          rho * (1 - units)};
}

/// t_1 / mu - 1, by which Im phi / rho rises, is (K - T) rho there.
double OneEpochIntegrand::likely_top(const EpochStrike& strike) const {
  constexpr int kRounds = 8;
  double v = -std::log(bins_);
  for (int i = 0; i < kRounds; ++i) {
    const double rise = std::max(1.0, ratio_.saddle(v) / mu() - 1);
    v = std::log(rise / std::max(strike.value - bins_, std::sqrt(bins_)));
  }
  return v;
}

OneEpochIntegrand::PathNode OneEpochIntegrand::on_upright(const Upright& line, double y) const {
  const std::complex<double> z(line.rho, -y);
  const LogMoment log_phi = ratio_.at(z, line.turn);
  const double size = std::abs(z), log_scale = std::log(kPi * (bins_ + blank_));
  // s^-2 turns by -2 arg s.
  const double turned = std::atan2(y, -line.rho);
  const double power = bins_ * log_phi.value.real(), angle = bins_ * log_phi.value.imag();
  return {line.rho,
          y,
          power - 2 * std::log(size) - log_scale,
          angle - 2 * turned,
          0,
          bins_ * log_phi.error +
              kUnit * (4 * std::abs(power) + 16 * std::abs(std::log(size)) + 4 * log_scale + 16),
          bins_ * log_phi.error + kUnit * (4 * std::abs(angle) + 40)};
}

double OneEpochIntegrand::log_moved(double rho, double farthest, double from, double angle,
                                    double turn, double log_rest) const {
  const double eta = angle / ratio_.mu();
  const auto moved = [&](double at) {
    return at * std::cos(angle) - from * std::sin(angle) + 8 * kUnit * (std::abs(at) + from);
  };
  const double most = moved(rho);
  const double rest = moved(farthest) <= 0 ? ratio_.log_beyond(most, turn) : log_rest;
  return 0.5 * eta * eta * (1 + 8 * kUnit) + ratio_.log_upper(most, turn, rest);
}

double OneEpochIntegrand::best_angle(double rho, double from, double turn, double log_rest) const {
  if (!(from > 0)) return 0;
  // A Gaussian's falls fastest where its angle is mu^2 y.
  constexpr int kSteps = 14;
  constexpr double kMostTurned = 0.49 * kPi, kShrink = 0.7;
  const double mu = ratio_.mu();
  double angle = std::min(1.5 * mu * mu * from, kMostTurned);
  double least = log_moved(rho, rho, from, angle, turn, log_rest);
  for (int i = 0; i < kSteps; ++i) {
    const double next = angle * kShrink;
    const double there = log_moved(rho, rho, from, next, turn, log_rest);
    if (!(there < least)) break;
    angle = next;
    least = there;
  }
  return angle;
}

OneEpochIntegrand::PathBound OneEpochIntegrand::upright_bound(const Upright& line, double low,
                                                              double high, double sideways) const {
  const double rho = line.rho, turn = line.turn.at;
  const double least = (rho - sideways) - 8 * kUnit * std::abs(rho);
  const double most = (rho + sideways) + 8 * kUnit * std::abs(rho);
  const double nearest = std::max(std::abs(rho) - sideways, 1e-9 * std::abs(rho));
  double rest = normal::log_upper_tail(turn) + 1e-9;
  if (rho > 0) {
    const double below = std::max(0.0, -low), farthest = std::hypot(most, below);
    rest = std::max(rest, ratio_.log_right_upper(std::log(nearest), std::log(farthest), turn, 0,
                                                 std::atan2(below, nearest)));
  }
  const double from = std::max(0.0, low);
  const double angle = best_angle(rho, from, turn, rest);
  const double away = std::max({nearest, low, -high}) * (1 - 4 * kUnit);
  return {-2 * std::log(away) - std::log(kPi * (bins_ + blank_)),
          bins_ * log_moved(least, most, from, angle, turn, rest), least,
          bins_ * log_moved(most, most, from, angle, turn, rest), most};
}

OneEpochIntegrand::PathBound OneEpochIntegrand::upright_total(double rho) const {
  constexpr double kFar = 37;
  const double log_rho = std::log(std::abs(rho));
  const double turn = rho > 0 ? ratio_.saddle(log_rho) : kFar;
  const double rest = rho > 0 ? ratio_.log_right_upper(log_rho, log_rho, turn, 0, 0)
                              : normal::log_upper_tail(turn) + 1e-9;
  const double power = bins_ * ratio_.log_upper(rho, turn, rest);
  return {-std::log(2 * std::abs(rho) * (bins_ + blank_)), power, rho, power, rho};
}

OneEpochIntegrand::PathBound OneEpochIntegrand::upright_end(const Upright& line,
                                                            double from) const {
  const double turn = line.turn.at;
  const double rest = line.rho > 0 ? line.turn.log_rest : normal::log_upper_tail(turn) + 1e-9;
  const double angle = best_angle(line.rho, from, turn, rest);
  const double power = bins_ * log_moved(line.rho, line.rho, from, angle, turn, rest);
  return {-std::log(kPi * (bins_ + blank_) * from), power, line.rho, power, line.rho};
}

}  // namespace honest_epsilon::contour
