#include "core/accounts/band.h"

#include <algorithm>

namespace honest_epsilon::accounts {
namespace {

constexpr double kUsualRates[] = {1e-3, 1e-2};
constexpr double kUsualPrior = 0.5;
/// Rates below this make a curve no finer; what is read off there still holds.
constexpr double kLeastRate = 1e-24;

wire::Numbers asked_rates(const wire::Readings& readings) {
  if (!readings.false_positive_rates.empty()) return readings.false_positive_rates;
  return {std::begin(kUsualRates), std::end(kUsualRates)};
}

}  // namespace

tradeoff::Sampling sampling_for(const wire::Readings& readings, double width) {
  tradeoff::Sampling sampling;
  sampling.width = width;
  sampling.smallest = 1e-9;
  sampling.resolution = 1e-6;
  // A true positive rate is at least its false positive rate; far smaller deltas do not show.
  for (const double rate : readings.false_positive_rates) {
    if (!(rate > kLeastRate)) continue;
    sampling.smallest = std::min(sampling.smallest, 1e-3 * rate);
    sampling.resolution = std::min(sampling.resolution, rate);
  }
  return sampling;
}

Band band_of(const tradeoff::TradeOffCurve& curve, const wire::Readings& readings,
             IntervalKind kind) {
  const auto as_kind = [kind](Interval value) -> Interval {
    if (kind == IntervalKind::bound) value.lower = -kInfinity;
    value.kind = kind;
    return value;
  };
  Band band;
  band.lower = curve.lower_points();
  if (kind != IntervalKind::bound) band.upper = curve.upper_points();
  band.advantage = as_kind(curve.advantage());
  for (const double rate : asked_rates(readings))
    band.attack_rates.push_back({rate, as_kind(curve.true_positive_rate(rate))});
  const wire::Numbers usual = {kUsualPrior};
  for (const double prior : readings.priors.empty() ? usual : readings.priors)
    band.guesses.push_back({prior, as_kind(curve.bayes_success(prior))});
  band.gaussian = curve.gaussian_below(kGaussianResolution);
  band.gaussian.mu = as_kind(band.gaussian.mu);
  return band;
}

}  // namespace honest_epsilon::accounts
