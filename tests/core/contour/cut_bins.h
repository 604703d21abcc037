#pragma once

#include <cmath>
#include <memory>

#include "core/contour/cut_bins.h"

namespace honest_epsilon::testing {

/// An epoch without what lies beyond a place, to the nearest one where panels end.
inline std::shared_ptr<const contour::CutBins> cut_bins(double bins, double mu, double place) {
  const double end = std::round(place / contour::CutBins::kGrain) * contour::CutBins::kGrain;
  return std::make_shared<const contour::CutBins>(bins, mu, end, contour::Jumps{});
}

}  // namespace honest_epsilon::testing
