#pragma once

#include <variant>
#include <vector>

#include "core/accounts/band.h"
#include "core/wire/schema.h"

/// Two-component mixtures against each other, as a question.
namespace honest_epsilon::accounts {

struct MixturesQuery : wire::Readings {
  wire::Number weight, p1, p2, q1, q2;
  wire::Numbers epsilon;
};
constexpr auto fields(const MixturesQuery*) {
  using Q = MixturesQuery;
  const auto mean = [](const char* name, wire::Number Q::* member, const char* label,
                       const char* meaning) {
    return wire::InputField{name, member, wire::FieldType::number, label, meaning, -1e3, 1e3};
  };
  return std::tuple_cat(
      std::make_tuple(
          wire::InputField{"weight", &Q::weight, wire::FieldType::number, "Weight",
                           "Probability of the second component, in both mixtures.", 0, 1, false,
                           "", "w"},
          mean("p1", &Q::p1, "First mean of P", "Mean of the first component of P (variance 1)."),
          mean("p2", &Q::p2, "Second mean of P", "Mean of the second component of P (variance 1)."),
          mean("q1", &Q::q1, "First mean of Q", "Mean of the first component of Q (variance 1)."),
          mean("q2", &Q::q2, "Second mean of Q", "Mean of the second component of Q (variance 1)."),
          wire::InputField{"epsilon", &Q::epsilon, wire::FieldType::numbers, "Epsilon",
                           "Epsilons, to find delta.", 0, 700, false, "", "ε"}),
      wire::reading_fields<Q>());
}

/// Delta of one direction: the mixtures' own, by joint concavity, and by advanced joint concavity
/// at the gamma and eta that were found best.
struct MixturesDelta {
  Interval delta;
  Interval joint;
  Interval advanced_joint;
  double gamma = 0;
  double eta = 1;
};
constexpr auto fields(const MixturesDelta*) {
  using M = MixturesDelta;
  return wire::outputs<&M::delta, &M::joint, &M::advanced_joint, &M::gamma, &M::eta>();
}

/// Both directions at an epsilon: remove is H(P || Q), add is H(Q || P).
struct MixturesDeltas {
  double epsilon = 0;
  MixturesDelta remove;
  MixturesDelta add;
};
constexpr auto fields(const MixturesDeltas*) {
  using M = MixturesDeltas;
  return wire::outputs<&M::epsilon, &M::remove, &M::add>();
}

struct MixturesAnswer : wire::Explanation {
  std::vector<MixturesDeltas> deltas;  ///< one for each epsilon asked
  Band trade_off;                      ///< of Q, the null hypothesis, against P
  Band joint;
  Band advanced_joint;
};
constexpr auto fields(const MixturesAnswer*) {
  using A = MixturesAnswer;
  return wire::explained_fields<&A::deltas, &A::trade_off, &A::joint, &A::advanced_joint>();
}

std::variant<MixturesAnswer, Issue> mixtures(const MixturesQuery& query);

}  // namespace honest_epsilon::accounts
