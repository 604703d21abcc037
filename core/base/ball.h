#pragma once

#include <cmath>
#include <complex>

#include "core/base/interval.h"
#include "core/base/rounding.h"

namespace honest_epsilon {

using Complex = std::complex<double>;

/// a b, without the checks for NaN that std::complex makes.
inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// |z|, to 2 units; faster than std::abs where no square leaves the doubles.
inline double modulus(Complex z) {
  const double square = std::norm(z);
  return square > 1e-250 && square < 1e250 ? std::sqrt(square) : std::abs(z);
}

/// modulus e^{i angle}
inline Complex polar(double modulus, double angle) {
  return {modulus * std::cos(angle), modulus * std::sin(angle)};
}

/// log(1 + r), the main branch. Domain: r != -1. Error: 4 units of |r| for |r| <= 1/2, absolute.
inline Complex complex_log1p(Complex r) {
  return {0.5 * std::log1p(2 * r.real() + std::norm(r)), std::atan2(r.imag(), 1 + r.real())};
}

/// A complex number that is known up to a radius: the exact one is at most `error` from `value`.
///
/// Every operation holds for all numbers of its operands' balls. Its radius is what theirs become,
/// which is derived with the operation, and its own rounding, by the model of rounding.h: kUnit a
/// sum or product of reals, kFunctionError of them a function. A complex number's rounding errors
/// by parts, u |re| and u |im|, add up to u |z|. Radii round themselves by a few units, for which
/// `widened` makes up; kTiny covers what underflows.
/// tests/core/base/ball_test.cc holds each against long arithmetic.
struct Ball {
  Complex value = 0;
  double error = 0;

  Ball() = default;
  Ball(Complex exact) : value(exact) {}  // NOLINT: a number is a ball
  Ball(double exact) : value(exact) {}   // NOLINT
  Ball(Complex middle, double radius) : value(middle), error(radius) {}

  /// No less than the modulus of every number in it.
  double most() const { return (modulus(value) + error) * (1 + 4 * kUnit); }

  static Ball widened(Complex value, double error) { return {value, error * (1 + 16 * kUnit)}; }
};

/// A computed real number that is off by a few of its units.
inline Ball rounded(double value, double units) {
  return Ball::widened(value, units * kUnit * std::abs(value));
}

inline Ball operator-(const Ball& a) {
  return {-a.value, a.error};
}

inline Ball operator+(const Ball& a, const Ball& b) {
  const Complex sum = a.value + b.value;
  return Ball::widened(sum, a.error + b.error + kUnit * modulus(sum));
}

inline Ball operator-(const Ball& a, const Ball& b) {
  return a + -b;
}

/// Each part is a sum of two products, off by 2 units of their moduli; together by sqrt(8) |a| |b|.
inline Ball operator*(const Ball& a, const Ball& b) {
  const double x = modulus(a.value), y = modulus(b.value);
  return Ball::widened(times(a.value, b.value),
                       x * b.error + y * a.error + a.error * b.error + 3 * kUnit * x * y + kTiny);
}

/// By an exact real number: each part is off by a unit.
inline Ball operator*(double a, const Ball& b) {
  const double size = std::abs(a);
  return Ball::widened(a * b.value, size * (b.error + kUnit * modulus(b.value)) + kTiny);
}

/// At least e^x - 1: x / (1 - x) where x is small, which needs no function.
inline double most_growth(double x) {
  return x < 1e-3 ? x / (1 - x) : std::expm1(x);
}

/// |e^{a + d} - e^a| <= |e^a| (e^|d| - 1). Two functions and a product are off by 9 units.
inline Ball exp(const Ball& a) {
  const double size = std::exp(a.value.real());
  return Ball::widened(polar(size, a.value.imag()),
                       size * (most_growth(a.error) + 12 * kUnit) + kTiny);
}

/// e^a - 1 = (e^x - 1) cos y - 2 sin^2(y/2) + i e^x sin y: each product is off by 10 units of
/// itself, as e^x is by 5 where it is 1 + (e^x - 1), x > -1/2, and their difference by one more.
inline Ball expm1(const Ball& a) {
  const double x = a.value.real(), y = a.value.imag();
  const double rise = std::expm1(x), half = std::sin(0.5 * y), sine = std::sin(y);
  const double growth = x > -0.5 ? 1 + rise : std::exp(x);
  const double versine = 2 * half * half;
  const double size = modulus({std::abs(rise) + versine, growth * sine});
  return Ball::widened({rise * std::cos(y) - versine, growth * sine},
                       growth * most_growth(a.error) + 12 * kUnit * size + kTiny);
}

/// e^a - 1 - a, whose slope is e^a - 1: a series for |a| < 1/2, of which what follows is below
/// 1e-17 of |a|^2 / 2. Its sum rounds by less than 6 units, its product with a^2 by 6 more.
inline Ball expm1_rest(const Ball& a) {
  const double size = modulus(a.value);
  if (!(size < 0.5)) return expm1(a) - a;
  Complex sum = 1;
  for (int n = size < 1e-3 ? 6 : size < 1e-1 ? 11 : 16; n > 2; --n)
    sum = 1.0 + times(a.value, sum) / static_cast<double>(n);
  return Ball::widened(0.5 * times(times(a.value, a.value), sum),
                       std::expm1(size + a.error) * a.error + 12 * kUnit * size * size + kTiny);
}

/// |log(a + d) - log a| <= -log(1 - x) <= x / (1 - x), x = |d / a|. The logarithm of a modulus that
/// is off by 4 units.
inline Ball log(const Ball& a) {
  const double size = modulus(a.value), share = a.error / size * (1 + 4 * kUnit);
  if (!(share < 1)) return {0, kInfinity};
  const Complex value{std::log(size), std::arg(a.value)};
  return Ball::widened(value, share / (1 - share) + kUnit * (4 + kFunctionError * modulus(value)));
}

/// log(1 + a).
inline Ball log1p(const Ball& a) {
  if (!(modulus(a.value) < 0.5)) return log(1.0 + a);
  const double share = a.error / modulus(1.0 + a.value) * (1 + 8 * kUnit);
  if (!(share < 1)) return {0, kInfinity};
  return Ball::widened(complex_log1p(a.value),
                       share / (1 - share) + 4 * kUnit * modulus(a.value) + kTiny);
}

/// log(1 + a) - a, whose slope is -a / (1 + a): a series for |a| < 1/4, of which what follows is
/// below 3e-17 of |a|^2 / 2, and which rounds by less than 12 units of |a|^2.
inline Ball log1p_rest(const Ball& a) {
  const double size = modulus(a.value);
  if (!(size + a.error < 0.25)) return log1p(a) - a;
  Complex sum = 0;
  for (int n = size < 1e-3 ? 7 : size < 1e-1 ? 17 : 29; n >= 2; --n)
    sum = times(a.value, sum) + (n % 2 == 1 ? 1.0 : -1.0) / n;
  return Ball::widened(times(times(a.value, a.value), sum),
                       1.4 * (size + a.error) * a.error + 12 * kUnit * size * size + kTiny);
}

}  // namespace honest_epsilon
