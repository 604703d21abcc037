#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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
inline std::string spell(double value) {
  if (value != value) return "NaN";
  if (value > 1.7976931348623157e308) return "Infinity";
  if (value < -1.7976931348623157e308) return "-Infinity";
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  std::string result = text;
  if (const std::size_t e = result.find('e'); e != std::string::npos) {
    // A whole number of moderate size reads better in full: 60000, not 6e+04.
    if (value == static_cast<double>(
                     static_cast<long long>(value < 1e15 && value > -1e15 ? value : 0)) &&
        value != 0) {
      std::snprintf(text, sizeof text, "%.0f", value);
      return text;
    }
    std::string exponent = result.substr(e + 1);
    const bool negative = exponent[0] == '-';
    exponent.erase(0, exponent.find_first_not_of("+-0"));
    result = result.substr(0, e) + (negative ? "e-" : "e") + exponent;
  }
  return result;
}

/// Three digits of a positive number, rounded up or down: an interval spelt so holds the one it
/// stands for.
inline std::string spell_three(double value, bool up) {
  if (!(value > 0) || value > 1.7976931348623157e308) return spell(value);
  char text[40];
  std::snprintf(text, sizeof text, "%.2e", value);
  const double rounded = std::strtod(text, nullptr);
  if (up ? rounded < value : rounded > value) {
    // The next one on the other side: a unit of the third digit away.
    const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
    std::snprintf(text, sizeof text, "%.2e", rounded + (up ? unit : -unit));
  }
  return spell(std::strtod(text, nullptr));
}

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
