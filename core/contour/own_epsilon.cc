#include "core/contour/own_epsilon.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"

namespace honest_epsilon::contour {
namespace {

/// The width asked of delta on the way.
constexpr double kRough = 1e-3;

/// Where delta is the target, from an epsilon near it.
std::optional<double> root(const AskOwn& asked, double target, double guess, double width) {
  constexpr int kMostSteps = 40;
  double at = guess, asks = std::max(kRough, width);
  for (int i = 0; i < kMostSteps; ++i) {
    const auto here = asked(at, asks);
    if (!here || !(here->value > 0)) return std::nullopt;
    const double log_slope = here->slope / here->value;
    if (!(log_slope < 0)) return std::nullopt;
    const double next = std::max(0.0, at + (std::log(target) - std::log(here->value)) / log_slope);
    const double moved = std::abs(next - at);
    at = next;
    if (asks == width && moved <= 0.01 * width * (at + 1e-9)) break;
    if (at == 0 && moved == 0) break;
    if (moved <= 0.1 * (at + 1e-9)) asks = width;
  }
  return at;
}

}  // namespace

Interval OwnDelta::interval() const {
  if (value == 0 && error == 0) return {0, 0};
  const double off = error + kTiny;
  return {std::max(0.0, value - off), std::min(1.0, value + off)};
}

std::optional<Interval> own_epsilon(const AskOwn& asked, double target, double start,
                                    double width) {
  const auto delta = [&](double epsilon, double wide) -> std::optional<Interval> {
    const auto at = asked(epsilon, wide);
    return at ? std::optional(at->interval()) : std::nullopt;
  };
  const auto rough = root(asked, target, start, kRough);
  if (!rough) return std::nullopt;
  if (*rough == 0) {
    const auto most = delta(0, kRough);
    if (most && most->upper <= target) return Interval{0, 0};
  }
  const auto slope = asked(*rough, kRough);
  if (!slope) return std::nullopt;
  const double log_slope = slope->slope / slope->value;
  const double fine = std::clamp(-log_slope * *rough * width, 1e-12, 0.1);
  const auto near = root(asked, target, *rough, fine);
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
