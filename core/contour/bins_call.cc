#include "core/contour/bins_call.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/math/portable.h"

namespace honest_epsilon::contour {
namespace {

/// The step in log rho of the coarsest rule, by which others are planned.
constexpr double kCoarsestStep = 0.5;

/// More nodes than this in a step of the coarsest rule are slower than lines.
constexpr int kMostDensity = 40;

/// Where even more seem to be needed, a narrower strip does not help.
constexpr double kHopelessDensity = 100;

/// Of the width asked, what each end of a sum and the rule may leave open.
constexpr double kEndPart = 0.02, kRulePart = 0.25;

/// Nats between a cell's part and all that is known to be large: a few dozen of them hardly count.
constexpr double kHardlyNats = 4;

}  // namespace

/// Its multiples are exact.
double BinsCall::Trapezoids::step() const {
  return portable::shortened(kCoarsestStep / density);
}

BinsCall::Trapezoids& BinsCall::rule(int density) {
  const auto found = std::find_if(rules_.begin(), rules_.end(),
                                  [density](const Trapezoids& r) { return r.density == density; });
  if (found != rules_.end()) return *found;
  rules_.push_back({density, {}});
  return rules_.back();
}

const BinsCall::CallNode& BinsCall::sample(Trapezoids& rule, int index) const {
  const auto [found, is_new] = rule.samples.try_emplace(index);
  if (is_new) found->second = integrand_.at(rule.step() * index);
  return found->second;
}

std::optional<int> BinsCall::hump(const CallStrike& strike) {
  constexpr int kMostSteps = 200;
  Trapezoids& coarse = rule(1);
  const auto height = [&](int index) {
    const CallNode& at = sample(coarse, index);
    const bool counts = at.sine > 0 && at.size_error < 1 && at.angle_error < 1;
    return counts ? at.log_size + std::log(at.sine) - strike.value * at.rho : -kInfinity;
  };
  if (!hump_) {
    const double likely = integrand_.likely_top(strike);
    if (!std::isfinite(likely)) return std::nullopt;  // e^eps is no double
    hump_ = static_cast<int>(std::floor(likely / kCoarsestStep));
  }
  int at = *hump_;
  double here = height(at);
  // Beyond the hump F may have the other sign: back, then, until it counts.
  for (int i = 0; i < kMostSteps && !std::isfinite(here); ++i) here = height(--at);
  for (const int direction : {1, -1}) {
    for (int i = 0; i < kMostSteps; ++i) {
      const double next = height(at + direction);
      if (!(next > here)) break;
      at += direction;
      here = next;
    }
  }
  if (!std::isfinite(here)) return std::nullopt;
  hump_ = at;
  return at;
}

std::optional<BinsCall::TrapezoidSum> BinsCall::sum(int density, std::optional<int> end,
                                                    double epsilon, double width) {
  constexpr int kMostNodes = 2000;
  constexpr double kEnough = 1e-2;
  const CallStrike k = integrand_.strike(epsilon);
  const auto top = hump(k);
  if (!top) return std::nullopt;
  Trapezoids& nodes = rule(density);
  const double h = nodes.step();
  TrapezoidSum sum;
  int first = *top * density, last = first;
  if (end) first = std::min(first, *end), last = first;
  const auto add = [&](const CallNode& at) {
    const CallIntegrand::CallTerm t = CallIntegrand::term(at, k);
    sum.value += t.value;
    sum.slope -= t.value * k.slope * at.rho;
    sum.error += t.error;
    return t;
  };
  add(sample(nodes, first));
  const auto small = [&](double size) { return size < kEnough * kEndPart * width * sum.value; };
  for (int i = 0; end ? last < *end : i < kMostNodes; ++i) {
    const CallNode& at = sample(nodes, ++last);
    if (!(at.size_error < 1)) return std::nullopt;
    if (small(add(at).modulus) && !end) break;
  }
  for (int i = 0; i < kMostNodes; ++i) {
    if (!small(std::abs(add(sample(nodes, --first)).value))) continue;
    if (!end || integrand_.log_left(h * first, 0) <= std::log(kEndPart * width * sum.value * h))
      break;
  }
  sum.first = h * first;
  sum.error = h * (sum.error + 8 * kUnit * std::abs(sum.value)) * (1 + 1e-9);
  sum.value *= h;
  sum.slope *= h;
  return sum.value > 0 ? std::optional(sum) : std::nullopt;
}

double BinsCall::log_end(const CallStrike& strike, double v, double step, double half_width) const {
  double total = integrand_.log_beyond(v, strike);
  // The integral of 1 / (e^{2 pi y / h} + 1) is at most a part's length, and e^{-2 pi y / h} of it.
  constexpr int kParts = 6;
  for (int i = 0; i < kParts; ++i) {
    const double from = half_width * i * i / (kParts * kParts);
    const double to = half_width * (i + 1) * (i + 1) / (kParts * kParts);
    total = log_add(total, integrand_.bound(v, v, from, to).at(strike.value) +
                               std::log(2 * (to - from)) - kTwoPi * from / step * (1 - 1e-12));
  }
  return total + 1e-9;
}

double BinsCall::log_strip(Strip& strip, const CallStrike& strike, double v,
                           double log_enough) const {
  constexpr int kMostCells = 400;
  const double b = strip.half_width;
  double total = -kInfinity;
  int index = static_cast<int>(std::ceil(v / kCoarsestStep));
  for (int i = 0; i < kMostCells; ++i) {
    --index;
    const auto [found, is_new] = strip.cells.try_emplace(index);
    if (is_new)
      found->second = integrand_.bound(kCoarsestStep * index, kCoarsestStep * (index + 1), b, b);
    const double part = found->second.at(strike.value) + std::log(kCoarsestStep);
    total = log_add(total, part);
    if (!(part > log_enough)) {
      const double left = integrand_.log_left(kCoarsestStep * index, b);
      if (left <= log_enough) return log_add(total, left) + 1e-9;
    }
  }
  return kInfinity;
}

std::optional<BinsCall::Layout> BinsCall::layout(double epsilon, double delta, double width) {
  const CallStrike k = integrand_.strike(epsilon);
  const double log_delta = std::log(delta), log_enough = log_delta + std::log(kEndPart * width);
  // Where the path may turn up.
  constexpr double kFurthest = 12, kStride = 0.25, kLikelyStep = kCoarsestStep / 3;
  const double top = kCoarsestStep * *hump_;
  std::optional<Layout> best;
  for (Strip& strip : strips_) {
    const double b = strip.half_width;
    double v = top + 2 * kStride;
    while (!(log_end(k, v, kLikelyStep, b) <= log_enough) && v < top + kFurthest) v += kStride;
    if (v >= top + kFurthest) continue;
    const double log_m = log_strip(strip, k, v + kStride, log_delta - kHardlyNats);
    const double nats = log_m + kLogTwo - log_delta - std::log(kRulePart * width);
    const double density = std::ceil(std::max(kCoarsestStep * nats / (kTwoPi * b), 1.0));
    if (!(density <= kHopelessDensity)) break;
    if (density > kMostDensity || (best && density >= best->density)) continue;
    const double step = rule(static_cast<int>(density)).step();
    const auto last = static_cast<int>(std::ceil(v / step));
    // A unit of h is a unit of 2 pi b / h.
    const double exponent = kTwoPi * b / step * (1 - 8 * kUnit);
    const double off =
        2 * std::exp(log_strip(strip, k, step * (last + 0.5), log_delta - kHardlyNats)) /
            std::expm1(exponent) +
        std::exp(log_end(k, step * (last + 0.5), step, b));
    best = Layout{static_cast<int>(density), last, off * (1 + 1e-9)};
    constexpr int kFew = 6;
    if (best->density <= kFew) break;
  }
  return best;
}

std::optional<Interval> BinsCall::delta(double epsilon, double width) {
  if (epsilon <= out_of_reach_ && width <= width_out_of_reach_) return std::nullopt;
  const auto found = asked(epsilon, width);
  if (!found) {
    out_of_reach_ = std::max(out_of_reach_, epsilon);
    width_out_of_reach_ = width;
  }
  return found;
}

std::optional<Interval> BinsCall::asked(double epsilon, double width) {
  const auto rough = sum(1, std::nullopt, epsilon, width);
  if (!rough) return std::nullopt;
  const auto laid = layout(epsilon, rough->value, width);
  if (!laid) return std::nullopt;
  const auto found = sum(laid->density, laid->last, epsilon, width);
  if (!found) return std::nullopt;
  const double left = integrand_.log_left(found->first, 0);
  const double off = found->error + laid->off + std::exp(left) * (1 + 1e-9) + kTiny;
  if (!(off < 1)) return std::nullopt;
  return Interval{std::max(0.0, found->value - off), std::min(1.0, found->value + off)};
}

std::optional<double> BinsCall::root(int density, double target, double guess, double width) {
  constexpr int kMostSteps = 40;
  double at = guess;
  for (int i = 0; i < kMostSteps; ++i) {
    const auto here = sum(density, std::nullopt, at, width);
    if (!here) return std::nullopt;
    const double log_slope = here->slope / here->value;
    if (!(log_slope < 0)) return std::nullopt;
    const double next = at + (std::log(target) - std::log(here->value)) / log_slope;
    const double moved = std::abs(next - at);
    at = std::max(0.0, next);
    if (moved <= 0.01 * width * (at + 1e-9)) break;
  }
  return at;
}

std::optional<Interval> BinsCall::epsilon(double target, double width) {
  // Where P has one such ratio beyond, beside the others' mean.
  const double mu = integrand_.mu(), t = mu + normal::upper_quantile_estimate(target);
  const double start = std::log1p(std::exp(mu * t - 0.5 * mu * mu) / integrand_.strike(0).slope);
  constexpr double kRough = 1e-4;
  const auto rough = root(1, target, start, kRough);
  if (!rough) return std::nullopt;
  const auto slope = sum(1, std::nullopt, *rough, kRough);
  if (!slope) return std::nullopt;
  const double log_slope = slope->slope / slope->value;
  const double fine = std::clamp(-log_slope * *rough * width, 1e-12, 0.1);
  const auto laid = layout(*rough, slope->value, fine);
  if (!laid) return std::nullopt;
  const auto near = root(laid->density, target, *rough, 0.1 * width);
  if (!near) return std::nullopt;
  const auto here = delta(*near, fine);
  if (!here) return std::nullopt;
  constexpr int kDoublings = 6;
  double step = (here->upper - here->lower) / (target * -log_slope) + 8 * kUnit * *near + kTiny;
  Interval result{*near - step, *near + step};
  for (int i = 0;; ++i, step *= 2, result.upper += step) {
    const auto at = delta(result.upper, fine);
    if (!at || i == kDoublings) return std::nullopt;
    if (at->upper <= target) break;
  }
  step = result.upper - *near;
  for (int i = 0;; ++i, step *= 2, result.lower -= step) {
    if (result.lower <= 0) {
      result.lower = 0;
      break;
    }
    const auto at = delta(result.lower, fine);
    if (!at || i == kDoublings) return std::nullopt;
    if (at->lower >= target) break;
  }
  return result;
}

}  // namespace honest_epsilon::contour
