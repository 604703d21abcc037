#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/accounts/band.h"
#include "core/wire/schema.h"

/// The trade-off function of a run, phases and releases together.
namespace honest_epsilon::accounts {

/// remove: the attack that finds the record (null hypothesis: it is absent).   add: the attack that
/// finds it missing.   symmetric: whichever of the two is worse, C(f).
struct TradeOffAnswer : wire::Explanation {
  std::string sampler;
  std::string adjacency;    ///< as in Answer
  bool own_proofs = false;  ///< whether upper ends rest on a theorem of this project's own
  Band remove;
  Band add;
  Band symmetric;
  std::optional<Directions> delta;    ///< back from the curve, at the epsilon asked
  std::vector<tradeoff::Knot> knots;  ///< the privacy curve where it was computed
  wire::Derived derived;
};
constexpr auto fields(const TradeOffAnswer*) {
  using A = TradeOffAnswer;
  return wire::explained_fields<&A::sampler, &A::adjacency, &A::own_proofs, &A::remove, &A::add,
                                &A::symmetric, &A::delta, &A::knots, &A::derived>();
}

std::variant<TradeOffAnswer, Issue> tradeoff(const wire::Query& query);

}  // namespace honest_epsilon::accounts
