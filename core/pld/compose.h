#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/pld/lattice_law.h"
#include "core/pld/tilt_factors.h"

namespace honest_epsilon::pld {

/// One kind of step of a run: its upper and lower law on the same spacing, and how often it is
/// taken.
struct LatticeSteps {
  LatticeLaw upper;
  LatticeLaw lower;
  std::int64_t copies = 1;
};

/// The law of a sum of independent steps, exponentially tilted, seen through a cyclic window:
/// value[i] stands for the point origin + (first + i) * spacing and holds the tilted mass there
/// plus that of every point a whole number of windows away.
///   that mass = (value[i] +- error) (1 +- relative) exp(log_scale - tilt * point(i))
struct TiltedSum {
  double tilt = 0;
  double log_scale = 0;
  double origin = 0;
  double spacing = 1;
  std::int64_t first = 0;
  std::vector<double> value;
  double error = 0;
  double relative = 0;

  double point(std::size_t i) const {
    return origin + static_cast<double>(first + static_cast<std::int64_t>(i)) * spacing;
  }

  /// exp(log_scale - tilt * point(i)) of an index i.
  TiltFactors untilting() const { return {*this, value.size(), -tilt, log_scale}; }
};

struct TiltedPair {
  TiltedSum upper;
  TiltedSum lower;
};

/// Sums of steps' upper laws and of their lower ones, with one forward transform for each kind of
/// step and one backward transform: the two real sequences travel as real and imaginary part.
/// Masses at +infinity take no part. All steps have the same spacing; the grid is a power of two,
/// and the windows start at the last point at or below `window_low`.
///
/// Error. With u = 2^-53 and eta = fft::relative_error(grid), a forward transform is off by at most
/// eta ||x|| sqrt(grid) in norm, x the tilted step without its largest mass. To the n-th power that
/// is n |phi|^(n-1) times as much; by Cauchy-Schwarz the sum over frequencies of error times power,
/// and so every point's error, is at most
///   n (eta ||x|| + 4 u) ||t|| + eta ||t||,   t the result.
TiltedPair compose(const std::vector<LatticeSteps>& steps, double tilt, double window_low,
                   std::size_t grid);

}  // namespace honest_epsilon::pld
