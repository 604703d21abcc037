#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/audit.h"
#include "core/accounts/band.h"
#include "core/accounts/initialisation.h"
#include "core/accounts/mixtures.h"
#include "core/accounts/monte_carlo.h"
#include "core/accounts/privacy_curve.h"
#include "core/accounts/shuffle_model.h"
#include "core/accounts/tradeoff.h"
#include "core/accounts/two_batches.h"
#include "core/wire/schema.h"

/// What can be asked across the boundary between JavaScript and the core, and the names of what
/// crosses it.
namespace honest_epsilon::wasm {

using wire::fields;

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

/// A type's own name, without namespaces: of `... [T = honest_epsilon::accounts::Band]`, Band.
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
constexpr std::string_view kTypeName<wire::RankList> = "Ranks";
template <>
constexpr std::string_view kTypeName<tradeoff::Knot> = "PrivacyPoint";

constexpr std::array kKinds = {
    std::pair{IntervalKind::certified, "certified"},
    std::pair{IntervalKind::bound, "bound"},
    std::pair{IntervalKind::confidence, "confidence"},
    std::pair{IntervalKind::estimate, "estimate"},
};

template <class Table, class Key>
const char* name_in(const Table& table, Key key) {
  for (const auto& [value, name] : table) {
    if (value == key) return name;
  }
  return "";
}

// ---------------------------------------------------------------------------------------------
// What can be asked.

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
    Call<&accounts::answer>{"answer"},
    Call<&accounts::privacy_curve_at>{"privacyCurve"},
    Call<&accounts::monte_carlo_plan>{"monteCarloPlan"},
    Call<&accounts::monte_carlo_chunks>{"monteCarloChunks"},
    Call<&accounts::monte_carlo_estimates>{"monteCarloEstimates"},
    Call<&accounts::tradeoff>{"tradeoff"},
    Call<&accounts::audited>{"audit"},
    Call<&accounts::shuffle_model>{"shuffleModel"},
    Call<&accounts::initialisation>{"initialisation"},
    Call<&accounts::mixtures>{"mixtures"},
    Call<&accounts::two_batches>{"twoBatches"},
};

template <class Visit>
void for_each_call(Visit&& visit) {
  std::apply([&](const auto&... one) { (visit(one), ...); }, kCalls);
}

}  // namespace honest_epsilon::wasm
