#include "core/contour/subsampled_moments.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/decay.h"
#include "core/contour/exponential_sum.h"
#include "core/math/complex_functions.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::contour {
namespace {

/// Sums by blocks (ExponentialSum::sum_error).
class BlockSum {
 public:
  void add(Complex term) {
    block_ += term;
    if (++count_ % ExponentialSum::kBlock != 0) return;
    total_ += block_;
    block_ = 0;
  }
  Complex total() const { return total_ + block_; }

 private:
  Complex total_ = 0, block_ = 0;
  std::size_t count_ = 0;
};

/// The layout of the nodes.
struct NodeLayout {
  double eta = 0;  ///< their distance from the real line; the strip is twice as wide
  double step = 1;
  double first = 0;  ///< in steps
  std::size_t count = 0;

  double place(std::size_t j) const { return step * (first + static_cast<double>(j)); }
};

/// The powers of R and of R'.
struct RatioPowers {
  double of_ratio;
  double of_mirrored;  ///< 0 where there is no R'
};

/// The powers for a real w: R' has the power 1 - w where records are replaced, else 0.
RatioPowers powers_of(double w, bool replaced) {
  return {w, replaced ? 1 - w : 0};
}

/// The integrand's ratios on one side of 0: one that falls from at most 1 to p_0 and, where
/// `grows`, one that grows outwards.
struct OneSide {
  bool grows;
  double growing_power, falling_power;
};

OneSide side_of(const RatioPowers& powers, bool replaced, bool right) {
  if (right) return {true, powers.of_ratio, powers.of_mirrored};
  return {replaced, powers.of_mirrored, powers.of_ratio};
}

/// Whether |R| >= p_0 up to a height: no term has a negative real part there.
bool is_upright(const ShiftRatio& ratio, double height) {
  return ratio.farthest() * height <= 0.5 * kPi * (1 - 8 * kUnit);
}

/// log of what the sum leaves out beyond t on one side, at most; size is |w| + |u|.
double log_left_out(const ShiftRatio& ratio, double t, double eta, const OneSide& side,
                    double size) {
  const double farthest = side.grows ? ratio.farthest() : 0;
  const double slope = t - std::max(side.growing_power, 0.0) * farthest;
  if (!(slope > 0 && t > farthest)) return kInfinity;
  const double log_cosine = std::log(std::cos(0.5 * ratio.farthest() * eta));
  const bool upright = is_upright(ratio, eta);
  double log_power = side.falling_power < 0
                         ? side.falling_power * (ratio.log_none() + (upright ? 0 : log_cosine))
                         : 0;
  double log_terms = std::log((1 + 3 * size * ratio.any()) / t);
  if (side.grows) {
    const ShiftRatio::RealValue at = ratio.real(t);
    const double widened = side.growing_power < 0 ? log_cosine : 0;
    const double log_least = upright ? ratio.log_none() : -kInfinity;
    log_power += side.growing_power * std::max(at.log + widened, log_least);
    log_terms = std::max(log_terms, std::log(size) + at.log_moving - std::log(t - farthest));
  }
  log_power += 1e-11 * std::abs(log_power);  // more than the logarithms round by
  return std::max(log_terms, log_power - std::log(slope)) + std::log(3.0) +
         0.5 * (eta - t) * (eta + t) - std::log(kSqrtTwoPi);
}

/// The range of w = z + 1 (remove) or -z (add), and the precision asked.
struct PowerRange {
  double least, most;
  double log_precision;
  bool replaced;

  double largest_negative() const { return std::max({0.0, -least, replaced ? most - 1 : 0.0}); }
  double size() const {
    const double largest = std::max(std::abs(least), std::abs(most)) + 1;
    return replaced ? 2 * largest : largest;
  }
};

/// What a strip's edge at a distance eta from the real line multiplies kept by, at most: its log.
double log_widened(const JumpCut* cut, double eta) {
  return cut == nullptr ? 0 : 0.5 * eta * eta / (cut->softness() * cut->softness());
}

/// log of a term's bound right of the cut, |n kept (R^power - ...)|, for powers >= 1 there:
/// kept(t) <= e^{-x^2 / 2} / 2, x = (t - b) / s >= 0, and R >= 1.
double log_beyond_cut(const ShiftRatio& ratio, const JumpCut& cut, double t, double power) {
  const double x = (t - cut.place()) / cut.softness();
  const double log_power = power * ratio.real(t).log;
  return log_power * (1 + 1e-11) - 0.5 * (t * t + x * x) - std::log(2 * kSqrtTwoPi);
}

/// log |R'|^power for a power below 0, at most, at heights up to this.
double log_mirrored_upper(const ShiftRatio& ratio, double power, double height) {
  if (!(power < 0)) return 0;
  const double widened =
      is_upright(ratio, height) ? 0 : std::log(std::cos(0.5 * ratio.farthest() * height));
  return power * (ratio.log_none() + widened) * (1 + 1e-12);
}

/// The t beyond which the sum may stop right of the cut.
double reach_beyond_cut(const ShiftRatio& ratio, const JumpCut& cut, double eta,
                        const PowerRange& range) {
  constexpr double kStep = 0.5;  // softnesses
  const double enough =
      range.log_precision - 6 - 0.5 * eta * eta - log_widened(&cut, eta) - std::log(range.size()) -
      log_mirrored_upper(ratio, powers_of(range.most, range.replaced).of_mirrored, 2 * eta);
  double x = 0;
  while (x < JumpCut::kEnd &&
         log_beyond_cut(ratio, cut, cut.place() + x * cut.softness(), range.most) > enough)
    x += kStep;
  return cut.place() + x * cut.softness();
}

/// The t beyond which the sum may stop on one side.
double reach_of(const ShiftRatio& ratio, double eta, const PowerRange& range, bool right) {
  const OneSide least = side_of(powers_of(range.least, range.replaced), range.replaced, right);
  const OneSide most = side_of(powers_of(range.most, range.replaced), range.replaced, right);
  const double power = std::max(least.growing_power, most.growing_power);
  double t = std::max(4.0, least.grows ? std::max(power, 1.0) * ratio.farthest() + 1 : 0);
  for (const double furthest = t + 60; t < furthest; t += 0.25) {
    const double left_out = std::max(log_left_out(ratio, t, eta, least, range.size()),
                                     log_left_out(ratio, t, eta, most, range.size()));
    if (left_out <= range.log_precision - 3) break;
  }
  return t;
}

/// The log of what |R|^power grows by from t to t + is, s <= height, at most: by the cone, or by
/// R^c p_0^{1-c}. log_r: log R(t)
double log_turned(const ShiftRatio& ratio, double log_r, double power, double height) {
  if (power >= 0) return 0;
  const double angle = ratio.farthest() * height;
  const double widened = power * std::log(std::cos(0.5 * angle));
  if (!is_upright(ratio, height)) return widened;
  const double versine = 2 * std::sin(0.5 * angle) * std::sin(0.5 * angle);
  return std::min(widened, -power * versine * std::max(0.0, log_r - ratio.log_none()));
}

/// log |n jump R^w R'^u| on a line at eta, at most; to the right as if every step jumped.
double log_jump_term(const ShiftRatio& ratio, const JumpCut& cut, const JumpCut* cap, double t,
                     double eta, const RatioPowers& powers, bool right) {
  const auto log_power_upper = [&](double power, double place) {
    if (power == 0) return 0.0;
    const double log_r = ratio.real(place).log;
    const double log_power = power * log_r + log_turned(ratio, log_r, power, eta);
    return log_power + 1e-9 * (1 + std::abs(log_power));
  };
  const double log_share = !right ? cut.log_jump(t) : cap != nullptr ? cap->log_kept(t) : 0;
  return 0.5 * (eta - t) * (eta + t) + log_widened(&cut, eta) + log_widened(cap, eta) + log_share +
         log_power_upper(powers.of_ratio, t) + log_power_upper(powers.of_mirrored, -t) -
         std::log(kSqrtTwoPi) + 1e-9;
}

/// How fast such terms fall from t outwards, at least; below 0 where they may not.
///   The ratio that grows there, with a power v > 0, does so by v mu times the mean of j, which is
/// `mean` at t, grows by no more than e^{farthest d} within d, and ends at `most`: what is kept, or
/// jump, falls the faster meanwhile, so that the difference, concave until then, is least at either
/// end. Behind the cap's end there is nothing.
double fall_of_jumps(const ShiftRatio& ratio, const JumpCut& cut, const JumpCut* cap, double t,
                     const RatioPowers& powers, bool right) {
  const JumpCut* const falling = right ? cap : &cut;
  const double outwards = right ? 1 : -1;
  const double sharpness = falling == nullptr ? 0 : 1 / (falling->softness() * falling->softness());
  const double beyond = falling == nullptr ? 0 : outwards * (t - falling->place());
  const double growing = right ? powers.of_ratio : powers.of_mirrored;
  const double other = right ? powers.of_mirrored : powers.of_ratio;
  const double slope = ratio.shift() * (1 + 1e-9);
  const double steady = std::max(0.0, -other) * slope * ratio.real(-outwards * t).mean;
  if (!(growing > 0)) return outwards * t + std::max(0.0, beyond) * sharpness - steady;
  const double fall = outwards * t + beyond * sharpness - steady;
  const double most = growing * ratio.farthest() * (1 + 1e-9);
  const double here = std::min(most, growing * slope * ratio.real(outwards * t).mean);
  const double turning = here > 0 ? std::log(most / here) / ratio.farthest() * (1 - 1e-9) : 0;
  const double end = right && cap != nullptr ? std::max(0.0, cap->end() - t) : kInfinity;
  const double last = std::min(turning, end);
  const double there = end < turning ? here * std::exp(ratio.farthest() * end) * (1 + 1e-9) : most;
  return std::min(fall - here, fall + last * (1 + sharpness) - there);
}

/// The t beyond which the sum of jumps may stop on one side, for the range's powers.
double reach_of_jumps(const ShiftRatio& ratio, const JumpCut& cut, const JumpCut* cap, double eta,
                      const PowerRange& range, bool right) {
  constexpr double kMost = 400;
  const double step = right ? std::min(0.1, cut.softness()) : -0.5 * cut.softness();
  const auto has_fallen = [&](double w) {
    const RatioPowers powers = powers_of(w, range.replaced);
    double t = cut.place(), top = -kInfinity;
    for (double wider = 1; std::abs(t - cut.place()) < kMost;
         wider += 1.0 / 64, t += wider * step) {
      const double log_term = log_jump_term(ratio, cut, cap, t, eta, powers, right);
      top = std::max(top, log_term);
      if (log_term < top + range.log_precision - 6 &&
          fall_of_jumps(ratio, cut, cap, t, powers, right) > 0)
        break;
    }
    return t;
  };
  const double least = has_fallen(range.least), most = has_fallen(range.most);
  return right ? std::max(least, most) : std::min(least, most);
}

NodeLayout lay_out(const ShiftRatio& ratio, const PowerRange& range, const JumpCut* cut,
                   const JumpCut* cap, bool jumps_alone) {
  // Round-off grows by e^{eta^2 / 2}, and near a cut by e^{(eta / softness)^2 / 2}.
  constexpr double kHighest = 1.5, kSoftnesses = 2;
  const double need = 3 - range.log_precision;
  double highest = kHighest;
  for (const JumpCut* each : {cut, cap}) {
    if (each != nullptr) highest = std::min(highest, kSoftnesses * each->softness());
  }
  NodeLayout layout;
  // The widest step.
  double widest = 0;
  for (double eta = std::min(0.05, highest); eta <= highest * (1 + 1e-9); eta *= 1.15) {
    const double angle = ratio.farthest() * eta;
    if (angle > 0.49 * kPi && widest > 0) break;
    const double capped = std::min(eta, 0.49 * kPi / ratio.farthest());
    const double widened = -std::log(std::cos(ratio.farthest() * capped));
    const bool upright = !range.replaced && !jumps_alone && is_upright(ratio, 2 * capped);
    const double negative = range.largest_negative();
    const double turned =
        cut != nullptr ? log_turned(ratio, ratio.real(cut->place()).log, -negative, 2 * capped)
                       : negative * (upright ? std::min(widened, -ratio.log_none()) : widened);
    const double growth =
        2 * capped * capped + log_widened(cut, 2 * capped) + log_widened(cap, 2 * capped) + turned;
    const double step = 2 * kPi * capped / (need + std::max(growth, 0.0));
    if (step <= widest) continue;
    widest = step;
    layout.eta = capped;
    layout.step = step;
  }
  // With few bits in the step every place is exact.
  layout.step = portable::shortened(layout.step);
  if (jumps_alone) {
    layout.first =
        std::floor(reach_of_jumps(ratio, *cut, cap, layout.eta, range, false) / layout.step);
    const double last = reach_of_jumps(ratio, *cut, cap, layout.eta, range, true) / layout.step;
    layout.count = static_cast<std::size_t>(std::ceil(last) - layout.first) + 1;
    return layout;
  }
  PowerRange left = range;
  left.log_precision -= log_widened(cut, layout.eta);
  layout.first = std::floor(-reach_of(ratio, layout.eta, left, false) / layout.step);
  const double last = (cut == nullptr ? reach_of(ratio, layout.eta, range, true)
                                      : reach_beyond_cut(ratio, *cut, layout.eta, range)) /
                      layout.step;
  layout.count = static_cast<std::size_t>(std::ceil(last) - layout.first) + 1;
  return layout;
}

/// More terms than this are slower than the lattice transforms.
constexpr std::size_t kMostRuleTerms = 2'000'000;
constexpr std::size_t kMostNodes = 20000;

/// The rule's nodes. The integrand's power is v a + b there: a = log R, or log R - log R' where
/// records are replaced. b is 0, or log R' for jumps of replaced records alone. Around P the weight
/// has the factor R, and v = w - 1; else v = w.
class Nodes {
 public:
  /// cut: null where nothing is left out.
  Nodes(const ShiftRatio& ratio, bool replaced, const PowerRange& range,
        std::shared_ptr<const CutJumps> cut, std::shared_ptr<const CutJumps> cap, bool jumps_alone,
        bool around_p, const NodeLayout& layout)
      : ratio_(ratio),
        replaced_(replaced),
        layout_(layout),
        cut_(std::move(cut)),
        cap_(std::move(cap)),
        jumps_alone_(jumps_alone),
        around_p_(around_p),
        terms_(layout.count, replaced && jumps_alone, jumps_alone) {
    std::vector<JumpCut::KeptShare> kept;
    if (jumps_alone) {
      kept = cut_->cut.jumps(layout.place(0), layout.step, layout.count, layout.eta);
      if (cap_) {
        const auto below = cap_->cut.kept(layout.place(0), layout.step, layout.count, layout.eta);
        for (std::size_t j = 0; j < kept.size(); ++j) {
          kept[j].error = kept[j].error * (std::abs(below[j].value) + below[j].error) +
                          std::abs(kept[j].value) * (below[j].error + 4 * kUnit);
          kept[j].value *= below[j].value;
        }
      }
    } else if (cut_) {
      kept = cut_->cut.kept(layout.place(0), layout.step, layout.count, layout.eta);
      beyond_power_ = beyond_cut(range.most);
      beyond_ratio_ = beyond_cut(1);
    }
    const double sum_error = ExponentialSum::sum_error(layout.count);
    const ShiftRatio::NodeRow ahead(ratio, layout.eta), behind(ratio, -layout.eta);
    BlockSum slope;
    for (std::size_t j = 0; j < layout.count; ++j) {
      const double t = layout.place(j);
      double log_weight =
          0.5 * (layout.eta - t) * (layout.eta + t) + std::log(layout.step / kSqrtTwoPi);
      Complex phase{std::cos(layout.eta * t), -std::sin(layout.eta * t)};
      // Its exponent -(t + i eta)^2 / 2 rounds a few times, the log of the step beside it.
      const double place = std::abs(t) + layout.eta;
      double units = 4 * place * place + 5 * kFunctionError + 74 + sum_error;
      if (cut_) {
        // Where less is kept than is known of it, the error's size stands for the modulus.
        const double size = std::max(std::abs(kept[j].value), kept[j].error);
        log_weight += std::log(size);
        phase *= kept[j].value / size;
        units += kept[j].error / (size * kUnit) + 16 + 2 * std::abs(std::log(size));
      }
      ShiftRatio::NodeValue value = ahead.at(t, log_weight);
      ExponentialSum::ExponentialTerm term{
          value.log, 0, phase, log_weight, units, value.relative_error, value.excess_size};
      double log_sizes = std::abs(value.log);
      if (replaced) {
        const ShiftRatio::NodeValue mirrored = behind.at(-t, log_weight);
        if (jumps_alone) term.constant = mirrored.log;
        term.slope -= mirrored.log;
        term.excess += mirrored.excess_size;
        term.slope_units += mirrored.relative_error + 28 * std::abs(mirrored.log);
        value.rest -= mirrored.rest;
        value.rest_error += mirrored.rest_error;
        log_sizes += std::abs(mirrored.log);
      }
      if (jumps_alone) term.excess = 0;
      if (around_p_) {
        value.rest += times(value.excess, term.slope);
        value.rest_error += (value.excess_error + 16 * value.excess_size) * log_sizes;
        term.excess += (std::exp(log_weight) + value.excess_size) * log_sizes;
        term.log_weight += value.log.real();
        term.phase = times(phase, {std::cos(value.log.imag()), std::sin(value.log.imag())});
        term.units += value.relative_error + 2 * kFunctionError + 8 +
                      2 * std::abs(term.log_weight) + 4 * log_sizes;
      }
      terms_.set(j, term);
      if (jumps_alone) continue;
      slope.add(phase * value.rest);
      slope_error_ += value.rest_error + units * std::abs(value.rest);
    }
    slope_ = slope.total();
    if (!cut_ || jumps_alone) return;
    const Charged &under_p = cut_->jumps.under_p, &under_q = cut_->jumps.under_q;
    slope_ += under_q.value - under_p.value;
    slope_error_ += (under_q.error + under_p.error) / kUnit +
                    2 * (under_q.value + under_p.value + std::abs(slope_));
    constant_ = -under_p.value;
    constant_error_ = under_p.error / kUnit;
  }

  const ShiftRatio& ratio() const { return ratio_; }
  bool replaced() const { return replaced_; }
  const NodeLayout& layout() const { return layout_; }
  const ExponentialSum& terms() const { return terms_; }
  const JumpCut* cut() const { return cut_ ? &cut_->cut : nullptr; }
  const JumpCut* cap() const { return cap_ ? &cap_->cut : nullptr; }
  bool jumps_alone() const { return jumps_alone_; }
  bool around_p() const { return around_p_; }
  std::optional<Jumps> jumps() const {
    return cut_ ? std::optional<Jumps>(cut_->jumps) : std::nullopt;
  }

  /// What the sum leaves out at both ends, for real powers and a size |w| + |u|.
  double left_out(const RatioPowers& powers, double size) const {
    double sum = 0;
    for (const bool right : {false, true}) {
      if (jumps_alone_) {
        const double t = right ? layout_.place(layout_.count) : layout_.place(0) - layout_.step;
        const double fall =
            layout_.step * fall_of_jumps(ratio_, cut_->cut, cap(), t, powers, right);
        const double log_term =
            log_jump_term(ratio_, cut_->cut, cap(), t, layout_.eta, powers, right) +
            std::log(layout_.step);
        sum += fall > 0 ? std::exp(log_term) / -std::expm1(-fall) * (1 + 1e-9) + kTiny : kInfinity;
        if (right && cap_) {
          const double end = std::ceil(cap_->cut.end() / layout_.step) + 0.5;
          sum += std::exp(log_end(cap_->cut, layout_.step * end, powers.of_ratio) +
                          log_widened(cut(), 2 * layout_.eta) +
                          log_mirrored_upper(ratio_, powers.of_mirrored, 2 * layout_.eta));
        }
        continue;
      }
      if (right && cut_) {
        // |R^w R'^u - 1 - w (R - 1) - u (R' - 1)| <= 2 R^{Re w} F + 2 (|w| + |u|) R with
        // F >= |R'|^{Re u}, 1, as R >= 1 >= |R'| and Re w >= 0.
        sum += 2 *
               (beyond_power_ *
                    std::exp(log_mirrored_upper(ratio_, powers.of_mirrored, 2 * layout_.eta)) +
                size * beyond_ratio_) *
               (1 + 8 * kUnit);
        continue;
      }
      const double end = right ? layout_.place(layout_.count - 1) : -layout_.place(0);
      const OneSide side = side_of(powers, replaced_, right);
      sum += std::exp(log_left_out(ratio_, end, layout_.eta, side, size) +
                      log_widened(cut(), layout_.eta)) *
             (1 + 1e-9);
    }
    return sum;
  }

  /// log of the expectation without the ratio that has a negative power, at most; infinite where
  /// that is not told.
  ///   Of jumps R^{-n} R'^u, u >= 1 or R' = 1: R' <= 1 from 0 on, so that Q's mass of jumps is
  /// enough there, and left of 0 terms fall geometrically. Otherwise R^w, w > 0, grows while what
  /// is kept falls: no mean is larger than the largest value.
  double log_positive_upper(const RatioPowers& powers) const {
    if (!cut_) return kInfinity;
    if (jumps_alone_ && powers.of_ratio < 0) {
      const double log_mass = std::log(cut_->jumps.under_q.upper());
      if (!replaced_) return log_mass;
      const double fall =
          fall_of_jumps(ratio_, cut_->cut, nullptr, 0, {0, powers.of_mirrored}, false);
      if (!(powers.of_mirrored >= 1 && fall > 0)) return kInfinity;
      return log_add(log_mass, cut_->cut.log_jump(0) - std::log(fall * kSqrtTwoPi)) + 1e-9;
    }
    const JumpCut* const falling = jumps_alone_ ? cap() : cut();
    if (falling == nullptr || !(powers.of_ratio > 0)) return kInfinity;
    const double cell = 0.5 * falling->softness();
    double low = falling->place() - JumpCut::kEnd * falling->softness();
    double most = powers.of_ratio * ratio_.real(low).log;
    for (; low < falling->end(); low += cell) {
      most = std::max(most, falling->log_kept(low) + powers.of_ratio * ratio_.real(low + cell).log);
    }
    return most + 1e-9 * (1 + std::abs(most));
  }

  /// The rule's sum for E R^w R'^u - 1, Im w >= 0, and how much rounding may have moved it.
  struct Sum {
    Complex value;
    double rounding;
  };
  Sum sum(Complex v) const { return sum(v, terms_.at(v)); }

  /// The same from the terms' sum.
  Sum sum(Complex v, const ExponentialSum::Value& terms) const {
    const double units =
        terms.units + (std::abs(v.real()) + v.imag()) * slope_error_ + constant_error_;
    return {terms.sum + (v * slope_ + constant_), 1.01 * kUnit * units};
  }

 private:
  /// log of what rule and integral differ by where the integral ends, for a power >= 0, at most.
  double log_end(const JumpCut& cut, double t, double power) const {
    const double eta = layout_.eta;
    return std::log(3 * eta) + 2 * eta * eta + log_widened(&cut, 2 * eta) +
           (power >= 0 ? log_beyond_cut(ratio_, cut, t, power) : kInfinity);
  }

  /// The sum of |weight kept| R^power over all nodes right of the last one, at most; where it may
  /// grow again, up to the cut's end, and what the integral and the sum differ by there.
  double beyond_cut(double power) const {
    constexpr double kNothing = -800;
    const JumpCut& cut = cut_->cut;
    const double eta = layout_.eta;
    const double log_scale = std::log(layout_.step) + 0.5 * eta * eta + log_widened(&cut, eta);
    LogSum sum;
    for (std::size_t i = layout_.count;; ++i) {
      const double t = layout_.place(i);
      const double log_term = log_scale + log_beyond_cut(ratio_, cut, t, power);
      sum.add(log_term);
      if (t >= cut.end()) {
        sum.add(log_end(cut, t + 0.5 * layout_.step, power));
        break;
      }
      // From term to term, log R grows by most mu a step, and the exponents fall faster and faster.
      const double x = (t - cut.place()) / cut.softness();
      const double fall = layout_.step * (t + x / cut.softness() - power * ratio_.farthest());
      if (!(fall > 0)) continue;
      const double log_rest = log_term - std::log(-std::expm1(-fall));
      if (log_rest < std::max(sum.log() - 10, kNothing)) {
        sum.add(log_rest);
        break;
      }
    }
    return std::exp(sum.log_upper()) * (1 + 1e-9) + kTiny;
  }

  ShiftRatio ratio_;
  bool replaced_;
  NodeLayout layout_;
  std::shared_ptr<const CutJumps> cut_, cap_;
  bool jumps_alone_;
  double beyond_power_ = 0, beyond_ratio_ = 0;
  bool around_p_;  ///< or around power 0
  ExponentialSum terms_;
  Complex slope_ = 0;  ///< of the linear terms
  double slope_error_ = 0, constant_ = 0, constant_error_ = 0;
};

/// The loss's law weighted by R^w R'^u for real powers, in pieces.
///   On a cell of t the logarithm of n R^w R'^u, whose second derivative is at most C, is at least
///   that of the lower end less C width^2 / 8. With V the variance of j by the terms' sizes, C = -1
///   + mu^2 (max(w, 0) V + max(u, 0) V'), and V changes by a factor of at most e^{most mu
///   width}, as a third moment is at most `most` times the second. The loss has slope mu (mean
///   of j + that of R'), which rise and fall with t.
std::vector<UnimodalPiece> tilted_law(const Nodes& nodes, const RatioPowers& powers) {
  const ShiftRatio& ratio = nodes.ratio();
  const bool replaced = nodes.replaced();
  const JumpCut* const cut = nodes.cut();
  const double mu = ratio.shift();
  const double farthest = ratio.farthest();
  const double width = std::min({0.1, 0.2 / mu, 1 / farthest});
  const double first = -7 - std::max(powers.of_mirrored, 0.0) * farthest -
                       std::min(std::max(0.0, -powers.of_ratio) * farthest, 30.0);
  double last = 7 + std::max(powers.of_ratio, 0.0) * farthest;
  if (cut != nullptr) last = std::min(last, cut->place() + 7 * cut->softness());
  struct TiltedPoint {
    ShiftRatio::RealValue ratio, mirrored;
    double log_weight, loss, blur;
  };
  const auto at = [&](double t) {
    TiltedPoint place{ratio.real(t), replaced ? ratio.real(-t) : ShiftRatio::RealValue{}, 0, 0, 0};
    place.loss = place.ratio.log - place.mirrored.log;
    place.blur = place.ratio.blur + place.mirrored.blur + 2 * kUnit * std::abs(place.loss);
    const double error = std::abs(powers.of_ratio) * place.ratio.blur +
                         std::abs(powers.of_mirrored) * place.mirrored.blur +
                         16 * kUnit * (t * t + 1);
    // Its logarithm is concave, and adds nothing to C.
    const double log_kept = cut == nullptr ? 0 : cut->log_kept(t) - JumpCut::kLogError;
    place.log_weight = -0.5 * t * t + log_kept + powers.of_ratio * place.ratio.log +
                       powers.of_mirrored * place.mirrored.log - error;
    return place;
  };
  const double rising = std::max(powers.of_ratio, 0.0), falling = std::max(powers.of_mirrored, 0.0);
  const double swell = mu * mu * std::exp(farthest * width) * (1 + 1e-9);
  std::vector<DensityCell> cells;
  TiltedPoint low = at(first);
  for (double t = first; t < last; t += width) {
    const TiltedPoint high = at(t + width);
    const double bend = swell * (rising * low.ratio.variance + falling * low.mirrored.variance) - 1;
    const double slope = mu * (high.ratio.mean + low.mirrored.mean);
    // 1e-9: means and variances are better than that.
    const double log_density = std::min(low.log_weight, high.log_weight) -
                               std::max(bend + 1e-9, 0.0) * width * width / 8 - std::log(slope) -
                               std::log(kSqrtTwoPi) - 1e-9;
    // Where a slope underflows nothing is known of the density.
    const double density = std::exp(log_density);
    cells.push_back(
        {std::isfinite(density) ? density : 0, low.loss, high.loss, std::max(low.blur, high.blur)});
    low = high;
  }
  return unimodal_pieces(cells);
}

class SubsampledColumn : public Column {
 public:
  /// x: of z.
  SubsampledColumn(std::shared_ptr<const Nodes> nodes, Direction direction, double x)
      : nodes_(std::move(nodes)), removes_(direction == Direction::remove) {
    power_ = removes_ ? x + 1 : -x;
    summed_power_ = nodes_->around_p() ? x : power_;
    const NodeLayout& layout = nodes_->layout();
    const ShiftRatio& ratio = nodes_->ratio();
    const double e = 2 * layout.eta;
    // Where it underflows, what it multiplies may be as large as doubles are.
    shrink_ =
        1 / std::expm1(2 * kPi * layout.eta / layout.step * (1 - 8 * kUnit)) * (1 + 1e-12) + kTiny;
    const double top =
        std::exp(0.5 * e * e + log_widened(nodes_->cut(), e) + log_widened(nodes_->cap(), e)) *
        (1 + 1e-12);
    const double negative = -std::min({0.0, powers().of_ratio, powers().of_mirrored});
    const double widened =
        negative > 0
            ? std::exp(-negative * std::log(std::cos(0.5 * ratio.farthest() * e))) * (1 + 1e-12)
            : 1;
    const double most =
        negative > 0 && !nodes_->jumps_alone() && !nodes_->replaced() && is_upright(ratio, e)
            ? std::exp(-negative * ratio.log_none()) * (1 + 1e-12)
            : kInfinity;
    edges_ = nodes_->jumps_alone() ? 0 : 1 + top;
    // E R^w R'^u from above: the rule's sum, and its errors, which hold this very number once more.
    const Nodes::Sum at = nodes_->sum({summed_power_, 0});
    const double upper = offset() + at.value.real() + at.rounding + left_out(size_at(0)) +
                         shrink_ * edges_ * (1 + 2 * ratio.any() * size_at(0));
    const auto moment = [&](double of_itself, double rest) {
      const double share = shrink_ * of_itself;
      return share < 0.5 ? (upper + shrink_ * rest) / (1 - share) * (1 + 8 * kUnit) : kInfinity;
    };
    moment_upper_ = std::min(moment(1 + top * widened, 0), moment(1, top * most));
    double upper_edge = top * std::min(widened * moment_upper_, most);
    const double log_positive =
        negative > 0 && is_upright(ratio, e) ? nodes_->log_positive_upper(powers()) : kInfinity;
    if (log_positive < kInfinity) {
      const double half = std::sin(0.5 * ratio.farthest() * e);
      const double versine = 2 * half * half * (1 + 16 * kUnit), cosine = 1 - versine;
      const double log_most = log_positive - negative * ratio.log_none() * (1 + 1e-12);
      const double edge = top * std::exp(versine * log_most) * (1 + 1e-12);
      // Each bound gives another one, and they fall to where they meet.
      constexpr int kRounds = 6;
      double bound = std::exp(log_most) * (1 + 1e-12);
      for (int i = 0; i < kRounds; ++i) {
        bound =
            std::min(bound, upper + shrink_ * (bound + edge * std::exp(cosine * std::log(bound))) *
                                        (1 + 1e-12));
      }
      if (bound > 0) moment_upper_ = std::min(moment_upper_ > 0 ? moment_upper_ : bound, bound);
      upper_edge =
          std::min(upper_edge, edge * std::exp(cosine * std::log(moment_upper_)) * (1 + 1e-12));
    }
    if (!(moment_upper_ > 0)) moment_upper_ = kInfinity;
    edge_moments_ = moment_upper_ + upper_edge;
  }

  LogMoment log_moment(double y) const override {
    const double size = size_at(y);
    return of_sum(nodes_->sum({summed_power_, y}), size, left_out(size));
  }

  Climb climb(double spacing, double) const override {
    // What is left out grows with the size: it is asked for one that serves many heights.
    constexpr double kFurther = 1.5;
    const auto climbing = std::make_shared<ClimbingSum>(nodes_->terms(), summed_power_, spacing);
    return [this, climbing, reached = 0.0, most = 0.0](double y) mutable {
      const double size = size_at(y);
      if (size > reached) {
        reached = kFurther * size;
        most = left_out(reached);
      }
      return of_sum(nodes_->sum({summed_power_, y}, climbing->next()), size, most);
    };
  }

  /// E R^{Re w} R'^{Re u}, from above.
  double moment_upper() const { return moment_upper_; }
  RatioPowers powers() const { return powers_of(power_, nodes_->replaced()); }

 private:
  LogMoment of_sum(const Nodes::Sum& sum, double size, double left_out) const {
    const double error =
        sum.rounding + left_out +
        shrink_ * (edge_moments_ + edges_ * (1 + 2 * nodes_->ratio().any() * size));
    const Complex moment = offset() + sum.value;
    const double modulus = honest_epsilon::modulus(moment);
    const double excess =
        nodes_->jumps_alone() ? 1 : std::abs(sum.value.real()) + std::abs(sum.value.imag());
    if (!(error < kInfinity)) return {0, kInfinity};
    // Nothing is known but how small it is, which is within twice the bound of it.
    if (!(error < 0.5 * modulus)) return {std::log(modulus + error) + 1e-12, std::log(3.0) + 1e-12};
    const Complex value =
        excess < 0.5 ? complex_log1p(sum.value) : Complex(std::log(modulus), std::arg(moment));
    const double relative = error / modulus;
    const double own = 16 * kUnit * (excess < 0.5 ? excess : 1 + std::abs(value));
    return {removes_ ? value : std::conj(value), relative / (1 - relative) + own};
  }

  /// |w| + |u|, rounded up.
  double size_at(double y) const {
    return (std::hypot(power_, y) + (nodes_->replaced() ? std::hypot(1 - power_, y) : 0)) *
           (1 + 8 * kUnit);
  }

  double left_out(double size) const { return nodes_->left_out(powers(), size); }

  /// What a sum is short of a moment.
  double offset() const { return nodes_->jumps_alone() ? 0 : 1; }

  std::shared_ptr<const Nodes> nodes_;
  bool removes_;      ///< or replaces: w = z + 1
  double power_ = 0;  ///< Re w
  double summed_power_ = 0;
  double shrink_ = 0;  ///< 1 / (e^{2 pi eta / h} - 1)
  double edges_ = 0;   ///< of both edges of the strip
  double moment_upper_ = 0;
  double edge_moments_ = 0;  ///< of |R^w R'^u|, from above, on both edges
};

class SubsampledDecay : public Decay {
 public:
  SubsampledDecay(std::shared_ptr<const Nodes> nodes, const SubsampledColumn& column)
      : nodes_(std::move(nodes)), powers_(column.powers()), moment_(column.moment_upper()) {
    if (moment_ < kInfinity && !nodes_->jumps_alone()) pieces_ = tilted_law(*nodes_, powers_);
  }

  double log_bound_beyond(double y) const override {
    if (!(moment_ < kInfinity)) return kInfinity;
    double sum = 0;
    for (const UnimodalPiece& piece : pieces_) sum += cancelled_lower(piece, y);
    const double left = sum / moment_ * (1 - 8 * kUnit);
    const double base = nodes_->jumps_alone() ? std::log(moment_) : std::log1p(moment_ - 1);
    return left < 1 ? base + std::log1p(-left) + 8 * kUnit * (1 + std::abs(base)) : -kInfinity;
  }

 private:
  std::shared_ptr<const Nodes> nodes_;
  RatioPowers powers_;
  double moment_;
  std::vector<UnimodalPiece> pieces_;
};

class SubsampledRule : public Rule {
 public:
  SubsampledRule(std::shared_ptr<const Nodes> nodes, Direction direction)
      : nodes_(std::move(nodes)), direction_(direction) {}
  std::unique_ptr<const Column> column(double x) const override {
    return std::make_unique<SubsampledColumn>(nodes_, direction_, x);
  }
  std::unique_ptr<const Decay> decay(double x) const override {
    return std::make_unique<SubsampledDecay>(nodes_, SubsampledColumn(nodes_, direction_, x));
  }
  std::optional<Jumps> jumps() const override {
    auto jumps = nodes_->jumps();
    if (jumps && direction_ == Direction::add) std::swap(jumps->under_p, jumps->under_q);
    return jumps;
  }
  double terms() const override { return static_cast<double>(nodes_->layout().count); }

 private:
  std::shared_ptr<const Nodes> nodes_;
  Direction direction_;
};

/// (e^x - 1 - x) / x^2 for small x, roughly.
double rest_of_small(double x) {
  return 0.5 + x * (1.0 / 6 + x * (1.0 / 24 + x / 120));
}

/// Where the estimate's nodes begin and end, for shifts within those of one record.
constexpr double kFirstEstimateNode = -10;
constexpr double kLastEstimateNode = 70;

/// Behind a cut, and the log of a term that does not matter to a plan there.
constexpr double kBehindJumps = 8, kLastEstimateSoftness = 10, kSparsely = 3, kLogNoTerm = -35;

}  // namespace

SubsampledGaussianMoments::SubsampledGaussianMoments(const pairs::Records& records, double mu,
                                                     bool replaced)
    : ratio_(records, mu), replaced_(replaced) {
  tabulate();
}

/// What estimates sum over.
void SubsampledGaussianMoments::tabulate() {
  const double mu = ratio_.shift();
  step_ = std::min(0.2, 0.6 / mu);
  last_ = std::max(kLastEstimateNode, 3 * ratio_.farthest());
  first_ = replaced_ ? -last_ : kFirstEstimateNode;
  if (cut_) {
    step_ = std::min(step_, (cap_ ? cap_ : cut_)->cut.softness());
    if (jumps_alone_) {
      step_ *= 2;
      first_ = cut_->cut.place() - kLastEstimateSoftness * cut_->cut.softness();
      if (whole_) last_ = cut_->cut.place() + kBehindJumps;
    }
    const auto& falling = jumps_alone_ ? cap_ : cut_;
    if (falling) last_ = falling->cut.place() + kLastEstimateSoftness * falling->cut.softness();
  }
  log_r_.clear();
  log_mirrored_.clear();
  log_weight_.clear();
  weight_.clear();
  second_order_ = mirrored_second_order_ = 0;
  // Where that many are not enough, no rule has as many nodes as it would need, and nothing is
  // estimated.
  constexpr double kMostEstimateNodes = 1e6;
  if (!(last_ - first_ < kMostEstimateNodes * step_)) last_ = first_;
  for (double t = first_; t < last_; t += step_) {
    const double log_r = ratio_.real(t).log;
    const double log_kept = !cut_ ? 0
                            : jumps_alone_
                                ? cut_->cut.log_jump(t) + (cap_ ? cap_->cut.log_kept(t) : 0)
                                : cut_->cut.log_kept(t);
    log_r_.push_back(log_r);
    if (replaced_) log_mirrored_.push_back(ratio_.real(-t).log);
    log_weight_.push_back(std::log(step_ / kSqrtTwoPi) - 0.5 * t * t + log_kept);
    weight_.push_back(std::exp(log_weight_.back()));
    if (weight_.back() == 0) continue;
    const auto second_order = [&](double log_ratio) {
      const double excess = std::expm1(log_ratio);
      return std::abs(excess) < 1e-4
                 ? weight_.back() * excess * excess * (excess / 3 - 0.5)
                 : weight_.back() * (log_ratio + 1) - std::exp(log_weight_.back() + log_ratio);
    };
    second_order_ += second_order(log_r);
    if (replaced_) mirrored_second_order_ += second_order(log_mirrored_.back());
  }
}

double SubsampledGaussianMoments::log_delta_estimate(Direction direction, double epsilon) const {
  LogSum sum;
  if (direction == Direction::add) return -kInfinity;
  for (std::size_t j = 0; j < log_r_.size(); ++j) {
    const double loss = replaced_ ? log_r_[j] - log_mirrored_[j] : log_r_[j];
    if (loss > epsilon) sum.add(log_weight_[j] + log_r_[j] + std::log(-std::expm1(epsilon - loss)));
  }
  return sum.log();
}

std::shared_ptr<SubsampledGaussianMoments> SubsampledGaussianMoments::with_cut(
    Direction direction, const Omission& omission) const {
  // A harder cut, as wants a large shift, has too many nodes.
  constexpr double kLeastSoftness = 1.0 / 512;
  // What soft cuts keep costs the sums of few steps digits; hard cuts cost many nodes.
  constexpr double kFewSteps = 8;
  if (direction == Direction::add || omission.bounded ||
      !(omission.loss > 0 && omission.loss < kInfinity))
    return nullptr;
  const JumpCut cut(ratio_, omission.loss, replaced_, omission.smooth, omission.steps <= kFewSteps);
  if (cut.softness() < kLeastSoftness) return nullptr;
  const Charged under_q = replaced_ ? cut.mass_of_records(ratio_, -1) : cut.mass(0);
  auto other = std::make_shared<SubsampledGaussianMoments>(*this);
  other->cut_ =
      std::make_shared<const CutJumps>(CutJumps{cut, {cut.mass_of_records(ratio_, 1), under_q}});
  return other;
}

std::shared_ptr<const Moments> SubsampledGaussianMoments::leaving_out(
    Direction direction, const Omission& omission) const {
  auto other = with_cut(direction, omission);
  if (!other) return nullptr;
  other->whole_ = std::make_shared<SubsampledGaussianMoments>(*this);
  other->tabulate();
  return other;
}

MomentsApart SubsampledGaussianMoments::apart() const {
  if (!whole_) return {};
  auto jumps = std::make_shared<SubsampledGaussianMoments>(*this);
  jumps->jumps_alone_ = true;
  jumps->tabulate();
  return {whole_, std::move(jumps)};
}

std::shared_ptr<const Moments> SubsampledGaussianMoments::jumping(Direction direction,
                                                                  const Omission& omission) const {
  auto other = with_cut(direction, omission);
  if (!other) return nullptr;
  other->cap_ = cut_;
  other->jumps_alone_ = true;
  other->tabulate();
  return other;
}

std::shared_ptr<const Rule> SubsampledGaussianMoments::rule(Direction direction,
                                                            const Reach& reach) const {
  // Replaced records look the same from both sides, but for jumps.
  const Direction way = replaced_ && !jumps_alone_ ? Direction::remove : direction;
  const PowerRange range =
      way == Direction::remove
          ? PowerRange{reach.lowest + 1, reach.highest + 1, reach.log_precision, replaced_}
          : PowerRange{-reach.highest, -reach.lowest, reach.log_precision, replaced_};
  const auto cut = way == Direction::remove || jumps_alone_ ? cut_ : nullptr;
  const NodeLayout layout =
      lay_out(ratio_, range, cut ? &cut->cut : nullptr, cap_ ? &cap_->cut : nullptr, jumps_alone_);
  if (layout.count > std::min(kMostNodes, kMostRuleTerms / ratio_.terms())) return nullptr;
  // Around z = 0.
  const bool around_p = way == Direction::remove && !jumps_alone_;
  return std::make_shared<SubsampledRule>(
      std::make_shared<const Nodes>(ratio_, replaced_, range, cut, cap_, jumps_alone_, around_p,
                                    layout),
      way);
}

double SubsampledGaussianMoments::log_moment_estimate(Direction direction, double x) const {
  const bool folded = replaced_ && !jumps_alone_;
  const double w = direction == Direction::remove || folded ? x + 1 : -x;
  const RatioPowers powers = powers_of(w, replaced_);
  const double end =
      cut_ && (cap_ || !(jumps_alone_ && w > 0))
          ? last_
          : std::max({powers.of_ratio, powers.of_mirrored, 0.0}) * ratio_.farthest() + 9;
  if (end > last_) return kInfinity;
  if (jumps_alone_) {
    LogSum plain;
    for (std::size_t j = 0; j < log_r_.size(); ++j) {
      const double log_mirrored = replaced_ ? powers.of_mirrored * log_mirrored_[j] : 0;
      plain.add(w * log_r_[j] + log_mirrored + log_weight_[j]);
    }
    return plain.log();
  }
  double sum = powers.of_ratio * second_order_ + powers.of_mirrored * mirrored_second_order_;
  if (cut_) {
    const Jumps& jumps = cut_->jumps;
    sum += w * (jumps.under_q.value - jumps.under_p.value) - jumps.under_q.value;
    // Where the terms grow again, right of the cut, there is no line.
    const JumpCut& cut = cut_->cut;
    const double s = cut.softness();
    const double turning = cut.place() + s * s * w * ratio_.farthest();
    const double last = std::min(turning + kLastEstimateSoftness * s, cut.end());
    for (double t = last_; t < last; t += kSparsely * s) {
      if (log_beyond_cut(ratio_, cut, t, w) > kLogNoTerm) return kInfinity;
    }
  }
  const auto index = [&](double t) {
    return std::min(log_r_.size(), static_cast<std::size_t>(std::max(0.0, (t - first_) / step_)));
  };
  for (std::size_t j = cut_ ? 0 : index(-end); j < index(end); ++j) {
    const double power =
        powers.of_ratio * log_r_[j] + (replaced_ ? powers.of_mirrored * log_mirrored_[j] : 0);
    constexpr double kMany = 30, kNothing = -80, kSmall = 0.05;
    if (power > kMany) {
      const double log_term = power + log_weight_[j];
      if (log_term > kNothing) sum += std::exp(log_term);
    } else {
      const double excess = power < -kMany             ? -1 - power
                            : std::abs(power) < kSmall ? power * power * rest_of_small(power)
                                                       : std::expm1(power) - power;
      sum += weight_[j] * excess;
    }
  }
  return sum > -1 && sum < 1e300 ? std::log1p(sum) : kInfinity;
}

double SubsampledGaussianMoments::total_variation() const {
  const double each = (replaced_ ? 2 : 1) * ratio_.shift() * (1 + 4 * kUnit);
  double sum = 0;
  for (std::size_t j = 1; j < ratio_.terms(); ++j)
    sum += ratio_.weight(j).upper() * gaussian::delta(static_cast<double>(j) * each, 0).upper;
  return sum * (1 + 1e-12);
}

double SubsampledGaussianMoments::largest_loss(Direction direction) const {
  return direction == Direction::remove || replaced_ ? kInfinity : -ratio_.log_none() * (1 + 1e-12);
}

double SubsampledGaussianMoments::lowest_place(Direction direction) const {
  // Left of 0 a line tells what is lacking of a whole law.
  return cut_ && direction == Direction::remove ? 0 : -1;
}

}  // namespace honest_epsilon::contour
