#include "core/math/portable.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/math/constants.h"
#include "core/math/lanes.h"
#include "core/math/normal.h"

namespace honest_epsilon::portable {
namespace {

/// z / (r + offset) as a polynomial in t = (slope r - start) / (r + offset), r = sqrt(-2 log p);
/// t runs over [-1, 1] on the piece.
template <std::size_t kSize>
struct QuantilePiece {
  double slope;
  double start;
  double offset;
  std::array<double, kSize> coefficients;

  double at(double r) const {
    const double t = (slope * r - start) / (r + offset);
    return polynomial(coefficients, t) * (r + offset);
  }
};

/// p from 1/2 down to exp(-8.9^2 / 2), to 1.1e-15 (2 + z).
constexpr QuantilePiece<20> kCentral = {
    1.8228871484254174,
    5.323695620986215,
    2,
    {0.446231909600082,       0.3840742772735981,     -0.05180896991483505,
     0.0074476732956195046,   -0.0021497423893222806, 0.00049962543106467233,
     -0.00018031298075753249, 4.608236873375533e-5,   -1.7781957540509918e-5,
     4.6432793067821241e-6,   -1.9897654556629961e-6, 4.8166034378449768e-7,
     -2.3658046065197666e-7,  5.0480479889639241e-8,  -3.4453152003753324e-8,
     3.7579155805351494e-9,   -1.5801349217334867e-9, 9.6133826815470288e-10,
     -1.7417403433394703e-9,  -2.717179049411849e-10}};
constexpr double kCentralEnd = 6.3e-18;  // exp(-8.9^2 / 2) = 6.32e-18

/// p from exp(-8.8^2 / 2) down to exp(-37.3^2 / 2) = 8e-303, to 3e-16 (2 + z).
constexpr QuantilePiece<16> kDeep = {
    2.319298245614035,
    39.20982456140351,
    10,
    {0.62006451506795954, 0.16801216699873757, -0.0023866968397715952, 0.00038931743970695991,
     -8.4201986668200281e-5, 1.6754759848893347e-5, -3.8326530919630848e-6, 7.8601632249977264e-7,
     -1.889621543339896e-7, 3.806663879946989e-8, -9.9030519184826033e-9, 1.8442336183937353e-9,
     -5.3309647331000199e-10, 8.5915613967768909e-11, -4.7235894955052269e-11,
     2.3382699901455298e-12}};
/// Smaller probabilities count as this.
constexpr double kDeepEnd = 1e-300;

/// The probability on p's side of 1/2.
double nearer_tail(double p) {
  double tail = p > 0.5 ? 1 - p : p;
  tail = tail < kDeepEnd ? kDeepEnd : tail;
  return p > 0.5 && tail < 0x1p-53 ? 0x1p-53 : tail;
}

/// The number of parallel sums: as many as the widest vectors hold, and the same on every machine.
constexpr std::size_t kLanes = 8;

/// Adds up term(0) + ... + term(size - 1) over the lanes.
template <class Term>
double sum_lanes(std::size_t size, Term term) {
  std::array<double, kLanes> lane{};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) lane[j] += term(i + j);
  }
  for (std::size_t j = 0; i < size; ++i, ++j) lane[j] += term(i);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) lane[j] += lane[j + half];
  }
  return lane[0];
}

}  // namespace

double upper_tail(double z) {
  const double magnitude = z < 0 ? -z : z;
  if (magnitude > 38.5) return z < 0 ? 1 : 0;
  // z^2 = head^2 + (z - head)(z + head) with head^2 exact, so that the exponent keeps its digits.
  constexpr double kRoundTo64th = 0x1.8p46;
  const double head = (magnitude + kRoundTo64th) - kRoundTo64th;
  const double rest = (magnitude - head) * (magnitude + head);
  const double density = kInverseSqrtTwoPi * exp(-0.5 * head * head) * exp(-0.5 * rest);
  const double tail = density * normal::mills(magnitude);
  return z < 0 ? 1 - tail : tail;
}

double upper_quantile(double p) {
  const double tail = nearer_tail(p);
  const double r = std::sqrt(-2 * log(tail));
  const double z = tail < kCentralEnd ? kDeep.at(r) : kCentral.at(r);
  return p > 0.5 ? -z : z;
}

void upper_quantile(std::span<const double> p, std::span<double> z) {
  const std::size_t size = p.size();
  for (std::size_t i = 0; i < size; ++i) {
    const double tail = nearer_tail(p[i]);
    const double value = kCentral.at(std::sqrt(-2 * log(tail)));
    z[i] = p[i] > 0.5 ? -value : value;
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (p[i] < kCentralEnd) z[i] = upper_quantile(p[i]);
  }
}

void exp_affine(std::span<const double> x, double scale, double shift, std::span<double> y) {
  const std::size_t size = x.size();
  for (std::size_t i = 0; i < size; ++i) y[i] = exp(scale * x[i] + shift);
}

void cosine(std::span<const double> x, std::span<double> y) {
  const std::size_t size = x.size();
  for (std::size_t i = 0; i < size; ++i) y[i] = cosine(x[i]);
}

void log_affine(std::span<const double> x, double scale, double shift, std::span<double> y) {
  const std::size_t size = x.size();
  for (std::size_t i = 0; i < size; ++i) y[i] = log(scale * x[i] + shift);
}

double sum(std::span<const double> x) {
  return sum_lanes(x.size(), [x](std::size_t i) { return x[i]; });
}

double sum_of_squares(std::span<const double> x) {
  return sum_lanes(x.size(), [x](std::size_t i) { return x[i] * x[i]; });
}

double sum_of_products(std::span<const double> x, std::span<const double> y) {
  return sum_lanes(x.size(), [x, y](std::size_t i) { return x[i] * y[i]; });
}

double minimum(std::span<const double> x) {
  constexpr std::size_t kPairs = 4;
  std::array<lanes::F64, kPairs> least;
  least.fill(lanes::F64{kInfinity, kInfinity});
  std::size_t i = 0;
  for (; i + 2 * kPairs <= x.size(); i += 2 * kPairs) {
    for (std::size_t j = 0; j < kPairs; ++j) {
      const auto some = lanes::load<lanes::F64>(&x[i + 2 * j]);
      least[j] = some < least[j] ? some : least[j];
    }
  }
  double result = kInfinity;
  for (; i < x.size(); ++i) result = std::min(result, x[i]);
  for (const lanes::F64 pair : least) result = std::min({result, pair[0], pair[1]});
  return result;
}

}  // namespace honest_epsilon::portable
