#include "core/contour/decay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace honest_epsilon::contour {

double taken(const UnimodalPiece& piece, double y) {
  if (piece.mass <= 0 || y <= 0) return 0;
  // 1.44^2, where 1 - cos is still below 0.8716.
  constexpr double kLargestSquare = 2.0736;
  const std::vector<LossCell>& cells = piece.cells;
  double sum = 0;
  for (std::size_t j = 1; j < cells.size(); ++j) {
    double inner = 0;
    for (std::size_t i = 0; i < j; ++i) {
      const double gap = std::max(0.0, cells[j].low - cells[i].high);
      const double u = gap > 0 ? std::min(y * gap, 1.44) : 0;
      const double square = std::min(u * u, kLargestSquare);
      inner += cells[i].mass * square * (0.5 - square / 24);
    }
    sum += cells[j].mass * inner;
  }
  // Each pair stands for two orders, halved by step 5. A sum of n^2 positive terms is off by less
  // than 1e-11 of itself for n below 1e4.
  return sum / piece.mass * (1 - 1e-11);
}

}  // namespace honest_epsilon::contour
