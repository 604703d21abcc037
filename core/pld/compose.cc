#include "core/pld/compose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "core/base/ball.h"
#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/fft.h"
#include "core/pld/tilt_factors.h"

namespace honest_epsilon::pld {
namespace {

/// A step's law, tilted, scaled to a sum near one, and turned so that its largest mass is at index
/// 0.
struct TiltedStep {
  std::vector<double> weight;  ///< on the cyclic grid, without the largest mass
  double spike = 0;            ///< the largest mass
  double norm = 0;             ///< Euclidean norm of weight
  std::int64_t spike_index = 0;
  double log_scale = 0;
  double relative = 0;  ///< relative rounding error of each weight
};

TiltedStep tilted(const LatticeLaw& law, double tilt, std::size_t grid) {
  TiltedStep result;
  result.weight.assign(grid, 0.0);
  const double log_scale = log_moment(law, tilt);
  // Points without any mass, as a lower law's may be, sum to nothing.
  if (law.mass.empty() || log_scale == -kInfinity) return result;
  result.log_scale = log_scale;
  std::vector<double> weight(law.mass.size());
  std::size_t largest = 0;
  double exponent_size = 0;
  TiltFactors factor(law, weight.size(), tilt, -log_scale);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    weight[i] = law.mass[i] > 0 ? law.mass[i] * factor(i) : 0;
    if (weight[i] > 1e-18) {
      exponent_size =
          std::max(exponent_size, std::abs(tilt * law.point(i)) + std::abs(result.log_scale));
    }
    if (weight[i] > weight[largest]) largest = i;
  }
  result.relative = kUnit * (6 + 3 * exponent_size + TiltFactors::units(tilt * law.spacing));
  result.spike = weight[largest];
  result.spike_index = law.first + static_cast<std::int64_t>(largest);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const auto offset = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(largest);
    if (offset != 0) result.weight[static_cast<std::size_t>(offset) & (grid - 1)] += weight[i];
  }
  double square = 0;
  for (const double w : result.weight) square += w * w;
  result.norm = std::sqrt(square);
  return result;
}

/// Whether all mass is at one point, so that the transform is 1.
bool is_unit(const TiltedStep& step) {
  return step.spike == 1 && step.norm == 0;
}

/// z^n of a block of complex numbers, in place, by squaring; n >= 1.
template <std::size_t kBlock>
void power(std::array<double, kBlock>& re, std::array<double, kBlock>& im, std::int64_t n) {
  std::array<double, kBlock> base_re = re;
  std::array<double, kBlock> base_im = im;
  for (--n; n > 0; n >>= 1) {
    if (n & 1) {
      for (std::size_t i = 0; i < kBlock; ++i) {
        const double x = re[i] * base_re[i] - im[i] * base_im[i];
        im[i] = re[i] * base_im[i] + im[i] * base_re[i];
        re[i] = x;
      }
    }
    if (n > 1) {
      for (std::size_t i = 0; i < kBlock; ++i) {
        const double x = base_re[i] * base_re[i] - base_im[i] * base_im[i];
        base_im[i] = 2 * base_re[i] * base_im[i];
        base_re[i] = x;
      }
    }
  }
}

constexpr std::size_t kBlock = 64;

/// Frequencies whose n-th power is below e^-60 are dropped: they cannot be told from round-off, and
/// their powers would be denormal numbers, which are slow.
constexpr double kNegligibleNats = 60;

/// The product of transforms of steps' laws, to their powers.
struct Spectrum {
  std::vector<double> re;  ///< frequencies 0 .. grid/2
  std::vector<double> im;
  double log_scale = 0;
  double origin = 0;
  std::uint64_t spike_index = 0;  ///< modulo 2^64, and so modulo the grid
  double relative = 0;
  double step_error = 0;  ///< sum of n (eta ||x|| + 4 u)
};

/// Both laws of one kind of step: of the upper one the real part of a packed transform, of the
/// lower one the imaginary part.
using BothLaws = std::array<TiltedStep, 2>;
using BothSpectra = std::array<Spectrum, 2>;

/// Scale, origin and errors of a power of the step.
void account(const LatticeSteps& step, const BothLaws& laws, double eta, BothSpectra& product) {
  const double norm = std::hypot(laws[0].norm, laws[1].norm);
  const auto n = static_cast<double>(step.copies);
  for (std::size_t side = 0; side < 2; ++side) {
    const LatticeLaw& law = side == 0 ? step.upper : step.lower;
    Spectrum& p = product[side];
    p.log_scale += n * laws[side].log_scale;
    p.origin += n * law.origin;
    p.spike_index += static_cast<std::uint64_t>(step.copies) *
                     static_cast<std::uint64_t>(laws[side].spike_index);
    p.relative += 1.01 * n * laws[side].relative;
    p.step_error += n * (eta * norm + 4 * kUnit);
  }
}

/// Frequencies `start` and after of a step's transform.
struct Frequencies {
  std::array<double, kBlock> re{};
  std::array<double, kBlock> im{};
  bool any = false;  ///< whether one of them is not negligible
};

/// Takes one side of a packed transform apart, and adds what was kept out of it.
///   floor: a squared modulus below it counts as zero.
Frequencies frequencies_of(const std::vector<Complex>& spectrum, const TiltedStep& law,
                           std::size_t side, std::size_t start, std::size_t count, double floor) {
  const std::size_t grid = spectrum.size();
  Frequencies block;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = start + i;
    const Complex z = spectrum[k];
    const Complex w = spectrum[(grid - k) & (grid - 1)];
    // The parts of the even and odd sequences: (z + conj w)/2 and (z - conj w)/(2i).
    const double x = side == 0 ? 0.5 * (z.real() + w.real()) : 0.5 * (z.imag() + w.imag());
    const double y = side == 0 ? 0.5 * (z.imag() - w.imag()) : 0.5 * (w.real() - z.real());
    block.re[i] = x + law.spike;
    block.im[i] = y;
    if (block.re[i] * block.re[i] + block.im[i] * block.im[i] < floor) {
      block.re[i] = block.im[i] = 0;
    } else {
      block.any = true;
    }
  }
  return block;
}

/// Multiplies the frequencies of a product by those of a block to a power.
void multiply(Spectrum& product, std::size_t start, std::size_t count, Frequencies block,
              std::int64_t copies) {
  double* out_re = product.re.data() + start;
  double* out_im = product.im.data() + start;
  if (!block.any) {
    std::fill(out_re, out_re + count, 0.0);
    std::fill(out_im, out_im + count, 0.0);
    return;
  }
  power(block.re, block.im, copies);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = out_re[i] * block.re[i] - out_im[i] * block.im[i];
    out_im[i] = out_re[i] * block.im[i] + out_im[i] * block.re[i];
    out_re[i] = x;
  }
}

/// Multiplies both products by a step's packed transform to a power.
void multiply(BothSpectra& product, const std::vector<Complex>& spectrum, const BothLaws& laws,
              std::int64_t copies) {
  const std::size_t grid = spectrum.size();
  const std::size_t half = grid / 2 + 1;
  const double floor = std::exp(-2 * kNegligibleNats / static_cast<double>(copies));
  for (std::size_t start = 0; start < half; start += kBlock) {
    const std::size_t count = std::min(kBlock, half - start);
    for (std::size_t side = 0; side < 2; ++side) {
      if (is_unit(laws[side])) continue;
      multiply(product[side], start, count,
               frequencies_of(spectrum, laws[side], side, start, count, floor), copies);
    }
  }
}

/// Both products as one sequence's transform.
void pack(const BothSpectra& product, std::vector<Complex>& packed) {
  const std::size_t grid = packed.size();
  for (std::size_t k = 0; k < grid / 2 + 1; ++k) {
    const Complex u{product[0].re[k], product[0].im[k]};
    const Complex l{product[1].re[k], product[1].im[k]};
    packed[k] = {u.real() - l.imag(), u.imag() + l.real()};
    // The mirrored frequency: conj u + i conj l.
    if (k > 0 && k < grid / 2) packed[grid - k] = {u.real() + l.imag(), l.real() - u.imag()};
  }
}

/// Clamps window indices to 2^52, where doubles are still exact integers.
constexpr double kFarthestPoint = 4503599627370496.0;

/// One side of the composed pair in its window, without its error.
TiltedSum sum_of(const std::vector<Complex>& sequence, std::size_t side, const Spectrum& product,
                 double tilt, double spacing, double window_low) {
  const std::size_t grid = sequence.size();
  const double scale = 1 / static_cast<double>(grid);
  TiltedSum sum;
  sum.tilt = tilt;
  sum.log_scale = product.log_scale;
  sum.origin = product.origin;
  sum.spacing = spacing;
  sum.relative = product.relative;
  const double place = std::floor((window_low - sum.origin) / sum.spacing);
  sum.first = std::isnan(place)
                  ? 0
                  : static_cast<std::int64_t>(std::clamp(place, -kFarthestPoint, kFarthestPoint));
  sum.value.resize(grid);
  const auto turn =
      static_cast<std::size_t>(static_cast<std::uint64_t>(sum.first) - product.spike_index);
  for (std::size_t i = 0; i < grid; ++i) {
    const Complex& value = sequence[(i + turn) & (grid - 1)];
    sum.value[i] = scale * (side == 0 ? value.real() : value.imag());
  }
  return sum;
}

double norm_of(const TiltedSum& sum) {
  double square = 0;
  for (const double value : sum.value) square += value * value;
  return std::sqrt(square);
}

/// The error of each point: its own step's, the last transform's, and what was dropped.
///   norm: of this side;   both: of both together.
double error_of(double step_error, double norm, double both, double eta, double dropped) {
  if (step_error > 0.5) return 1;
  // exp(1): (|phi| + e)^(n-1) <= e |phi|^(n-1) as long as the step's own error stays below 1/n.
  const double growth = step_error < 0.01 ? 1.02 : std::exp(1.0) * 2;
  return growth * step_error * norm + eta * both + dropped;
}

}  // namespace

TiltedPair compose(const std::vector<LatticeSteps>& steps, double tilt, double window_low,
                   std::size_t grid) {
  const double eta = fft::relative_error(grid);
  BothSpectra product;
  for (Spectrum& p : product) {
    p.re.assign(grid / 2 + 1, 1.0);
    p.im.assign(grid / 2 + 1, 0.0);
  }
  double spacing = 1, dropped = 0;  // dropped: by neglecting frequencies
  std::vector<Complex> packed(grid), transformed;
  for (const LatticeSteps& step : steps) {
    spacing = step.upper.spacing;
    if (step.copies == 0) continue;
    const BothLaws laws = {tilted(step.upper, tilt, grid), tilted(step.lower, tilt, grid)};
    for (std::size_t j = 0; j < grid; ++j) packed[j] = {laws[0].weight[j], laws[1].weight[j]};
    fft::forward(packed, transformed);
    account(step, laws, eta, product);
    multiply(product, transformed, laws, step.copies);
    dropped += std::exp(-kNegligibleNats);
  }
  pack(product, packed);
  fft::backward(packed, transformed);
  TiltedPair result;
  result.upper = sum_of(transformed, 0, product[0], tilt, spacing, window_low);
  result.lower = sum_of(transformed, 1, product[1], tilt, spacing, window_low);
  const double upper = norm_of(result.upper);
  const double lower = norm_of(result.lower);
  const double both = std::hypot(upper, lower);
  result.upper.error = error_of(product[0].step_error, upper, both, eta, dropped);
  result.lower.error = error_of(product[1].step_error, lower, both, eta, dropped);
  return result;
}

}  // namespace honest_epsilon::pld
