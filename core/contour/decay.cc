#include "core/contour/decay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"

namespace honest_epsilon::contour {
namespace {

/// About this many cells are kept of a piece: neighbours are merged. Any number gives a valid
/// bound.
constexpr std::size_t kCellsOfPiece = 200;
constexpr int kMostPieces = 8;
/// A piece's cells with less than this share of its mass are left out.
constexpr double kLeastShare = 1e-9;

/// The step function with these densities, which rise and then fall.
UnimodalPiece piece_of(const std::vector<DensityCell>& cells, const std::vector<double>& density) {
  UnimodalPiece piece;
  for (std::size_t i = 0; i < cells.size(); ++i)
    piece.mass += density[i] * (cells[i].high - cells[i].low + 2 * cells[i].blur) * (1 + 1e-12);
  const std::size_t together = cells.size() / kCellsOfPiece + 1;
  for (std::size_t i = 0; i < cells.size(); i += together) {
    const std::size_t end = std::min(i + together, cells.size());
    double mass = 0;
    for (std::size_t k = i; k < end; ++k)
      mass += density[k] * std::max(0.0, cells[k].high - cells[k].low - 2 * cells[k].blur);
    if (mass > kLeastShare * piece.mass)
      piece.cells.push_back({mass * (1 - 1e-12), cells[i].low - cells[i].blur,
                             cells[end - 1].high + cells[end - 1].blur});
  }
  return piece;
}

}  // namespace

std::vector<UnimodalPiece> unimodal_pieces(const std::vector<DensityCell>& cells) {
  std::vector<UnimodalPiece> pieces;
  std::vector<double> rest;
  rest.reserve(cells.size());
  // Differences below round by less than what is given away here.
  for (const DensityCell& cell : cells) rest.push_back(cell.density * (1 - 1e-12));
  for (int count = 0; count < kMostPieces && !cells.empty(); ++count) {
    const auto mode =
        static_cast<std::size_t>(std::max_element(rest.begin(), rest.end()) - rest.begin());
    if (rest[mode] <= 0) break;
    std::vector<double> envelope(rest.size());
    double least = rest[mode];
    for (std::size_t i = mode; i < rest.size(); ++i) envelope[i] = least = std::min(least, rest[i]);
    least = rest[mode];
    for (std::size_t i = mode + 1; i-- > 0;) envelope[i] = least = std::min(least, rest[i]);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= envelope[i];
    pieces.push_back(piece_of(cells, envelope));
  }
  return pieces;
}

double cancelled_lower(const UnimodalPiece& piece, double y) {
  if (!(piece.mass > 0 && piece.mass < kInfinity) || y <= 0) return 0;
  // Where 1 - cos is still below 0.8716, and where 1 - 1/u is above; as good as infinite.
  constexpr double kTurn = 1.44, kFar = 7.79, kFarthest = 1e300;
  constexpr std::size_t kLanes = 4;
  y = std::min(y, kFarthest);
  const std::vector<LossCell>& cells = piece.cells;
  work::spend(static_cast<std::int64_t>(cells.size() * cells.size()));  // half as many pairs
  std::vector<double> shares, ends;  // of the piece, so that nothing overflows
  shares.reserve(cells.size());
  ends.reserve(cells.size());
  for (const LossCell& cell : cells) {
    shares.push_back(cell.mass / piece.mass);
    ends.push_back(cell.high);
  }
  double sum = 0;
  for (std::size_t j = 1; j < cells.size(); ++j) {
    const auto of_pair = [&, low = cells[j].low](std::size_t i) {
      const double u = y * std::max(0.0, low - ends[i]);
      const double near = std::min(u, kTurn) * std::min(u, kTurn);
      return shares[i] * (u >= kFar ? 1 : near * (0.5 - near / 24));
    };
    std::array<double, kLanes> inner{};
    std::size_t i = 0;
    for (; i + kLanes <= j; i += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) inner[k] += of_pair(i + k);
    }
    for (; i < j; ++i) inner[0] += of_pair(i);
    sum += shares[j] * ((inner[0] + inner[1]) + (inner[2] + inner[3]));
  }
  // A sum of n^2 positive terms, n below 1e4, has a relative error below 1e-11.
  const double pairs = std::min(1.0, 2 * sum * (1 - 2e-11));
  return piece.mass * (pairs / (1 + std::sqrt(1 - pairs))) * (1 - 8 * kUnit);
}

}  // namespace honest_epsilon::contour
