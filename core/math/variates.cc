#include "core/math/variates.h"

#include <algorithm>
#include <cmath>

#include "core/math/lanes.h"
#include "core/math/portable.h"

namespace honest_epsilon::variates {
namespace {

/// Odd multiples of 2^-53 in (0, 1) from the first 52 of 64 bits, exactly; one or two side by side.
template <class Real, class Bits>
inline Real unit(Bits bits) {
  constexpr std::uint64_t kOne = 0x3ff0000000000000;
  return portable::bits_as<Real>(bits >> 12U | kOne) - (1 - 0x1p-53);
}

/// (a + 1/2) 2^-32 - 1/2, in (-1/2, 1/2).
inline double centred(std::uint32_t a) {
  constexpr std::uint64_t kTwo52 = 0x4330000000000000;
  const double whole = portable::bits_as<double>(std::uint64_t{a} | kTwo52) - 0x1p52;
  return (whole + (0.5 - 0x1p31)) * 0x1p-32;
}

/// sin(pi v) / v and cos(pi v) in v^2 on |v| <= 1/2, to 4e-18.
constexpr std::array<double, 9> kSine = {
    3.1415926535897932,     -5.1677127800499696,    2.5501640398773005,
    -0.59926452931894468,   0.082145886573102895,   -0.0073704305059169434,
    0.00046629981618983938, -2.1903497074626017e-5, 7.6978267682241906e-7};
constexpr std::array<double, 9> kCosine = {1.0,
                                           -4.9348022005446768,
                                           4.058712126416497,
                                           -1.3352627688434471,
                                           0.23533063012953285,
                                           -0.025806888737002203,
                                           0.0019295562724817131,
                                           -0.00010456655338748738,
                                           4.1495643539425855e-6};

double cube(double x) {
  return x * x * x;
}

/// Marsaglia and Tsang's test of v = (1 + c x)^3: in 98 of 100 cases a lower bound of it is enough,
/// without a logarithm.
bool is_kept(double x, double u, double d, double v) {
  if (!(v > 0)) return false;
  const double square = x * x;
  return u < 1 - 0.0331 * square * square ||
         portable::log(u) < 0.5 * square + d * (1 - v + portable::log(v));
}

}  // namespace

void Generator::refill_uniforms() {
  std::array<std::uint32_t, 2 * kTile> words;
  stream_.fill(words);
  for (std::size_t i = 0; i < kTile; i += 4) {
    const auto high = lanes::load<lanes::U32>(&words[i]);
    const auto low = lanes::load<lanes::U32>(&words[i + kTile]);
    const auto front = __builtin_shufflevector(low, high, 0, 4, 1, 5);
    const auto back = __builtin_shufflevector(low, high, 2, 6, 3, 7);
    lanes::store(unit<lanes::F64>(reinterpret_cast<lanes::U64>(front)), &uniform_[i]);
    lanes::store(unit<lanes::F64>(reinterpret_cast<lanes::U64>(back)), &uniform_[i + 2]);
  }
  next_uniform_ = 0;
}

void Generator::refill_normals() {
  constexpr std::size_t kPairs = kTile / 2;
  std::array<std::uint32_t, 3 * kPairs> words;
  stream_.fill(words);
  for (std::size_t i = 0; i < kPairs; ++i) {
    const std::uint32_t low = words[i + kPairs];
    const auto u = unit<double>(std::uint64_t{words[i]} << 32U | low);
    const double radius = std::sqrt(-2 * portable::log(u));
    const double v = centred(words[i + 2 * kPairs]);
    const double sine = v * portable::polynomial(kSine, v * v);
    const double cosine = portable::polynomial(kCosine, v * v);
    // A spare bit decides between the two half circles.
    const std::uint64_t side = std::uint64_t{low & 1U} << 63U;
    normal_[i] = radius * sine;
    normal_[i + kPairs] =
        radius * portable::bits_as<double>(portable::bits_as<std::uint64_t>(cosine) ^ side);
  }
  next_normal_ = 0;
}

double Generator::uniform() {
  if (next_uniform_ == kTile) refill_uniforms();
  return uniform_[next_uniform_++];
}

double Generator::normal() {
  return normals(1)[0];
}

double Generator::gamma(double shape) {
  if (shape == 1) return -portable::log(uniform());
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal();
    const double u = uniform();
    const double v = cube(1 + c * x);
    if (is_kept(x, u, d, v)) return d * v;
  }
}

void Generator::uniforms(std::span<double> out) {
  for (std::size_t done = 0; done < out.size();) {
    if (next_uniform_ == kTile) refill_uniforms();
    const std::size_t count = std::min(kTile - next_uniform_, out.size() - done);
    std::copy_n(&uniform_[next_uniform_], count, &out[done]);
    next_uniform_ += count;
    done += count;
  }
}

std::span<const double> Generator::normals(std::size_t most) {
  if (next_normal_ == kTile) refill_normals();
  const std::size_t count = std::min(kTile - next_normal_, most);
  const std::span<const double> result(&normal_[next_normal_], count);
  next_normal_ += count;
  return result;
}

GammaBatch::GammaBatch(std::span<const double> shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const double d = shapes[i] - 1.0 / 3;
    if (shapes[i] == 1) {
      exponential_.push_back(i);
    } else {
      rejection_.push_back({i, shapes[i], d, 1 / std::sqrt(9 * d)});
    }
  }
  uniform_.resize(std::max(exponential_.size(), rejection_.size()));
  normal_.resize(rejection_.size());
}

void GammaBatch::draw(Generator& source, std::span<double> out) {
  const std::span<double> simple(uniform_.data(), exponential_.size());
  source.uniforms(simple);
  portable::log_affine(simple, 1, 0, simple);
  for (std::size_t i = 0; i < simple.size(); ++i) out[exponential_[i]] = -simple[i];

  const std::size_t count = rejection_.size();
  for (std::size_t done = 0; done < count;) {
    const auto some = source.normals(count - done);
    std::copy(some.begin(), some.end(), normal_.begin() + static_cast<std::ptrdiff_t>(done));
    done += some.size();
  }
  const std::span<double> uniform(uniform_.data(), count);
  source.uniforms(uniform);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [index, shape, d, c] = rejection_[i];
    const double v = cube(1 + c * normal_[i]);
    out[index] = is_kept(normal_[i], uniform[i], d, v) ? d * v : source.gamma(shape);
  }
}

}  // namespace honest_epsilon::variates
