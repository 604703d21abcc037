#include "core/wire/validate.h"

#include <algorithm>
#include <string>

#include "core/base/spelling.h"
#include "core/wire/audit_counts.h"
#include "core/wire/check.h"
#include "core/wire/noise_unit.h"
#include "core/wire/target.h"
#include "core/wire/tuning.h"

namespace honest_epsilon::wire {
namespace {

// A calibration needs both epsilon and delta, except the one that it finds.
std::optional<Issue> check_calibration(const Query& query) {
  if (auto issue = require(&Query::solve_for, query)) return issue;
  if (!target_of(query)) {
    if (auto issue = require(&Query::epsilon, query)) return issue;
  }
  const std::string& unknown = *query.solve_for;
  const bool by_cap = unknown == "cap" && query.cap_delta;
  if (query.cap_delta && unknown != "cap") {
    return contradiction(&Query::cap_delta, query, "be absent unless solveFor is \"cap\"",
                         " with " + spell_text(unknown));
  }
  if (query.delta && (unknown == "delta" || by_cap)) {
    return contradiction(
        &Query::delta, query,
        std::string("be absent when ") +
            (by_cap ? "capDelta says what the cap may add" : "solveFor is \"delta\""));
  }
  if (unknown == "delta" || by_cap) return std::nullopt;
  return require(&Query::delta, query);
}

// A trade-off curve holds every epsilon and delta; delta at one epsilon may be read off it.
std::optional<Issue> check_tradeoff(const Query& query) {
  if (query.delta) {
    return contradiction(
        &Query::delta, query,
        "be absent when the question is tradeoff, since the curve holds all of them");
  }
  return require_proof(query, " when the question is tradeoff");
}

// What only a trade-off curve answers.
std::optional<Issue> check_readings(const Query& query) {
  for (Numbers Query::* const member : {&Query::false_positive_rates, &Query::priors}) {
    if (!(query.*member).empty())
      return contradiction(member, query, "be absent unless the question is \"tradeoff\"");
  }
  return std::nullopt;
}

// Of epsilon and delta, exactly one is given, and not the one that is asked for.
std::optional<Issue> check_asked(const Query& query) {
  const std::string& question = *query.question;
  if (question != "tradeoff") {
    if (auto issue = check_readings(query)) return issue;
  }
  if (auto issue = check_audit(query)) return issue;
  if (auto issue = check_target(query)) return issue;
  if (question == "calibrate") return check_calibration(query);
  if (query.solve_for) {
    return contradiction(&Query::solve_for, query,
                         "be absent unless the question is \"calibrate\"");
  }
  if (question == "tradeoff") return check_tradeoff(query);
  if (question == "audit") return check_audited_run(query);
  if (question == "compare") {
    if (query.delta && query.epsilon) {
      return contradiction(
          "epsilon",
          "be absent when delta is given, or delta when epsilon is: compare takes one and answers "
          "with the other",
          "delta " + spell(*query.delta) + " and epsilon " + spell(*query.epsilon));
    }
    if (!query.delta && !query.epsilon) {
      return missing(&Query::delta, "compare needs delta, or epsilon instead of it");
    }
    return std::nullopt;
  }
  const bool asks_epsilon = question == "epsilon";
  const Number& asked = asks_epsilon ? query.epsilon : query.delta;
  const char* name = asks_epsilon ? "epsilon" : "delta";
  if (asked) {
    return contradiction(
        name, std::string("be absent when the question is ") + name + ", since it is what is asked",
        spell(*asked) + " (drop it, or ask " + (asks_epsilon ? "delta" : "epsilon") + ")");
  }
  return require(asks_epsilon ? &Query::delta : &Query::epsilon, query);
}

// A release states one kind of guarantee.
std::optional<Issue> check_release(const Release& release) {
  if (auto issue = check_all(release)) return issue;
  using R = Release;
  const auto given = {&R::epsilon, &R::mu, &R::rho, &R::bounded_range};
  const auto kinds = std::count_if(given.begin(), given.end(),
                                   [&](auto one) { return (release.*one).has_value(); });
  if (kinds == 0) return missing(&R::epsilon, "a release that gives delta gives epsilon, too");
  const bool stray_delta = release.delta && !release.epsilon;
  if (kinds == 1 && !stray_delta) return std::nullopt;
  const auto field = stray_delta   ? &R::delta
                     : release.mu  ? &R::mu
                     : release.rho ? &R::rho
                                   : &R::bounded_range;
  return contradiction(field, release,
                       "be absent beside another guarantee: a release states epsilon (with delta), "
                       "or mu, or rho, or boundedRange");
}

std::optional<Issue> check_phase(const Phase& phase, const Query& query) {
  if (*query.question != "compare") {
    if (auto issue = require(&Phase::sampler, phase)) return issue;
  }
  if (auto issue = check_all(phase)) return issue;
  if (phase.local_epochs && !of_clients(phase))
    return contradiction(
        &Phase::local_epochs, phase,
        "be absent unless privacyUnit is \"client\" (for examples, give the epochs of "
        "one client's own training)");
  const bool sought = query.solve_for && *query.solve_for == "noise";
  if (!sought || phase.noise_multiplier) return check_noise(phase, query.solve_for.value_or(""));
  if (!phase.noise_end) return std::nullopt;
  return contradiction(&Phase::noise_end, phase, "be absent where the noise is solved for");
}

/// Neighbours must mean the same as in the first phase.
std::optional<Issue> check_alike(const Phase& phase, const Phase& first) {
  const auto same = [](const char* field, const std::string& here, const std::string& before) {
    return contradiction(field, "be the same in every phase", here + " after " + before);
  };
  const auto adjacency = [](const Phase& p) { return p.adjacency.value_or("zero-out"); };
  if ((adjacency(phase) == "substitution") != (adjacency(first) == "substitution"))
    return same("adjacency", spell_text(adjacency(phase)), spell_text(adjacency(first)));
  const auto unit = [](const Phase& p) { return p.privacy_unit.value_or("example"); };
  if (of_clients(phase) != of_clients(first))
    return same("privacy_unit", spell_text(unit(phase)), spell_text(unit(first)));
  const auto records = [](const Phase& p) { return p.records_per_user.value_or(1); };
  if (records(phase) == records(first)) return std::nullopt;
  return same("records_per_user", spell(records(phase)), spell(records(first)));
}

/// What goes with no parts of the data; null where they are allowed.
const char* without_parts(const Query& query, const Phase* first) {
  if (*query.question == "tradeoff" || *query.question == "audit")
    return "trade-off curves and audits";
  if (query.target.value_or("epsilon") != "epsilon") return "a target other than epsilon";
  return first && first->records_per_user.value_or(1) > 1 ? "several records of a person" : nullptr;
}

std::optional<Issue> check_together(const Query& query) {
  const Phase* first = nullptr;
  for (std::size_t i = 0; i < query.phases.size(); ++i) {
    const Phase* phase = std::get_if<Phase>(&query.phases[i]);
    if (phase == nullptr) continue;
    if (first == nullptr) first = phase;
    if (auto issue = check_alike(*phase, *first)) return of_entry(i, query.phases.size(), *issue);
  }
  const char* beside = without_parts(query, first);
  for (std::size_t i = 0; beside && i < query.phases.size(); ++i) {
    const Number part =
        std::visit([](const auto& entry) { return entry.part_of_data; }, query.phases[i]);
    if (part)
      return of_entry(
          i, query.phases.size(),
          contradiction("part_of_data", std::string("be absent for ") + beside, spell(*part)));
  }
  if (first == nullptr && (*query.question == "compare" || query.solve_for)) {
    return refused("missing", "phases", "hold at least one training phase for this question",
                   "releases only");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Issue> find_issue(const Query& query) {
  if (auto issue = require(&Query::question, query)) return issue;
  if (auto issue = check_all(query)) return issue;
  const bool needs_run = *query.question != "audit";
  const std::string list = "a list of 1 to " + std::to_string(kMostPhases) + " phases";
  if (query.phases.empty() && needs_run) return missing("phases", list + ", the training run");
  if (query.phases.size() > kMostPhases)
    return refused("out-of-domain", "phases", "be " + list, std::to_string(query.phases.size()));
  for (std::size_t i = 0; i < query.phases.size(); ++i) {
    const Phase* phase = std::get_if<Phase>(&query.phases[i]);
    if (auto issue =
            phase ? check_phase(*phase, query) : check_release(std::get<Release>(query.phases[i])))
      return of_entry(i, query.phases.size(), *issue);
  }
  if (auto issue = check_together(query)) return issue;
  if (auto issue = check_tuning(query)) return issue;
  return check_asked(query);
}

}  // namespace honest_epsilon::wire
