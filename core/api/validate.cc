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
      camel_case(field.name) + " must be " + domain(field, false) + "; got " + spell_text(*value)};
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
std::optional<Issue> check(const InputField<Owner, Flag>& /*field*/, const Owner& /*owner*/) {
  return std::nullopt;
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

Issue contradiction(const char* field, const std::string& text) {
  return {"contradiction", field, text};
}

// Calibration is told both ends of its target, but for the one it finds.
std::optional<Issue> check_calibration(const Query& query) {
  if (auto issue = require(&Query::solve_for, query)) return issue;
  if (auto issue = require(&Query::epsilon, query)) return issue;
  const std::string& unknown = *query.solve_for;
  const bool by_cap = unknown == "cap" && query.cap_delta;
  if (query.cap_delta && unknown != "cap") {
    return contradiction("cap_delta", "capDelta must be absent unless solveFor is \"cap\"; got " +
                                          spell(*query.cap_delta) + " with " + spell_text(unknown));
  }
  if (query.delta && (unknown == "delta" || by_cap)) {
    return contradiction(
        "delta", std::string("delta must be absent when ") +
                     (by_cap ? "capDelta says what the cap may add" : "solveFor is \"delta\"") +
                     "; got " + spell(*query.delta));
  }
  if (unknown == "delta" || by_cap) return std::nullopt;
  return require(&Query::delta, query);
}

// Of epsilon and delta, exactly one is given, and not the one that is asked for.
std::optional<Issue> check_asked(const Query& query) {
  const std::string& question = *query.question;
  if (question == "calibrate") return check_calibration(query);
  if (query.solve_for) {
    return contradiction("solve_for",
                         "solveFor must be absent unless the question is \"calibrate\"; got " +
                             spell_text(*query.solve_for));
  }
  if (question == "compare") {
    if (query.delta && query.epsilon) {
      return contradiction(
          "epsilon",
          "epsilon must be absent when delta is given, or delta when epsilon is: compare "
          "takes one and answers with the other; got delta " +
              spell(*query.delta) + " and epsilon " + spell(*query.epsilon));
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
    return contradiction(name, std::string(name) + " must be absent when the question is " + name +
                                   ", since it is what is asked; got " + spell(*asked) +
                                   " (drop it, or ask " + (asks_epsilon ? "delta" : "epsilon") +
                                   ")");
  }
  return require(asks_epsilon ? &Query::delta : &Query::epsilon, query);
}

// A release states one kind of guarantee.
std::optional<Issue> check_release(const Release& release) {
  if (auto issue = check_all(release)) return issue;
  const int kinds = static_cast<int>(release.epsilon.has_value()) +
                    static_cast<int>(release.mu.has_value()) +
                    static_cast<int>(release.rho.has_value());
  if (kinds == 0)
    return Issue{"missing", "epsilon",
                 "epsilon must be a finite number of at least 0; got nothing (a release that gives "
                 "delta gives epsilon, too)"};
  if (kinds == 1 && !(release.delta && !release.epsilon)) return std::nullopt;
  const char* field = release.delta && !release.epsilon ? "delta" : release.mu ? "mu" : "rho";
  const double got = release.delta && !release.epsilon ? *release.delta
                     : release.mu                      ? *release.mu
                                                       : *release.rho;
  return contradiction(field, std::string(field) +
                                  " must be absent beside another guarantee: a release states "
                                  "epsilon (with delta), or mu, or rho; got " +
                                  spell(got));
}

std::optional<Issue> check_phase(const Phase& phase, const Query& query) {
  if (*query.question != "compare") {
    if (auto issue = require(&Phase::sampler, phase)) return issue;
  }
  if (auto issue = check_all(phase)) return issue;
  const bool sought = query.solve_for && *query.solve_for == "noise";
  return sought ? std::nullopt : require(&Phase::noise_multiplier, phase);
}

// Neighbours must mean the same throughout.
std::optional<Issue> check_alike(const Query& query) {
  const Phase* first = nullptr;
  for (const Entry& entry : query.phases) {
    const Phase* phase = std::get_if<Phase>(&entry);
    if (phase == nullptr) continue;
    if (first == nullptr) first = phase;
    const std::string before = first->adjacency.value_or("zero-out");
    const std::string here = phase->adjacency.value_or("zero-out");
    if ((here == "substitution") != (before == "substitution")) {
      return contradiction("adjacency", "adjacency must be the same in every phase; got " +
                                            spell_text(here) + " after " + spell_text(before));
    }
    const double records = first->records_per_user.value_or(1);
    if (phase->records_per_user.value_or(1) != records) {
      return contradiction("records_per_user",
                           "recordsPerUser must be the same in every phase; got " +
                               spell(phase->records_per_user.value_or(1)) + " after " +
                               spell(records));
    }
  }
  if (first == nullptr && (*query.question == "compare" || query.solve_for)) {
    return Issue{"missing", "phases",
                 "phases must hold a stretch of training for this question; got releases only"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Issue> find_issue(const Query& query) {
  if (auto issue = require(&Query::question, query)) return issue;
  if (auto issue = check_all(query)) return issue;
  constexpr std::size_t kMostPhases = 1000;
  if (query.phases.empty() || query.phases.size() > kMostPhases) {
    return Issue{query.phases.empty() ? "missing" : "out-of-domain", "phases",
                 "phases must be a list of 1 to " + std::to_string(kMostPhases) + " phases; got " +
                     (query.phases.empty() ? "none (they describe the training run)"
                                           : std::to_string(query.phases.size()))};
  }
  for (const Entry& entry : query.phases) {
    const Phase* phase = std::get_if<Phase>(&entry);
    if (auto issue = phase ? check_phase(*phase, query) : check_release(std::get<Release>(entry)))
      return issue;
  }
  if (auto issue = check_alike(query)) return issue;
  return check_asked(query);
}

}  // namespace honest_epsilon::api
