#include "core/monte_carlo/estimator.h"

#include <algorithm>
#include <cmath>

#include "core/monte_carlo/conditional.h"
#include "core/monte_carlo/confidence.h"
#include "core/monte_carlo/importance.h"
#include "core/monte_carlo/plain.h"
#include "core/monte_carlo/tilted.h"

namespace honest_epsilon::monte_carlo {
namespace {

std::unique_ptr<Summands> summands_of(const SampleRequest& request) {
  switch (request.method) {
    case SampledMean::plain:
      return plain_summands(request);
    case SampledMean::importance:
      return importance_summands(request);
    case SampledMean::conditional:
      break;
  }
  return request.direction == Direction::remove ? conditional_summands(request)
                                                : tilted_summands(request);
}

Observed seen_of(const Tally& tally, const MomentSums& moments) {
  const auto samples = static_cast<double>(tally.samples);
  if (!(samples > 0)) return {};
  return {samples, moments.sum.value() / samples, moments.squares.value() / samples};
}

Interval mean_of(const Observed& seen, double error, Ends ends) {
  if (ends == Ends::kl) return chernoff(seen, error);
  if (ends == Ends::hoeffding) return hoeffding(seen, error);
  return intersect(chernoff(seen, error / 2), bernstein(seen, error / 2));
}

/// The ends of exact + bound * mean + [0, remainder].
Interval interval_of(const Part& part, const Observed& above, const Observed& below, double error,
                     Ends ends) {
  // Sums are rounded down to multiples of the resolution, and to doubles.
  const double rounding = FixedSum::kResolution + part.summand_error + 4 * kUnit;
  const double most = std::min(1.0, mean_of(above, error, ends).upper + rounding);
  const double least = std::max(0.0, mean_of(below, error, ends).lower - rounding);
  const double slack = part.relative_error + 8 * kUnit;
  const double upper =
      (part.exact + part.exact_error + part.bound * most) * (1 + slack) + part.remainder;
  const double lower = (part.exact - part.exact_error + part.bound * least) * (1 - slack);
  return {std::clamp(lower, 0.0, 1.0), std::clamp(upper, 0.0, 1.0), IntervalKind::confidence};
}

double standard_error(const Part& part, const Observed& seen) {
  if (!(seen.samples > 1)) return kInfinity;
  const double variance = std::max(0.0, seen.mean_square - seen.mean * seen.mean);
  return part.bound * std::sqrt(variance / (seen.samples - 1));
}

}  // namespace

Estimator::Estimator(const SampleRequest& request)
    : epsilons_(request.epsilons.size()),
      samples_(samples_per_chunk(request)),
      two_sided_(request.order_statistics),
      summands_(summands_of(request)),
      upper_(parts().size()),
      lower_(two_sided_ ? parts().size() : 0) {}

Tally Estimator::run_chunk(std::uint64_t seed, std::uint64_t chunk) {
  variates::Generator source(seed, chunk);
  summands_->restart();
  Tally tally;
  tally.samples = samples_;
  tally.upper.resize(upper_.size());
  tally.lower.resize(lower_.size());
  for (std::int64_t i = 0; i < samples_; ++i) {
    summands_->draw(source, upper_, lower_);
    for (std::size_t j = 0; j < upper_.size(); ++j) tally.upper[j].add(upper_[j]);
    for (std::size_t j = 0; j < lower_.size(); ++j) tally.lower[j].add(lower_[j]);
  }
  return tally;
}

std::vector<DeltaEstimate> Estimator::estimates(const Tally& tally,
                                                const Confidence& confidence) const {
  const double error =
      confidence.error / 2 / (confidence.simultaneous ? static_cast<double>(epsilons_) : 1.0);
  std::vector<DeltaEstimate> result(epsilons_);
  for (std::size_t i = 0; i < parts().size(); ++i) {
    const Part& part = parts()[i];
    const Observed above = seen_of(tally, tally.upper[i]);
    const Observed below = two_sided_ ? seen_of(tally, tally.lower[i]) : above;
    DeltaEstimate& estimate = result[part.epsilon];
    // A part that proves nothing follows the one that does, and is there for its better mean.
    if (part.proves) estimate.delta = interval_of(part, above, below, error, confidence.ends);
    estimate.mean_lower = part.exact + part.bound * below.mean;
    estimate.mean_upper = part.exact + part.bound * above.mean;
    estimate.standard_error = standard_error(part, above);
  }
  return result;
}

bool samples_an_attack(const SampleRequest& request) {
  return request.pair == SampledPair::shuffle;
}

}  // namespace honest_epsilon::monte_carlo
