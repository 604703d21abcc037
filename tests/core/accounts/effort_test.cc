#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"
#include "tests/core/accounts/laws.h"
#include "tests/core/support.h"
#include "tests/oracle/accountant.h"

namespace honest_epsilon::accounts {
namespace {

using testing::Dice;
using testing::show;

/// How wide an answer may be at little effort, and at much.
constexpr double kLow = 0.1, kHigh = 1e-3;

struct Compared {
  std::string apart;   ///< intervals of the same number that do not meet
  std::string higher;  ///< upper ends that are higher at much effort, and do not say so
};

Compared at_both_efforts(wire::Query query) {
  query.width = kLow;
  const Outcome low = answer(query);
  query.width = kHigh;
  const Outcome high = answer(query);
  if (low.index() != high.index()) return {"refused at one width alone", {}};
  const wire::Answer &coarse = testing::answers_of(low).front(),
                     &fine = testing::answers_of(high).front();
  const bool said =
      testing::warns(fine, "wide-interval") || testing::warns(fine, "stopped-at-limit");
  Compared found;
  const auto compare = [&](const Interval& a, const Interval& b, bool decides, const char* name) {
    const std::string both = name + (" " + show(a)) + ", finer " + show(b) + "; ";
    if (!testing::overlap(a, b)) found.apart += both;
    // Which of two narrow ones is lower is chance.
    if (decides && !said && b.upper > a.upper * (1 + kHigh / 2) + 1e-15) found.higher += both;
  };
  compare(coarse.epsilon, fine.epsilon, true, "epsilon");
  compare(coarse.delta, fine.delta, true, "delta");
  // The direction that does not decide may be known less well.
  compare(coarse.directions.remove, fine.directions.remove, false, "remove");
  compare(coarse.directions.add, fine.directions.add, false, "add");
  return found;
}

}  // namespace

TEST_CASE("effort: more of it gives an interval that meets the coarse one, and is no higher") {
  const int all = testing::share_of_cases() >= 1 ? 2000 : testing::rounds(96);
  for (int i = 0; i < all; ++i) {
    const auto seed = static_cast<std::uint64_t>(20261129 + i);
    Dice dice(seed);
    const Sampler& sampler = kSamplers[static_cast<std::size_t>(i) / 2 % kSamplers.size()];
    wire::Query query =
        i % 2 == 0 ? oracle::small_question(dice) : testing::random_run(dice, sampler);
    const bool asks_epsilon = dice.happens(0.5);
    query.question = asks_epsilon ? "epsilon" : "delta";
    (asks_epsilon ? query.delta : query.epsilon) =
        asks_epsilon ? dice.log_uniform(1e-12, 0.2) : dice.uniform(0, 6);
    const Compared found = at_both_efforts(query);
    ++testing::counts().properties;
    const std::string where = "; seed " + std::to_string(seed) + ": " + testing::describe(query);
    CHECK_MESSAGE(found.apart.empty(), found.apart << where);
    CHECK_MESSAGE(found.higher.empty(), found.higher << where);
  }
}

}  // namespace honest_epsilon::accounts
