#include "core/accounts/initialisation.h"

#include <cmath>

#include "core/math/invert.h"
#include "core/pairs/gaussian.h"
#include "core/tradeoff/random_initialisation.h"
#include "core/wire/check.h"

namespace honest_epsilon::accounts {
namespace {

using random_initialisation::Gaussian;
using random_initialisation::InitialisationModel;

InitialisationModel model_of(const InitialisationQuery& query) {
  return {*query.offset, query.clip.value_or(kInfinity), query.noise_multiplier.value_or(1)};
}

std::vector<InitialisationDelta> deltas_of(const InitialisationModel& model,
                                           const wire::Numbers& epsilons) {
  std::vector<InitialisationDelta> rows;
  for (const double epsilon : epsilons) {
    InitialisationDelta row{epsilon, random_initialisation::delta(model, epsilon), {}};
    if (std::isfinite(model.clip))
      row.gdp = gaussian::delta(random_initialisation::gdp_mu(model), epsilon);
    rows.push_back(row);
  }
  return rows;
}

std::vector<InitialisationEpsilon> epsilons_of(const InitialisationModel& model,
                                               const wire::Numbers& deltas) {
  std::vector<InitialisationEpsilon> rows;
  for (const double delta : deltas) {
    InitialisationEpsilon row{
        delta,
        invert_decreasing([&](double e) { return random_initialisation::delta(model, e); }, delta),
        {}};
    if (std::isfinite(model.clip))
      row.gdp = gaussian::epsilon(random_initialisation::gdp_mu(model), delta);
    rows.push_back(row);
  }
  return rows;
}

/// N(n a, (n-1)^2 + sigma^2) against N((n-1) a, (n-2)^2 + sigma^2).
std::vector<UnclippedDelta> unclipped_of(const InitialisationModel& model, double examples,
                                         const wire::Numbers& epsilons) {
  const InitialisationModel free{model.offset, kInfinity, model.noise_multiplier};
  const double noise = model.noise_multiplier * model.noise_multiplier;
  const auto output = [&](double n) {
    return Gaussian{n * model.offset, (n - 1) * (n - 1) + noise};
  };
  const Gaussian with = output(examples);
  const Gaussian without = output(examples - 1);
  std::vector<UnclippedDelta> rows;
  for (const double epsilon : epsilons) {
    rows.push_back({epsilon, random_initialisation::delta(free, epsilon),
                    random_initialisation::delta_estimate(with, without, epsilon),
                    random_initialisation::delta_estimate(without, with, epsilon)});
  }
  return rows;
}

std::vector<RenyiOrder> renyi_of(const InitialisationModel& model) {
  std::vector<RenyiOrder> rows;
  for (const double order : {1.1, 1.25, 1.5, 2.0, 4.0, 8.0, 32.0}) {
    RenyiOrder row{order, {}, {}};
    const double unclipped = random_initialisation::unclipped_renyi_divergence(
        order, model.offset, model.noise_multiplier);
    if (std::isfinite(unclipped)) row.unclipped = unclipped;
    const double mu = random_initialisation::gdp_mu(model);
    if (std::isfinite(mu)) row.clipped = 0.5 * order * mu * mu;
    rows.push_back(row);
  }
  return rows;
}

Band gdp_band(double mu, const wire::Readings& readings) {
  const auto curve = [mu](double epsilon) { return gaussian::delta(mu, epsilon); };
  return band_of(tradeoff::TradeOffCurve(tradeoff::sample_symmetric(curve, sampling_for(readings))),
                 readings);
}

}  // namespace

std::variant<InitialisationAnswer, Issue> initialisation(const InitialisationQuery& query) {
  if (auto issue = wire::check_all(query)) return *issue;
  if (auto issue = wire::require(&InitialisationQuery::offset, query)) return *issue;
  const InitialisationModel model = model_of(query);
  InitialisationAnswer answer;
  answer.deltas = deltas_of(model, query.epsilon);
  answer.epsilons = epsilons_of(model, query.delta);
  answer.trade_off = band_of(random_initialisation::trade_off(model, sampling_for(query)), query);
  if (query.clip) {
    answer.gdp_mu = random_initialisation::gdp_mu(model);
    answer.gdp = gdp_band(*answer.gdp_mu, query);
  }
  answer.unclipped = unclipped_of(model, query.examples.value_or(1), query.epsilon);
  // order (order - 1) = sigma^2.
  const double sigma = model.noise_multiplier;
  answer.renyi_infinite_from = 0.5 + std::sqrt(0.25 + sigma * sigma);
  answer.renyi = renyi_of(model);
  answer.found_by(Method::random_start);
  answer.assume({wire::assumes::linear_model(),
                 query.clip ? wire::assumes::clipped() : wire::assumes::unclipped(),
                 wire::assumes::visible_start(), wire::assumes::one_example()});
  answer.citations = {"WS23", "DRS22"};
  return answer;
}

}  // namespace honest_epsilon::accounts
