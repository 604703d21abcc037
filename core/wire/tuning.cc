#include "core/wire/tuning.h"

#include <algorithm>
#include <cmath>

#include "core/base/spelling.h"
#include "core/wire/check.h"

namespace honest_epsilon::wire {
namespace {

constexpr double kMostFixedRuns = 1000;

bool has_gamma(const std::string& tuning) {
  return tuning == "geometric" || tuning == "logarithmic" || tuning == "negative-binomial";
}

/// The mean, or gamma instead of it.
std::optional<Issue> check_mean(const Query& query) {
  if (!query.runs && !query.gamma)
    return missing("runs",
                   "a finite number above 1 (the mean number of runs, or gamma instead of it)");
  if (query.runs && query.gamma)
    return contradiction(&Query::gamma, query,
                         "be absent beside runs, the mean that follows from it",
                         " with runs " + spell(*query.runs));
  if (query.runs && !(*query.runs > 1))
    return refused("out-of-domain", &Query::runs, query,
                   "be a finite number above 1 when tuning is " + spell_text(*query.tuning) +
                       ", since at least one run is made");
  const double eta = query.eta.value_or(*query.tuning == "geometric" ? 1 : 0);
  if (query.runs && tradeoff::gamma_of_mean(eta, *query.runs) < kLeastGamma)
    return refused("out-of-domain", &Query::runs, query,
                   "be a mean that some gamma of at least " + spell(kLeastGamma) + " has",
                   " (try fewer runs)");
  return std::nullopt;
}

std::optional<Issue> check_number(const Query& query) {
  const std::string& tuning = *query.tuning;
  const std::string with = " with " + spell_text(tuning);
  if (tuning != "negative-binomial") {
    if (auto issue = require_absent({&Query::eta}, query, "tuning is \"negative-binomial\"", with))
      return issue;
  } else if (auto issue = require(&Query::eta, query)) {
    return issue;
  }
  if (has_gamma(tuning)) return check_mean(query);
  if (auto issue = require_absent({&Query::gamma}, query,
                                  "tuning is geometric, logarithmic or negative-binomial", with))
    return issue;
  if (auto issue = require(&Query::runs, query)) return issue;
  const double runs = *query.runs;
  if (tuning != "fixed" || (runs == std::floor(runs) && runs >= 1 && runs <= kMostFixedRuns))
    return std::nullopt;
  return Issue{runs == std::floor(runs) ? "out-of-domain" : "not-whole", "runs",
               "runs must be a whole number of at least 1 and at most " + spell(kMostFixedRuns) +
                   " when tuning is \"fixed\"; got " + spell(runs)};
}

/// Complains of questions about the best of several runs that no theorem here answers.
std::optional<Issue> check_question(const Query& query) {
  const std::string with = " when tuning is " + spell_text(*query.tuning);
  const std::string& question = *query.question;
  if (question == "tradeoff" || question == "audit")
    return contradiction(&Query::tuning, query, "be none when the question is " + question,
                         " (ask epsilon or delta)");
  if (query.solve_for && *query.solve_for != "noise")
    return contradiction(&Query::solve_for, query, "be noise" + with);
  if (*query.tuning != "fixed") {
    if (auto issue = require_proof(query, with)) return issue;
  }
  const bool has_release =
      std::any_of(query.phases.begin(), query.phases.end(),
                  [](const Entry& entry) { return std::holds_alternative<Release>(entry); });
  if (has_release)
    return contradiction(&Query::tuning, query,
                         "be none beside another release, which is made once and not tried again",
                         " (ask about the search alone, and add the release to it)");
  return std::nullopt;
}

}  // namespace

std::optional<Issue> check_tuning(const Query& query) {
  const std::string tuning = query.tuning.value_or("none"), with = " with " + spell_text(tuning);
  if (tuning == "none")
    return require_absent({&Query::runs, &Query::gamma, &Query::eta}, query, "tuning is given",
                          with);
  if (auto issue = check_number(query)) return issue;
  return check_question(query);
}

Tuning tuning_of(const Query& query) {
  Tuning tuning;
  const std::string name = query.tuning.value_or("none");
  if (name == "none") return tuning;
  if (name == "fixed") {
    tuning.times = static_cast<std::int64_t>(*query.runs);
  } else if (has_gamma(name)) {
    const double eta = query.eta.value_or(name == "geometric" ? 1 : 0);
    const double gamma = query.gamma ? *query.gamma : tradeoff::gamma_of_mean(eta, *query.runs);
    tuning.eta = eta;
    tuning.gamma = gamma;
    tuning.random = tradeoff::NumberOfRuns::negative_binomial(eta, gamma);
  } else {
    tuning.random = tradeoff::NumberOfRuns::poisson(*query.runs);
  }
  return tuning;
}

std::vector<Assumption> tuning_assumptions(const Tuning& tuning) {
  if (tuning.times > 1) return {assumes::fixed_runs(std::to_string(tuning.times))};
  if (!tuning.random) return {};
  return {assumes::drawn_runs(), assumes::drawn_configuration(), assumes::score()};
}

}  // namespace honest_epsilon::wire
