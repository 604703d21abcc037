#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace honest_epsilon::wire {

/// Something valid but unwise, or a limit that was reached: a code for programs, a sentence or more
/// for readers. Comes with an answer, never instead of one.
struct Warning {
  std::string code;
  std::string text;
};

/// THE list of warnings' codes, which never change. "row-failed" is for callers that ask several
/// samplers at once, of which one has no answer.
inline constexpr auto kWarnings = std::to_array<std::string_view>({
    "other-neighbours",
    "batch-does-not-divide",
    "schedule-rounded",
    "every-record-every-step",
    "batch-below-one-record",
    "delta-above-one-over-n",
    "nothing-is-private",
    "poisson-meant",
    "cap-too-small",
    "search-gap",
    "shuffle-gap",
    "theory-gap",
    "wide-interval",
    "accountant-has-no-bound",
    "memory-limit",
    "stopped-at-limit",
    "interval-widened",
    "any-value-meets",
    "no-steps",
    "no-finite-epsilon",
    "row-failed",
});

/// A code of the table: no other one compiles.
struct WarningCode {
  std::string_view code;
  consteval WarningCode(const char* text) : code(text) {  // NOLINT: as if it were the text
    if (std::find(kWarnings.begin(), kWarnings.end(), code) == kWarnings.end()) throw text;
  }
};

inline Warning warning(WarningCode code, std::string text) {
  return {std::string(code.code), std::move(text)};
}

}  // namespace honest_epsilon::wire
