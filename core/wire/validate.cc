#include "core/wire/validate.h"

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
    return contradiction("cap_delta", "be absent unless solveFor is \"cap\"",
                         spell(*query.cap_delta) + " with " + spell_text(unknown));
  }
  if (query.delta && (unknown == "delta" || by_cap)) {
    return contradiction(
        "delta",
        std::string("be absent when ") +
            (by_cap ? "capDelta says what the cap may add" : "solveFor is \"delta\""),
        spell(*query.delta));
  }
  if (unknown == "delta" || by_cap) return std::nullopt;
  return require(&Query::delta, query);
}

// A trade-off curve holds every epsilon and delta; delta at one epsilon may be read off it.
std::optional<Issue> check_tradeoff(const Query& query) {
  if (query.delta) {
    return contradiction(
        "delta", "be absent when the question is tradeoff, since the curve holds all of them",
        spell(*query.delta));
  }
  return require_proof(query, " when the question is tradeoff");
}

// What only a trade-off curve answers.
std::optional<Issue> check_readings(const Query& query) {
  const auto complain = [&](const char* name, const Numbers& values) {
    return contradiction(name, "be absent unless the question is \"tradeoff\"",
                         spell(values.front()));
  };
  if (!query.false_positive_rates.empty())
    return complain("false_positive_rates", query.false_positive_rates);
  if (!query.priors.empty()) return complain("priors", query.priors);
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
    return contradiction("solve_for", "be absent unless the question is \"calibrate\"",
                         spell_text(*query.solve_for));
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
      return missing("delta",
                     "a finite number above 0 and below 1 (compare needs "
                     "delta, or epsilon instead of it)");
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
  const int kinds = static_cast<int>(release.epsilon.has_value()) +
                    static_cast<int>(release.mu.has_value()) +
                    static_cast<int>(release.rho.has_value()) +
                    static_cast<int>(release.bounded_range.has_value());
  if (kinds == 0)
    return missing("epsilon",
                   "a finite number of at least 0 (a release that gives "
                   "delta gives epsilon, too)");
  if (kinds == 1 && !(release.delta && !release.epsilon)) return std::nullopt;
  const char* field = release.delta && !release.epsilon ? "delta"
                      : release.mu                      ? "mu"
                      : release.rho                     ? "rho"
                                                        : "bounded_range";
  const double got = release.delta && !release.epsilon ? *release.delta
                     : release.mu                      ? *release.mu
                     : release.rho                     ? *release.rho
                                                       : *release.bounded_range;
  return contradiction(field,
                       "be absent beside another guarantee: a release states epsilon (with delta), "
                       "or mu, or rho, or boundedRange",
                       spell(got));
}

std::optional<Issue> check_phase(const Phase& phase, const Query& query) {
  if (*query.question != "compare") {
    if (auto issue = require(&Phase::sampler, phase)) return issue;
  }
  if (auto issue = check_all(phase)) return issue;
  if (phase.local_epochs && !of_clients(phase))
    return contradiction(
        "local_epochs",
        "be absent unless privacyUnit is \"client\" (for examples, give the epochs of "
        "one client's own training)",
        spell(*phase.local_epochs));
  const bool sought = query.solve_for && *query.solve_for == "noise";
  if (!sought || phase.noise_multiplier) return check_noise(phase, query.solve_for.value_or(""));
  if (!phase.noise_end) return std::nullopt;
  return contradiction("noise_end", "be absent where the noise is solved for",
                       spell(*phase.noise_end));
}

/// Neighbours must mean the same in all phases.
std::optional<Issue> check_alike(const Query& query) {
  const Phase* first = nullptr;
  for (std::size_t i = 0; i < query.phases.size(); ++i) {
    const Phase* phase = std::get_if<Phase>(&query.phases[i]);
    if (phase == nullptr) continue;
    if (first == nullptr) first = phase;
    const std::string before = first->adjacency.value_or("zero-out");
    const std::string here = phase->adjacency.value_or("zero-out");
    if ((here == "substitution") != (before == "substitution")) {
      return of_entry(i, query.phases.size(),
                      contradiction("adjacency", "be the same in every phase",
                                    spell_text(here) + " after " + spell_text(before)));
    }
    if (of_clients(*phase) != of_clients(*first)) {
      return of_entry(
          i, query.phases.size(),
          contradiction("privacy_unit", "be the same in every phase",
                        spell_text(phase->privacy_unit.value_or("example")) + " after " +
                            spell_text(first->privacy_unit.value_or("example"))));
    }
    const double records = first->records_per_user.value_or(1);
    if (phase->records_per_user.value_or(1) != records) {
      return of_entry(
          i, query.phases.size(),
          contradiction("records_per_user", "be the same in every phase",
                        spell(phase->records_per_user.value_or(1)) + " after " + spell(records)));
    }
  }
  for (std::size_t i = 0; i < query.phases.size(); ++i) {
    const Number part =
        std::visit([](const auto& entry) { return entry.part_of_data; }, query.phases[i]);
    if (!part) continue;
    const bool one_number = *query.question == "epsilon" || *query.question == "delta" ||
                            *query.question == "compare" || *query.question == "calibrate";
    const char* beside =
        !one_number                                        ? "trade-off curves and audits"
        : query.target.value_or("epsilon") != "epsilon"    ? "a target other than epsilon"
        : first && first->records_per_user.value_or(1) > 1 ? "several records of a person"
                                                           : nullptr;
    if (beside)
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
  if (auto issue = check_alike(query)) return issue;
  if (auto issue = check_tuning(query)) return issue;
  return check_asked(query);
}

}  // namespace honest_epsilon::wire
