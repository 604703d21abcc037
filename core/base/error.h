#pragma once

#include <string>

namespace honest_epsilon {

/// An invalid input, as a value: its field, and a sentence that names the value received and what
/// is allowed. `field` is the snake_case name of the schema; the wasm boundary spells it in
/// camelCase.
struct Issue {
  std::string code;
  std::string field;
  std::string text;
};

}  // namespace honest_epsilon
