#include "core/math/normal.h"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/math/constants.h"

namespace honest_epsilon::normal {
namespace {

/// (z + 2.5) R(z) as a polynomial in t = (z - 5)/(z + 5), which maps [0, inf) to [-1, 1).
/// Chebyshev interpolation in 50-digit arithmetic, truncated at 1e-17 and rewritten in powers of t.
constexpr std::array<double, 25> kMills = {
    1.4460607853648682,    -0.76887968460343074,   0.51419364738315961,    -0.27904654126643021,
    0.11375576791288554,   -0.026529871632564846,  -0.004219556712746928,  0.0074039134928888286,
    -0.003375792184783871, 0.00052440383433515777, 0.00022983999175377545, -0.0001307597959184,
    1.7705817036267285e-7, 1.7934050475352076e-5,  -2.7151589155943704e-6, -2.3618301200123434e-6,
    6.1135582969128646e-7, 3.437542520569575e-7,   -1.0826917049400118e-7, -5.501504808404434e-8,
    1.6866314269703754e-8, 8.0901195361839027e-9,  -2.1195018549156448e-9, -7.2293395171665325e-10,
    1.565125658653822e-10};

/// The density is 0 from here on.
constexpr int kEnd = 39;
/// Grid points a unit, for the heads of arguments.
constexpr int kPerUnit = 64;

/// The density at the grid's points.
const std::vector<double>& densities() {
  static const std::vector<double> table = [] {
    std::vector<double> values;
    for (int i = 0; i < kEnd * kPerUnit; ++i) {
      const double head = static_cast<double>(i) / kPerUnit;
      values.push_back(kInverseSqrtTwoPi * std::exp(-0.5 * head * head));
    }
    return values;
  }();
  return table;
}

}  // namespace

double pdf(double z) {
  const double magnitude = std::abs(z);
  if (!(magnitude < kEnd)) return 0;
  // z^2 = head^2 + (z - head)(z + head) with head^2 exact, so that the exponent keeps its digits.
  const double place = std::floor(magnitude * kPerUnit);
  const double head = place / kPerUnit;
  const double rest = (magnitude - head) * (magnitude + head);
  return densities()[static_cast<std::size_t>(place)] * std::exp(-0.5 * rest);
}

double log_pdf_upper(double low, double high) {
  const double nearest = low > 0 ? low : std::min(high, 0.0);
  return -0.5 * nearest * nearest - kHalfLogTwoPi;
}

double mills(double z) {
  if (z > 1e9) return 1 / z;
  const double t = (z - 5) / (z + 5);
  const double square = t * t;
  double even = kMills[24];
  double odd = kMills[23];
  for (int i = 22; i >= 0; i -= 2) even = even * square + kMills[static_cast<std::size_t>(i)];
  for (int i = 21; i >= 1; i -= 2) odd = odd * square + kMills[static_cast<std::size_t>(i)];
  return (even + t * odd) / (z + 2.5);
}

double upper_tail(double z) {
  if (z >= 0) return z > 39 ? 0 : pdf(z) * mills(z);
  return z < -39 ? 1 : 1 - pdf(z) * mills(-z);
}

double log_upper_tail(double z) {
  return std::log(mills(z)) - 0.5 * z * z - kHalfLogTwoPi;
}

double upper_quantile_estimate(double p) {
  return std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);
}

double mills_difference(double a, double b) {
  const double width = b - a;
  if (width > kDistant) return mills(a) - mills(b);
  // R' = z R - 1. For close arguments integrate 1 - z R, by Gauss-Legendre with five points, whose
  // error (width^11 times a tenth derivative below 3840, times 4e-13) is below 2e-9 * width^11, and
  // so below 3e-15 of the difference, which is above width / 5 where that derivative is large.
  // Where z is large, 1 - z R = 1/(z^2 + 3 - ...) is itself a difference; take its continued
  // fraction 1 - zR = R (R1) with the tail of Laplace's fraction.
  constexpr std::array<double, 5> kNode = {-0.90617984593866399280, -0.53846931010568309104, 0,
                                           0.53846931010568309104, 0.90617984593866399280};
  constexpr std::array<double, 5> kWeight = {0.23692688505618908751, 0.47862867049936646804,
                                             0.56888888888888888889, 0.47862867049936646804,
                                             0.23692688505618908751};
  double sum = 0;
  for (std::size_t i = 0; i < kNode.size(); ++i) {
    const double z = a + 0.5 * width * (1 + kNode[i]);
    double slope;
    if (z < 3) {
      slope = 1 - z * mills(z);
    } else {
      // R = 1/(z + 1/(z + 2/(z + 3/(z + ...)))); with c the inner tail, 1 - zR = c/(z + c). So many
      // terms leave out less than 5e-17 of it: neighbouring convergents enclose it.
      double c = 0;
      for (int k = static_cast<int>(12 + 440 / (z * z)); k >= 1; --k) c = k / (z + c);
      slope = c / (z + c);
    }
    sum += kWeight[i] * slope;
  }
  return 0.5 * width * sum;
}

}  // namespace honest_epsilon::normal
