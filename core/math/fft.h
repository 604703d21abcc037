#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

/// The discrete Fourier transform.
namespace honest_epsilon::fft {

/// Relative error of a transform in the Euclidean norm: ||computed - exact|| <= error(n) ||exact||,
/// n a power of two, u = 2^-53, terms in u^2 left to the margin.
///   Twiddles are (cos, sin)(k phi), phi = 2 acos(-1) / n. acos(-1) is off by 0.36 u relative, the
/// quotient is exact, the product with k rounds: the angle, at most 2 pi, is off by 8.6 u, and
/// cosine and sine by one unit each: 10 u in all.
///   Stages are of radix 4. A stage is a product with twiddles, relative error 10 u + 2 sqrt 2 u
/// [Hig02, Lemma 3.5], then two levels of sums, each a multiple of an orthogonal matrix whose rows
/// round by u: 14.9 u for two powers of two. Errors of orthogonal factors add [Hig02, Thm 24.2].
/// The innermost stage, of radix 2 when log2(n) is odd, has twiddles 1 and costs u a level.
///   In all below 7.5 u log2(n); tests/core/math/fft_test.cc holds it against longer arithmetic.
double relative_error(std::size_t n);

/// What a transform counts (core/base/work.h). Large ones wait for memory.
std::int64_t work(std::size_t n);

/// out[k] = sum_j in[j] exp(-2 pi i j k / n).   `n` = in.size(), a power of two.
void forward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out);

/// out[j] = sum_k in[k] exp(+2 pi i j k / n), without the factor 1/n.
void backward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out);

}  // namespace honest_epsilon::fft
