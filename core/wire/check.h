#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/base/spelling.h"
#include "core/wire/schema.h"

/// Checks each field by itself, with the same words for every question.
namespace honest_epsilon::wire {

/// Complains of a field: what it must be or hold, and what was got instead.
inline Issue refused(const char* code, const char* field, const std::string& must,
                     const std::string& got) {
  return {code, field, camel_case(field) + " must " + must + "; got " + got};
}

/// Complains of a field that does not go with the others.
inline Issue contradiction(const char* field, const std::string& must, const std::string& got) {
  return refused("contradiction", field, must, got);
}

/// Complains of a field that is absent: what it would be.
inline Issue missing(const char* field, const std::string& what) {
  return {"missing", field, camel_case(field) + " is required: " + what};
}

/// Whether a field's domain leaves out its upper end: at delta = 1 every mechanism is private, no
/// number of samples makes an interval certain, and at gamma = 1 there is a single run.
inline bool excludes_most(std::string_view name) {
  return name == "delta" || name == "confidence" || name == "gamma";
}

inline bool lists(std::string_view choices, std::string_view choice) {
  const std::vector<std::string_view> words = split(choices);
  return std::find(words.begin(), words.end(), choice) != words.end();
}

template <class Field>
std::string domain(const Field& field, bool with_most) {
  if (field.type == FieldType::choice) return "one of " + spell_choices(field.choices);
  const bool count = field.type == FieldType::count;
  std::string text = count ? "a whole number" : "a finite number";
  text += (field.open_least ? " above " : " of at least ") + spell(field.least);
  if (with_most) {
    text += (excludes_most(field.name) ? " and below " : " and at most ") + spell(field.most);
  }
  return text;
}

template <class Owner>
std::optional<Issue> check(const InputField<Owner, Choice>& field, const Owner& owner) {
  const Choice& value = owner.*field.member;
  if (!value || lists(field.choices, *value)) return std::nullopt;
  return refused("unknown-choice", field.name, "be " + domain(field, false), spell_text(*value));
}

template <class Field>
std::optional<Issue> check_number(const Field& field, double value) {
  const bool above = excludes_most(field.name) ? value >= field.most : value > field.most;
  const bool below = field.open_least ? value <= field.least : value < field.least;
  const char* code = nullptr;
  if (!std::isfinite(value)) {
    code = "not-finite";
  } else if (below || above) {
    code = "out-of-domain";
  } else if (field.type == FieldType::count && value != std::floor(value)) {
    code = "not-whole";
  }
  if (code == nullptr) return std::nullopt;
  // The supported maximum is worth mentioning only if exceeded; a natural one (1) is always said.
  const bool with_most = (std::isfinite(value) && above) || field.most <= 1;
  return Issue{
      code, field.name,
      camel_case(field.name) + " must be " + domain(field, with_most) + "; got " + spell(value)};
}

template <class Owner>
std::optional<Issue> check(const InputField<Owner, Number>& field, const Owner& owner) {
  const Number& value = owner.*field.member;
  return value ? check_number(field, *value) : std::nullopt;
}

inline constexpr std::size_t kMostNumbers = 1000;

/// Every number of a list must lie in the field's domain.
template <class Owner>
std::optional<Issue> check(const InputField<Owner, Numbers>& field, const Owner& owner) {
  const Numbers& values = owner.*field.member;
  if (values.size() > kMostNumbers) {
    return refused("out-of-domain", field.name,
                   "be a list of at most " + std::to_string(kMostNumbers) + " numbers",
                   std::to_string(values.size()));
  }
  for (const double value : values) {
    if (auto issue = check_number(field, value)) return issue;
  }
  return std::nullopt;
}

/// Everything else is right by its type, or checked where it is used.
template <class Owner, class Value>
std::optional<Issue> check(const InputField<Owner, Value>&, const Owner&) {
  return std::nullopt;
}

/// The first field that lies outside its domain.
template <class Owner>
std::optional<Issue> check_all(const Owner& owner) {
  std::optional<Issue> first;
  static constexpr auto kList = fields(static_cast<const Owner*>(nullptr));
  std::apply([&](const auto&... field) { ((first = first ? first : check(field, owner)), ...); },
             kList);
  return first;
}

template <class Owner, class Value>
const auto& field_of(Value Owner::* member) {
  static constexpr auto kList = fields(static_cast<const Owner*>(nullptr));
  const InputField<Owner, Value>* found = nullptr;
  std::apply(
      [&](const auto&... field) {
        const auto match = [&](const auto& candidate) {
          if constexpr (std::is_same_v<std::decay_t<decltype(candidate)>,
                                       InputField<Owner, Value>>) {
            if (candidate.member == member) found = &candidate;
          }
        };
        (match(field), ...);
      },
      kList);
  return *found;
}

/// A value that was given, as a complaint repeats it.
inline std::string spelt(const Number& value) {
  return spell(*value);
}
inline std::string spelt(const Choice& value) {
  return spell_text(*value);
}
inline std::string spelt(const Numbers& values) {
  return spell(values.front());
}

/// Complains of a field by its member.   more: what goes with its value
template <class Owner, class Value>
Issue refused(const char* code, Value Owner::* member, const std::type_identity_t<Owner>& owner,
              const std::string& must, const std::string& more = "") {
  return refused(code, field_of(member).name, must, spelt(owner.*member) + more);
}
template <class Owner, class Value>
Issue contradiction(Value Owner::* member, const std::type_identity_t<Owner>& owner,
                    const std::string& must, const std::string& more = "") {
  return refused("contradiction", member, owner, must, more);
}

/// Complains of a field that is absent.   why: in brackets
template <class Owner, class Value>
Issue missing(Value Owner::* member, const std::string& why = "") {
  const auto& field = field_of(member);
  const bool with_most = field.type != FieldType::choice && field.most <= 1;
  return missing(field.name, domain(field, with_most) + (why.empty() ? "" : " (" + why + ")"));
}
template <class Owner, class Value>
std::optional<Issue> require(Value Owner::* member, const Owner& owner) {
  return owner.*member ? std::nullopt : std::optional(missing(member));
}

/// Complains of the first of some fields that is given, though only `unless` something holds.
inline std::optional<Issue> require_absent(std::initializer_list<Number Query::*> members,
                                           const Query& query, const std::string& unless,
                                           const std::string& with = "") {
  for (const auto member : members) {
    const char* name = field_of(member).name;
    if (query.*member)
      return contradiction(name, "be absent unless " + unless, spell(*(query.*member)) + with);
  }
  return std::nullopt;
}

/// Complains of an accountant that does not prove both ends, `when` both are needed.
inline std::optional<Issue> require_proof(const Query& query, const std::string& when) {
  const std::string accountant = query.accountant.value_or("best");
  if (accountant == "best" || accountant == "pld") return std::nullopt;
  return contradiction("accountant", "be best or pld" + when, spell_text(accountant));
}

/// Complains of a question that is answered elsewhere.
inline std::optional<Issue> require_question(const std::string& question, const char* wanted) {
  if (question == wanted) return std::nullopt;
  return contradiction("question", std::string("be ") + wanted + " here", spell_text(question));
}

}  // namespace honest_epsilon::wire
