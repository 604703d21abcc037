#pragma once

#include <variant>
#include <vector>

#include "core/accounts/band.h"
#include "core/wire/schema.h"

/// One step of noisy gradient descent from a random start, as a question.
namespace honest_epsilon::accounts {

struct InitialisationQuery : wire::Readings {
  wire::Number offset, clip, noise_multiplier;
  wire::Number examples;
  wire::Numbers epsilon, delta;
};
constexpr auto fields(const InitialisationQuery*) {
  using Q = InitialisationQuery;
  return std::tuple_cat(
      std::make_tuple(
          wire::InputField{"offset", &Q::offset, wire::FieldType::number, "Offset",
                           "Position of the example, relative to the mean of the start.", -1e6, 1e6,
                           false, "", "a"},
          wire::InputField{"clip", &Q::clip, wire::FieldType::number, "Clipping norm",
                           "Largest gradient of one example (default: no clipping).", 0, 1e6, true,
                           "", "c"},
          wire::InputField{"noise_multiplier", &Q::noise_multiplier, wire::FieldType::number,
                           "Noise",
                           "Standard deviation of the noise; that of the start is 1 "
                           "(default: 1).",
                           1e-3, 1e6, false, "", "σ"},
          wire::InputField{"examples", &Q::examples, wire::FieldType::count, "Examples",
                           "Number of such examples, for the output of the unclipped step "
                           "(default: 1).",
                           1, 1e6},
          wire::InputField{"epsilon", &Q::epsilon, wire::FieldType::numbers, "Epsilon",
                           "Epsilons, to find delta.", 0, 700, false, "", "ε"},
          wire::InputField{"delta", &Q::delta, wire::FieldType::numbers, "Delta",
                           "Deltas, to find epsilon.", 0, 1, true, "", "δ"}),
      wire::reading_fields<Q>());
}

/// Delta at an epsilon: for an observer who is told the start (which bounds the step), and by the
/// guarantee that disregards the start.
struct InitialisationDelta {
  double epsilon = 0;
  Interval delta;
  std::optional<Interval> gdp;
};
constexpr auto fields(const InitialisationDelta*) {
  using I = InitialisationDelta;
  return wire::outputs<&I::epsilon, &I::delta, &I::gdp>();
}

struct InitialisationEpsilon {
  double delta = 0;
  Interval epsilon;
  std::optional<Interval> gdp;
};
constexpr auto fields(const InitialisationEpsilon*) {
  using I = InitialisationEpsilon;
  return wire::outputs<&I::delta, &I::epsilon, &I::gdp>();
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
  return wire::outputs<&U::epsilon, &U::delta, &U::output_remove, &U::output_add>();
}

/// Renyi divergence of the pair at an order, without clipping (none: infinite) and, at most, with.
struct RenyiOrder {
  double order = 0;
  wire::Number unclipped;
  wire::Number clipped;
};
constexpr auto fields(const RenyiOrder*) {
  using R = RenyiOrder;
  return wire::outputs<&R::order, &R::unclipped, &R::clipped>();
}

struct InitialisationAnswer : wire::Explanation {
  std::vector<InitialisationDelta> deltas;      ///< one for each epsilon asked
  std::vector<InitialisationEpsilon> epsilons;  ///< one for each delta asked
  Band trade_off;
  wire::Number gdp_mu;      ///< clip / noise: the guarantee that disregards the start
  std::optional<Band> gdp;  ///< and its curve; none without clipping
  std::vector<UnclippedDelta> unclipped;
  double renyi_infinite_from = 0;  ///< the order from which the unclipped divergence is infinite
  std::vector<RenyiOrder> renyi;
};
constexpr auto fields(const InitialisationAnswer*) {
  using A = InitialisationAnswer;
  return wire::explained_fields<&A::deltas, &A::epsilons, &A::trade_off, &A::gdp_mu, &A::gdp,
                                &A::unclipped, &A::renyi_infinite_from, &A::renyi>();
}

std::variant<InitialisationAnswer, Issue> initialisation(const InitialisationQuery& query);

}  // namespace honest_epsilon::accounts
