#include "tests/core/api/laws.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::Dice;
using testing::Law;

/// How many random runs of each sampler a law sees. HONEST_EPSILON_ROUNDS=100 makes a long check.
int rounds(const Law& law) {
  const char* wanted = std::getenv("HONEST_EPSILON_ROUNDS");
  return std::max(1, static_cast<int>(law.share * (wanted ? std::atof(wanted) : 1)));
}

}  // namespace

TEST_CASE("laws: hold for random runs of every sampler of the catalog") {
  std::uint64_t seed = 20250601;
  std::size_t turn = 0;
  for (const Law& law : testing::laws()) {
    int applied = 0;
    ++turn;
    for (const api::Sampler& sampler : api::kSamplers) {
      // Slow builds look at the same code: each law takes a sampler in turn.
      if (testing::kSlowBuild && &sampler != &api::kSamplers.at(turn % api::kSamplers.size()))
        continue;
      for (int round = 0; round < rounds(law); ++round) {
        Dice dice(++seed);
        const api::Query query = testing::random_run(dice, sampler);
        const testing::Verdict verdict = law.check(query, dice);
        if (!verdict.applies) continue;
        ++applied;
        ++testing::counts().properties;
        CHECK_MESSAGE(verdict.broken.empty(), law.name << ": " << verdict.broken << "; seed "
                                                       << seed << ": " << testing::describe(query));
      }
    }
    // A law that applies to nothing would hold by itself.
    if (!testing::kSlowBuild) CHECK_MESSAGE(applied > 0, law.name);
  }
}

}  // namespace honest_epsilon
