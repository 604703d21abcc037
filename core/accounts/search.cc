#include "core/accounts/search.h"

#include <algorithm>

#include "core/accounts/sampled.h"
#include "core/tradeoff/selection.h"

namespace honest_epsilon::accounts {

Programme repeated(const Programme& programme) {
  Programme all = programme;
  all.tuning = wire::Tuning{};
  for (std::int64_t i = 1; i < programme.tuning.times; ++i)
    all.phases.insert(all.phases.end(), programme.phases.begin(), programme.phases.end());
  return all;
}

Finding account_search(const Programme& programme, Asked asked, double given,
                       const Effort& effort) {
  const tradeoff::NumberOfRuns& runs = *programme.tuning.random;
  // Each of the runs may fail by a share of the search's delta.
  constexpr double kSmallest = 1e-12, kShare = 1e-3;
  const double target = asked == Asked::epsilon ? kShare * given : kSmallest;
  tradeoff::Sampling sampling;
  // For Gaussian runs, mu 0.3 to 3, the upper end is at most 0.3 % above the one from 200 knots.
  sampling.width = std::max(effort.width, 5e-3);
  sampling.most = 80;
  sampling.smallest = target / std::max(1.0, runs.mean());
  sampling.resolution = sampling.smallest * sampling.smallest;
  const Sampled sampled = sampled_curve(programme, sampling);
  const tradeoff::Selection best(tradeoff::TradeOffCurve(sampled.knots), runs);
  const auto in = [&](Direction direction) {
    return asked == Asked::epsilon ? best.epsilon(direction, given) : best.delta(direction, given);
  };
  Finding finding;
  finding.directions = {in(Direction::remove), in(Direction::add)};
  finding.method = Method::search;
  finding.grid_points = sampled.grid_points;
  finding.limited = sampled.limited;
  return finding;
}

std::optional<wire::TuningCost> tuning_out(const Programme& programme, Asked asked, double given,
                                           const Effort& effort) {
  const wire::Tuning& tuning = programme.tuning;
  if (!tuning.random && tuning.times == 1) return std::nullopt;
  Programme one = programme;
  one.tuning = wire::Tuning{};
  const Directions d = account(one, asked, given, effort).directions;
  wire::TuningCost out;
  out.runs = tuning.random ? tuning.random->mean() : static_cast<double>(tuning.times);
  out.gamma = tuning.gamma;
  out.eta = tuning.eta;
  out.one_run = maximum(d.remove, d.add);
  return out;
}

}  // namespace honest_epsilon::accounts
