#include "core/wire/target.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/base/spelling.h"
#include "core/wire/check.h"

namespace honest_epsilon::wire {
namespace {

constexpr MeasureInfo kMeasures[] = {
    {Measure::advantage, "advantage", "the best attack's advantage", nullptr},
    {Measure::true_positive_rate, "true-positive-rate", "the best attack's true positive rate",
     "false positive rate"},
    {Measure::accuracy, "accuracy", "the best guess' accuracy", "prior"},
    {Measure::gdp, "gdp", "mu of the Gaussian below", nullptr},
    {Measure::inference, "inference", "the success of inference", "baseline"},
};

/// No rate exceeds 1; mu has no such end.
double ceiling_of(const Target& target) {
  return target.measure == Measure::gdp ? kInfinity : 1;
}

/// Complains of what cannot be asked beside such a target.
std::optional<Issue> check_beside(const Query& query) {
  const std::string with = " when target is " + spell_text(*query.target);
  if (*query.question != "calibrate")
    return contradiction(&Query::target, query,
                         "be epsilon or absent unless the question is calibrate");
  if (query.epsilon)
    return contradiction(&Query::epsilon, query,
                         "be absent" + with + ", since it is no target then",
                         " (the answer states its epsilon at delta)");
  if (query.solve_for && (*query.solve_for == "delta" || *query.solve_for == "cap"))
    return contradiction(&Query::solve_for, query,
                         "be noise, epochs, steps, batch-size or sampling-probability" + with);
  if (auto issue = require_proof(query, with)) return issue;
  if (query.tuning.value_or("none") != "none")
    return contradiction(&Query::tuning, query, "be none" + with,
                         " (ask what epsilon the search may have)");
  return std::nullopt;
}

}  // namespace

const MeasureInfo& info_of(Measure measure) {
  return kMeasures[static_cast<std::size_t>(measure)];
}

double Target::floor() const {
  return measure == Measure::accuracy ? std::max(at, 1 - at) : at;
}

std::optional<Target> target_of(const Query& query) {
  for (const MeasureInfo& one : kMeasures) {
    if (query.target == one.name)
      return Target{one.measure, query.target_value.value_or(0), query.target_at.value_or(0)};
  }
  return std::nullopt;
}

std::optional<Issue> check_target(const Query& query) {
  const auto target = target_of(query);
  if (!target)
    return require_absent({&Query::target_value, &Query::target_at}, query,
                          "target is other than epsilon");
  if (auto issue = check_beside(query)) return issue;
  const MeasureInfo& kind = info_of(target->measure);
  if (!kind.at && query.target_at)
    return contradiction(
        &Query::target_at, query,
        "be absent when target is " + spell_text(kind.name) + ", which needs no rate");
  if (kind.at) {
    if (auto issue = require(&Query::target_at, query)) {
      issue->text += std::string(" (the ") + kind.at + ")";
      return issue;
    }
  }
  if (auto issue = require(&Query::target_value, query)) return issue;
  const double floor = target->floor();
  const double ceiling = ceiling_of(*target);
  if (target->limit > floor && target->limit < ceiling) return std::nullopt;
  return refused("out-of-domain", "target_value",
                 "be above " + spell(floor) + (kind.at ? ", which guessing achieves," : "") +
                     (ceiling < kInfinity ? " and below 1" : "") + " when target is " +
                     spell_text(kind.name),
                 spell(target->limit));
}

std::string name_of(const Target& target) {
  const MeasureInfo& kind = info_of(target.measure);
  std::string name = kind.spoken;
  if (kind.at) name += std::string(" at ") + kind.at + " " + spell(target.at);
  return name;
}

}  // namespace honest_epsilon::wire
