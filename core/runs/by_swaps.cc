#include "core/runs/by_swaps.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace honest_epsilon {

BySwaps::BySwaps(std::function<Parts(double)> make, const Effort& effort)
    : make_(std::move(make)), effort_(effort_of(effort)), serve_(false), aims_(kCoarseAims) {
  const Parts parts = make_(1);
  serve_ = parts.by_swaps;
  if (parts.upper.steps.size() == 1 && parts.upper.steps.front().curve) aims_ = kFineAims;
}

Effort BySwaps::effort_of(const Effort& effort) {
  constexpr int kGrid = 15;
  constexpr double kWidth = 1e-3;
  return {kWidth, std::min(effort.log2_grid_limit, kGrid), true, Wanted::upper};
}

bool BySwaps::lower(double epsilon, Directions& d, double expected) {
  constexpr double kNegligible = 1e-2;  // of an aim
  const double before = d.upper();
  if (!(before > 0) || !serve_) return false;
  const double usual = d.lower() > 0 ? std::sqrt(d.lower() * before) : before;
  aims_.least(
      [&](int exponent) {
        auto profile = profiles_.find(exponent);
        if (profile == profiles_.end()) {
          const double aim = aims_.at(exponent);
          profile = profiles_.try_emplace(exponent, make_(aim), effort_, kNegligible * aim).first;
        }
        d.tighten_uppers(profile->second.delta(epsilon).directions);
        return d.upper();
      },
      before, std::min(expected, usual));
  return d.upper() < before;
}

}  // namespace honest_epsilon
