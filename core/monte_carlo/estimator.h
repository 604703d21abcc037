#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/interval.h"
#include "core/monte_carlo/request.h"
#include "core/monte_carlo/summands.h"
#include "core/monte_carlo/tally.h"

namespace honest_epsilon::monte_carlo {

/// Which confidence ends are asked for.
enum class Ends {
  best,       ///< the better of Chernoff's and the empirical Bernstein end, each at half the error
  kl,         ///< Chernoff's, as in [BB25, Alg 4]
  hoeffding,  ///< as in [AP24, App. B.2]
};

/// How sure an interval must be, if the generator's words are independent and uniform. Their 52
/// bits leave out a mass of 2^-52 of a coordinate's law.
struct Confidence {
  double error = 1e-3;        ///< probability that the truth lies outside, half of it on each side
  bool simultaneous = false;  ///< of one epsilon's interval, or of any of them (union bound)
  Ends ends = Ends::best;
};

/// One epsilon's answer.
struct DeltaEstimate {
  /// Averages of the summands that bound the truth from below and from above, as delta; the same
  /// where nothing is bounded. They leave out the remainder, which only `delta` has.
  double mean_lower = 0;
  double mean_upper = 0;
  double standard_error = 0;  ///< of mean_upper
  Interval delta;             ///< kind confidence; both ends valid for the request's pair
};

/// Everything a request needs that does not depend on the samples. Not for use by two threads at
/// once. The request must have passed check().
class Estimator {
 public:
  explicit Estimator(const SampleRequest& request);

  /// The samples of one chunk. Depends on the request, seed and chunk alone, to the last bit, on
  /// any machine. Allocates nothing but the tally.
  Tally run_chunk(std::uint64_t seed, std::uint64_t chunk);

  /// How each of a tally's sums bears on delta.
  const std::vector<Part>& parts() const { return summands_->parts(); }

  /// What a tally of this request says about each epsilon.
  std::vector<DeltaEstimate> estimates(const Tally& tally, const Confidence& confidence) const;

 private:
  std::size_t epsilons_;
  std::int64_t samples_;
  bool two_sided_;
  std::unique_ptr<Summands> summands_;
  std::vector<double> upper_;
  std::vector<double> lower_;
};

/// Whether the pair is that of one attack on the sampler, so that its delta is a lower end only:
/// the static attack on shuffled batches.
bool samples_an_attack(const SampleRequest& request);

}  // namespace honest_epsilon::monte_carlo
