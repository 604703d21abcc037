#include "core/wire/assumption.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

#include "core/wire/warning.h"

namespace honest_epsilon::wire {

TEST_CASE("assumption: a sentence takes its values in their order, as they are") {
  const Assumption sum = assumes::step_batch("6", "{}", "24");
  CHECK(sum.code == "step-batch");
  CHECK(sum.text == "Each step sums 6 batches of {} records, 24 in total, and adds noise once.");
}

TEST_CASE("assumption: codes are lower-case words, and no code stands twice") {
  for (const std::string_view code : kAssumptionCodes) {
    CHECK(std::all_of(code.begin(), code.end(),
                      [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }));
    CHECK(std::count(kAssumptionCodes.begin(), kAssumptionCodes.end(), code) == 1);
  }
}

TEST_CASE("warning: no code stands for two") {
  for (const std::string_view code : kWarnings)
    CHECK(std::count(kWarnings.begin(), kWarnings.end(), code) == 1);
}

}  // namespace honest_epsilon::wire
