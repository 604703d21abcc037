#pragma once

namespace honest_epsilon {

/// How narrow an answer should be, and how much work may be spent on it.
struct Effort {
  double width = 1e-3;       ///< relative width asked for
  int log2_grid_limit = 20;  ///< largest transform, as a power of two
  bool lattices = true;      ///< whether laws on lattices are composed where contours do not serve
};

}  // namespace honest_epsilon
