#pragma once

namespace honest_epsilon {

/// Which ends of an interval are wanted; the other one may be trivial.
enum class Wanted { both, upper, lower };

/// How narrow an answer should be, and how much work may be spent on it.
struct Effort {
  double width = 1e-3;       ///< relative width asked for
  int log2_grid_limit = 20;  ///< largest transform, as a power of two
  bool lattices = true;      ///< whether laws on lattices are composed where contours do not serve
  Wanted wanted = Wanted::both;
  /// The lower end of the direction that was asked first, or its upper end where that alone is
  /// wanted. An epsilon that is proved to be below it may stay wide; a delta may be as wide,
  /// absolutely, as that one.
  double deciding = 0;
};

}  // namespace honest_epsilon
