#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <span>

/// Elementary functions made of + - * /, square roots and integer arithmetic alone, so that the
/// same arguments give the same bits in every browser, in Node and natively: no call of the
/// platform's mathematics library, which differs in the last digit, but where it is said, and no
/// fused multiply-add (the build forbids contraction). The loops over arrays are shaped for 128-bit
/// vectors.
///
/// Coefficients: Chebyshev interpolation in 60-digit arithmetic, rewritten in powers. The stated
/// errors are checked by tests/core/math/portable_test.cc.
namespace honest_epsilon::portable {

/// Relative error of exp, expm1, log and log1p, and of upper_tail apart from what its argument
/// carries; measured below half of this.
inline constexpr double kRelativeError = 1e-15;

/// The number with these bits, or the bits of this number.
template <class To, class From>
inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// x cut to its first 30 bits, so that its small multiples are exact.
inline double shortened(double x) {
  constexpr std::uint64_t kFirstBits = ~((std::uint64_t{1} << 23U) - 1);
  return bits_as<double>(bits_as<std::uint64_t>(x) & kFirstBits);
}

/// x^power, power a power of two. (An inner loop would prevent the caller's loop from being
/// vectorised.)
template <std::size_t kPower>
inline double square_repeatedly(double x) {
  if constexpr (kPower == 1) {
    return x;
  } else {
    return square_repeatedly<kPower / 2>(x * x);
  }
}

/// The largest power of two below `count` > 1.
constexpr std::size_t half_of(std::size_t count) {
  std::size_t half = 1;
  while (2 * half < count) half *= 2;
  return half;
}

/// sum_i coefficients[i] x^i, by halves (Estrin): short chains of dependent operations.
template <std::size_t kSize, std::size_t kFirst = 0, std::size_t kCount = kSize>
inline double polynomial(const std::array<double, kSize>& coefficients, double x) {
  if constexpr (kCount == 1) {
    return coefficients[kFirst];
  } else {
    constexpr std::size_t kHalf = half_of(kCount);
    return polynomial<kSize, kFirst, kHalf>(coefficients, x) +
           polynomial<kSize, kFirst + kHalf, kCount - kHalf>(coefficients, x) *
               square_repeatedly<kHalf>(x);
  }
}

/// ln 2 = kLn2High + kLn2Low; the first has 33 bits, so that its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42feep-1;
inline constexpr double kLn2Low = 1.9082149292705877e-10;

/// e^x. Domain: every x but NaN; below -708 it is e^-708, about 3e-308, and above 709 e^709.
inline double exp(double x) {
  // (e^r - 1 - r) / r^2 on |r| <= ln(2)/2, to 4e-16.
  constexpr std::array<double, 10> kRest = {
      0.5000000000000001,    0.16666666666666667,    0.041666666666624162,  0.0083333333333300644,
      0.0013888888917196719, 0.00019841269863040545, 2.4801521322368693e-5, 2.7557268480310026e-6,
      2.7620075879983367e-7, 2.5100375832561234e-8};
  constexpr double kRound = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  x = x < -708 ? -708 : x;
  x = x > 709 ? 709 : x;
  const double shifted = x * std::numbers::log2e + kRound;
  const double whole = shifted - kRound;
  const double r = (x - whole * kLn2High) - whole * kLn2Low;
  const double mantissa = 1 + (r + r * r * polynomial(kRest, r));
  return mantissa * bits_as<double>((bits_as<std::uint64_t>(shifted) + 1023) << 52U);
}

/// log x. Domain: normal x > 0; smaller ones, zero too, count as 2^-1022.
inline double log(double x) {
  // (2 atanh(s) - 2 s) / s^3 in s^2, s = (m - 1)/(m + 1), m in [sqrt(1/2), sqrt(2)], to 1e-17.
  constexpr std::array<double, 7> kRest = {
      0.66666666666666697, 0.39999999999899443, 0.28571428626003269, 0.22222211130259877,
      0.18182889455674946, 0.15331710618210772, 0.14616585424888622};
  constexpr std::uint64_t kOne = 0x3ff0000000000000;
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  constexpr std::uint64_t kMantissa = 0x000fffffffffffff;
  constexpr std::uint64_t kTwo52 = 0x4330000000000000;
  x = x < 0x1p-1022 ? 0x1p-1022 : x;
  const std::uint64_t bits = bits_as<std::uint64_t>(x) + (kOne - kSqrtHalf);
  const double exponent = bits_as<double>((bits >> 52U) | kTwo52) - (0x1p52 + 1023);
  const double f = bits_as<double>((bits & kMantissa) + kSqrtHalf) - 1;  // exact
  const double s = f / (2 + f);
  const double z = s * s;
  // log(1 + f) = 2 s + s z rest = f - s (f - z rest).
  return exponent * kLn2High + (f - (s * (f - z * polynomial(kRest, z)) - exponent * kLn2Low));
}

/// log(1 + x). Domain: x > -1. The rounding of 1 + x is undone by the quotient of the two.
inline double log1p(double x) {
  const double y = 1 + x;
  const double rounded = y - 1;
  return rounded == 0 ? x : log(y) * (x / rounded);
}

/// e^x - 1, the same way. Domain: as exp.
inline double expm1(double x) {
  const double y = exp(x);
  const double rounded = y - 1;
  if (rounded == 0) return x;
  return y > 0.5 && y < 2 ? rounded * (x / log(y)) : rounded;
}

/// cos x. Domain: |x| <= 1e8. Error: absolute, kCosineError and 2^-52 |x|.
inline double cosine(double x) {
  // (-1)^n / (2 n)!: what follows is below 3e-16 on |r| <= pi.
  constexpr std::array<double, 15> kTerms = [] {
    std::array<double, 15> terms{1};
    for (std::size_t n = 1; n < terms.size(); ++n)
      terms[n] = -terms[n - 1] / static_cast<double>(2 * n * (2 * n - 1));
    return terms;
  }();
  // 2 pi in two parts, the first of 33 bits.
  constexpr double kTurnHigh = 0x1.921fb544p+2, kTurnLow = 0x1.0b4611a626331p-32;
  constexpr double kRound = 0x1.8p52;
  const double shifted = x * (0.5 * std::numbers::inv_pi) + kRound;
  const double whole = shifted - kRound;
  const double r = (x - whole * kTurnHigh) - whole * kTurnLow;
  return polynomial(kTerms, r * r);
}
inline constexpr double kCosineError = 4e-15;

/// Pr[N(0,1) > z] for every z, infinities included. Relative error: that of normal::upper_tail.
double upper_tail(double z);

/// The z with upper_tail(z) = p. Domain: 1e-300 <= p < 1; a smaller p counts as 1e-300, and p = 1
/// as the largest double below it.
/// Error: absolute, kQuantileError (2 + |z|) where p <= 1/2, and that of 1 - p beyond.
double upper_quantile(double p);
inline constexpr double kQuantileError = 2e-15;

/// z[i] = upper_quantile(p[i]).
void upper_quantile(std::span<const double> p, std::span<double> z);

/// y[i] = exp(scale x[i] + shift).   y may be x.
void exp_affine(std::span<const double> x, double scale, double shift, std::span<double> y);

/// y[i] = cosine(x[i]).   y may be x.
void cosine(std::span<const double> x, std::span<double> y);

/// y[i] = log(scale x[i] + shift).   y may be x.
void log_affine(std::span<const double> x, double scale, double shift, std::span<double> y);

/// Sums in a fixed order, over eight lanes: of x, of x^2 and of x y. Relative error where the terms
/// have one sign: (size / 8 + 10) kUnit.
double sum(std::span<const double> x);
double sum_of_squares(std::span<const double> x);
double sum_of_products(std::span<const double> x, std::span<const double> y);

/// The smallest of x; +infinity when there is none.
double minimum(std::span<const double> x);

}  // namespace honest_epsilon::portable
