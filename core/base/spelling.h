#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// How names and numbers are spelt in sentences that people read.
namespace honest_epsilon {

/// The one rule between snake_case and camelCase: noise_multiplier -> noiseMultiplier.
inline std::string camel_case(std::string_view snake) {
  std::string result;
  bool raise = false;
  for (const char letter : snake) {
    if (letter == '_') {
      raise = true;
      continue;
    }
    const bool lower = letter >= 'a' && letter <= 'z';
    result += raise && lower ? static_cast<char>(letter - 'a' + 'A') : letter;
    raise = false;
  }
  return result;
}

/// The shortest decimal that reads back as the same number: 0.1, 1e-6, 60000, NaN, Infinity.
std::string spell(double value);

/// Four digits of a positive number, rounded up or down: an interval spelt so holds the one it
/// stands for.
std::string spell_four(double value, bool up);

/// As quoted text: "poisson" with its marks.
inline std::string spell_text(std::string_view text) {
  return '"' + std::string(text) + '"';
}

/// The words of a list that has a space between any two: "a b c" -> a, b, c.
inline std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

/// "a b c" -> "a, b or c".
inline std::string spell_choices(std::string_view choices) {
  const std::vector<std::string_view> words = split(choices);
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

}  // namespace honest_epsilon
