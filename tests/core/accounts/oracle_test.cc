#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/accounts/answer.h"
#include "tests/core/accounts/laws.h"
#include "tests/core/support.h"
#include "tests/oracle/accountant.h"

namespace honest_epsilon {
namespace {

using oracle::Between;
using testing::Dice;

/// Beyond this epsilon the oracle's losses end.
constexpr double kMost = 30;

/// What is wrong with an interval of delta, if anything is.
std::string complaint(const Interval& delta, const Between& truth, const std::string& what) {
  testing::counts().sides += 2;
  const double slack = oracle::kTolerance;
  if (delta.upper < truth.least * (1 - slack) - oracle::kFloor)
    return what + " " + testing::show(delta) + " is below " + std::to_string(truth.least);
  if (delta.lower > truth.most * (1 + slack) + oracle::kFloor)
    return what + " " + testing::show(delta) + " is above " + std::to_string(truth.most);
  return {};
}

/// The same of an interval of epsilon at a delta: what is given holds at neither end.
std::string complaint(const Interval& epsilon, double delta, const oracle::Accountant& accountant,
                      Between oracle::Deltas::* side, const std::string& what) {
  const Interval given = {delta, delta};
  std::string text;
  if (epsilon.upper < kMost)
    text = complaint(given, {(accountant.at(epsilon.upper).*side).least, 1},
                     what + " " + testing::show(epsilon) + ": delta at its upper end,");
  if (text.empty() && epsilon.lower > 0 && epsilon.lower < kMost)
    text = complaint(given, {0, (accountant.at(epsilon.lower).*side).most},
                     what + " " + testing::show(epsilon) + ": delta at its lower end,");
  return text;
}

std::string complaint(wire::Query query, const oracle::Accountant& accountant, Dice& dice) {
  const bool asks_epsilon = dice.happens(0.5);
  const double given = asks_epsilon ? dice.log_uniform(1e-5, 0.2) : dice.uniform(0, 4);
  query.question = asks_epsilon ? "epsilon" : "delta";
  (asks_epsilon ? query.delta : query.epsilon) = given;
  const accounts::Outcome outcome = accounts::answer(query);
  if (const Issue* issue = std::get_if<Issue>(&outcome)) return "refused: " + issue->text;
  const wire::Answer& answer = std::get<std::vector<wire::Answer>>(outcome).front();
  if (testing::warns(answer, "no-finite-epsilon")) {
    // Where all of delta is spent on outright failure, more is left at any epsilon.
    const oracle::Deltas far = accountant.at(kMost);
    const bool spent = far.remove.most >= given || far.add.most >= given;
    return spent ? "" : "said to be infinite at " + std::to_string(given);
  }
  std::string all;
  const auto check = [&](const Interval& value, Between oracle::Deltas::* side, const char* name) {
    all += asks_epsilon ? complaint(value, given, accountant, side, name)
                        : complaint(value, accountant.at(given).*side, name);
  };
  check(answer.directions.remove, &oracle::Deltas::remove, "remove");
  check(answer.directions.add, &oracle::Deltas::add, "add");
  if (answer.rdp) {
    check({0, answer.rdp->upper}, &oracle::Deltas::remove, "Rényi accounting, remove,");
    check({0, answer.rdp->upper}, &oracle::Deltas::add, "Rényi accounting, add,");
  }
  return all.empty() ? all : all + " at " + std::to_string(given);
}

}  // namespace

TEST_CASE("oracle: a second accountant agrees on small runs of all fields") {
  const int all = testing::share_of_cases() >= 1 ? 5000 : testing::rounds(360);
  for (int i = 0; i < all; ++i) {
    const auto seed = static_cast<std::uint64_t>(20261128 + i);
    Dice dice(seed);
    const wire::Query query = oracle::small_question(dice);
    const std::string text = complaint(query, oracle::Accountant(query), dice);
    ++testing::counts().properties;
    CHECK_MESSAGE(text.empty(), text << "; seed " << seed << ": " << testing::describe(query));
  }
}

}  // namespace honest_epsilon
