#include "core/monte_carlo/ratio_table.h"

#include "core/math/lanes.h"
#include "core/math/portable.h"

namespace honest_epsilon::monte_carlo {
namespace {

using lanes::F64;
using lanes::U32;
using lanes::U64;
using Coefficients = RatioTable::Coefficients;
constexpr std::size_t kNodes = std::tuple_size_v<Coefficients>;

constexpr double kLargestTabulated = 20;
constexpr std::uint32_t kOctaves = 54;
constexpr unsigned kBits = 5;  // 2^5 intervals an octave
constexpr unsigned kShift = 52 - kBits;

/// The bits of 2^-54 up to the interval's last.
constexpr std::uint32_t kFirst = std::uint32_t{1023 - kOctaves} << kBits;

/// Intervals of one half; 1/2 itself is the first point of the last.
constexpr std::uint32_t kCount = ((kOctaves - 1) << kBits) + 1;

/// The table's end; what is nearer to 0 or 1 is not in it.
constexpr double kLeast = 0x1p-54;

/// Coefficients of powers of t/2 of the polynomial through values at the Chebyshev nodes of [-1,
/// 1].
Coefficients interpolate(const Coefficients& node, const Coefficients& value) {
  Coefficients c{};  // of the Chebyshev polynomials
  for (std::size_t k = 0; k < kNodes; ++k) {
    double before = 1;
    double here = node[k];
    c[0] += value[k] / kNodes;
    for (std::size_t j = 1; j < kNodes; ++j) {
      c[j] += value[k] * here * (2.0 / kNodes);
      const double after = 2 * node[k] * here - before;
      before = here;
      here = after;
    }
  }
  Coefficients powers = {c[0] - c[2] + c[4] - c[6],
                         c[1] - 3 * c[3] + 5 * c[5] - 7 * c[7],
                         2 * c[2] - 8 * c[4] + 18 * c[6],
                         4 * c[3] - 20 * c[5] + 56 * c[7],
                         8 * c[4] - 48 * c[6],
                         16 * c[5] - 112 * c[7],
                         32 * c[6],
                         64 * c[7]};
  double scale = 1;
  for (double& power : powers) {
    power *= scale;
    scale *= 2;
  }
  return powers;
}

/// The even part of the polynomial with these coefficients, and its odd part divided by t.
F64 even_and_odd(const Coefficients& c, double square) {
  F64 sum = lanes::load<F64>(&c[kNodes - 2]);
  for (std::size_t k = kNodes - 2; k > 0; k -= 2) sum = lanes::load<F64>(&c[k - 2]) + square * sum;
  return sum;
}

/// U at p, for what is in the table; `nearest` becomes the least of itself, p and 1 - p.
inline F64 interpolated(const Coefficients* interval, F64 p, F64& nearest) {
  constexpr std::uint64_t kOne = 0x3ff0000000000000;
  constexpr std::uint64_t kRest = (std::uint64_t{1} << kShift) - 1;
  constexpr F64 kEnd = {kLeast, kLeast};
  // Which half a uniform p is in no processor can predict: lanes are chosen here, not branches.
  const F64 rest = 1 - p;
  const F64 end = rest < p ? rest : p;
  nearest = end < nearest ? end : nearest;
  const auto bits = reinterpret_cast<U64>(kEnd < end ? end : kEnd);
  const auto upper_half = reinterpret_cast<U32>(rest < p);
  // By the upper words, lanes 1 and 3: on lanes of 64 bits clang 14 never finishes compiling this.
  const U32 index = (reinterpret_cast<U32>(bits) >> (kShift - 32)) + (kCount & upper_half);
  // [1, 2) within the interval, then [-1/2, 1/2).
  const F64 t = reinterpret_cast<F64>(kOne | (bits & kRest) << kBits) - 1.5;
  const F64 square = t * t;
  const F64 first = even_and_odd(interval[index[1] - kFirst], square[0]);
  const F64 second = even_and_odd(interval[index[3] - kFirst], square[1]);
  return __builtin_shufflevector(first, second, 0, 2) +
         t * __builtin_shufflevector(first, second, 1, 3);
}

}  // namespace

RatioTable::RatioTable(double mu) : mu_(mu) {
  if (mu > kLargestTabulated) return;
  interval_.reserve(2 * kCount);
  add_intervals(false);
  add_intervals(true);
}

double RatioTable::error() const {
  // The quantile's own error, twice: in the table's nodes, and as what it is compared with.
  const double nodes = 2 * (41 * mu_ * portable::kQuantileError + mu_ * (40 + mu_) * 4e-16) + 4e-15;
  if (interval_.empty()) return nodes;
  const double s = 1.2534 * mu_;
  double interpolation = 0x1p-55;
  for (double k = 1; k <= kNodes; ++k) interpolation *= (s + k - 1) / k;
  return nodes + interpolation;
}

double RatioTable::direct(double p) const {
  return portable::exp(mu_ * portable::upper_quantile(p) - 0.5 * mu_ * mu_);
}

void RatioTable::add_intervals(bool upper_half) {
  constexpr Coefficients kNode = {-0.98078528040323045, -0.83146961230254524, -0.55557023301960222,
                                  -0.19509032201612827, 0.19509032201612827,  0.55557023301960222,
                                  0.83146961230254524,  0.98078528040323045};
  for (std::uint64_t i = kFirst; i < kFirst + kCount; ++i) {
    const auto low = portable::bits_as<double>(i << kShift);
    const auto high = portable::bits_as<double>((i + 1) << kShift);
    Coefficients value{};
    for (std::size_t k = 0; k < kNodes; ++k) {
      const double h = 0.5 * (low + high) + 0.5 * (high - low) * kNode[k];
      // U at 1 - h is e^(-mu^2) / U at h: no digits of a small h are lost.
      value[k] = upper_half ? portable::exp(-mu_ * portable::upper_quantile(h) - 0.5 * mu_ * mu_)
                            : direct(h);
    }
    interval_.push_back(interpolate(kNode, value));
  }
}

void RatioTable::operator()(std::span<const double> p, std::span<double> ratio) const {
  const std::size_t size = p.size();
  if (interval_.empty()) {
    portable::upper_quantile(p, ratio);
    portable::exp_affine(ratio, mu_, -0.5 * mu_ * mu_, ratio);
    return;
  }
  F64 nearest = {kLeast, kLeast};
  const Coefficients* const interval = interval_.data();
  std::size_t i = 0;
  for (; i + 2 <= size; i += 2) {
    lanes::store(interpolated(interval, lanes::load<F64>(&p[i]), nearest), &ratio[i]);
  }
  if (i < size) ratio[i] = interpolated(interval, F64{p[i], 0.5}, nearest)[0];
  if (nearest[0] == kLeast && nearest[1] == kLeast) return;
  for (i = 0; i < size; ++i) {
    if (p[i] < kLeast || 1 - p[i] < kLeast) ratio[i] = direct(p[i]);
  }
}

}  // namespace honest_epsilon::monte_carlo
