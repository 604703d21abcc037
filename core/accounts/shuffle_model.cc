#include "core/accounts/shuffle_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/tradeoff/shuffle_model.h"
#include "core/wire/check.h"

namespace honest_epsilon::accounts {
namespace {

using shuffle_model::Clone;
using shuffle_model::ShuffleModel;

std::optional<Issue> find_issue(const ShuffleModelQuery& query) {
  if (auto issue = wire::check_all(query)) return issue;
  if (auto issue = wire::require(&ShuffleModelQuery::local_epsilon, query)) return issue;
  return wire::require(&ShuffleModelQuery::users, query);
}

ShuffleModel model_of(const ShuffleModelQuery& query) {
  const bool stronger = query.clone.value_or("standard") == "stronger";
  return {*query.local_epsilon, static_cast<std::int64_t>(*query.users),
          stronger ? Clone::stronger : Clone::standard};
}

/// With very many users each point takes milliseconds, and half of them will do.
tradeoff::Sampling sampling_of(const ShuffleModelQuery& query) {
  // Users from whom on the points are made half as dense.
  return sampling_for(query, *query.users > 1e6 ? 4e-3 : 1e-3);
}

/// What a weaker bound on delta proves.
Band proved_by(const ShuffleModel& model, const ShuffleModelQuery& query,
               Interval (*bound)(const ShuffleModel&, double)) {
  const auto curve = [&](double epsilon) { return bound(model, epsilon); };
  // At the local epsilon it falls to 0, mostly by a jump.
  tradeoff::Sampling below = sampling_of(query);
  below.highest = std::nextafter(model.local_epsilon, 0);
  std::vector<tradeoff::Knot> knots = tradeoff::sample_symmetric(curve, below);
  while (knots.back().epsilon >= model.local_epsilon) knots.pop_back();
  knots.push_back({model.local_epsilon, {0, 0}, {0, 0}});
  return band_of(tradeoff::TradeOffCurve(std::move(knots)), query, IntervalKind::bound);
}

/// The points of Theorem 4.2 at likelihood ratios from e^-reach to e^reach.
std::vector<shuffle_model::ShuffleKnot> knots_of(const ShuffleModel& model, double reach) {
  // Points on either side of ratio 1: as many as a picture shows apart.
  constexpr int kHalf = 20;
  std::vector<shuffle_model::ShuffleKnot> knots;
  for (int i = -kHalf; i <= kHalf; ++i)
    knots.push_back(shuffle_model::trade_off_knot(model, std::exp(reach * i / kHalf)));
  return knots;
}

/// What weaker bounds prove, and the points of the theorem's curve, of a single round.
void answer_single(const ShuffleModel& model, const ShuffleModelQuery& query, double reach,
                   ShuffleModelAnswer& answer) {
  for (ShuffleDelta& row : answer.deltas) {
    row.advanced_joint = shuffle_model::delta_advanced_joint(model, row.epsilon);
    row.joint = shuffle_model::delta_joint(model, row.epsilon);
    row.closed_form = shuffle_model::closed_form_delta(model, row.epsilon);
  }
  for (ShuffleEpsilon& row : answer.epsilons) {
    row.advanced_joint = shuffle_model::epsilon_advanced_joint(model, row.delta);
    row.closed_form = shuffle_model::closed_form_epsilon(model, row.delta);
  }
  answer.advanced_joint = proved_by(model, query, shuffle_model::delta_advanced_joint);
  answer.joint = proved_by(model, query, shuffle_model::delta_joint);
  answer.knots = knots_of(model, reach);
}

std::vector<wire::Assumption> assumptions_of(const ShuffleModel& model, std::int64_t rounds) {
  std::vector<wire::Assumption> list = {wire::assumes::local_privacy(), wire::assumes::one_user(),
                                        model.clone == Clone::standard
                                            ? wire::assumes::standard_clones()
                                            : wire::assumes::stronger_clones()};
  if (rounds > 1) list.push_back(wire::assumes::fresh_rounds());
  return list;
}

}  // namespace

std::variant<ShuffleModelAnswer, Issue> shuffle_model(const ShuffleModelQuery& query) {
  if (auto issue = find_issue(query)) return *issue;
  const ShuffleModel model = model_of(query);
  const auto rounds = static_cast<std::int64_t>(query.rounds.value_or(1));
  ShuffleModelAnswer answer;
  answer.clone_probability = shuffle_model::clone_probability(model);
  for (const double epsilon : query.epsilon)
    answer.deltas.push_back(
        {epsilon, shuffle_model::composed_delta(model, rounds, epsilon).value, {}, {}, {}});
  for (const double delta : query.delta)
    answer.epsilons.push_back(
        {delta, shuffle_model::composed_epsilon(model, rounds, delta).value, {}, {}});
  const tradeoff::TradeOffCurve curve =
      shuffle_model::composed_trade_off(model, rounds, sampling_of(query));
  answer.trade_off = band_of(curve, query);
  if (rounds == 1) answer_single(model, query, curve.knots().back().epsilon, answer);
  answer.found_by(rounds == 1 ? Method::clone_sum : Method::clone_rounds);
  answer.assume(assumptions_of(model, rounds));
  answer.citations = {"WS23", model.clone == Clone::standard ? "FMT21" : "FMT23"};
  return answer;
}

}  // namespace honest_epsilon::accounts
