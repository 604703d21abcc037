#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/api/band.h"
#include "core/api/schema.h"

/// One step of noisy gradient descent from a random start, as a question.
namespace honest_epsilon::api {

struct InitialisationQuery : Readings {
  Number offset, clip, noise_multiplier;
  Number examples;
  Numbers epsilon, delta;
};
constexpr auto fields(const InitialisationQuery*) {
  using Q = InitialisationQuery;
  return std::tuple_cat(
      std::make_tuple(
          InputField<Q, Number>{"offset", &Q::offset, FieldType::number, "Offset",
                                "Where the example lies, seen from the start's mean.", -1e6, 1e6,
                                false, "", "a"},
          InputField<Q, Number>{"clip", &Q::clip, FieldType::number, "Clipping norm",
                                "Largest gradient of one example; no clipping when left out.", 0,
                                1e6, true, "", "c"},
          InputField<Q, Number>{"noise_multiplier", &Q::noise_multiplier, FieldType::number,
                                "Noise",
                                "Standard deviation of the noise, beside a start of standard "
                                "deviation 1; 1 when left out.",
                                1e-3, 1e6, false, "", "σ"},
          InputField<Q, Number>{"examples", &Q::examples, FieldType::count, "Examples",
                                "How many such examples there are, for the unclipped step's own "
                                "output; 1 when left out.",
                                1, 1e6},
          InputField<Q, Numbers>{"epsilon", &Q::epsilon, FieldType::numbers, "Epsilon",
                                 "Epsilons at which delta is asked.", 0, 700, false, "", "ε"},
          InputField<Q, Numbers>{"delta", &Q::delta, FieldType::numbers, "Delta",
                                 "Deltas at which epsilon is asked.", 0, 1, true, "", "δ"}),
      reading_fields<Q>());
}

/// An estimate, and its own estimate of its error.
struct Estimate {
  double value = 0;
  double error_estimate = 0;
};
constexpr auto fields(const Estimate*) {
  return std::make_tuple(
      OutputField<Estimate, double>{"value", &Estimate::value},
      OutputField<Estimate, double>{"error_estimate", &Estimate::error_estimate});
}

/// Delta at an epsilon: for an observer who is told the start (which bounds the step), the same by
/// quadrature, and by the guarantee that disregards the start.
struct InitialisationDelta {
  double epsilon = 0;
  Interval delta;
  Estimate quadrature;
  std::optional<Interval> gdp;
};
constexpr auto fields(const InitialisationDelta*) {
  using I = InitialisationDelta;
  return std::make_tuple(OutputField<I, double>{"epsilon", &I::epsilon},
                         OutputField<I, Interval>{"delta", &I::delta},
                         OutputField<I, Estimate>{"quadrature", &I::quadrature},
                         OutputField<I, std::optional<Interval>>{"gdp", &I::gdp});
}

struct InitialisationEpsilon {
  double delta = 0;
  Interval epsilon;
  std::optional<Interval> gdp;
};
constexpr auto fields(const InitialisationEpsilon*) {
  using I = InitialisationEpsilon;
  return std::make_tuple(OutputField<I, double>{"delta", &I::delta},
                         OutputField<I, Interval>{"epsilon", &I::epsilon},
                         OutputField<I, std::optional<Interval>>{"gdp", &I::gdp});
}

/// The step without clipping, at an epsilon: its bound, and its own output, which is Gaussian with
/// and without the record. The bound is above both.
struct UnclippedDelta {
  double epsilon = 0;
  Interval delta;
  double output_remove = 0;
  double output_add = 0;
};
constexpr auto fields(const UnclippedDelta*) {
  using U = UnclippedDelta;
  return std::make_tuple(OutputField<U, double>{"epsilon", &U::epsilon},
                         OutputField<U, Interval>{"delta", &U::delta},
                         OutputField<U, double>{"output_remove", &U::output_remove},
                         OutputField<U, double>{"output_add", &U::output_add});
}

/// Renyi divergence of the pair at an order, without clipping (none: infinite) and, at most, with.
struct RenyiOrder {
  double order = 0;
  Number unclipped;
  Number clipped;
};
constexpr auto fields(const RenyiOrder*) {
  using R = RenyiOrder;
  return std::make_tuple(OutputField<R, double>{"order", &R::order},
                         OutputField<R, Number>{"unclipped", &R::unclipped},
                         OutputField<R, Number>{"clipped", &R::clipped});
}

struct InitialisationAnswer : Explanation {
  std::vector<InitialisationDelta> deltas;      ///< one for each epsilon asked
  std::vector<InitialisationEpsilon> epsilons;  ///< one for each delta asked
  Band trade_off;
  Number gdp_mu;            ///< clip / noise: the guarantee that disregards the start
  std::optional<Band> gdp;  ///< and its curve; none without clipping
  std::vector<UnclippedDelta> unclipped;
  double renyi_infinite_from = 0;  ///< the order from which the unclipped divergence is infinite
  std::vector<RenyiOrder> renyi;
};
constexpr auto fields(const InitialisationAnswer*) {
  using A = InitialisationAnswer;
  return explained_fields<A>(
      OutputField<A, std::vector<InitialisationDelta>>{"deltas", &A::deltas},
      OutputField<A, std::vector<InitialisationEpsilon>>{"epsilons", &A::epsilons},
      OutputField<A, Band>{"trade_off", &A::trade_off},
      OutputField<A, Number>{"gdp_mu", &A::gdp_mu},
      OutputField<A, std::optional<Band>>{"gdp", &A::gdp},
      OutputField<A, std::vector<UnclippedDelta>>{"unclipped", &A::unclipped},
      OutputField<A, double>{"renyi_infinite_from", &A::renyi_infinite_from},
      OutputField<A, std::vector<RenyiOrder>>{"renyi", &A::renyi});
}

std::variant<InitialisationAnswer, Issue> initialisation(const InitialisationQuery& query);

}  // namespace honest_epsilon::api
