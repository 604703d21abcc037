#pragma once

#include <memory>

#include "core/contour/cut_bins.h"

namespace honest_epsilon::testing {

/// An epoch without what lies beyond a cut at a place.
inline std::shared_ptr<const contour::CutBins> cut_bins(double bins, double mu, double place) {
  return std::make_shared<const contour::CutBins>(
      bins, mu, contour::CutJumps{contour::JumpCut(mu, place), {}});
}

}  // namespace honest_epsilon::testing
