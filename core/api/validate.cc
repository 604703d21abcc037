#include "core/api/validate.h"

#include <cmath>
#include <string_view>
#include <tuple>

#include "core/api/spelling.h"

namespace honest_epsilon::api {
namespace {

// Every other upper end belongs to its domain; at delta = 1 every mechanism is private, and there
// is no question.
bool excludes_most(std::string_view name) {
  return name == "delta";
}

bool lists(std::string_view choices, std::string_view choice) {
  if (choice.empty() || choice.find(' ') != std::string_view::npos) return false;
  while (!choices.empty()) {
    const std::size_t space = choices.find(' ');
    if (choices.substr(0, space) == choice) return true;
    if (space == std::string_view::npos) return false;
    choices.remove_prefix(space + 1);
  }
  return false;
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
  return Issue{
      "unknown-choice", field.name,
      camel_case(field.name) + " must be " + domain(field, false) + "; got \"" + *value + "\""};
}

template <class Owner>
std::optional<Issue> check(const InputField<Owner, Number>& field, const Owner& owner) {
  const Number& value = owner.*field.member;
  if (!value) return std::nullopt;
  const bool above = excludes_most(field.name) ? *value >= field.most : *value > field.most;
  const bool below = field.open_least ? *value <= field.least : *value < field.least;
  const char* code = nullptr;
  if (!std::isfinite(*value)) {
    code = "not-finite";
  } else if (below || above) {
    code = "out-of-domain";
  } else if (field.type == FieldType::count && *value != std::floor(*value)) {
    code = "not-whole";
  }
  if (code == nullptr) return std::nullopt;
  // The supported maximum is news only to who exceeded it; a natural one (1) is always said.
  const bool with_most = (std::isfinite(*value) && above) || field.most <= 1;
  return Issue{
      code, field.name,
      camel_case(field.name) + " must be " + domain(field, with_most) + "; got " + spell(*value)};
}

template <class Owner>
std::optional<Issue> check_all(const Owner& owner) {
  std::optional<Issue> first;
  std::apply([&](const auto&... field) { ((first = first ? first : check(field, owner)), ...); },
             fields(static_cast<const Owner*>(nullptr)));
  return first;
}

template <class Owner, class Value>
const auto& field_of(Value Owner::* member) {
  static const auto list = fields(static_cast<const Owner*>(nullptr));
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
      list);
  return *found;
}

template <class Owner, class Value>
std::optional<Issue> require(Value Owner::* member, const Owner& owner) {
  if (owner.*member) return std::nullopt;
  const auto& field = field_of(member);
  const bool with_most = field.type != FieldType::choice && field.most <= 1;
  return Issue{"missing", field.name,
               camel_case(field.name) + " must be " + domain(field, with_most) +
                   "; got nothing (it is required)"};
}

// Of epsilon and delta, exactly one is given, and not the one that is asked for.
std::optional<Issue> check_asked(const Query& query) {
  const std::string& question = *query.question;
  if (question == "compare") {
    if (query.delta && query.epsilon) {
      return Issue{"contradiction", "epsilon",
                   "epsilon must be absent when delta is given, or delta when epsilon is: compare "
                   "takes one and answers with the other; got delta " +
                       spell(*query.delta) + " and epsilon " + spell(*query.epsilon)};
    }
    if (!query.delta && !query.epsilon) {
      return Issue{"missing", "delta",
                   "delta must be a finite number above 0 and below 1; got nothing (compare needs "
                   "delta, or epsilon instead of it)"};
    }
    return std::nullopt;
  }
  const bool asks_epsilon = question == "epsilon";
  const Number& asked = asks_epsilon ? query.epsilon : query.delta;
  const char* name = asks_epsilon ? "epsilon" : "delta";
  if (asked) {
    return Issue{"contradiction", name,
                 std::string(name) + " must be absent when the question is " + name +
                     ", since it is what is asked; got " + spell(*asked) + " (drop it, or ask " +
                     (asks_epsilon ? "delta" : "epsilon") + ")"};
  }
  return require(asks_epsilon ? &Query::delta : &Query::epsilon, query);
}

}  // namespace

std::optional<Issue> find_issue(const Query& query) {
  if (auto issue = require(&Query::question, query)) return issue;
  if (auto issue = check_all(query)) return issue;
  if (query.phases.empty()) {
    return Issue{
        "missing", "phases",
        "phases must be a list of exactly one phase; got none (it describes the training run)"};
  }
  if (query.phases.size() > 1) {
    return Issue{
        "unsupported", "phases",
        "phases must be a list of exactly one phase, since the composition of several is not "
        "supported yet; got " +
            std::to_string(query.phases.size())};
  }
  const Phase& phase = query.phases.front();
  if (*query.question != "compare") {
    if (auto issue = require(&Phase::sampler, phase)) return issue;
  }
  if (auto issue = check_all(phase)) return issue;
  if (auto issue = require(&Phase::noise_multiplier, phase)) return issue;
  return check_asked(query);
}

}  // namespace honest_epsilon::api
