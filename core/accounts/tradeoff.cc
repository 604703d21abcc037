#include "core/accounts/tradeoff.h"

#include <algorithm>
#include <utility>

#include "core/accounts/answer.h"
#include "core/accounts/programme.h"
#include "core/accounts/remarks.h"
#include "core/accounts/sampled.h"

namespace honest_epsilon::accounts {
namespace {

bool one_curve(const std::vector<tradeoff::Knot>& knots) {
  return std::all_of(knots.begin(), knots.end(), [](const tradeoff::Knot& knot) {
    return knot.remove.lower == knot.add.lower && knot.remove.upper == knot.add.upper;
  });
}

}  // namespace

std::variant<TradeOffAnswer, Issue> tradeoff(const wire::Query& query) {
  const auto read = read_asking(query, "tradeoff");
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;
  const Programme& programme = std::get<Programme>(read);
  const double width = query.width.value_or(kDefaultCurveWidth);

  const Sampled sampled = sampled_curve(programme, sampling_for(query, width));
  const tradeoff::TradeOffCurve curve(sampled.knots);
  TradeOffAnswer answer;
  answer.sampler = sampler_of(programme);
  answer.adjacency = adjacency_answered(programme);
  answer.remove = band_of(curve, query);
  if (one_curve(sampled.knots)) {
    answer.add = answer.symmetric = answer.remove;
  } else {
    answer.add = band_of(tradeoff::TradeOffCurve(tradeoff::exchanged(sampled.knots)), query);
    answer.symmetric =
        band_of(tradeoff::TradeOffCurve(tradeoff::symmetrised(sampled.knots)), query);
  }
  if (query.epsilon) {
    answer.delta = Directions{curve.delta(Direction::remove, *query.epsilon),
                              curve.delta(Direction::add, *query.epsilon)};
  }
  answer.knots = sampled.knots;
  answer.own_proofs = sampled.own_proofs;
  answer.found_by(sampled.method);
  answer.derived = derive(programme);
  answer.assume(assumptions_of(programme, sampled.own_proofs));
  answer.citations = citations_of(programme, sampled.method, sampled.own_proofs);
  answer.warnings = tradeoff_warnings_of(programme, curve.advantage(), width, sampled.limited,
                                         sampled.own_proofs);
  answer.work.grid_points = static_cast<double>(sampled.grid_points);
  return answer;
}

}  // namespace honest_epsilon::accounts
