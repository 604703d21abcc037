#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/rounding.h"

namespace honest_epsilon::pld {

/// e^{tilt point_i + offset} of the points of a lattice, asked in rising or falling order: one
/// exponential a block of points, the largest, and for the others a product with e^{-|tilt D| k}.
/// Where that would underflow, or the largest overflows, each point is a block: no factor is 0 or
/// infinite that would not be alone.
class TiltFactors {
 public:
  /// points: as of a LatticeLaw or a TiltedSum.   count: of the points that are asked for.
  template <class Points>
  TiltFactors(const Points& points, std::size_t count, double tilt, double offset)
      : TiltFactors(points.origin, points.spacing, points.first, count, tilt, offset) {}

  double operator()(std::size_t i) {
    if (i - begin_ >= size_) enter(i);
    return largest_ * ratio_[tilt_ > 0 ? top_ - i : i - top_];
  }

  /// In units of kUnit, the relative error of a factor beside that of an exponent that rounds by 4
  /// units of itself: two exponentials and a product; and of exponents up to |rate| kBlock farther
  /// from 0, whose parts round 6 times.
  ///   rate: tilt times spacing.
  static double units(double rate) {
    return 2 * kFunctionError + 1 + 6 * static_cast<double>(kBlock) * std::abs(rate);
  }

 private:
  static constexpr std::size_t kBlock = 16;

  TiltFactors(double origin, double spacing, std::int64_t first, std::size_t count, double tilt,
              double offset);
  void enter(std::size_t i);

  double origin_, spacing_;
  std::int64_t first_;
  std::size_t count_;
  double tilt_, offset_;
  std::array<double, kBlock> ratio_{};
  std::size_t longest_ = kBlock;
  std::size_t begin_ = 0, size_ = 0;  ///< of the block entered last; none yet
  std::size_t top_ = 0;               ///< where its exponent is largest
  double largest_ = 0;
};

}  // namespace honest_epsilon::pld
