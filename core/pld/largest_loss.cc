#include "core/pld/largest_loss.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"

namespace honest_epsilon::pld {

LargestLoss::LargestLoss(const std::vector<SourceSteps>& components, Direction direction) {
  // A sum over kinds of steps of products, with a logarithm in each of them.
  const double rounding = (8 + 2 * static_cast<double>(components.size())) * kUnit;
  double size = 0;
  for (const SourceSteps& c : components) {
    if (c.copies == 0) continue;
    const auto copies = static_cast<double>(c.copies);
    const pairs::Cell top = c.source->top(c.own(direction));
    // An atom's own loss is charged; losses beyond which nothing lies are good to far more than
    // 1e-12.
    const double highest = c.source->highest(c.own(direction));
    upper_ += copies * (top.p.value > 0 ? std::max(highest, top.loss + top.loss_error) : highest);
    log_mass_ += copies * (top.p.lower() > 0 ? std::log(top.p.lower()) : -kInfinity);
    ratio_ += copies * (top.loss - top.loss_error);
    size += copies * std::abs(top.loss);
  }
  upper_ *= 1 + 1e-12;
  log_mass_ += rounding * log_mass_;
  ratio_ -= rounding * size;
}

Interval LargestLoss::delta(double epsilon) const {
  if (epsilon > upper_) return {0, 0};
  double lower = 0;
  if (epsilon < ratio_)
    lower = std::exp(log_mass_) * -std::expm1(epsilon - ratio_) * (1 - 16 * kUnit) - kTiny;
  const double upper = -std::expm1(epsilon - upper_) * (1 + 16 * kUnit) + kTiny;
  return within_unit({lower, upper});
}

Interval LargestLoss::epsilon(double target) const {
  const double upper = std::max(0.0, upper_);
  const double share = target * std::exp(-log_mass_) * (1 + 16 * kUnit);
  if (!(share < 1 && std::isfinite(ratio_))) return {0, upper};
  const double below = std::log1p(-share);
  const double lower = ratio_ + below - 16 * kUnit * (std::abs(ratio_) - below);
  return {std::clamp(lower, 0.0, upper), upper};
}

}  // namespace honest_epsilon::pld
