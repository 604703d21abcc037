#include "core/math/fft.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "tests/core/pld/exact.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using Sequence = std::vector<std::complex<double>>;

double norm(const Sequence& x) {
  double sum = 0;
  for (const auto& value : x) sum += std::norm(value);
  return std::sqrt(sum);
}

double distance(const Sequence& a, const Sequence& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::norm(a[i] - b[i]);
  return std::sqrt(sum);
}

Sequence noise(std::size_t n, std::uint64_t seed) {
  testing::Dice dice(seed);
  Sequence x(n);
  for (auto& value : x) value = {dice.uniform(-1, 1), dice.uniform(-1, 1)};
  return x;
}

// The definition, in twice the precision that the test compares in: angles reduced exactly.
Sequence slow_transform(const Sequence& in, int sign) {
  const std::size_t n = in.size();
  const double turn = 2 * 3.14159265358979323846 / static_cast<double>(n);
  Sequence out(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double angle = sign * turn * static_cast<double>(j * k % n);
      sum += in[j] * std::complex<double>(std::cos(angle), std::sin(angle));
    }
    out[k] = sum;
  }
  return out;
}

using testing::Real;

struct LongComplex {
  Real re = 0;
  Real im = 0;
};

/// The positive root, from one of double precision: libraries' long roots may be no better.
Real root(Real square) {
  Real x = std::sqrt(static_cast<double>(square));
  for (int i = 0; i < 3; ++i) x = (x + square / x) / 2;
  return x;
}

/// e^{-2 pi i / n} for n = 4, 8, ...: halved angles, (1 + cos)/2 and sin / (2 cos).
std::vector<LongComplex> primitive_roots(std::size_t n) {
  std::vector<LongComplex> roots = {{0, -1}};
  for (std::size_t k = 8; k <= n; k *= 2) {
    const LongComplex& w = roots.back();
    const Real cosine = root((1 + w.re) / 2);
    roots.push_back({cosine, w.im / (2 * cosine)});
  }
  return roots;
}

/// The same transform by halves in long arithmetic: 11 bits more natively, 60 under wasm.
std::vector<LongComplex> long_transform(const std::vector<LongComplex>& in, std::size_t level,
                                        const std::vector<LongComplex>& roots) {
  const std::size_t n = in.size();
  if (n == 1) return in;
  std::vector<LongComplex> even(n / 2), odd(n / 2), out(n);
  for (std::size_t i = 0; i < n; ++i) (i % 2 ? odd : even)[i / 2] = in[i];
  even = long_transform(even, level - 1, roots);
  odd = long_transform(odd, level - 1, roots);
  const LongComplex step = n == 2 ? LongComplex{-1, 0} : roots[level - 2];
  // Powers of the root by squaring, so that their errors stay with log n.
  const auto power = [&](std::size_t k) {
    LongComplex result{1, 0}, base = step;
    for (; k > 0; k /= 2) {
      if (k % 2)
        result = {result.re * base.re - result.im * base.im,
                  result.re * base.im + result.im * base.re};
      base = {base.re * base.re - base.im * base.im, 2 * base.re * base.im};
    }
    return result;
  };
  for (std::size_t k = 0; k < n / 2; ++k) {
    const LongComplex w = power(k);
    const LongComplex t{w.re * odd[k].re - w.im * odd[k].im, w.re * odd[k].im + w.im * odd[k].re};
    out[k] = {even[k].re + t.re, even[k].im + t.im};
    out[k + n / 2] = {even[k].re - t.re, even[k].im - t.im};
  }
  return out;
}

/// ||computed - exact|| / ||exact||.
double long_error(const Sequence& x, const Sequence& computed) {
  std::vector<LongComplex> in;
  for (const auto& value : x) in.push_back({value.real(), value.imag()});
  std::size_t level = 0;
  while (std::size_t{1} << level < x.size()) ++level;
  const std::vector<LongComplex> exact = long_transform(in, level, primitive_roots(x.size()));
  Real error = 0;
  Real size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real re = computed[i].real() - exact[i].re;
    const Real im = computed[i].imag() - exact[i].im;
    error += re * re + im * im;
    size += exact[i].re * exact[i].re + exact[i].im * exact[i].im;
  }
  return std::sqrt(static_cast<double>(error / size));
}

}  // namespace

TEST_CASE("fft: the stated error holds against longer arithmetic, and is not far off") {
  for (const int log2 : {1, 2, 3, 7, 10, 11, 14, 17}) {
    if (testing::kSlowReal && log2 > 11) continue;
    const std::size_t n = std::size_t{1} << log2;
    CAPTURE(n);
    // Noise of both signs, masses of one, and one that hides the others.
    Sequence mixed = noise(n, 11);
    Sequence masses = mixed;
    for (auto& value : masses) value = std::abs(value.real());
    Sequence spike(n, 1e-9);
    spike[n / 3] = 1;
    for (const Sequence* one : {&mixed, &masses, &spike}) {
      const Sequence& x = *one;
      Sequence spectrum;
      fft::forward(x, spectrum);
      const double error = long_error(x, spectrum) / fft::relative_error(n);
      INFO("error over the stated one: " << error);
      CHECK(error <= 1);
      if (one == &mixed && log2 >= 10) CHECK(error > 1e-3);
    }
  }
}

TEST_CASE("fft: is the sum it is defined by, in both directions") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{8}, std::size_t{256}}) {
    CAPTURE(n);
    const Sequence x = noise(n, n);
    Sequence fast;
    fft::forward(x, fast);
    CHECK(distance(fast, slow_transform(x, -1)) <= 1e-13 * std::sqrt(n) * norm(x));
    fft::backward(x, fast);
    CHECK(distance(fast, slow_transform(x, 1)) <= 1e-13 * std::sqrt(n) * norm(x));
  }
}

TEST_CASE("fft: the round trip stays within twice the stated error") {
  for (const int log2 : {4, 10, 16}) {
    const std::size_t n = std::size_t{1} << log2;
    CAPTURE(n);
    const Sequence x = noise(n, 5);
    Sequence spectrum, back;
    fft::forward(x, spectrum);
    fft::backward(spectrum, back);
    for (auto& value : back) value /= static_cast<double>(n);
    CHECK(distance(back, x) <= 2 * fft::relative_error(n) * norm(x));
  }
}

TEST_CASE("fft: one point's transform has its exact value everywhere, within the stated error") {
  const std::size_t n = 1 << 14;
  const std::size_t at = 5077;
  Sequence x(n), spectrum;
  x[at] = 1;
  fft::forward(x, spectrum);
  Sequence exact(n);
  const double turn = 2 * 3.14159265358979323846 / static_cast<double>(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = -turn * static_cast<double>(at * k % n);
    exact[k] = {std::cos(angle), std::sin(angle)};
  }
  CHECK(distance(spectrum, exact) <= fft::relative_error(n) * norm(exact));
}

}  // namespace honest_epsilon
