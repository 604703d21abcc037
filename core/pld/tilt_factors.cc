#include "core/pld/tilt_factors.h"

#include <algorithm>
#include <limits>

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
  // A block falls by e^30 at most.
  if (!(fall * static_cast<double>(kBlock) > -30)) longest_ = 1;
  for (std::size_t k = 0; k < kBlock; ++k) ratio_[k] = std::exp(fall * static_cast<double>(k));
}

void TiltFactors::enter(std::size_t i) {
  size_ = longest_;
  begin_ = i - i % size_;
  top_ = tilt_ > 0 ? std::min(begin_ + size_, count_) - 1 : begin_;
  const double point =
      origin_ + static_cast<double>(first_ + static_cast<std::int64_t>(top_)) * spacing_;
  largest_ = std::exp(tilt_ * point + offset_);
  if (longest_ == 1 || largest_ < std::numeric_limits<double>::infinity()) return;
  longest_ = 1;
  enter(i);
}

}  // namespace honest_epsilon::pld
