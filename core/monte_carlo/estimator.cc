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

std::unique_ptr<Summands> summands_of(const Query& query) {
  switch (query.method) {
    case Method::plain:
      return plain_summands(query);
    case Method::importance:
      return importance_summands(query);
    case Method::conditional:
      break;
  }
  return query.direction == Direction::remove ? conditional_summands(query)
                                              : tilted_summands(query);
}

Seen seen_of(const Tally& tally, const Moments& moments) {
  const auto samples = static_cast<double>(tally.samples);
  if (!(samples > 0)) return {};
  return {samples, moments.sum.value() / samples, moments.squares.value() / samples};
}

double upper_end(const Seen& seen, double error, Ends ends) {
  if (ends == Ends::kl) return kl_upper(seen, error);
  if (ends == Ends::hoeffding) return hoeffding_upper(seen, error);
  return std::min(kl_upper(seen, error / 2), bernstein_upper(seen, error / 2));
}

double lower_end(const Seen& seen, double error, Ends ends) {
  if (ends == Ends::kl) return kl_lower(seen, error);
  if (ends == Ends::hoeffding) return hoeffding_lower(seen, error);
  return std::max(kl_lower(seen, error / 2), bernstein_lower(seen, error / 2));
}

Estimate estimate_of(const Part& part, const Seen& above, const Seen& below, double error,
                     Ends ends) {
  Estimate result;
  result.mean_lower = part.exact + part.bound * below.mean;
  result.mean_upper = part.exact + part.bound * above.mean;
  const double variance = std::max(0.0, above.mean_square - above.mean * above.mean);
  if (above.samples > 1)
    result.standard_error = part.bound * std::sqrt(variance / (above.samples - 1));
  // Sums are rounded down to multiples of the resolution, and to doubles.
  const double rounding = FixedSum::kResolution + part.summand_error + 4 * kUnit;
  const double most = std::min(1.0, upper_end(above, error, ends) + rounding);
  const double least = std::max(0.0, lower_end(below, error, ends) - rounding);
  const double slack = part.relative_error + 8 * kUnit;
  const double upper =
      (part.exact + part.exact_error + part.bound * most) * (1 + slack) + part.remainder;
  const double lower = (part.exact - part.exact_error + part.bound * least) * (1 - slack);
  result.delta = {std::clamp(lower, 0.0, 1.0), std::clamp(upper, 0.0, 1.0),
                  IntervalKind::confidence};
  return result;
}

}  // namespace

Estimator::Estimator(const Query& query)
    : samples_(samples_per_chunk(query)),
      two_sided_(query.order_statistics),
      summands_(summands_of(query)),
      upper_(query.epsilons.size()),
      lower_(two_sided_ ? query.epsilons.size() : 0) {}

Tally Estimator::run_chunk(std::uint64_t seed, std::uint64_t chunk) {
  variates::Source source(seed, chunk);
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

std::vector<Estimate> Estimator::estimates(const Tally& tally, const Confidence& confidence) const {
  const std::vector<Part>& parts = summands_->parts();
  const double error =
      confidence.error / 2 / (confidence.simultaneous ? static_cast<double>(parts.size()) : 1.0);
  std::vector<Estimate> result;
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const Seen above = seen_of(tally, tally.upper[j]);
    const Seen below = two_sided_ ? seen_of(tally, tally.lower[j]) : above;
    result.push_back(estimate_of(parts[j], above, below, error, confidence.ends));
  }
  return result;
}

Tally run_chunk(const Query& query, std::uint64_t seed, std::uint64_t chunk) {
  return Estimator(query).run_chunk(seed, chunk);
}

bool upper_end_needs_conjecture(const Query& query) {
  return query.pair == Pair::shuffle;
}

}  // namespace honest_epsilon::monte_carlo
