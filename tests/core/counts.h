#pragma once

#include <cstdint>

namespace honest_epsilon::testing {

/// What the tests looked at, for the totals that `npm test` prints.
struct Counts {
  std::int64_t sides = 0;       ///< ends of intervals held against a truth or another interval
  std::int64_t rows = 0;        ///< reference rows read
  std::int64_t properties = 0;  ///< laws checked, each on one random question
  std::int64_t fuzz = 0;        ///< inputs that a fuzz target ran
  std::int64_t answered = 0;    ///< of its questions, those that were not refused
};

inline Counts& counts() {
  static Counts all;
  return all;
}

}  // namespace honest_epsilon::testing
