#include "core/contour/decay.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::LossCell;
using contour::UnimodalPiece;

/// A law on a fine lattice, and its cells.
struct FineLaw {
  std::string name;
  UnimodalPiece piece;
  std::vector<LossCell> fine;

  FineLaw(std::string label, const std::function<double(double)>& density, double from, double to)
      : name(std::move(label)) {
    constexpr int kCells = 120, kInner = 40;
    const double width = (to - from) / kCells;
    for (int i = 0; i < kCells; ++i) {
      LossCell cell{0, from + i * width, from + (i + 1) * width};
      for (int j = 0; j < kInner; ++j) {
        const double x = cell.low + (j + 0.5) * width / kInner;
        const double mass = density(x) * width / kInner;
        fine.push_back({mass, x, x});
        cell.mass += mass;
      }
      piece.cells.push_back(cell);
      piece.mass += cell.mass;
    }
  }

  double modulus(double y) const {
    std::complex<double> sum = 0;
    for (const LossCell& point : fine) sum += point.mass * std::polar(1.0, y * point.low);
    return std::abs(sum);
  }
};

std::vector<FineLaw> laws() {
  const auto lognormal = [](double x) {
    return x > 0 ? std::exp(-0.5 * std::pow(std::log(x), 2)) / (x * 2.5066) : 0;
  };
  return {{"normal", [](double x) { return std::exp(-0.5 * x * x) / 2.5066; }, -6, 6},
          {"lognormal", lognormal, 0, 20},
          {"exponential", [](double x) { return std::exp(-x); }, 0, 12},
          {"uniform", [](double) { return 1.0; }, 0, 1},
          {"skew", [](double x) { return x < 1 ? 4 * x : std::exp(1 - x) / 8; }, 0, 14}};
}

}  // namespace

TEST_CASE("decay: no oscillation beyond y leaves more than the bound") {
  for (const FineLaw& law : laws()) {
    for (const double y : {0.05, 0.3, 1.0, 2.0, 4.0, 8.0, 20.0}) {
      const double left = law.piece.mass - contour::cancelled_lower(law.piece, y);
      const double step = testing::share_of_cases() >= 1 ? 0.13 : 0.39;
      for (double faster = y; faster < 8 * y + 4; faster += step) {
        INFO(law.name << " y=" << y << " y'=" << faster);
        CHECK(law.modulus(faster) <= left * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("decay: the bound falls with y, and near 0 like the variance") {
  for (const FineLaw& law : laws()) {
    INFO(law.name);
    double last = 0;
    for (double y = 0.01; y < 300; y *= 1.5) {
      const double cancelled = contour::cancelled_lower(law.piece, y);
      CHECK(cancelled >= last);
      last = cancelled;
    }
    CHECK(contour::cancelled_lower(law.piece, std::numeric_limits<double>::infinity()) >= last);
    const double y = 0.02;
    CHECK(contour::cancelled_lower(law.piece, y) > 0.75 * (law.piece.mass - law.modulus(y)));
  }
  CHECK(contour::cancelled_lower({{}, 1}, 5) == 0);
  CHECK(contour::cancelled_lower({{{0.5, 0, 1}}, 1}, 5) == 0);
  // Masses near the largest doubles do not turn into a claim.
  const UnimodalPiece huge{{{1e300, 0, 1}, {1e300, 2, 3}}, 3e300};
  CHECK(contour::cancelled_lower(huge, 1) < 1e300);
}

// Pieces of a step function leave at least its Fourier transform, and are nowhere above it.
TEST_CASE("decay: pieces of a law with several humps") {
  testing::Dice dice(79);
  for (int round = 0; round < 40; ++round) {
    std::vector<contour::DensityCell> cells;
    double place = dice.uniform(-3, 3), total = 0;
    for (int i = 0; i < 60; ++i) {
      const double width = dice.uniform(0.02, 0.3);
      const double density =
          dice.uniform(0.5, 1) * (1 + std::sin((0.1 + 0.01 * round) * i)) + (i == 40 ? 2 : 0);
      cells.push_back({density, place, place + width, 1e-14});
      place += width;
      total += density * width;
    }
    const auto pieces = contour::unimodal_pieces(cells);
    CHECK(pieces.size() > 1);
    double mass = 0;
    for (const UnimodalPiece& piece : pieces) mass += piece.mass;
    CHECK(mass <= total * (1 + 1e-10));
    CHECK(mass > 0.5 * total);
    for (const double y : {0.05, 0.3, 1.0, 5.0, 40.0}) {
      std::complex<double> sum = 0;
      for (const contour::DensityCell& cell : cells)
        sum += cell.density * (std::polar(1.0, y * cell.high) - std::polar(1.0, y * cell.low)) /
               std::complex<double>(0, y);
      double left = total;
      for (const UnimodalPiece& piece : pieces) left -= contour::cancelled_lower(piece, y);
      INFO("round=" << round << " y=" << y);
      CHECK(std::abs(sum) <= left * (1 + 1e-12));
    }
  }
  // The density as it is, where it is one hump.
  const auto one = contour::unimodal_pieces({{1, 0, 1, 0}, {3, 1, 2, 0}, {2, 2, 3, 0}});
  REQUIRE(one.size() == 1);
  CHECK(one.front().mass == doctest::Approx(6).epsilon(1e-9));
  CHECK(contour::unimodal_pieces({}).empty());
}

}  // namespace honest_epsilon
