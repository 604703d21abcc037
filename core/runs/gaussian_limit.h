#pragma once

#include "core/runs/run.h"

/// The central limit theorem's estimate of a run: mu-GDP with mu squared as returned, which adds up
/// over runs: of T steps of subsampled Gaussian noise q^2 T (e^{mu^2} - 1). An estimate, never a
/// bound, and known to be too small at small delta; +inf where it overflows or has no formula
/// (other noise than Gaussian, several records a person). Cite: [DRS22, Cor 4], [BDLS20].
namespace honest_epsilon::gaussian_limit {

double known_batches(const Run& run);  ///< deterministic; for shuffle, an upper bound's
double poisson(const Run& run);
double without_replacement(const Run& run);
double balls_and_bins(const Run& run);  ///< an epoch is like Poisson's with q = 1 / T

}  // namespace honest_epsilon::gaussian_limit
