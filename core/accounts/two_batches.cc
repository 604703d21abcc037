#include "core/accounts/two_batches.h"

#include "core/samplers/two_batches.h"
#include "core/wire/check.h"

namespace honest_epsilon::accounts {

std::variant<TwoBatchesAnswer, Issue> two_batches(const TwoBatchesQuery& query) {
  if (auto issue = wire::check_all(query)) return *issue;
  if (auto issue = wire::require(&TwoBatchesQuery::noise_multiplier, query)) return *issue;
  if (auto issue = wire::require(&TwoBatchesQuery::epsilon, query)) return *issue;
  using shuffle::OtherRecord;
  const auto delta = [&](OtherRecord other, Direction direction) {
    return shuffle::two_batches(other, *query.noise_multiplier, *query.epsilon, direction);
  };
  TwoBatchesAnswer answer;
  answer.static_remove = delta(OtherRecord::always_minus, Direction::remove);
  answer.imitating_remove = delta(OtherRecord::imitating, Direction::remove);
  answer.static_add = delta(OtherRecord::always_minus, Direction::add);
  answer.opposite_add = delta(OtherRecord::opposite, Direction::add);
  answer.found_by(Method::two_batches);
  answer.citations = {"HP24", "HE26"};
  return answer;
}

}  // namespace honest_epsilon::accounts
