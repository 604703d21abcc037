#pragma once

#include <complex>
#include <cstddef>
#include <vector>

/// The discrete Fourier transform, behind one door.
namespace honest_epsilon::fft {

/// Relative error of a transform in the Euclidean norm: ||computed - exact|| <= error(n) ||exact||.
/// A transform with twiddles accurate to 2 units satisfies this with
/// log2(n) (2 u + 4 u (sqrt 2 + 2 u)) < 8 u log2(n). Cite: [Hig02, Thm 24.2].
double relative_error(std::size_t n);

/// out[k] = sum_j in[j] exp(-2 pi i j k / n).   `n` = in.size(), a power of two.
void forward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out);

/// out[j] = sum_k in[k] exp(+2 pi i j k / n), without the factor 1/n.
void backward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out);

}  // namespace honest_epsilon::fft
