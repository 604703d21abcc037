#include "core/math/fft.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

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

}  // namespace

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
