#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/rounding.h"

/// Bounds that leave out little follow their laws to an aim, which is a delta: far above the delta
/// to be found they leave out too much, far below they spend their points elsewhere. Aims are
/// powers of one ratio, so that delta at an epsilon and epsilon at a delta rest on the same ones.
namespace honest_epsilon {

/// The aims that are powers of 2^log2_ratio.
struct Aims {
  int log2_ratio;
  double
      near;  ///< up to this multiple of an aim delta may lie below it, but for what it leaves out

  /// The exponent of the one next below a delta.
  int exponent(double delta) const {
    return static_cast<int>(std::floor(std::log2(std::max(delta, kTiny)) / log2_ratio));
  }
  double at(int exponent) const { return std::ldexp(1.0, log2_ratio * exponent); }
  double below(double delta) const { return at(exponent(delta)); }

  /// The least delta at an epsilon that a few of them prove.
  ///   prove: exponent of an aim -> delta, at most.   known: an upper end.   expected: roughly the
  ///   delta to be found
  template <class Prove>
  double least(Prove prove, double known, double expected) const {
    constexpr std::size_t kTries = 20;
    double best = known;
    std::vector<int> tried;
    const auto is_tried = [&](int other) {
      return std::find(tried.begin(), tried.end(), other) != tried.end();
    };
    int next = exponent(std::min(expected, known));
    while (tried.size() < kTries && !is_tried(next)) {
      tried.push_back(next);
      best = std::min(best, prove(next));
      next = exponent(best);
      while (is_tried(next) && best < near * at(next)) --next;
    }
    return best;
  }
};

/// Of a bound whose digits depend on its aim.
inline constexpr Aims kFineAims{1, 4};

/// Of composed laws, which cost more and depend on it less.
inline constexpr Aims kCoarseAims{8, 1};

}  // namespace honest_epsilon
