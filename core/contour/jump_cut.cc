#include "core/contour/jump_cut.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/math/quadrature.h"
#include "core/math/root.h"

namespace honest_epsilon::contour {
namespace {

/// The softness of a smooth cut, in units of 1 / mu.
constexpr double kSmoothness = 0.25;
/// Of a large loss a softness may be such a part, where the cut is smooth and where it is not.
constexpr double kSmoothPart = 0.2, kSoftPart = 0.04;
constexpr double kLargestExponent = 10;

/// Phi of so many standard deviations differs from 1 by less than any rounding.
constexpr double kWhole = 12;

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

// A smooth cut is no softer than this: at a power w, n kept R^w would grow again from w mu t >
// t^2 / (2 s^2) on, if that is before R leaves 1 behind, at mu t = -log q; w is some
// kLargestExponent / loss.
JumpCut::JumpCut(const ShiftRatio& ratio, double loss, bool replaced, bool smooth, bool hard)
    : JumpCut(ratio.shift(),
              bisect({0, kEnd + ratio.farthest()}, {60, 1e-6},
                     [&](double t) {
                       const double log_r = ratio.real(t).log;
                       return log_r < 0 || log_r < loss + (replaced ? ratio.real(-t).log : 0);
                     })
                  .high,
              0,
              smooth ? std::min(std::max(kSmoothness, kSmoothPart * loss),
                                std::sqrt(-std::log(ratio.any()) * loss / (2 * kLargestExponent)))
                     : std::max(kSoftness, hard ? 0 : kSoftPart * loss)) {}

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

Charged JumpCut::mass_of_records(const ShiftRatio& ratio, double sign) const {
  Charged sum;
  for (std::size_t j = 0; j < ratio.terms(); ++j) {
    const Charged tail = mass(sign * static_cast<double>(j) * ratio.shift());
    const Charged weight = ratio.weight(j);
    const double term = weight.value * tail.value;
    sum.value += term;
    sum.error += term * 4 * kUnit + weight.error * tail.upper() + weight.upper() * tail.error;
  }
  sum.error = (sum.error + static_cast<double>(ratio.terms()) * kUnit * sum.value) * (1 + 1e-9);
  return sum;
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

// n(x + iy) rounds by 2 (x^2 + y^2) + 16 units, with its weight; its place, by a unit, moves it by
// |x + iy| units; the sum rounds by one of itself a panel's node.
std::vector<JumpCut::KeptShare> JumpCut::kept(double first, double step, std::size_t count,
                                              double eta) const {
  const double turn = eta / softness_;  // n is taken on Im x = -turn
  const auto at = [&](std::size_t j) {
    return (place_ - (first + step * static_cast<double>(j))) / softness_;
  };
  const double top = std::exp(0.5 * turn * turn) * (1 + 1e-12);
  const auto rule = quadrature::gauss_legendre();
  const double length = step / softness_;
  int panels = 1;
  while (length > panels) panels *= 2;  // their ends are exact
  const double half = 0.5 * length / panels;
  const double off_ellipse =
      std::exp(quadrature::ellipse(8).log_error + 0.5 * (turn + 2.1) * (turn + 2.1));
  std::vector<KeptShare> shares(count, {1, 0});
  Complex sum = 0;
  double error = top * normal::upper_tail(-at(count - 1)) * (1 + 1e-9) + kTiny;
  for (std::size_t j = count; j-- > 0;) {
    const double a = at(j);
    if (a > kWhole + turn) {
      shares[j].error = top * normal::upper_tail(a) * (1 + 1e-9) + kTiny;
      continue;
    }
    if (j + 1 < count) {
      for (int k = 0; k < panels; ++k) {
        const double middle = a - (2 * k + 1) * half;
        for (const quadrature::Node& node : rule) {
          const double x = middle + half * node.position;
          const double modulus =
              half * node.weight * std::exp(0.5 * (turn - x) * (turn + x)) * kInverseSqrtTwoPi;
          sum += Complex(modulus * std::cos(x * turn), modulus * std::sin(x * turn));
          error += modulus * kUnit * (64 + 4 * (x * x + turn * turn));
        }
        error += half * off_ellipse + 32 * kUnit * std::abs(sum);
      }
    }
    shares[j] = {sum, error};
  }
  return shares;
}

std::vector<JumpCut::KeptShare> JumpCut::jumps(double first, double step, std::size_t count,
                                               double eta) const {
  const double last = first + step * static_cast<double>(count - 1);
  std::vector<KeptShare> shares = kept(2 * place_ - last, step, count, eta);
  std::reverse(shares.begin(), shares.end());
  for (KeptShare& share : shares) share.value = std::conj(share.value);
  return shares;
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
