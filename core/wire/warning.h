#pragma once

#include <array>
#include <cstddef>
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

enum class Warns : unsigned char {
  other_neighbours,
  batch_does_not_divide,
  schedule_rounded,
  every_record_every_step,
  batch_below_one_record,
  delta_above_one_over_n,
  nothing_is_private,
  poisson_meant,
  cap_too_small,
  search_gap,
  shuffle_gap,
  theory_gap,
  wide_interval,
  accountant_has_no_bound,
  memory_limit,
  stopped_at_limit,
  interval_widened,
  any_value_meets,
  no_steps,
  no_finite_epsilon,
  row_failed,
};

struct WarningInfo {
  Warns warns;
  std::string_view code;  ///< for programs; never changes
};

/// THE table of warnings, in the order of the enumeration.
inline constexpr std::array kWarnings = {
    WarningInfo{Warns::other_neighbours, "other-neighbours"},
    WarningInfo{Warns::batch_does_not_divide, "batch-does-not-divide"},
    WarningInfo{Warns::schedule_rounded, "schedule-rounded"},
    WarningInfo{Warns::every_record_every_step, "every-record-every-step"},
    WarningInfo{Warns::batch_below_one_record, "batch-below-one-record"},
    WarningInfo{Warns::delta_above_one_over_n, "delta-above-one-over-n"},
    WarningInfo{Warns::nothing_is_private, "nothing-is-private"},
    WarningInfo{Warns::poisson_meant, "poisson-meant"},
    WarningInfo{Warns::cap_too_small, "cap-too-small"},
    WarningInfo{Warns::search_gap, "search-gap"},
    WarningInfo{Warns::shuffle_gap, "shuffle-gap"},
    WarningInfo{Warns::theory_gap, "theory-gap"},
    WarningInfo{Warns::wide_interval, "wide-interval"},
    WarningInfo{Warns::accountant_has_no_bound, "accountant-has-no-bound"},
    WarningInfo{Warns::memory_limit, "memory-limit"},
    WarningInfo{Warns::stopped_at_limit, "stopped-at-limit"},
    WarningInfo{Warns::interval_widened, "interval-widened"},
    WarningInfo{Warns::any_value_meets, "any-value-meets"},
    WarningInfo{Warns::no_steps, "no-steps"},
    WarningInfo{Warns::no_finite_epsilon, "no-finite-epsilon"},
    // For callers that ask several samplers at once, of which one has no answer.
    WarningInfo{Warns::row_failed, "row-failed"},
};

static_assert([] {
  for (std::size_t at = 0; at < kWarnings.size(); ++at)
    if (kWarnings[at].warns != static_cast<Warns>(at)) return false;
  return kWarnings.back().warns == Warns::row_failed;
}());

constexpr std::string_view code_of(Warns warns) {
  return kWarnings[static_cast<std::size_t>(warns)].code;
}

inline Warning warning(Warns warns, std::string text) {
  return {std::string(code_of(warns)), std::move(text)};
}

}  // namespace honest_epsilon::wire
