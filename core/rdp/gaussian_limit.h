#pragma once

/// The central limit: many steps of subsampled Gaussian noise look like one Gaussian mechanism.
namespace honest_epsilon::rdp {

/// The distance of that Gaussian pair, for gaussian::delta and gaussian::epsilon.
///   mu = q sqrt(T (e^{mu^2} - 1))
/// An estimate with no guarantee, known to be too small at small delta. Cite: [BDLS20].
/// Domain: 0 < q <= 1, mu > 0, steps > 0; +inf where it overflows.
double mu_estimate(double q, double mu, double steps);

}  // namespace honest_epsilon::rdp
