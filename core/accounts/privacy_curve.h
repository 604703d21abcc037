#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/wire/schema.h"

/// Delta of a run at many epsilons, in one question.
namespace honest_epsilon::accounts {

/// A query whose question is delta, at `epsilons` in place of its own epsilon.
struct PrivacyCurveQuery : wire::Query {
  wire::Numbers epsilons;
  wire::Flag shared_only;
};

constexpr auto fields(const PrivacyCurveQuery*) {
  using Q = PrivacyCurveQuery;
  return std::tuple_cat(
      wire::inherited_fields<Q, wire::Query>(),
      std::make_tuple(
          wire::InputField{"epsilons", &Q::epsilons, wire::FieldType::numbers, "Epsilons",
                           "Privacy losses at which delta is asked.", 0, 1e6, false, "", "ε"},
          wire::InputField{"shared_only", &Q::shared_only, wire::FieldType::flag, "Shared only",
                           "Whether no point is answered where they share no work: "
                           "each is then better asked by itself."}));
}

/// Delta at one epsilon, and what found it.
struct DeltaPoint {
  double epsilon = 0;
  Interval delta;
  std::string method;
  std::string method_code;
};
constexpr auto fields(const DeltaPoint*) {
  using P = DeltaPoint;
  return wire::outputs<&P::epsilon, &P::delta, &P::method, &P::method_code>();
}

struct PrivacyCurveAnswer {
  std::vector<DeltaPoint> points;  ///< in the order asked; none where these are left out
  bool own_proofs = false;         ///< as in TradeOffAnswer
  bool shares_work = false;        ///< whether many points cost hardly more than one
  wire::Work work;
};
constexpr auto fields(const PrivacyCurveAnswer*) {
  using A = PrivacyCurveAnswer;
  return wire::outputs<&A::points, &A::own_proofs, &A::shares_work, &A::work>();
}

/// Every point as proved as a question of its own would be, and as narrow as the query asks
/// wherever that question is.
std::variant<PrivacyCurveAnswer, Issue> privacy_curve_at(const PrivacyCurveQuery& query);

}  // namespace honest_epsilon::accounts
