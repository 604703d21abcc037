// Everything that a generator of types, forms and flags needs to know of the engine: a module of
// its own, which the build asks and no reader loads.

#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <emscripten/version.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/accounts/catalog.h"
#include "core/base/spelling.h"
#include "core/wire/assumption.h"
#include "core/wire/warning.h"
#include "wasm/calls.h"

namespace honest_epsilon::wasm {
namespace {

using emscripten::val;

constexpr std::array kFieldTypes = {
    std::pair{wire::FieldType::number, "number"},   std::pair{wire::FieldType::count, "count"},
    std::pair{wire::FieldType::choice, "choice"},   std::pair{wire::FieldType::flag, "flag"},
    std::pair{wire::FieldType::numbers, "numbers"}, std::pair{wire::FieldType::ranks, "ranks"},
    std::pair{wire::FieldType::texts, "texts"},
};

val to_js(std::string_view text) {
  return val(std::string(text));
}

template <class List>
val texts_of(const List& texts) {
  val list = val::array();
  for (const std::string_view text : texts) list.call<void>("push", to_js(text));
  return list;
}

val words_of(std::string_view sentence) {
  return texts_of(split(sentence));
}

/// The description of each input field.
template <class T>
val describe_fields() {
  val list = val::array();
  for_each_field<T>([&](const auto& field) {
    val object = val::object();
    object.set("name", camel_case(field.name));
    object.set("type", std::string(name_in(kFieldTypes, field.type)));
    object.set("label", std::string(field.label));
    object.set("meaning", std::string(field.meaning));
    object.set("least", double{field.least});
    object.set("most", double{field.most});
    object.set("openLeast", field.open_least);
    object.set("choices", words_of(field.choices));
    object.set("symbol", std::string(field.symbol));
    list.call<void>("push", object);
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
  if constexpr (std::derived_from<T, wire::Query>) {
    describe_input<wire::Phase>(inputs);
    describe_input<wire::Release>(inputs);
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
  for (const accounts::Sampler& sampler : accounts::kSamplers) {
    val object = val::object();
    object.set("name", to_js(sampler.name));
    object.set("label", to_js(sampler.label));
    object.set("sentence", to_js(sampler.sentence));
    object.set("usesEpochs", sampler.uses_epochs);
    object.set("knowsBatches", sampler.knows_batches);
    object.set("cutsTheData", sampler.cuts_the_data);
    object.set("permutes", sampler.permutes);
    object.set("canKeepDraw", sampler.can_keep_draw);
    object.set("canRepeat", sampler.can_repeat);
    object.set("canReplace", sampler.can_replace);
    object.set("drawsByRecord", sampler.draws_by_record);
    object.set("drawsByStep", sampler.draws_by_step);
    object.set("sizesVary", sampler.cap != nullptr);
    object.set("usuallyDrawn", sampler.usually_drawn);
    object.set("usuallyReported", sampler.usually_reported);
    object.set("canSample", sampler.gaussian_pair.has_value());
    object.set("assumption", to_js(sampler.assumption));
    object.set("citations", words_of(sampler.citations));
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
    list.call<void>("push", object);
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
  description.set("version", std::string(HONEST_EPSILON_VERSION));
  description.set("compiler", compiler());
  description.set("mostPhases", double{wire::kMostPhases});
  description.set("calls", describe_calls());
  description.set("methods", describe_methods());
  description.set("assumptions", texts_of(wire::kAssumptionCodes));
  description.set("warnings", texts_of(wire::kWarnings));
  description.set("inputs", describe_inputs());
  description.set("outputs", describe_outputs());
  description.set("kinds", kinds);
  description.set("samplers", describe_samplers());
  return description;
}

}  // namespace
}  // namespace honest_epsilon::wasm

EMSCRIPTEN_BINDINGS(honest_epsilon) {
  emscripten::function("describe", &honest_epsilon::wasm::describe);
}
