#pragma once

#include "core/base/ball.h"

namespace honest_epsilon {

/// log(w^z / Gamma(z)), w = modulus e^{i angle}, up to a multiple of 2 pi i: the weight of a gamma
/// integral, kept together because both factors are huge where their quotient is not.
/// Domain: Re z > 0, 1e-3 <= |z| <= 1e12; modulus > 0, good to 6 units; |angle| < pi/2.
/// By Stirling's series,
///   log Gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + sum_k B_2k / (2k (2k-1) z^{2k-1}),
/// whose remainder after ten terms is at most sec(arg(z)/2)^22 <= 2^11 times the first term left
/// out [DLMF, 5.11.11]: below 1e-18 for |z| >= 12. A smaller z is first moved right, Gamma(z) =
/// Gamma(z + n) / (z (z+1) ... (z+n-1)).
Ball log_power_over_gamma(std::complex<double> z, double modulus, double angle);

}  // namespace honest_epsilon
