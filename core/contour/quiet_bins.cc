#include "core/contour/quiet_bins.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/complex_functions.h"

namespace honest_epsilon::contour {
namespace {

/// Units by which a few products, sums and functions round.
constexpr double kUnits = 24 * kUnit;

class QuietLine : public Column, public Decay {
 public:
  QuietLine(const QuietBins& bins, Direction direction, double x)
      : bins_(bins), direction_(direction), x_(x) {
    const LogMoment at = bins_.log_moment(power({x, 0}));
    log_moment_upper_ = at.value.real() + at.error;
  }
  LogMoment log_moment(double y) const override {
    const LogMoment at = bins_.log_moment(power({x_, y}));
    if (at.error < 0.5 || !(log_moment_upper_ < kInfinity)) return at;
    // Nothing is known but how small it is: any power of both lies within 3 times the bound's.
    return {log_bound_beyond(y) + 1e-12, std::log(3.0) + 1e-12};
  }
  double log_bound_beyond(double y) const override {
    return log_moment_upper_ - bins_.decay(y) + kUnits * std::abs(log_moment_upper_);
  }

 private:
  Complex power(Complex z) const { return direction_ == Direction::remove ? 1.0 + z : -z; }

  QuietBins bins_;
  Direction direction_;
  double x_;
  double log_moment_upper_;
};

class QuietRule : public Rule {
 public:
  QuietRule(const QuietBins& bins, Direction direction) : bins_(bins), direction_(direction) {}
  std::unique_ptr<const Column> column(double x) const override {
    return std::make_unique<QuietLine>(bins_, direction_, x);
  }
  std::unique_ptr<const Decay> decay(double x) const override {
    return std::make_unique<QuietLine>(bins_, direction_, x);
  }
  double terms() const override { return 100; }

 private:
  QuietBins bins_;
  Direction direction_;
};

}  // namespace

QuietBins::QuietBins(double bins, double mu)
    : square_(mu * mu),
      bins_(bins),
      squared_shift_(square_ / bins),
      // E U^2 = 1 + (e^{mu^2} - 1) / T, and likewise by which bins are the same in three draws.
      at_two_(std::log1p(std::expm1(square_) / bins) - squared_shift_),
      at_three_(std::log1p((3 * (bins - 1) * std::expm1(square_) + std::expm1(3 * square_)) /
                           (bins * bins)) -
                3 * squared_shift_) {
  // Of radii up to where nothing is known, the one by which most digits are left.
  constexpr int kRadii = 16;
  double least = kInfinity;
  for (int k = 1; k < kRadii; ++k) {
    const double r = k / (0.5 * kRadii * square_), log = largest_log(r);
    const double left = log / (r * r * r * r);
    if (!(left < least)) continue;
    least = left;
    radius_ = r;
    largest_ = log;
  }
}

double QuietBins::decay(double y) const {
  return 0.5 * squared_shift_ * (1 - kUnits) * y * y;
}

double QuietBins::largest_log(double r) const {
  const double others = 1 - 1 / bins_;
  const double bend = 1 - 0.5 * std::max(1.0, r) * square_, less = bend - others * square_;
  if (!(less > 0)) return kInfinity;
  const double part = square_ * r;
  const double exponent =
      others * part * (part + 1.25 * square_) / (bend * less * bins_) * (1 + 1e-9);
  return exponent < 0.5 ? -std::log1p(-std::expm1(exponent)) * (1 + 1e-9) : kInfinity;
}

LogMoment QuietBins::log_moment(Complex w) const {
  const double size = std::abs(w), r = radius_;
  const Complex pairs = w * (w - 1.0);
  // Both logarithms round by units of the squared shift, which they are differences of.
  const double rounding = kUnits * squared_shift_ * size * (size + 1);
  LogMoment best{0.5 * squared_shift_ * pairs, largest_log(size) + rounding};
  if (!(size < r) || r < 4) return best;
  const double left =
      largest_ * size * (size + 1) * (size + 2) / ((r - 1) * (r - 2) * (r - size)) * (1 + 1e-9);
  const LogMoment two{0.5 * (squared_shift_ + at_two_) * pairs, left + rounding};
  const LogMoment three{two.value + (at_three_ - 3 * at_two_) / 6 * pairs * (w - 2.0),
                        left * (size + 3) / (r - 3) + rounding * (size + 3)};
  for (const LogMoment& at : {two, three}) {
    if (at.error < best.error) best = at;
  }
  return best;
}

std::shared_ptr<const Rule> QuietBins::rule(Direction direction) const {
  return std::make_shared<QuietRule>(*this, direction);
}

}  // namespace honest_epsilon::contour
