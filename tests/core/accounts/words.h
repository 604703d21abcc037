#pragma once

#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

#include "core/accounts/programme.h"
#include "tests/core/support.h"

/// Runs in a line of a table.
namespace honest_epsilon::testing {

/// Sets the field of that name; an empty text takes its value away. Whether there is such a field.
template <class Owner>
bool set_field(Owner& owner, const std::string& name, const std::string& text) {
  bool found = false;
  const auto set_one = [&](const auto& field) {
    if (name != field.name) return;
    found = true;
    auto& value = owner.*field.member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, wire::Number>) value = std::strtod(text.c_str(), nullptr);
    if constexpr (std::is_same_v<Value, wire::Choice>) value = text;
    if constexpr (std::is_same_v<Value, wire::Flag>) value = text == "true";
    if constexpr (std::is_same_v<Value, wire::Numbers>) value = {std::stod(text)};
    if (text.empty()) value = {};
  };
  std::apply([&](const auto&... field) { (set_one(field), ...); },
             fields(static_cast<const Owner*>(nullptr)));
  return found;
}

/// Epsilon at delta 1e-6 of a thousand records in batches of ten, but for the words "name=value":
/// of the phase or of the query. "+" begins another phase like the first, "+ release" a release,
/// and "releases" the list anew.
inline wire::Query query_of(const std::string& run) {
  wire::Query query;
  query.question = "epsilon";
  query.delta = 1e-6;
  wire::Phase first;
  first.noise_multiplier = 1;
  first.dataset_size = 1000;
  first.batch_size = 10;
  query.phases = {first};
  std::istringstream words(run);
  for (std::string word; words >> word;) {
    if (word == "+") {
      query.phases.push_back(query.phases.front());
    } else if (word == "releases") {
      query.phases = {wire::Release{}};
    } else if (word == "release") {
      query.phases.back() = wire::Release{};
    } else {
      const auto sign = word.find('=');
      const std::string name = word.substr(0, sign), text = word.substr(sign + 1);
      const bool found = std::visit([&](auto& entry) { return set_field(entry, name, text); },
                                    query.phases.back()) ||
                         set_field(query, name, text);
      REQUIRE_MESSAGE(found, "no field " << name);
    }
  }
  return query;
}

inline accounts::Programme programme_of(const std::string& run) {
  const auto read = accounts::read_programme(query_of(run), nullptr);
  if (const Issue* issue = std::get_if<Issue>(&read)) FAIL(issue->text);
  return std::get<accounts::Programme>(read);
}

}  // namespace honest_epsilon::testing
