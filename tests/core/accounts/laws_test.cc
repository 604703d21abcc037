#include "tests/core/accounts/laws.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::Dice;
using testing::Law;

/// How many random runs of each sampler a law sees.
int rounds(const Law& law) {
  return std::max(1, static_cast<int>(law.share * std::max(1.0, testing::share_of_cases())));
}

}  // namespace

TEST_CASE("laws: hold for random runs of every sampler of the catalog") {
  // In turn, where not all cases are wanted, a law takes two of the samplers that it applies to.
  const bool all = testing::share_of_cases() >= 1;
  const int enough = all ? std::numeric_limits<int>::max() : testing::kSlowBuild ? 1 : 2;
  std::uint64_t seed = 20250601;
  std::size_t turn = 0;
  for (const Law& law : testing::laws()) {
    int applied = 0;
    ++turn;
    for (std::size_t i = 0; i < accounts::kSamplers.size() && applied < enough; ++i) {
      const accounts::Sampler& sampler =
          accounts::kSamplers.at((turn + i) % accounts::kSamplers.size());
      for (int round = 0; round < rounds(law); ++round) {
        Dice dice(++seed);
        const wire::Query query = testing::random_run(dice, sampler);
        const testing::Verdict verdict = law.check(query, dice);
        if (!verdict.applies) continue;
        ++applied;
        ++testing::counts().properties;
        CHECK_MESSAGE(verdict.broken.empty(), law.name << ": " << verdict.broken << "; seed "
                                                       << seed << ": " << testing::describe(query));
      }
    }
    // A law that applies to nothing would hold by itself.
    CHECK_MESSAGE(applied > 0, law.name);
  }
}

}  // namespace honest_epsilon
