// The boundary between JavaScript and the core. It is a table: what crosses is read and written
// through the schema's fields() lists, and what can be asked stands in one list of methods. Nothing
// is thrown across, no C++ object crosses, and every call answers with one of
//   {result: ...} | {issue: {...}} | {failure: "..."}.

#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <emscripten/version.h>

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
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/api/answer.h"
#include "core/api/audit.h"
#include "core/api/band.h"
#include "core/api/catalog.h"
#include "core/api/initialisation.h"
#include "core/api/mixtures.h"
#include "core/api/monte_carlo.h"
#include "core/api/privacy_curve.h"
#include "core/api/schema.h"
#include "core/api/shuffle_model.h"
#include "core/api/tradeoff.h"
#include "core/base/spelling.h"

namespace honest_epsilon::wasm {
namespace {

using api::fields;
using emscripten::val;

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};

/// A type with a list of fields.
template <class T>
concept Record = requires { fields(static_cast<const T*>(nullptr)); };

template <class T>
constexpr auto kFields = fields(static_cast<const T*>(nullptr));

template <class T, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, kFields<T>);
}

// ---------------------------------------------------------------------------------------------
// The names of types and fields, as TypeScript spells them.

/// A type's own name, without namespaces: of `... [T = honest_epsilon::api::Band]`, Band.
template <class T>
constexpr std::string_view own_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_suffix(1);
  return text.substr(text.find_last_of(" :") + 1);
}

/// As TypeScript calls it; those that it spells otherwise stand below.
template <class T>
constexpr std::string_view kTypeName = own_name<T>();
template <>
constexpr std::string_view kTypeName<double> = "number";
template <>
constexpr std::string_view kTypeName<std::string> = "string";
template <>
constexpr std::string_view kTypeName<bool> = "boolean";
template <>
constexpr std::string_view kTypeName<api::RankList> = "Ranks";
template <>
constexpr std::string_view kTypeName<api::DirectionsOut> = "Directions";

constexpr std::array kKinds = {
    std::pair{IntervalKind::certified, "certified"},
    std::pair{IntervalKind::bound, "bound"},
    std::pair{IntervalKind::confidence, "confidence"},
    std::pair{IntervalKind::estimate, "estimate"},
};

constexpr std::array kFieldTypes = {
    std::pair{api::FieldType::number, "number"},   std::pair{api::FieldType::count, "count"},
    std::pair{api::FieldType::choice, "choice"},   std::pair{api::FieldType::flag, "flag"},
    std::pair{api::FieldType::numbers, "numbers"}, std::pair{api::FieldType::ranks, "ranks"},
    std::pair{api::FieldType::texts, "texts"},
};

template <class Table, class Key>
const char* name_in(const Table& table, Key key) {
  for (const auto& [value, name] : table) {
    if (value == key) return name;
  }
  return "";
}

// ---------------------------------------------------------------------------------------------
// Core -> JS.

template <class T>
val to_js(const T& value);

val to_js(const std::string& value) {
  return val(value);
}
val to_js(std::string_view value) {
  return val(std::string(value));
}
val to_js(double value) {
  return val(value);
}
val to_js(bool value) {
  return val(value);
}

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

val to_js(const api::RankList& ranks) {
  return ranks.automatic ? val("auto") : list_to_js(ranks.list);
}

template <class T>
val to_js(const T& value) {
  if constexpr (IsList<T>::value) {
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

/// `issue.field` as JS spells it.
val issue_to_js(const Issue& issue) {
  val object = val::object();
  object.set("issue", to_js(issue));
  return object;
}

// ---------------------------------------------------------------------------------------------
// JS -> core.

bool is_list(const val& value) {
  return val::global("Array").call<bool>("isArray", value);
}

/// The value that was got, as an error message shows it.
std::string show(const val& value) {
  const auto type = value.typeOf().as<std::string>();
  if (type == "string") {
    constexpr std::size_t kLongest = 40;
    const auto text = value.as<std::string>();
    return '"' + (text.size() <= kLongest ? text : text.substr(0, kLongest) + "...") + '"';
  }
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

std::optional<Issue> read(const std::string& name, const val& value, api::Number& number) {
  if (!value.isNumber()) return wrong_type(name, "a number", value);
  number = value.as<double>();
  return std::nullopt;
}

std::optional<Issue> read(const std::string& name, const val& value, api::Choice& choice) {
  if (!value.isString()) return wrong_type(name, "a string", value);
  choice = value.as<std::string>();
  return std::nullopt;
}

std::optional<Issue> read(const std::string& name, const val& value, api::Flag& flag) {
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

std::optional<Issue> read(const std::string& name, const val& value, api::Ranks& ranks) {
  api::RankList& list = ranks.emplace();
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
  const auto slot = [&]<class Value>(const api::InputField<Owner, Value>& field) {
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

/// Whether the object has any of the fields of `Owner`.
template <class Owner>
bool has_any_of(const val& object) {
  const auto names =
      std::apply([](const auto&... field) { return std::array{field.name...}; }, kFields<Owner>);
  return std::any_of(names.begin(), names.end(), [&](const char* name) {
    const val value = object[camel_case(name)];
    return !(value.isNull() || value.isUndefined());
  });
}

/// A phase, or a release: the two share no field.
std::optional<Issue> read_entry(const val& object, api::Entry& entry) {
  if (has_any_of<api::Release>(object) && !has_any_of<api::Phase>(object))
    return read_record(object, entry.emplace<api::Release>());
  return read_record(object, entry.emplace<api::Phase>());
}

template <class T>
std::optional<Issue> read_question(const val& value, T& question) {
  if (!is_record(value)) return wrong_type("query", "an object", value);
  return read_record(value, question);
}

template <std::derived_from<api::Query> T>
std::optional<Issue> read_question(const val& value, T& query) {
  if (!is_record(value)) return wrong_type("query", "an object", value);
  if (auto issue = read_record(value, query, "phases")) return issue;
  const val phases = value["phases"];
  if (phases.isNull() || phases.isUndefined()) return std::nullopt;
  if (!is_list(phases)) {
    return wrong_type("phases", "a list", phases);
  }
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
  val object = val::object();
  object.set("failure", val(std::string(code)));
  return object;
}

/// Puts one question to the core, whose answer is a variant of a result and an Issue.
template <auto kAsk, class In>
val ask(const val& value) {
  try {
    In question;
    if (auto issue = read_question(value, question)) return issue_to_js(*issue);
    auto outcome = kAsk(question);
    if (Issue* issue = std::get_if<Issue>(&outcome)) {
      issue->field = camel_case(issue->field);
      return issue_to_js(*issue);
    }
    val object = val::object();
    object.set("result", to_js(std::get<0>(outcome)));
    return object;
  } catch (const std::bad_alloc&) {
    return failure("out-of-memory");
  } catch (const std::length_error&) {
    // A list longer than the whole address space.
    return failure("out-of-memory");
  } catch (...) {
    return failure("exception");
  }
}

template <class In, class Out>
Out result_of(std::variant<Out, Issue> (*)(const In&));
template <class In, class Out>
In question_of(std::variant<Out, Issue> (*)(const In&));

/// Something that can be asked: what it reads, and what it answers with, or a list of those.
template <auto kAsk>
struct Call {
  using In = decltype(question_of(kAsk));
  using Out = decltype(result_of(kAsk));
  const char* name;
};

/// THE list of what can be asked.
constexpr std::tuple kCalls{
    Call<&api::answer>{"answer"},
    Call<&api::privacy_curve_at>{"privacyCurve"},
    Call<&api::monte_carlo_plan>{"monteCarloPlan"},
    Call<&api::monte_carlo_chunks>{"monteCarloChunks"},
    Call<&api::monte_carlo_estimates>{"monteCarloEstimates"},
    Call<&api::tradeoff>{"tradeoff"},
    Call<&api::audited>{"audit"},
    Call<&api::shuffle_model>{"shuffleModel"},
    Call<&api::initialisation>{"initialisation"},
    Call<&api::mixtures>{"mixtures"},
};

template <class Visit>
void for_each_call(Visit&& visit) {
  std::apply([&](const auto&... one) { (visit(one), ...); }, kCalls);
}

val call(const std::string& name, const val& value) {
  val outcome = failure("no-such-method");
  for_each_call([&]<auto kAsk>(const Call<kAsk>& one) {
    if (one.name == name) outcome = ask<kAsk, typename Call<kAsk>::In>(value);
  });
  return outcome;
}

/// The description of an input field.
val describe_field(const char* name, api::FieldType type, const char* label, const char* meaning,
                   double least, double most, bool open_least, const char* choices,
                   const char* symbol) {
  val object = val::object();
  object.set("name", camel_case(name));
  object.set("type", std::string(name_in(kFieldTypes, type)));
  object.set("label", std::string(label));
  object.set("meaning", std::string(meaning));
  object.set("least", least);
  object.set("most", most);
  object.set("openLeast", open_least);
  object.set("choices", list_to_js(split(choices)));
  object.set("symbol", std::string(symbol));
  return object;
}

template <class T>
val describe_fields() {
  val list = val::array();
  for_each_field<T>([&](const auto& f) {
    list.call<void>("push", describe_field(f.name, f.type, f.label, f.meaning, f.least, f.most,
                                           f.open_least, f.choices, f.symbol));
  });
  return list;
}

/// The type of a list's or an option's element; the type itself where it is neither.
template <class T>
struct ElementOf {
  using Type = T;
};
template <class T>
struct ElementOf<std::optional<T>> : ElementOf<T> {};
template <class T>
struct ElementOf<std::vector<T>> : ElementOf<T> {};

template <class T>
using Element = typename ElementOf<T>::Type;

/// Every record inside T by its name, and T itself.
template <Record T>
void describe_output(val& outputs) {
  val list = val::array();
  for_each_field<T>([&](const auto& field) {
    using Member = std::remove_cvref_t<decltype(std::declval<T>().*field.member)>;
    if constexpr (Record<Element<Member>>) describe_output<Element<Member>>(outputs);
    val object = val::object();
    object.set("name", camel_case(field.name));
    object.set("optional", IsOptional<Member>::value);
    object.set("list", IsList<Member>::value);
    object.set("type", std::string(kTypeName<Element<Member>>));
    list.call<void>("push", object);
  });
  outputs.set(std::string(kTypeName<T>), list);
}

val describe_outputs() {
  val outputs = val::object();
  describe_output<Issue>(outputs);
  for_each_call([&]<auto kAsk>(const Call<kAsk>&) {
    describe_output<Element<typename Call<kAsk>::Out>>(outputs);
  });
  return outputs;
}

template <class T>
void describe_input(val& inputs) {
  if constexpr (std::derived_from<T, api::Query>) {
    describe_input<api::Phase>(inputs);
    describe_input<api::Release>(inputs);
  }
  inputs.set(std::string(kTypeName<T>), describe_fields<T>());
}

val describe_inputs() {
  val inputs = val::object();
  for_each_call(
      [&]<auto kAsk>(const Call<kAsk>&) { describe_input<typename Call<kAsk>::In>(inputs); });
  return inputs;
}

val describe_samplers() {
  val list = val::array();
  for (const api::Sampler& sampler : api::kSamplers) {
    val object = val::object();
    object.set("name", to_js(sampler.name));
    object.set("label", to_js(sampler.label));
    object.set("sentence", to_js(sampler.sentence));
    object.set("usesEpochs", to_js(sampler.uses_epochs));
    object.set("knowsBatches", to_js(sampler.knows_batches));
    object.set("cutsTheData", to_js(sampler.cuts_the_data));
    object.set("permutes", to_js(sampler.permutes));
    object.set("canKeepDraw", to_js(sampler.can_keep_draw));
    object.set("canRepeat", to_js(sampler.can_repeat));
    object.set("canReplace", to_js(sampler.can_replace));
    object.set("drawsByRecord", to_js(sampler.draws_by_record));
    object.set("drawsByStep", to_js(sampler.draws_by_step));
    object.set("sizesVary", to_js(sampler.cap != nullptr));
    object.set("usuallyDrawn", to_js(sampler.usually_drawn));
    object.set("usuallyReported", to_js(sampler.usually_reported));
    object.set("canSample", to_js(sampler.gaussian_pair.has_value()));
    object.set("assumption", to_js(sampler.assumption));
    object.set("citations", list_to_js(split(sampler.citations)));
    list.call<void>("push", object);
  }
  return list;
}

val describe_methods() {
  val list = val::array();
  for (const MethodInfo& method : kMethods) {
    val object = val::object();
    object.set("code", to_js(method.code));
    object.set("sentence", to_js(method.sentence));
    object.set("anchor", to_js(method.anchor));
    object.set("known", method.upper == UpperEnd::known);
    object.set("clones", method.upper == UpperEnd::clones);
    list.call<void>("push", object);
  }
  return list;
}

/// The codes of a table, each once.
template <class Table>
val codes_of(const Table& table) {
  val list = val::array();
  for (const auto& row : table) {
    if (!list.call<bool>("includes", to_js(row.code))) list.call<void>("push", to_js(row.code));
  }
  return list;
}

val describe_calls() {
  val list = val::array();
  for_each_call([&]<auto kAsk>(const Call<kAsk>& one) {
    using Out = typename Call<kAsk>::Out;
    val object = val::object();
    object.set("name", std::string(one.name));
    object.set("input", std::string(kTypeName<typename Call<kAsk>::In>));
    object.set("output", std::string(kTypeName<Element<Out>>));
    object.set("list", IsList<Out>::value);
    list.call<void>("push", object);
  });
  return list;
}

std::string version() {
  return HONEST_EPSILON_VERSION;
}

/// The compiler, on which proofs rest that rest on rounding.
std::string compiler() {
  const auto part = [](int number) { return std::to_string(number); };
  return "Emscripten " + part(__EMSCRIPTEN_major__) + "." + part(__EMSCRIPTEN_minor__) + "." +
         part(__EMSCRIPTEN_tiny__) + ", " + __VERSION__;
}

/// Everything a generator of types, forms and flags needs to know.
val describe() {
  val kinds = val::array();
  for (const auto& [kind, name] : kKinds) kinds.call<void>("push", std::string(name));
  val description = val::object();
  description.set("version", version());
  description.set("compiler", compiler());
  description.set("calls", describe_calls());
  description.set("methods", describe_methods());
  description.set("assumptions", codes_of(api::kAssumptions));
  description.set("warnings", codes_of(api::kWarnings));
  description.set("inputs", describe_inputs());
  description.set("outputs", describe_outputs());
  description.set("kinds", kinds);
  description.set("samplers", describe_samplers());
  return description;
}

}  // namespace
}  // namespace honest_epsilon::wasm

EMSCRIPTEN_BINDINGS(honest_epsilon) {
  emscripten::function("call", &honest_epsilon::wasm::call);
  emscripten::function("describe", &honest_epsilon::wasm::describe);
  emscripten::function("version", &honest_epsilon::wasm::version);
}
