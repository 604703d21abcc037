#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/api/band.h"
#include "core/api/schema.h"

/// The shuffle model of local randomisers, as a question.
namespace honest_epsilon::api {

struct ShuffleModelQuery : Readings {
  Number local_epsilon, users;
  Choice clone;
  Number rounds;
  Numbers epsilon, delta;
};
constexpr auto fields(const ShuffleModelQuery*) {
  using Q = ShuffleModelQuery;
  return std::tuple_cat(
      std::make_tuple(
          InputField<Q, Number>{"local_epsilon", &Q::local_epsilon, FieldType::number,
                                "Local epsilon",
                                "Epsilon of each user's own randomiser, before shuffling.", 1e-3,
                                40, false, "", "ε₀"},
          InputField<Q, Number>{"users", &Q::users, FieldType::count, "Users",
                                "People whose outputs are shuffled together.", 1, 1e9, false, "",
                                "n"},
          InputField<Q, Choice>{"clone", &Q::clone, FieldType::choice, "Clone",
                                "Which randomisers are meant: standard holds for every one; "
                                "stronger only where no output is likelier under two inputs than "
                                "under a third, such as randomised response.",
                                0, 0, false, "standard stronger"},
          InputField<Q, Number>{"rounds", &Q::rounds, FieldType::count, "Rounds",
                                "Shuffled rounds of the same people, each with fresh randomness.",
                                1, 1e6},
          InputField<Q, Numbers>{"epsilon", &Q::epsilon, FieldType::numbers, "Epsilon",
                                 "Epsilons of the shuffled output at which delta is asked.", 0, 700,
                                 false, "", "ε"},
          InputField<Q, Numbers>{"delta", &Q::delta, FieldType::numbers, "Delta",
                                 "Deltas at which the shuffled output's epsilon is asked.", 0, 1,
                                 true, "", "δ"}),
      reading_fields<Q>());
}

/// A closed form's value, and whether its theorem covers the question; where it does not, the value
/// proves nothing.
struct ClosedForm {
  double value = 0;
  bool covered = false;
};
constexpr auto fields(const ClosedForm*) {
  return std::make_tuple(OutputField<ClosedForm, double>{"value", &ClosedForm::value},
                         OutputField<ClosedForm, bool>{"covered", &ClosedForm::covered});
}

/// Delta at an epsilon: of the dominating pair itself, and by weaker bounds, which are known for a
/// single round.
struct ShuffleDelta {
  double epsilon = 0;
  Interval delta;
  std::optional<Interval> advanced_joint;
  std::optional<Interval> joint;
  std::optional<ClosedForm> closed_form;
};
constexpr auto fields(const ShuffleDelta*) {
  using S = ShuffleDelta;
  return std::make_tuple(
      OutputField<S, double>{"epsilon", &S::epsilon}, OutputField<S, Interval>{"delta", &S::delta},
      OutputField<S, std::optional<Interval>>{"advanced_joint", &S::advanced_joint},
      OutputField<S, std::optional<Interval>>{"joint", &S::joint},
      OutputField<S, std::optional<ClosedForm>>{"closed_form", &S::closed_form});
}

/// Epsilon at a delta, likewise.
struct ShuffleEpsilon {
  double delta = 0;
  Interval epsilon;
  std::optional<Interval> advanced_joint;
  std::optional<ClosedForm> closed_form;
};
constexpr auto fields(const ShuffleEpsilon*) {
  using S = ShuffleEpsilon;
  return std::make_tuple(
      OutputField<S, double>{"delta", &S::delta}, OutputField<S, Interval>{"epsilon", &S::epsilon},
      OutputField<S, std::optional<Interval>>{"advanced_joint", &S::advanced_joint},
      OutputField<S, std::optional<ClosedForm>>{"closed_form", &S::closed_form});
}

/// A point of [WS23, Thm 4.2]'s function, at its parameter t.
struct ShuffleKnot {
  double threshold = 0;
  Interval false_positive_rate;
  Interval false_negative_rate;
};
constexpr auto fields(const ShuffleKnot*) {
  using S = ShuffleKnot;
  return std::make_tuple(OutputField<S, double>{"threshold", &S::threshold},
                         OutputField<S, Interval>{"false_positive_rate", &S::false_positive_rate},
                         OutputField<S, Interval>{"false_negative_rate", &S::false_negative_rate});
}

struct ShuffleModelAnswer : Explanation {
  double clone_probability = 0;
  std::vector<ShuffleDelta> deltas;      ///< one for each epsilon asked
  std::vector<ShuffleEpsilon> epsilons;  ///< one for each delta asked
  Band trade_off;                        ///< of the dominating pair, all rounds composed
  std::optional<Band> advanced_joint;    ///< what the weaker bounds prove of a single round
  std::optional<Band> joint;
  std::vector<ShuffleKnot> knots;  ///< of a single round
};
constexpr auto fields(const ShuffleModelAnswer*) {
  using A = ShuffleModelAnswer;
  return explained_fields<A>(
      OutputField<A, double>{"clone_probability", &A::clone_probability},
      OutputField<A, std::vector<ShuffleDelta>>{"deltas", &A::deltas},
      OutputField<A, std::vector<ShuffleEpsilon>>{"epsilons", &A::epsilons},
      OutputField<A, Band>{"trade_off", &A::trade_off},
      OutputField<A, std::optional<Band>>{"advanced_joint", &A::advanced_joint},
      OutputField<A, std::optional<Band>>{"joint", &A::joint},
      OutputField<A, std::vector<ShuffleKnot>>{"knots", &A::knots});
}

std::variant<ShuffleModelAnswer, Issue> shuffle_model(const ShuffleModelQuery& query);

}  // namespace honest_epsilon::api
