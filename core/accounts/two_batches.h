#pragma once

#include <variant>

#include "core/wire/schema.h"

/// Attacks on two shuffled batches, as a question.
namespace honest_epsilon::accounts {

struct TwoBatchesQuery {
  wire::Number noise_multiplier, epsilon;
};
constexpr auto fields(const TwoBatchesQuery*) {
  using Q = TwoBatchesQuery;
  return std::make_tuple(
      wire::InputField{
          "noise_multiplier", &Q::noise_multiplier, wire::FieldType::number, "Noise multiplier",
          "Noise of each of two shuffled batches of one record each, divided by the clipping "
          "norm.",
          0.2, 1000, false, "", "σ"},
      wire::InputField{"epsilon", &Q::epsilon, wire::FieldType::number, "Epsilon",
                       "Epsilon at which the attacks' delta is asked.", 0, 10, false, "", "ε"});
}

/// Each attack's delta (samplers/two_batches.h), in direction remove or add.
struct TwoBatchesAnswer : wire::Explanation {
  Interval static_remove;     ///< the pair that Conjecture 3.2 of [HP24] takes for the worst
  Interval imitating_remove;  ///< an adaptive attack
  Interval static_add;
  Interval opposite_add;  ///< another fixed one
};
constexpr auto fields(const TwoBatchesAnswer*) {
  using A = TwoBatchesAnswer;
  return wire::explained_fields<&A::static_remove, &A::imitating_remove, &A::static_add,
                                &A::opposite_add>();
}

std::variant<TwoBatchesAnswer, Issue> two_batches(const TwoBatchesQuery& query);

}  // namespace honest_epsilon::accounts
