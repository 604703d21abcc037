#pragma once

#include <string>

namespace honest_epsilon {

/// A bad question, as a value: which field, and a sentence that says what was got and what would
/// do. `field` is the snake_case name of the schema; the wasm boundary spells it in camelCase.
struct Issue {
  std::string code;
  std::string field;
  std::string text;
};

}  // namespace honest_epsilon
