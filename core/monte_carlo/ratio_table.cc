#include "core/monte_carlo/ratio_table.h"

#include <algorithm>
#include <cstddef>

#include "core/math/portable.h"

namespace honest_epsilon::monte_carlo {
namespace {

constexpr double kLargestShift = 20;
constexpr int kOctaves = 54;
constexpr unsigned kBits = 6;  // 2^6 intervals an octave
constexpr unsigned kShift = 52 - kBits;

/// The bits of 2^-54 up to the interval's last.
constexpr std::uint64_t kFirst = std::uint64_t{1023 - kOctaves} << kBits;

/// Intervals of one half; 1/2 itself is the first point of the last.
constexpr std::size_t kCount = (kOctaves - 1) * (std::size_t{1} << kBits) + 1;

constexpr std::size_t kBlock = 64;

/// Powers' coefficients of the polynomial through values at the six Chebyshev nodes of [-1, 1].
std::array<double, 6> interpolate(const std::array<double, 6>& node,
                                  const std::array<double, 6>& value) {
  std::array<double, 6> c{};  // of the Chebyshev polynomials
  for (std::size_t k = 0; k < 6; ++k) {
    double before = 1;
    double here = node[k];
    c[0] += value[k] / 6;
    for (std::size_t j = 1; j < 6; ++j) {
      c[j] += value[k] * here / 3;
      const double after = 2 * node[k] * here - before;
      before = here;
      here = after;
    }
  }
  return {c[0] - c[2] + c[4],
          c[1] - 3 * c[3] + 5 * c[5],
          2 * c[2] - 8 * c[4],
          4 * c[3] - 20 * c[5],
          8 * c[4],
          16 * c[5]};
}

}  // namespace

RatioTable::RatioTable(double mu) : mu_(mu) {
  if (mu > kLargestShift) return;
  interval_.reserve(2 * kCount);
  add_intervals(false);
  add_intervals(true);
}

double RatioTable::error() const {
  // The quantile's own error, twice: in the table's nodes, and as what it is compared with.
  const double nodes = 2 * (41 * mu_ * portable::kQuantileError + mu_ * (40 + mu_) * 4e-16) + 4e-15;
  if (interval_.empty()) return nodes;
  const double s = 1.2534 * mu_;
  const double choose = (s + 5) * (s + 4) * (s + 3) * (s + 2) * (s + 1) * s / 720;
  return nodes + choose * 0x1p-42 / 32;
}

double RatioTable::direct(double p) const {
  return portable::exp(mu_ * portable::upper_quantile(p) - 0.5 * mu_ * mu_);
}

void RatioTable::add_intervals(bool upper_half) {
  constexpr std::array<double, 6> kNode = {-0.96592582628906829, -0.70710678118654752,
                                           -0.25881904510252076, 0.25881904510252076,
                                           0.70710678118654752,  0.96592582628906829};
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto low = portable::bits_as<double>((kFirst + i) << kShift);
    const auto high = portable::bits_as<double>((kFirst + i + 1) << kShift);
    std::array<double, 6> value{};
    for (std::size_t k = 0; k < 6; ++k) {
      const double h = 0.5 * (low + high) + 0.5 * (high - low) * kNode[k];
      // U at 1 - h is e^(-mu^2) / U at h: no digits of a small h are lost.
      value[k] = upper_half ? portable::exp(-mu_ * portable::upper_quantile(h) - 0.5 * mu_ * mu_)
                            : direct(h);
    }
    interval_.push_back(interpolate(kNode, value));
  }
}

void RatioTable::operator()(std::span<const double> p, std::span<double> ratio) const {
  constexpr std::uint64_t kOne = 0x3ff0000000000000;
  constexpr std::uint64_t kRest = (std::uint64_t{1} << kShift) - 1;
  if (interval_.empty()) {
    portable::upper_quantile(p, ratio);
    portable::exp_affine(ratio, mu_, -0.5 * mu_ * mu_, ratio);
    return;
  }
  std::array<std::uint64_t, kBlock> index;
  std::array<double, kBlock> place;
  for (std::size_t done = 0; done < p.size(); done += kBlock) {
    const std::size_t size = std::min(kBlock, p.size() - done);
    for (std::size_t i = 0; i < size; ++i) {
      // Which half a uniform p is in no processor can predict: bits are chosen here, not branches,
      // and apart from the look-up, which is no vector.
      const double x = p[done + i];
      const std::uint64_t mask = x > 0.5 ? ~std::uint64_t{0} : 0;
      const std::uint64_t bits = (portable::bits_as<std::uint64_t>(x) & ~mask) |
                                 (portable::bits_as<std::uint64_t>(1 - x) & mask);
      index[i] = (bits >> kShift) - kFirst + (kCount & mask);
      // [1, 2) within the interval, then [-1, 1).
      place[i] = 2 * portable::bits_as<double>(kOne | (bits & kRest) << kBits) - 3;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (index[i] >= 2 * kCount) {  // p below the table wrapped round
        ratio[done + i] = direct(p[done + i]);
        continue;
      }
      const Coefficients& c = interval_[static_cast<std::size_t>(index[i])];
      const double t = place[i];
      const double square = t * t;
      ratio[done + i] =
          (c[0] + c[1] * t) + square * ((c[2] + c[3] * t) + square * (c[4] + c[5] * t));
    }
  }
}

}  // namespace honest_epsilon::monte_carlo
