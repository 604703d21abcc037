#include "core/api/target.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/api/account.h"
#include "core/api/answer.h"
#include "core/api/band.h"
#include "core/api/check.h"
#include "core/api/remarks.h"
#include "core/api/sampled.h"
#include "core/base/rounding.h"
#include "core/base/spelling.h"

namespace honest_epsilon::api {
namespace {

/// How a measure is named, and what it is worth to guess without the run's output.
struct Kind {
  Measure measure;
  std::string_view name;  ///< as on the wire
  const char* spoken;
  const char* at;  ///< what `target_at` means; null where nothing is to be said
};

constexpr Kind kKinds[] = {
    {Measure::advantage, "advantage", "the best attack's advantage", nullptr},
    {Measure::true_positive_rate, "true-positive-rate", "the best attack's true positive rate",
     "false positive rate"},
    {Measure::accuracy, "accuracy", "the best guess' accuracy", "prior"},
    {Measure::gdp, "gdp", "mu of the Gaussian below", nullptr},
    {Measure::inference, "inference", "the success of inference", "baseline"},
};

const Kind* kind_named(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

const Kind& kind_of(Measure measure) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds),
                       [&](const Kind& kind) { return kind.measure == measure; });
}

/// What guessing achieves: nothing has less.
double floor_of(const Target& target) {
  if (target.measure == Measure::accuracy) return std::max(target.at, 1 - target.at);
  return target.at;
}

/// No rate exceeds 1; mu has no such end.
double ceiling_of(const Target& target) {
  return target.measure == Measure::gdp ? kInfinity : 1;
}

/// Complains of what cannot be asked beside such a target.
std::optional<Issue> check_beside(const Query& query) {
  const std::string with = " when target is " + spell_text(*query.target);
  if (*query.question != "calibrate")
    return contradiction("target", "be epsilon or absent unless the question is calibrate",
                         spell_text(*query.target));
  if (query.epsilon)
    return contradiction("epsilon", "be absent" + with + ", since it is no target then",
                         spell(*query.epsilon) + " (the answer states its epsilon at delta)");
  if (query.solve_for && (*query.solve_for == "delta" || *query.solve_for == "cap"))
    return contradiction("solve_for",
                         "be noise, epochs, steps, batch-size or sampling-probability" + with,
                         spell_text(*query.solve_for));
  if (auto issue = require_proof(query, with)) return issue;
  if (query.tuning.value_or("none") != "none")
    return contradiction("tuning", "be none" + with,
                         spell_text(*query.tuning) + " (ask what epsilon the search may have)");
  return std::nullopt;
}

}  // namespace

std::optional<Target> target_of(const Query& query) {
  const Kind* kind = query.target ? kind_named(*query.target) : nullptr;
  if (kind == nullptr) return std::nullopt;
  return Target{kind->measure, query.target_value.value_or(0), query.target_at.value_or(0)};
}

std::optional<Issue> check_target(const Query& query) {
  const auto target = target_of(query);
  if (!target)
    return require_absent({&Query::target_value, &Query::target_at}, query,
                          "target is other than epsilon");
  if (auto issue = check_beside(query)) return issue;
  const Kind& kind = kind_of(target->measure);
  if (!kind.at && query.target_at)
    return contradiction(
        "target_at", "be absent when target is " + spell_text(kind.name) + ", which needs no rate",
        spell(*query.target_at));
  if (kind.at) {
    if (auto issue = require(&Query::target_at, query)) {
      issue->text += std::string(" (the ") + kind.at + ")";
      return issue;
    }
  }
  if (auto issue = require(&Query::target_value, query)) return issue;
  const double floor = floor_of(*target);
  const double ceiling = ceiling_of(*target);
  if (target->limit > floor && target->limit < ceiling) return std::nullopt;
  return refused("out-of-domain", "target_value",
                 "be above " + spell(floor) + (kind.at ? ", which guessing achieves," : "") +
                     (ceiling < kInfinity ? " and below 1" : "") + " when target is " +
                     spell_text(kind.name),
                 spell(target->limit));
}

namespace {

/// The readings that the question "tradeoff" would be asked for it.
Readings readings_of(const Target& target) {
  Readings readings;
  if (target.measure != Measure::gdp) readings.false_positive_rates = {target.at};
  return readings;
}

struct Measured {
  Interval value;
  double gap = 0;           ///< GaussianBelow::misfit
  bool own_proofs = false;  ///< as in TradeOffAnswer
};

/// Advantage and accuracy are one delta: with p the prior, K = (1 - p) / p and p <= 1/2,
///   accuracy = 1 - p + p delta(log K);   p > 1/2 the same with the two datasets exchanged.
Measured by_delta(const Target& target, const Query& query, const Programme& programme,
                  calibrate::Care care) {
  const bool halves = target.measure == Measure::advantage || target.at == 0.5;
  const double epsilon = halves ? 0 : std::abs(std::log(target.at / (1 - target.at)));
  Effort effort;
  effort.width = query.width.value_or(kDefaultWidth);
  if (care == calibrate::Care::rough) {
    effort.width = std::max(effort.width, 1e-2);
    effort.log2_grid_limit = 15;
  }
  // A lower epsilon has a larger delta.
  const Asked asked = halves ? Asked::total_variation : Asked::delta;
  const double given = std::max(0.0, epsilon * (1 - 4 * kUnit) - kUnit);
  const Proved proved = care == calibrate::Care::fine
                            ? account_twice(programme, asked, given, effort)
                            : Proved{account(programme, asked, given, effort), std::nullopt};
  const Directions& d = proved.finding.directions;
  const bool own_proofs = proved.published.has_value();
  const Interval delta = maximum(d.remove, d.add);
  if (target.measure == Measure::advantage) return {delta, 0, own_proofs};
  const double floor = floor_of(target);
  // That epsilon lies below the true one by less than this, and delta falls by no more than epsilon
  // rises.
  const double below = 8 * kUnit * (epsilon + 1);
  const double least = std::max(0.0, delta.lower - below);
  Interval value = within_unit(affine(floor, 1 - floor, {least, delta.upper}));
  value.kind = delta.kind;
  return {value, 0, own_proofs};
}

Measured measured(const Target& target, const Query& query, const Programme& programme,
                  calibrate::Care care) {
  if (target.measure == Measure::advantage || target.measure == Measure::accuracy)
    return by_delta(target, query, programme, care);
  tradeoff::Sampling sampling =
      sampling_for(readings_of(target), query.width.value_or(kDefaultCurveWidth));
  if (care == calibrate::Care::rough) {
    // Within a percent or so, by few knots.
    sampling.width = std::max(sampling.width, 2e-2);
    sampling.most = 32;
  }
  const Sampled sampled = sampled_curve(programme, sampling);
  const tradeoff::TradeOffCurve curve(tradeoff::symmetrised(sampled.knots));
  if (target.measure != Measure::gdp)
    return {curve.true_positive_rate(target.at), 0, sampled.own_proofs};
  const tradeoff::GaussianFit fit = curve.gaussian_fit(kGaussianResolution);
  return {fit.mu, fit.misfit, sampled.own_proofs};
}

}  // namespace

double target_excess(const Target& target, const Query& query, const Programme& programme,
                     calibrate::Care care) {
  const double found = measured(target, query, programme, care).value.upper;
  const double floor = floor_of(target);
  const double excess = std::log(std::max(0.0, found - floor) / (target.limit - floor));
  // The quotient may round to 1.
  return found > target.limit ? std::max(excess, 1e-12) : std::min(excess, 0.0);
}

TargetMet target_met(const Target& target, const Query& query, const Programme& programme) {
  const Kind& kind = kind_of(target.measure);
  const Measured found = measured(target, query, programme, calibrate::Care::fine);
  TargetMet met;
  met.name = kind.name;
  met.limit = target.limit;
  if (kind.at) met.at = target.at;
  met.value = found.value;
  met.own_proofs = found.own_proofs;
  if (target.measure == Measure::gdp) {
    met.gap = found.gap;
    met.resolution = kGaussianResolution;
  }
  return met;
}

std::string name_of(const Target& target) {
  const Kind& kind = kind_of(target.measure);
  std::string name = kind.spoken;
  if (kind.at) name += std::string(" at ") + kind.at + " " + spell(target.at);
  return name;
}

}  // namespace honest_epsilon::api
