#include "core/accounts/mixtures.h"

#include "core/tradeoff/mixtures.h"
#include "core/wire/check.h"

namespace honest_epsilon::accounts {
namespace {

using mixtures::Mixtures;

std::optional<Issue> find_issue(const MixturesQuery& query) {
  if (auto issue = wire::check_all(query)) return issue;
  using Q = MixturesQuery;
  for (wire::Number Q::* const member : {&Q::weight, &Q::p1, &Q::p2, &Q::q1, &Q::q2}) {
    if (auto issue = wire::require(member, query)) return issue;
  }
  return std::nullopt;
}

Interval at_most(double value) {
  return {-kInfinity, value, IntervalKind::bound};
}

MixturesDelta delta_of(const Mixtures& mixtures, Direction direction, double epsilon) {
  const mixtures::AdvancedBound advanced = best_advanced(mixtures, direction, epsilon);
  return {delta(mixtures, direction, epsilon),
          at_most(delta_joint(mixtures, direction, epsilon).upper), at_most(advanced.delta_upper),
          advanced.gamma, advanced.eta};
}

}  // namespace

std::variant<MixturesAnswer, Issue> mixtures(const MixturesQuery& query) {
  if (auto issue = find_issue(query)) return *issue;
  const Mixtures mixtures{*query.weight, *query.p1, *query.p2, *query.q1, *query.q2};
  const tradeoff::Sampling sampling = sampling_for(query);
  MixturesAnswer answer;
  for (const double epsilon : query.epsilon) {
    answer.deltas.push_back({epsilon, delta_of(mixtures, Direction::remove, epsilon),
                             delta_of(mixtures, Direction::add, epsilon)});
  }
  answer.trade_off = band_of(trade_off(mixtures, sampling), query);
  const auto bounded_by = [&](mixtures::DeltaBound* bound) {
    return band_of(trade_off(mixtures, sampling, bound), query, IntervalKind::bound);
  };
  answer.joint = bounded_by(mixtures::delta_joint);
  answer.advanced_joint = bounded_by(mixtures::delta_advanced);
  answer.found_by(Method::density_zeros);
  answer.assume({wire::assumes::two_components(), wire::assumes::observer()});
  answer.citations = {"WS23"};
  return answer;
}

}  // namespace honest_epsilon::accounts
