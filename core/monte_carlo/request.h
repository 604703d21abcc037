#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/direction.h"
#include "core/base/error.h"

/// Estimates of delta by sampling: an independent check of the proved intervals, and the way to
/// account for what nothing else covers.
namespace honest_epsilon::monte_carlo {

/// The pairs (P, Q) that can be sampled. Gaussian noise of standard deviation s = noise multiplier
/// on sensitivity 1; for the Laplace pair the noise multiplier is the scale.
enum class SampledPair {
  balls_and_bins,    ///< (1/T) sum_t N(e_t, s^2 I) and N(0, s^2 I), tight. [BB25, Thm 3.1]
  poisson_gaussian,  ///< ((1-q) N(0, s^2) + q N(1, s^2), N(0, s^2)) to the power T. [AP24, Prop 9]
  poisson_laplace,   ///< the same with Laplace noise. [AP24, App. B.2]
  /// (1/B) sum_i N(m_i, s^2 I) and N(0, s^2 I), m_i = sum_j C e_{i + jB} over k epochs of B steps,
  /// C the Toeplitz matrix of a column: bins that are kept, with correlated noise. [CGH24]
  correlated_bins,
  shuffle,  ///< (1/T) sum_t N(2 e_t, s^2 I) and (1/T) sum_t N(e_t, s^2 I). [HP24, Def 4.2]
};

/// How delta is written as a mean.
enum class SampledMean {
  /// Balls-and-bins, one epoch. remove: the largest coordinate is integrated exactly given the
  /// others, what it decides alone is split off in closed form (core/monte_carlo/conditional.h).
  /// add: coordinates are drawn under exponential tilts (core/monte_carlo/tilted.h).
  conditional,
  /// E_P[(1 - e^(epsilon - loss))+]. Every pair, any epochs. [BB25, Alg 4 and 11], [AP24, App. B.2]
  plain,
  /// Balls-and-bins, one epoch: the same mean on an event outside of which the loss is below
  /// epsilon (core/monte_carlo/importance.h). [BB25, Alg 5 and 10]
  importance,
};

/// As the wire spells it.
std::string name_of(SampledMean method);

/// What is sampled. The same request has the same samples, chunk by chunk, on every machine.
struct SampleRequest {
  SampledPair pair = SampledPair::balls_and_bins;
  Direction direction = Direction::remove;
  SampledMean method = SampledMean::conditional;
  double noise_multiplier = 1;
  double sampling_probability = 1;  ///< q of the Poisson pairs
  std::int64_t steps = 1;           ///< T: the steps of an epoch
  std::int64_t epochs = 1;          ///< independent repetitions, composed
  /// k, balls-and-bins: (1/C(T,k)) sum_S N(1_S, s^2 I) over the sets S of k steps. [FS25]
  std::int64_t participations = 1;
  std::vector<double> column;    ///< correlated_bins: the first of C
  double column_error = 0;       ///< relative, of its entries
  std::int64_t kept_epochs = 1;  ///< correlated_bins: k
  std::vector<double> epsilons;  ///< all from the same samples
  /// Balls-and-bins: draw only some of the sorted coordinates, and bound the rest by their
  /// neighbours: less work, two-sided bounds in place of values. [BB25, Alg 6]
  bool order_statistics = false;
  std::vector<std::int64_t> orders;  ///< increasing ranks, 1 = largest; none: chosen automatically
  bool operator==(const SampleRequest&) const = default;
};

/// What is wrong with a request, if anything. `field` is the name above.
std::optional<Issue> check(const SampleRequest& request);

/// Samples of one chunk: a power of two, fixed by the request, such that a chunk takes some 50 ms
/// at most for T up to 1e5.
std::int64_t samples_per_chunk(const SampleRequest& request);

}  // namespace honest_epsilon::monte_carlo
