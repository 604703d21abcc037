#include "core/contour/cut_epoch_curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/portable.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::contour {
namespace {

/// Of the width asked, what a cut leaves open, and aliases or a line's end, which cost less.
constexpr double kCutPart = 0.02, kPart = 0.001;

/// And all together may.
constexpr double kSettled = 0.1;

/// More samples of N than this are slower than transforms.
constexpr double kMostSamples = 1500;

/// log of the integrand at a real r, roughly.
double log_size(const CutBins& bins, double r, double k) {
  return bins.log_transform_estimate(r) - r * k - 2 * std::log(r);
}

}  // namespace

std::optional<CutEpochCurve::CutLine> CutEpochCurve::line(double epsilon, double log_delta,
                                                          double width) const {
  const double k = std::exp(epsilon), log_open = log_delta + std::log(kPart * width);
  const double softness = JumpCut(mu_, 0).softness();
  const double place = CutBins::place_beyond(bins_, mu_, kCutPart * width * std::exp(log_delta));
  const JumpCut cut(mu_, place * std::sqrt(1 + softness * softness));
  AnyStep under_p;
  under_p.add(bins_ - 1, cut.mass(0));
  under_p.add(1, cut.mass(mu_));
  CutLine line{.bins = std::make_shared<const CutBins>(bins_, mu_, CutJumps{cut, {}})};
  const CutBins& bins = *line.bins;
  line.left_out = (under_p.mass().upper() + bins.left_out()) * (1 + 8 * kUnit);

  const double variance = std::expm1(mu_ * mu_) / bins_;
  const double likely = std::max(std::expm1(epsilon) / variance, 1 / std::sqrt(variance));
  constexpr double kFar = 4;  // e-folds from there
  const double log_place =
      minimizer([&](double x) { return std::min(log_size(bins, std::exp(x), k), 1e300); },
                std::log(likely) - kFar, std::log(likely) + kFar);
  line.sigma = std::exp(log_place);
  // On either side the place whose aliases want the shortest V.
  double longest = 0;
  for (const double side : {-1.0, 1.0}) {
    double best = kInfinity, at = line.sigma;
    for (double part = 0.02; part < 0.9; part *= 1.4) {
      const double r = line.sigma * (1 + side * part);
      const double wanted = (log_size(bins, r, k) + std::log(r) - log_open) / (line.sigma * part);
      if (!(wanted < best)) break;
      best = wanted;
      at = r;
    }
    if (!(best < kInfinity)) return std::nullopt;
    longest = std::max(longest, best);
    const ComplexEstimate there = bins.log_transform(at);
    line.beside.emplace_back(at, there.value.real() + there.error);
  }
  line.spacing = portable::shortened(kTwoPi / longest);

  CutBins::TransformClimb climb(bins, line.sigma, line.spacing);
  line.log_transform.push_back(climb.next());
  const ComplexEstimate first = line.log_transform.front();
  if (!(first.error < 0.5)) return std::nullopt;
  const double log_enough = log_open + line.sigma * k;
  constexpr std::size_t kAtOnce = 8;
  constexpr double kTold = 64;  // samples that tell how many it will take
  double first_end = 0;
  for (bool ended = false; !ended;) {
    for (std::size_t i = 0; i < kAtOnce; ++i) line.log_transform.push_back(climb.next());
    const auto count = static_cast<double>(line.log_transform.size());
    const double height = line.spacing * (count - 1) * (1 - 8 * kUnit);
    line.log_beyond = log_transform_beyond(line, height);
    const double log_end = line.log_beyond + std::log(std::atan2(line.sigma, height) / line.sigma);
    ended = log_end <= log_enough;
    if (first_end == 0) first_end = log_end;
    // It falls with the square of the height at first, and less steeply then.
    const double done = (first_end - log_end) / (first_end - log_enough);
    if (!ended && count > kTold && !(count / std::sqrt(done) < kMostSamples)) return std::nullopt;
  }
  return line;
}

double CutEpochCurve::log_transform_beyond(const CutLine& line, double y) const {
  const CutBins& bins = *line.bins;
  const double softness = bins.cut().softness(), end = bins.end();
  const double growth = 0.5 * (1 + 1 / (softness * softness));
  const double log_end = bins.cut().log_kept(end) - 0.5 * end * end - kHalfLogTwoPi +
                         line.sigma * bins.x_at(end) * (1 + 1e-12) + 1e-9;
  // Where log N had the slope of its mean.
  const double likely = y * mu_ / (2 * growth * bins_);
  double least = kInfinity;
  for (const double part : {0.7, 1.0, 1.4}) {
    const double eta = std::min(part * likely, 0.5 * kPi / mu_ * (1 - 1e-9));
    const double r =
        line.sigma * std::cos(mu_ * eta) - y * std::sin(mu_ * eta) + 1e-12 * (line.sigma + y);
    const double log_nu = ratio_.log_upper(r / bins_, end, log_end + std::log(eta));
    least = std::min(least, bins_ * (growth * eta * eta + log_nu));
  }
  return least * (1 + 8 * kUnit) + 1e-9;
}

// A term's exponent and phase are off by a few units of what they are sums of: log N, s k, which
// carries what k does, log s^2.
OwnDelta CutEpochCurve::sum(const CutLine& line, double epsilon) {
  const double k = std::exp(epsilon);
  OwnDelta sum;
  double size = 0;
  for (std::size_t j = 0; j < line.log_transform.size(); ++j) {
    const double y = line.spacing * static_cast<double>(j), modulus = std::hypot(line.sigma, y);
    const auto& [log, error] = line.log_transform[j];
    const double argument = std::atan2(y, line.sigma), log_modulus = std::log(modulus);
    const double exponent = log.real() - line.sigma * k - 2 * log_modulus;
    const double phase = log.imag() - y * k - 2 * argument;
    const double term = (j == 0 ? 0.5 : 1) * std::exp(exponent);
    const double units = 32 + 4 * (std::abs(log.real()) + std::abs(log.imag())) +
                         12 * (line.sigma + y) * k + 8 * std::abs(log_modulus);
    sum.value += term * std::cos(phase);
    sum.slope -= term * modulus * std::cos(phase + argument);
    sum.error += term * (std::expm1(error) + kUnit * units);
    size += term;
  }
  const double scale = line.spacing / kPi;
  sum.error += 2 * kUnit * (static_cast<double>(line.log_transform.size()) + 4) * size;
  sum.value *= scale;
  sum.slope *= scale * k;
  sum.error *= scale * (1 + 1e-9);
  const auto bounded = [&](double log_bound, double sizes) {
    sum.error += std::exp(log_bound + 16 * kUnit * (4 + sizes)) * (1 + 1e-9);
  };
  const double period = kTwoPi / line.spacing * (1 - 8 * kUnit);
  for (const auto& [r, log_upper] : line.beside) {
    const double away = std::abs(line.sigma - r) * period * (1 - 16 * kUnit);
    bounded(log_upper + log_power_bound(1, r) - r * k - away - std::log(-std::expm1(-away)),
            std::abs(log_upper) + r * k + away);
  }
  const double last =
      line.spacing * static_cast<double>(line.log_transform.size() - 1) * (1 - 8 * kUnit);
  bounded(line.log_beyond - line.sigma * k +
              std::log(std::atan2(line.sigma, last) / (kPi * line.sigma)),
          std::abs(line.log_beyond) + line.sigma * k);
  sum.error += line.left_out;
  return sum;
}

std::optional<OwnDelta> CutEpochCurve::asked(double epsilon, double width) {
  // All digits take few samples more than half of them do, and no line has more.
  constexpr double kEveryDigit = 5e-10, kRough = 1e-3;
  if (width < kRough) width = kEveryDigit;
  const auto does = [width](const OwnDelta& found) {
    return found.value > 0 && found.error <= kSettled * width * found.value;
  };
  if (last_) {
    constexpr double kNear = 1;
    const OwnDelta found = sum(*last_, epsilon);
    const bool alike = last_->width <= width && found.value > 0 &&
                       std::abs(std::log(found.value) - last_->log_delta) < kNear;
    if (alike || does(found)) return found;
  }
  // delta is at least that of the mean of all t alone, and not many times as much.
  const double shift = mu_ / std::sqrt(bins_) * (1 - 8 * kUnit);
  double log_delta = std::log(gaussian::delta(shift, epsilon).lower);
  constexpr int kMostTries = 2;
  for (int i = 0; i < kMostTries && log_delta > -kInfinity; ++i) {
    last_ = line(epsilon, log_delta, width);
    if (!last_) return std::nullopt;
    const OwnDelta found = sum(*last_, epsilon);
    last_->width = width;
    last_->log_delta = std::log(std::max(found.value, kTiny));
    if (does(found) || i + 1 == kMostTries) return found;
    log_delta = std::min(log_delta, last_->log_delta) - 1;
  }
  return std::nullopt;
}

std::optional<Interval> CutEpochCurve::delta(double epsilon, double width) {
  const auto found = asked(epsilon, width);
  return found ? std::optional(found->interval()) : std::nullopt;
}

std::optional<Interval> CutEpochCurve::epsilon(double target, double width) {
  const double start = gaussian::epsilon(mu_ / std::sqrt(bins_), target).upper;
  return own_epsilon([this](double at, double wide) { return asked(at, wide); }, target, start,
                     width);
}

}  // namespace honest_epsilon::contour
