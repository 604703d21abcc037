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
    value = {};
    if (text.empty()) return;
    if constexpr (std::is_same_v<Value, wire::Number>) value = std::strtod(text.c_str(), nullptr);
    if constexpr (std::is_same_v<Value, wire::Choice>) value = text;
    if constexpr (std::is_same_v<Value, wire::Flag>) value = text == "true";
    if constexpr (std::is_same_v<Value, wire::Numbers>) {
      std::istringstream entries(text);
      for (std::string entry; std::getline(entries, entry, ',');)
        value.push_back(std::strtod(entry.c_str(), nullptr));
    }
  };
  std::apply([&](const auto&... field) { (set_one(field), ...); },
             fields(static_cast<const Owner*>(nullptr)));
  return found;
}

/// A field of the last entry. A rate, or steps of an epoch, are told in place of counts of records.
inline bool set_field_of_entry(wire::Query& query, const std::string& name,
                               const std::string& text) {
  if (query.phases.empty()) return false;
  wire::Phase* phase = std::get_if<wire::Phase>(&query.phases.back());
  const bool by_rate = name == "steps_per_epoch" || name == "sampling_probability";
  if (by_rate && !text.empty() && phase && phase->batch_size)
    phase->dataset_size = phase->batch_size = std::nullopt;
  return std::visit([&](auto& entry) { return set_field(entry, name, text); }, query.phases.back());
}

/// Whether the word begins another phase like the first, makes a release of the last, or of all.
inline bool begins_entry(wire::Query& query, const std::string& word) {
  if (word == "+") query.phases.push_back(query.phases.front());
  if (word == "releases") query.phases.resize(1);
  if (word.starts_with("release")) query.phases.back() = wire::Release{};
  return word == "+" || word == "release" || word == "releases";
}

/// A question of whatever kind, but for the words "name=value" or "name=1,2": of it or, where it
/// has them, of its last entry. "+" begins another phase like the first, "+ release" a release, and
/// "releases" the list anew. Numbers among the parts are spelt with all their digits.
template <class Question, class... Parts>
Question with(Question question, const Parts&... parts) {
  std::ostringstream all;
  all.precision(17);
  (all << ... << parts);
  std::istringstream words(all.str());
  for (std::string word; words >> word;) {
    const auto sign = word.find('=');
    const std::string name = word.substr(0, sign);
    const std::string text = sign == word.npos ? "" : word.substr(sign + 1);
    if constexpr (std::is_base_of_v<wire::Query, Question>) {
      if (begins_entry(question, word) || set_field_of_entry(question, name, text)) continue;
    }
    REQUIRE_MESSAGE((sign != word.npos && set_field(question, name, text)), "no field " << word);
  }
  return question;
}

/// Epsilon at delta 1e-6 of a thousand records in batches of ten, but for these words.
template <class... Parts>
wire::Query query_of(const std::string& first, const Parts&... parts) {
  wire::Query query;
  query.question = "epsilon";
  query.delta = 1e-6;
  wire::Phase phase;
  phase.noise_multiplier = 1;
  phase.dataset_size = 1000;
  phase.batch_size = 10;
  query.phases = {phase};
  return with(query, first, parts...);
}

template <class... Parts>
wire::Answer asked(const std::string& first, const Parts&... parts) {
  return answer_of(query_of(first, parts...));
}

/// The same run's delta at an epsilon.
inline wire::Answer at_epsilon(wire::Query query, double epsilon) {
  query.question = "delta";
  query.delta.reset();
  query.epsilon = epsilon;
  return answer_of(query);
}

inline accounts::Programme programme_of(const std::string& run) {
  const auto read = accounts::read_programme(query_of(run), nullptr);
  if (const Issue* issue = std::get_if<Issue>(&read)) FAIL(issue->text);
  return std::get<accounts::Programme>(read);
}

}  // namespace honest_epsilon::testing
