#pragma once

#include <variant>
#include <vector>

#include "core/accounts/band.h"
#include "core/tradeoff/shuffle_model.h"
#include "core/wire/schema.h"

namespace honest_epsilon::wire {

constexpr auto fields(const shuffle_model::ClosedForm*) {
  using C = shuffle_model::ClosedForm;
  return outputs<&C::value, &C::covered>();
}

constexpr auto fields(const shuffle_model::ShuffleKnot*) {
  using S = shuffle_model::ShuffleKnot;
  return outputs<&S::threshold, &S::false_positive_rate, &S::false_negative_rate>();
}

}  // namespace honest_epsilon::wire

/// The shuffle model of local randomisers, as a question.
namespace honest_epsilon::accounts {

struct ShuffleModelQuery : wire::Readings {
  wire::Number local_epsilon, users;
  wire::Choice clone;
  wire::Number rounds;
  wire::Numbers epsilon, delta;
};
constexpr auto fields(const ShuffleModelQuery*) {
  using Q = ShuffleModelQuery;
  return std::tuple_cat(
      std::make_tuple(
          wire::InputField{"local_epsilon", &Q::local_epsilon, wire::FieldType::number,
                           "Local epsilon", "Epsilon of each user's randomiser, before shuffling.",
                           1e-3, 40, false, "", "ε₀"},
          wire::InputField{"users", &Q::users, wire::FieldType::count, "Users",
                           "People whose outputs are shuffled together.", 1, 1e9, false, "", "n"},
          wire::InputField{
              "clone", &Q::clone, wire::FieldType::choice, "Clone",
              "Which randomisers: standard holds for all; stronger only for those, such as "
              "randomised response, in which no output is more likely under two inputs than "
              "under a third.",
              0, 0, false, "standard stronger"},
          wire::InputField{
              "rounds", &Q::rounds, wire::FieldType::count, "Rounds",
              "Shuffled rounds of the same people, each with fresh randomness (default: 1).", 1,
              1e6},
          wire::InputField{"epsilon", &Q::epsilon, wire::FieldType::numbers, "Epsilon",
                           "Epsilons of the shuffled output, to find delta.", 0, 700, false, "",
                           "ε"},
          wire::InputField{"delta", &Q::delta, wire::FieldType::numbers, "Delta",
                           "Deltas of the shuffled output, to find epsilon.", 0, 1, true, "", "δ"}),
      wire::reading_fields<Q>());
}

/// Delta at an epsilon: of the dominating pair itself, and by weaker bounds, which are known for a
/// single round.
struct ShuffleDelta {
  double epsilon = 0;
  Interval delta;
  std::optional<Interval> advanced_joint;
  std::optional<Interval> joint;
  std::optional<shuffle_model::ClosedForm> closed_form;
};
constexpr auto fields(const ShuffleDelta*) {
  using S = ShuffleDelta;
  return wire::outputs<&S::epsilon, &S::delta, &S::advanced_joint, &S::joint, &S::closed_form>();
}

/// Epsilon at a delta, likewise.
struct ShuffleEpsilon {
  double delta = 0;
  Interval epsilon;
  std::optional<Interval> advanced_joint;
  std::optional<shuffle_model::ClosedForm> closed_form;
};
constexpr auto fields(const ShuffleEpsilon*) {
  using S = ShuffleEpsilon;
  return wire::outputs<&S::delta, &S::epsilon, &S::advanced_joint, &S::closed_form>();
}

struct ShuffleModelAnswer : wire::Explanation {
  double clone_probability = 0;
  std::vector<ShuffleDelta> deltas;      ///< one for each epsilon asked
  std::vector<ShuffleEpsilon> epsilons;  ///< one for each delta asked
  Band trade_off;                        ///< of the dominating pair, all rounds composed
  std::optional<Band> advanced_joint;    ///< what the weaker bounds prove of a single round
  std::optional<Band> joint;
  std::vector<shuffle_model::ShuffleKnot> knots;  ///< of a single round
};
constexpr auto fields(const ShuffleModelAnswer*) {
  using A = ShuffleModelAnswer;
  return wire::explained_fields<&A::clone_probability, &A::deltas, &A::epsilons, &A::trade_off,
                                &A::advanced_joint, &A::joint, &A::knots>();
}

std::variant<ShuffleModelAnswer, Issue> shuffle_model(const ShuffleModelQuery& query);

}  // namespace honest_epsilon::accounts
