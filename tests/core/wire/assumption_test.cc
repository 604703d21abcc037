#include "core/wire/assumption.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/wire/warning.h"

namespace honest_epsilon::wire {

TEST_CASE("assumption: a sentence takes its values in their order, as they are") {
  const Assumption sum = assumption(Assumes::step_batch, "6", "{}", "24");
  CHECK(sum.code == "step-batch");
  CHECK(sum.text == "Each step sums 6 batches of {} records, 24 in total, and adds noise once.");
}

TEST_CASE("assumption: codes are lower-case words, and every sentence has its full stop") {
  for (const AssumptionInfo& info : kAssumptions) {
    CAPTURE(info.sentence);
    CHECK(!info.code.empty());
    CHECK(std::all_of(info.code.begin(), info.code.end(),
                      [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }));
    // A sentence may end in what the sampler says.
    CHECK((info.sentence.back() == '.' || info.sentence.substr(info.sentence.size() - 2) == "{}"));
  }
}

TEST_CASE("warning: no code stands for two") {
  for (const WarningInfo& one : kWarnings)
    CHECK(std::count_if(kWarnings.begin(), kWarnings.end(),
                        [&](const WarningInfo& other) { return other.code == one.code; }) == 1);
}

}  // namespace honest_epsilon::wire
