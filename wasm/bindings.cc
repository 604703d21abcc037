// The boundary between JavaScript and the core. It is a table: what crosses is read and written
// through the schema's fields() lists, and what can be asked stands in one list of methods. Nothing
// is thrown across, no C++ object crosses, and every call answers with one of
//   {result: ...} | {issue: {...}} | {failure: "..."}.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <optional>
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
#include "core/api/schema.h"
#include "core/api/shuffle_model.h"
#include "core/api/spelling.h"
#include "core/api/tradeoff.h"

namespace honest_epsilon::wasm {
namespace {

using api::camel_case;
using api::fields;
using emscripten::val;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t space = std::min(text.find(' ', start), text.size());
    if (space > start) found.emplace_back(text.substr(start, space - start));
    start = space + 1;
  }
  return found;
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};

/// Whatever has a list of fields.
template <class T>
concept Record = requires { fields(static_cast<const T*>(nullptr)); };

template <class T>
auto fields_of() {
  return fields(static_cast<const T*>(nullptr));
}

template <class T, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, fields_of<T>());
}

// ---------------------------------------------------------------------------------------------
// The names of what crosses, as TypeScript spells them.

template <class T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<double> = "number";
template <>
constexpr const char* kTypeName<std::string> = "string";
template <>
constexpr const char* kTypeName<Interval> = "Interval";
template <>
constexpr const char* kTypeName<Issue> = "Issue";
template <>
constexpr const char* kTypeName<Warning> = "Warning";
template <>
constexpr const char* kTypeName<api::DirectionsOut> = "Directions";
template <>
constexpr const char* kTypeName<api::Derived> = "Derived";
template <>
constexpr const char* kTypeName<api::Work> = "Work";
template <>
constexpr const char* kTypeName<api::BatchSizes> = "BatchSizes";
template <>
constexpr const char* kTypeName<api::Solution> = "Solution";
template <>
constexpr const char* kTypeName<api::TargetMet> = "TargetMet";
template <>
constexpr const char* kTypeName<api::TuningOut> = "TuningCost";
template <>
constexpr const char* kTypeName<api::AuditAnswer> = "AuditAnswer";
template <>
constexpr const char* kTypeName<api::Answer> = "Answer";
template <>
constexpr const char* kTypeName<api::Phase> = "Phase";
template <>
constexpr const char* kTypeName<api::Release> = "Release";
template <>
constexpr const char* kTypeName<api::Query> = "Query";
template <>
constexpr const char* kTypeName<bool> = "boolean";
template <>
constexpr const char* kTypeName<api::RankList> = "Ranks";
template <>
constexpr const char* kTypeName<api::MonteCarloQuery> = "MonteCarloQuery";
template <>
constexpr const char* kTypeName<api::MonteCarloShard> = "MonteCarloShard";
template <>
constexpr const char* kTypeName<api::MonteCarloSums> = "MonteCarloSums";
template <>
constexpr const char* kTypeName<api::MonteCarloPlan> = "MonteCarloPlan";
template <>
constexpr const char* kTypeName<api::MonteCarloDrawn> = "MonteCarloDrawn";
template <>
constexpr const char* kTypeName<api::MonteCarloEstimate> = "MonteCarloEstimate";
template <>
constexpr const char* kTypeName<api::ErrorRates> = "ErrorRates";
template <>
constexpr const char* kTypeName<api::AttackRate> = "AttackRate";
template <>
constexpr const char* kTypeName<api::Guess> = "Guess";
template <>
constexpr const char* kTypeName<api::GaussianBelow> = "GaussianBelow";
template <>
constexpr const char* kTypeName<api::Band> = "Band";
template <>
constexpr const char* kTypeName<api::PrivacyPoint> = "PrivacyPoint";
template <>
constexpr const char* kTypeName<api::TradeOffAnswer> = "TradeOffAnswer";
template <>
constexpr const char* kTypeName<api::ClosedForm> = "ClosedForm";
template <>
constexpr const char* kTypeName<api::ShuffleDelta> = "ShuffleDelta";
template <>
constexpr const char* kTypeName<api::ShuffleEpsilon> = "ShuffleEpsilon";
template <>
constexpr const char* kTypeName<api::ShuffleKnot> = "ShuffleKnot";
template <>
constexpr const char* kTypeName<api::ShuffleModelQuery> = "ShuffleModelQuery";
template <>
constexpr const char* kTypeName<api::ShuffleModelAnswer> = "ShuffleModelAnswer";
template <>
constexpr const char* kTypeName<api::Estimate> = "Estimate";
template <>
constexpr const char* kTypeName<api::InitialisationDelta> = "InitialisationDelta";
template <>
constexpr const char* kTypeName<api::InitialisationEpsilon> = "InitialisationEpsilon";
template <>
constexpr const char* kTypeName<api::UnclippedDelta> = "UnclippedDelta";
template <>
constexpr const char* kTypeName<api::RenyiOrder> = "RenyiOrder";
template <>
constexpr const char* kTypeName<api::InitialisationQuery> = "InitialisationQuery";
template <>
constexpr const char* kTypeName<api::InitialisationAnswer> = "InitialisationAnswer";
template <>
constexpr const char* kTypeName<api::MixturesDelta> = "MixturesDelta";
template <>
constexpr const char* kTypeName<api::MixturesDeltas> = "MixturesDeltas";
template <>
constexpr const char* kTypeName<api::MixturesQuery> = "MixturesQuery";
template <>
constexpr const char* kTypeName<api::MixturesAnswer> = "MixturesAnswer";

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

/// What was got, as an error message shows it.
std::string show(const val& value) {
  const auto type = value.typeOf().as<std::string>();
  if (type == "string") {
    constexpr std::size_t kLongest = 40;
    const auto text = value.as<std::string>();
    return '"' + (text.size() <= kLongest ? text : text.substr(0, kLongest) + "...") + '"';
  }
  if (value.isNull()) return "null";
  if (val::global("Array").call<bool>("isArray", value)) return "a list";
  if (type == "object") return "an object";
  if (type == "function") return "a function";
  if (type == "symbol") return "a symbol";
  return val::global("String")(value).as<std::string>();
}

bool is_record(const val& value) {
  return value.typeOf().as<std::string>() == "object" && !value.isNull() &&
         !val::global("Array").call<bool>("isArray", value);
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

/// A list, each element read by the rule for its type; one number is as good as a list of it.
template <class T>
std::optional<Issue> read(const std::string& name, const val& value, std::vector<T>& list) {
  if constexpr (std::is_same_v<T, double>) {
    if (value.isNumber()) {
      list.push_back(value.as<double>());
      return std::nullopt;
    }
  }
  if (!val::global("Array").call<bool>("isArray", value)) return wrong_type(name, "a list", value);
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

/// Reads every key of `object` into `owner` through its list; `also` is one more key that is the
/// caller's to read. Null and undefined are as good as absent.
template <class Owner>
std::optional<Issue> read_record(const val& object, Owner& owner, std::string_view also = {}) {
  const val keys = val::global("Object").call<val>("keys", object);
  const auto count = keys["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const auto key = keys[i].as<std::string>();
    const val value = object[key];
    bool known = !also.empty() && key == also;
    std::optional<Issue> issue;
    std::string names{also};
    for_each_field<Owner>([&](const auto& field) {
      const std::string name = camel_case(field.name);
      names += (names.empty() ? "" : ", ") + name;
      if (key != name) return;
      known = true;
      if (!value.isNull() && !value.isUndefined()) issue = read(name, value, owner.*field.member);
    });
    if (issue) return issue;
    if (!known) {
      return Issue{"unknown-field", key,
                   "there is no field " + show(keys[i]) + "; the fields here are " + names};
    }
  }
  return std::nullopt;
}

template <Record T>
std::optional<Issue> read(const std::string& name, const val& value, std::optional<T>& record) {
  if (!is_record(value)) return wrong_type(name, "an object", value);
  return read_record(value, record.emplace());
}

/// Whether the object has any of the fields of `Owner`.
template <class Owner>
bool speaks_of(const val& object) {
  bool found = false;
  for_each_field<Owner>([&](const auto& field) {
    const val value = object[camel_case(field.name)];
    found = found || !(value.isNull() || value.isUndefined());
  });
  return found;
}

/// A phase, or a release: the two share no field.
std::optional<Issue> read_entry(const val& object, api::Entry& entry) {
  if (speaks_of<api::Release>(object) && !speaks_of<api::Phase>(object))
    return read_record(object, entry.emplace<api::Release>());
  return read_record(object, entry.emplace<api::Phase>());
}

template <class T>
std::optional<Issue> read_question(const val& value, T& question) {
  if (!is_record(value)) return wrong_type("query", "an object", value);
  return read_record(value, question);
}

std::optional<Issue> read_question(const val& value, api::Query& query) {
  if (!is_record(value)) return wrong_type("query", "an object", value);
  if (auto issue = read_record(value, query, "phases")) return issue;
  const val phases = value["phases"];
  if (phases.isNull() || phases.isUndefined()) return std::nullopt;
  if (!val::global("Array").call<bool>("isArray", phases)) {
    return wrong_type("phases", "a list", phases);
  }
  const auto count = phases["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    if (!is_record(phases[i])) return wrong_type("phases", "a list of objects", phases[i]);
    if (auto issue = read_entry(phases[i], query.phases.emplace_back())) return issue;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// What JS calls.

/// Why there is no outcome: a code, for which JavaScript has the words. What an exception says is
/// its library's text, and never crosses.
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
    const auto outcome = kAsk(question);
    if (const Issue* issue = std::get_if<Issue>(&outcome)) {
      return issue_to_js({issue->code, camel_case(issue->field), issue->text});
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

/// Something that can be asked.
struct Method {
  const char* name;
  const char* input;   ///< what it reads, by its name in TypeScript
  const char* output;  ///< what it answers with
  bool list;           ///< or a list of those
  val (*ask)(const val&);
};

template <class In, class Out>
Out result_of(std::variant<Out, Issue> (*)(const In&));
template <class In, class Out>
In question_of(std::variant<Out, Issue> (*)(const In&));

template <auto kAsk>
constexpr Method method(const char* name) {
  using In = decltype(question_of(kAsk));
  using Out = decltype(result_of(kAsk));
  if constexpr (IsList<Out>::value) {
    return {name, kTypeName<In>, kTypeName<typename Out::value_type>, true, ask<kAsk, In>};
  } else {
    return {name, kTypeName<In>, kTypeName<Out>, false, ask<kAsk, In>};
  }
}

/// THE list of what can be asked.
constexpr std::array kMethods = {
    method<&api::answer>("answer"),
    method<&api::monte_carlo_plan>("monteCarloPlan"),
    method<&api::monte_carlo_chunks>("monteCarloChunks"),
    method<&api::monte_carlo_estimates>("monteCarloEstimates"),
    method<&api::tradeoff>("tradeoff"),
    method<&api::audited>("audit"),
    method<&api::shuffle_model>("shuffleModel"),
    method<&api::initialisation>("initialisation"),
    method<&api::mixtures>("mixtures"),
};

val call(const std::string& name, const val& value) {
  for (const Method& one : kMethods) {
    if (one.name == name) return one.ask(value);
  }
  return failure("no-such-method");
}

template <class T>
val describe_inputs() {
  val list = val::array();
  for_each_field<T>([&](const auto& field) {
    val object = val::object();
    object.set("name", camel_case(field.name));
    object.set("type", std::string(name_in(kFieldTypes, field.type)));
    object.set("label", std::string(field.label));
    object.set("meaning", std::string(field.meaning));
    object.set("least", field.least);
    object.set("most", field.most);
    object.set("openLeast", field.open_least);
    object.set("choices", list_to_js(words(field.choices)));
    object.set("symbol", std::string(field.symbol));
    list.call<void>("push", object);
  });
  return list;
}

template <class T>
void describe_output(val& outputs) {
  val list = val::array();
  for_each_field<T>([&](const auto& field) {
    using Member = std::remove_cvref_t<decltype(std::declval<T>().*field.member)>;
    val object = val::object();
    object.set("name", camel_case(field.name));
    object.set("optional", IsOptional<Member>::value);
    object.set("list", IsList<Member>::value);
    if constexpr (IsOptional<Member>::value || IsList<Member>::value) {
      static_assert(kTypeName<typename Member::value_type> != nullptr);
      object.set("type", std::string(kTypeName<typename Member::value_type>));
    } else {
      static_assert(kTypeName<Member> != nullptr);
      object.set("type", std::string(kTypeName<Member>));
    }
    list.call<void>("push", object);
  });
  outputs.set(std::string(kTypeName<T>), list);
}

template <class... Types>
val describe_outputs() {
  val outputs = val::object();
  (describe_output<Types>(outputs), ...);
  return outputs;
}

val describe_samplers() {
  val list = val::array();
  for (const api::Sampler& sampler : api::kSamplers) {
    val object = val::object();
    object.set("name", to_js(sampler.name));
    object.set("label", to_js(sampler.label));
    object.set("sentence", to_js(sampler.sentence));
    object.set("usesEpochs", to_js(sampler.uses_epochs));
    object.set("canKeepDraw", to_js(sampler.can_keep_draw));
    object.set("canRepeat", to_js(sampler.can_repeat));
    object.set("sizesVary", to_js(sampler.cap != nullptr));
    object.set("assumption", to_js(sampler.assumption));
    object.set("citations", list_to_js(words(sampler.citations)));
    list.call<void>("push", object);
  }
  return list;
}

val describe_methods() {
  val list = val::array();
  for (const Method& one : kMethods) {
    val object = val::object();
    object.set("name", std::string(one.name));
    object.set("input", std::string(one.input));
    object.set("output", std::string(one.output));
    object.set("list", one.list);
    list.call<void>("push", object);
  }
  return list;
}

template <class... Types>
val describe_all_inputs() {
  val inputs = val::object();
  (inputs.set(std::string(kTypeName<Types>), describe_inputs<Types>()), ...);
  return inputs;
}

std::string version() {
  return HONEST_EPSILON_VERSION;
}

/// Everything a generator of types, forms and flags needs to know.
val describe() {
  val kinds = val::array();
  for (const auto& [kind, name] : kKinds) kinds.call<void>("push", std::string(name));
  val description = val::object();
  description.set("version", version());
  description.set("methods", describe_methods());
  description.set(
      "inputs",
      describe_all_inputs<api::Phase, api::Release, api::Query, api::ShuffleModelQuery,
                          api::InitialisationQuery, api::MixturesQuery, api::MonteCarloQuery,
                          api::MonteCarloShard, api::MonteCarloSums>());
  description.set(
      "outputs",
      describe_outputs<Issue, Warning, api::DirectionsOut, api::Derived, api::BatchSizes,
                       api::Solution, api::TargetMet, api::TuningOut, api::Work, api::Answer,
                       api::AuditAnswer, api::ErrorRates, api::AttackRate, api::Guess,
                       api::GaussianBelow, api::Band, api::PrivacyPoint, api::TradeOffAnswer,
                       api::ClosedForm, api::ShuffleDelta, api::ShuffleEpsilon, api::ShuffleKnot,
                       api::ShuffleModelAnswer, api::Estimate, api::InitialisationDelta,
                       api::InitialisationEpsilon, api::UnclippedDelta, api::RenyiOrder,
                       api::InitialisationAnswer, api::MixturesDelta, api::MixturesDeltas,
                       api::MixturesAnswer, api::MonteCarloQuery, api::MonteCarloPlan,
                       api::MonteCarloDrawn, api::MonteCarloEstimate>());
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
