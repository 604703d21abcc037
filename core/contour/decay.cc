#include "core/contour/decay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/interval.h"
#include "core/base/rounding.h"

namespace honest_epsilon::contour {

double taken(const UnimodalPiece& piece, double y) {
  if (!(piece.mass > 0 && piece.mass < kInfinity) || y <= 0) return 0;
  // Where 1 - cos is still below 0.8716, and where 1 - 1/u is above.
  constexpr double kTurn = 1.44, kFar = 7.79;
  const std::vector<LossCell>& cells = piece.cells;
  std::vector<double> shares;  // of the piece, so that nothing overflows
  for (const LossCell& cell : cells) shares.push_back(cell.mass / piece.mass);
  double sum = 0;
  for (std::size_t j = 1; j < cells.size(); ++j) {
    double inner = 0;
    for (std::size_t i = 0; i < j; ++i) {
      const double gap = std::max(0.0, cells[j].low - cells[i].high);
      const double u = gap > 0 ? y * gap : 0;
      const double near = std::min(u, kTurn) * std::min(u, kTurn);
      inner += shares[i] * (u >= kFar ? 1 : near * (0.5 - near / 24));
    }
    sum += shares[j] * inner;
  }
  // A sum of n^2 positive terms, n below 1e4, is off by less than 1e-11 of itself.
  const double pairs = std::min(1.0, 2 * sum * (1 - 2e-11));
  return piece.mass * (pairs / (1 + std::sqrt(1 - pairs))) * (1 - 8 * kUnit);
}

}  // namespace honest_epsilon::contour
