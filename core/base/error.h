#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace honest_epsilon {

/// An invalid input, as a value: its field, and a sentence that names the value received and what
/// is allowed. `field` is the snake_case name of the schema; the wasm boundary spells it in
/// camelCase.
struct Issue {
  std::string code;
  std::string field;
  std::string text;
  std::optional<double> entry = {};    ///< of several phases and releases the one at fault, from 0
  std::optional<double> nearest = {};  ///< the value sought that comes nearest to an unmet target
};

/// An issue of one of `entries` phases and releases.
inline Issue of_entry(std::size_t entry, std::size_t entries, Issue issue) {
  if (entries > 1) issue.entry = static_cast<double>(entry);
  return issue;
}

}  // namespace honest_epsilon
