#include "core/pld/tilt_factors.h"

#include <algorithm>

namespace honest_epsilon::pld {

TiltFactors::TiltFactors(double origin, double spacing, std::int64_t first, std::size_t count,
                         double tilt, double offset)
    : origin_(origin),
      spacing_(spacing),
      first_(first),
      count_(count),
      tilt_(tilt),
      offset_(offset) {
  const double fall = -std::abs(tilt * spacing);
  for (std::size_t k = 0; k < kBlock; ++k) ratio_[k] = std::exp(fall * static_cast<double>(k));
}

void TiltFactors::enter(std::size_t block) {
  block_ = block;
  top_ = block * kBlock;
  if (tilt_ > 0) top_ = std::min(top_ + kBlock, count_) - 1;
  const double point =
      origin_ + static_cast<double>(first_ + static_cast<std::int64_t>(top_)) * spacing_;
  largest_ = std::exp(tilt_ * point + offset_);
}

}  // namespace honest_epsilon::pld
