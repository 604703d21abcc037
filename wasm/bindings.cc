// The boundary between JavaScript and the core. It is a table: what crosses is read and written
// through the schema's fields() lists, and what can be asked stands in one list (wasm/calls.h).
// Nothing is thrown across, no C++ object crosses, and every call answers with one of
//   {result: ...} | {issue: {...}} | {failure: "..."}.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/spelling.h"
#include "wasm/calls.h"

namespace honest_epsilon::wasm {
namespace {

using emscripten::val;

// ---------------------------------------------------------------------------------------------
// Core -> JS.

template <class T>
val to_js(const T& value);

/// An infinite end says "no bound on that side", which JSON can only say as null.
val end_to_js(double end) {
  return std::isfinite(end) ? val(end) : val::null();
}

val to_js(const Interval& interval) {
  val object = val::object();
  object.set("lower", end_to_js(interval.lower));
  object.set("upper", end_to_js(interval.upper));
  object.set("kind", val(std::string(name_in(kKinds, interval.kind))));
  return object;
}

template <class T>
val list_to_js(const T& list) {
  val array = val::array();
  for (const auto& element : list) array.call<void>("push", to_js(element));
  return array;
}

val to_js(const wire::RankList& ranks) {
  return ranks.automatic ? val("auto") : list_to_js(ranks.list);
}

template <class T>
val to_js(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return val(value);
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    return val(std::string(value));
  } else if constexpr (IsList<T>::value) {
    return list_to_js(value);
  } else {
    val object = val::object();
    for_each_field<T>([&](const auto& field) {
      const auto& member = value.*field.member;
      if constexpr (IsOptional<std::remove_cvref_t<decltype(member)>>::value) {
        if (member) object.set(camel_case(field.name), to_js(*member));
      } else {
        object.set(camel_case(field.name), to_js(member));
      }
    });
    return object;
  }
}

/// What every call answers with, by its kind.
val outcome_of(const char* kind, const val& content) {
  val object = val::object();
  object.set(kind, content);
  return object;
}

// ---------------------------------------------------------------------------------------------
// JS -> core.

bool is_list(const val& value) {
  return val::global("Array").call<bool>("isArray", value);
}

/// The first characters of a text as JSON quotes them: control characters and halves of surrogate
/// pairs, which UTF-8 has no form for, are escaped.
std::string quote(const val& text) {
  constexpr unsigned kMost = 40;
  // A character has one or two UTF-16 units.
  const val start =
      val::global("Array").call<val>("from", text.call<val>("slice", 0, 2 * kMost + 2));
  val shown = start.call<val>("slice", 0, kMost).call<val>("join", val(""));
  if (start["length"].as<unsigned>() > kMost) shown = shown.call<val>("concat", val("..."));
  return val::global("JSON").call<std::string>("stringify", shown);
}

/// The value that was got, as an error message shows it.
std::string show(const val& value) {
  const auto type = value.typeOf().as<std::string>();
  if (type == "string") return quote(value);
  if (type == "bigint") return "the BigInt " + val::global("String")(value).as<std::string>() + "n";
  if (value.isNull()) return "null";
  if (is_list(value)) return "a list";
  if (type == "object") return "an object";
  if (type == "function") return "a function";
  if (type == "symbol") return "a symbol";
  return val::global("String")(value).as<std::string>();
}

bool is_record(const val& value) {
  return value.typeOf().as<std::string>() == "object" && !value.isNull() && !is_list(value);
}

Issue wrong_type(const std::string& field, const char* wanted, const val& got) {
  return {"wrong-type", field, field + " must be " + wanted + "; got " + show(got)};
}

std::optional<Issue> read(const std::string& name, const val& value, wire::Number& number) {
  if (!value.isNumber()) return wrong_type(name, "a number", value);
  number = value.as<double>();
  return std::nullopt;
}

std::optional<Issue> read(const std::string& name, const val& value, wire::Choice& choice) {
  if (!value.isString()) return wrong_type(name, "a string", value);
  // Escaped and cut, since the core repeats what is none of its choices; those are neither.
  const std::string quoted = quote(value);
  choice = quoted.substr(1, quoted.size() - 2);
  return std::nullopt;
}

std::optional<Issue> read(const std::string& name, const val& value, wire::Flag& flag) {
  const auto type = value.typeOf().as<std::string>();
  if (type != "boolean") return wrong_type(name, "true or false", value);
  flag = value.as<bool>();
  return std::nullopt;
}

template <Record T>
std::optional<Issue> read(const std::string& name, const val& value, std::optional<T>& record);

/// A list, each element read by the rule for its type; a single number counts as a list of one.
template <class T>
std::optional<Issue> read(const std::string& name, const val& value, std::vector<T>& list) {
  if constexpr (std::is_same_v<T, double>) {
    if (value.isNumber()) {
      list.push_back(value.as<double>());
      return std::nullopt;
    }
  }
  if (!is_list(value)) return wrong_type(name, "a list", value);
  const auto count = value["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    std::optional<T> element;
    if (auto issue = read(name, value[i], element)) return issue;
    list.push_back(*std::move(element));
  }
  return std::nullopt;
}

std::optional<Issue> read(const std::string& name, const val& value, wire::Ranks& ranks) {
  wire::RankList& list = ranks.emplace();
  list.automatic = value.isString() && value.as<std::string>() == "auto";
  if (list.automatic) return std::nullopt;
  if (value.isString()) return wrong_type(name, "\"auto\" or a list of numbers", value);
  return read(name, value, list.list);
}

/// A field of a record that is read, without its type: the fewer types, the smaller the engine.
struct Slot {
  const char* name;
  void* member;
  std::optional<Issue> (*read)(const std::string& name, const val& value, void* member);
};

template <class Value>
std::optional<Issue> read_into(const std::string& name, const val& value, void* member) {
  return read(name, value, *static_cast<Value*>(member));
}

/// Reads every key of `object` into its slot; `also` is one more key that is the caller's to read.
/// Null and undefined count as absent.
std::optional<Issue> read_slots(const val& object, std::span<const Slot> slots,
                                std::string_view also) {
  const val keys = val::global("Object").call<val>("keys", object);
  const auto count = keys["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const auto key = keys[i].as<std::string>();
    const val value = object[key];
    if (!also.empty() && key == also) continue;
    const auto slot = std::find_if(slots.begin(), slots.end(), [&](const Slot& candidate) {
      return key == camel_case(candidate.name);
    });
    if (slot == slots.end()) {
      std::string names{also};
      for (const Slot& one : slots) names += (names.empty() ? "" : ", ") + camel_case(one.name);
      return Issue{"unknown-field", key,
                   "there is no field " + show(keys[i]) + "; the fields here are " + names};
    }
    if (value.isNull() || value.isUndefined()) continue;
    if (auto issue = slot->read(key, value, slot->member)) return issue;
  }
  return std::nullopt;
}

template <class Owner>
std::optional<Issue> read_record(const val& object, Owner& owner, std::string_view also = {}) {
  const auto slot = [&]<class Value>(const wire::InputField<Owner, Value>& field) {
    return Slot{field.name, &(owner.*field.member), &read_into<Value>};
  };
  const auto slots =
      std::apply([&](const auto&... field) { return std::array{slot(field)...}; }, kFields<Owner>);
  return read_slots(object, slots, also);
}

template <Record T>
std::optional<Issue> read(const std::string& name, const val& value, std::optional<T>& record) {
  if (!is_record(value)) return wrong_type(name, "an object", value);
  return read_record(value, record.emplace());
}

/// Whether the object has any of the fields of `Owner` that are none of `Other`.
template <class Owner, class Other>
bool has_any_of(const val& object) {
  const auto names = [](const auto&... field) {
    return std::vector<std::string_view>{field.name...};
  };
  const auto others = std::apply(names, kFields<Other>);
  for (const std::string_view name : std::apply(names, kFields<Owner>)) {
    if (std::find(others.begin(), others.end(), name) != others.end()) continue;
    const val value = object[camel_case(name)];
    if (!value.isNull() && !value.isUndefined()) return true;
  }
  return false;
}

/// A phase, or a release, by the fields that the other does not have.
std::optional<Issue> read_entry(const val& object, wire::Entry& entry) {
  if (has_any_of<wire::Release, wire::Phase>(object) &&
      !has_any_of<wire::Phase, wire::Release>(object))
    return read_record(object, entry.emplace<wire::Release>());
  return read_record(object, entry.emplace<wire::Phase>());
}

template <class T>
std::optional<Issue> read_question(const val& value, T& question) {
  if (!is_record(value)) return wrong_type("query", "an object", value);
  return read_record(value, question);
}

template <std::derived_from<wire::Query> T>
std::optional<Issue> read_question(const val& value, T& query) {
  if (!is_record(value)) return wrong_type("query", "an object", value);
  if (auto issue = read_record(value, query, "phases")) return issue;
  const val phases = value["phases"];
  if (phases.isNull() || phases.isUndefined()) return std::nullopt;
  if (!is_list(phases)) return wrong_type("phases", "a list", phases);
  const auto count = phases["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    if (!is_record(phases[i])) return wrong_type("phases", "a list of objects", phases[i]);
    if (auto issue = read_entry(phases[i], query.phases.emplace_back()))
      return of_entry(i, count, *issue);
  }
  return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// What JS calls.

/// Why there is no outcome: a code, for which JavaScript has the words. An exception's text is its
/// library's, and never crosses.
val failure(const char* code) {
  return outcome_of("failure", val(std::string(code)));
}

/// Puts one question to the core, whose answer is a variant of a result and an Issue.
template <auto kAsk, class In>
val ask(const val& value) {
  try {
    In question;
    if (auto issue = read_question(value, question)) return outcome_of("issue", to_js(*issue));
    auto outcome = kAsk(question);
    if (Issue* issue = std::get_if<Issue>(&outcome)) {
      issue->field = camel_case(issue->field);
      return outcome_of("issue", to_js(*issue));
    }
    return outcome_of("result", to_js(std::get<0>(outcome)));
  } catch (const std::bad_alloc&) {
    return failure("out-of-memory");
  } catch (const std::length_error&) {
    // A list longer than the whole address space.
    return failure("out-of-memory");
  } catch (...) {
    return failure("exception");
  }
}

val call(const std::string& name, const val& value) {
  val outcome = failure("no-such-method");
  for_each_call([&]<auto kAsk>(const Call<kAsk>& one) {
    if (one.name == name) outcome = ask<kAsk, typename Call<kAsk>::In>(value);
  });
  return outcome;
}

std::string version() {
  return HONEST_EPSILON_VERSION;
}

}  // namespace
}  // namespace honest_epsilon::wasm

EMSCRIPTEN_BINDINGS(honest_epsilon) {
  emscripten::function("call", &honest_epsilon::wasm::call);
  emscripten::function("version", &honest_epsilon::wasm::version);
}
