#include "core/contour/decay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace honest_epsilon::contour {

double taken(const UnimodalPiece& piece, double y) {
  if (piece.mass <= 0 || y <= 0) return 0;
  // Where 1 - cos is still below 0.8716, and where 1 - 1/u is above.
  constexpr double kTurn = 1.44, kFar = 7.79;
  const std::vector<LossCell>& cells = piece.cells;
  double sum = 0;
  for (std::size_t j = 1; j < cells.size(); ++j) {
    double inner = 0;
    for (std::size_t i = 0; i < j; ++i) {
      const double gap = std::max(0.0, cells[j].low - cells[i].high);
      const double u = gap > 0 ? y * gap : 0;
      const double near = std::min(u, kTurn) * std::min(u, kTurn);
      inner += cells[i].mass * (u >= kFar ? 1 : near * (0.5 - near / 24));
    }
    sum += cells[j].mass * inner;
  }
  // The sum of n^2 positive terms, n below 1e4, is off by less than 1e-11 of itself.
  const double pairs = 2 * sum * (1 - 2e-11);
  const double left = std::sqrt(std::max(0.0, piece.mass * piece.mass - pairs));
  return std::min(1.0, pairs / (piece.mass * (piece.mass + left))) * piece.mass * (1 - 1e-14);
}

}  // namespace honest_epsilon::contour
