#include "core/contour/jump_cut.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"

namespace honest_epsilon::contour {
namespace {

double log_tail(double z) {
  return z > 0 ? normal::log_upper_tail(z) : std::log1p(-normal::upper_tail(-z));
}

/// A tail at z, which is off by at most `error`: the tail's logarithm has a slope below |z| + 1.
Charged charged_tail(double z, double error) {
  const double value = normal::upper_tail(z);
  return {value, value * (normal::kRelativeError + error * (std::max(z, 0.0) + 1)) + kTiny};
}

}  // namespace

// A power of two and a number of few bits: (b - t) / s is exact for a t of few bits.
JumpCut::JumpCut(double shift, double last, double more, double softness)
    : softness_(std::ldexp(1.0, std::ilogb(std::min(softness / shift, kLargestSoftness)))) {
  place_ = std::ceil(last / softness_ + more) * softness_;
}

double JumpCut::spread() const {
  return std::sqrt(1 + softness_ * softness_);
}

double JumpCut::log_kept(double t) const {
  return log_tail((t - place_) / softness_);
}

/// log_share: a share where it is largest, at one end; log_rest: the other one where that is, at
/// the other end.
double JumpCut::log_upper(double log_share, double log_rest, double height) const {
  const double grown = 0.5 * (height / softness_) * (height / softness_);
  return std::min(log_share + grown, log1p_exp(log_rest + grown)) + 1e-9;
}

// A shift rounds by a unit and has one of mu's; its distance from b by one, and four in the spread.
Charged JumpCut::mass(double shift) const {
  return charged_tail((place_ - shift) / spread(),
                      8 * kUnit * (std::abs(place_) + std::abs(shift)));
}

// On a cell of t the jump's probability rises, f falls and, right of 0, so does n. Cells lengthen
// to the left, until Phi(-z) is below what f could make of it there.
double JumpCut::log_expectation(double log_greatest,
                                const std::function<double(double)>& log_f) const {
  constexpr int kCells = 16;  // a softness
  constexpr double kLonger = 1.1, kBeyond = 6;
  const double log_enough = std::min(log_f(place_), 0.0) + log_tail(std::max(place_, 0.0)) - 40;
  const double deepest = std::max(kEnd, std::sqrt(2 * std::max(0.0, log_greatest - log_enough)));
  LogSum sum;
  const auto add = [&](double low, double high) {
    sum.add(normal::log_pdf_upper(low, high) + std::log(high - low) + log_f(low) +
            log_tail((place_ - high) / softness_));
  };
  double width = softness_ / kCells, low = place_ - kEnd * softness_;
  const double middle = low;
  for (const double end = place_ - deepest * softness_; low > end; width *= kLonger) {
    add(low - width, low);
    low -= width;
  }
  sum.add(log_tail((place_ - low) / softness_) + log_greatest);
  width = softness_ / kCells;
  low = middle;
  for (int i = 1; i <= static_cast<int>(kEnd + kBeyond) * kCells; ++i) {
    const double high = middle + i * width;
    add(low, high);
    low = high;
  }
  sum.add(log_tail(low) + log_f(low));
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
