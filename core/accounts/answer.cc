#include "core/accounts/answer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/accounts/account.h"
#include "core/accounts/calibrate.h"
#include "core/accounts/catalog.h"
#include "core/accounts/limits.h"
#include "core/accounts/programme.h"
#include "core/accounts/remarks.h"
#include "core/accounts/search.h"
#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/math/binomial_tail.h"
#include "core/samplers/batch_cap.h"
#include "core/samplers/correlated.h"
#include "core/wire/check.h"
#include "core/wire/guard.h"
#include "core/wire/validate.h"

namespace honest_epsilon::accounts {
namespace {

/// The interval of the larger direction. Its kind is the weaker of the two, unless one direction
/// certainly lies below the other.
Interval larger(const Interval& a, const Interval& b) {
  Interval result = maximum(a, b);
  if (b.upper <= a.lower) {
    result.kind = a.kind;
  } else if (a.upper <= b.lower) {
    result.kind = b.kind;
  } else {
    result.kind = std::max(a.kind, b.kind);
  }
  return result;
}

}  // namespace

std::string sampler_of(const Programme& programme) {
  std::string name = "composition";
  for (const PhaseRun& phase : programme.phases) {
    if (&phase == &programme.phases.front()) name = phase.sampler->name;
    if (phase.sampler->name != name) return "composition";
  }
  return programme.releases.empty() ? name : "composition";
}

namespace {

wire::Derived derive_part(const Programme& programme) {
  wire::Derived derived;
  for (const PhaseRun& phase : programme.phases)
    derived.steps +=
        phase.groups() > 1 ? phase.schedule.steps : static_cast<double>(phase.run.steps);
  if (programme.given != 1) return derived;
  const PhaseRun& only = programme.phases.front();
  derived.sampling_probability =
      only.schedule.sampling_probability * static_cast<double>(only.run.participations);
  derived.batch_size = only.schedule.batch_size;
  if (only.given.noise_stddev) derived.noise_multiplier = only.given.noise_multiplier;
  // A group's rate alone does not say how long an epoch is, nor does one whose inverse overflows.
  const bool of_group = only.groups() > 1 && only.given.sampling_probability;
  if ((of_group && !derived.batch_size) || !std::isfinite(only.schedule.steps_per_epoch))
    return derived;
  derived.steps_per_epoch = only.schedule.steps_per_epoch;
  derived.epochs = 0;
  for (const PhaseRun& phase : programme.phases) {
    *derived.epochs += only.sampler->uses_epochs
                           ? static_cast<double>(phase.run.epochs)
                           : phase.schedule.steps / phase.schedule.steps_per_epoch;
  }
  return derived;
}

}  // namespace

wire::Derived derive(const Programme& programme) {
  // A record is in one part of the data.
  const std::vector<Programme> parts = by_part(programme);
  if (parts.size() == 1) return derive_part(parts.front());
  wire::Derived derived;
  for (const Programme& part : parts) derived.steps = std::max(derived.steps, derive(part).steps);
  return derived;
}

namespace {

/// How large the batches of the only phase get, where that is random.
std::optional<wire::BatchSizes> batch_sizes_of(const Programme& programme) {
  if (programme.given != 1) return std::nullopt;
  const PhaseRun& only = programme.phases.front();
  if (!only.sampler->cap || !only.given.dataset_size) return std::nullopt;
  // A batch is drawn from its group alone.
  const double records = std::floor(*only.given.dataset_size / only.groups());
  const Run& run = only.run;
  const double q = only.sampler->uses_epochs ? static_cast<double>(run.participations) /
                                                   static_cast<double>(run.steps_per_epoch)
                                             : run.sampling_probability;
  wire::BatchSizes sizes;
  sizes.mean = records * q;
  sizes.p99 = binomial::quantile_upper(records, q, 0.01);
  const double steps = derive(programme).steps;
  sizes.largest = binomial::quantile_upper(records, q, 1e-3 / std::max(1.0, steps));
  if (run.cap) {
    const double each = binomial::upper_tail_upper(records, q, run.cap->largest);
    sizes.cap_probability = std::min(1.0, steps * each);
  }
  return sizes;
}

/// What no accountant found.
Proved nothing(double lower, IntervalKind kind) {
  const Interval any = {lower, kInfinity, kind};
  return {{{any, any}}, std::nullopt};
}

/// None where the accountant has no formula for this programme.
std::optional<Proved> find(const Programme& programme, const std::string& accountant, Asked asked,
                           double given, const Effort& effort) {
  if (accountant == "best") return account_twice(programme, asked, given, effort, account_by_best);
  if (accountant == "pld") return account_twice(programme, asked, given, effort);
  const auto finding = account_by(accountant, programme, asked, given, effort);
  return finding ? std::optional(Proved{*finding, std::nullopt}) : std::nullopt;
}

Interval guarded_by_kind(const Interval& value, double most, bool& widened) {
  if (value.kind == IntervalKind::estimate) return value;
  if (value.kind == IntervalKind::certified || value.lower > -kInfinity) {
    Interval result = wire::guarded(value, most, widened);
    if (result.upper < kInfinity) return result;
    // One end at most is proved, and none that is infinite can cross.
    result.kind = IntervalKind::bound;
    if (result.lower == kInfinity) result.lower = 0;
    return result;
  }
  Interval result = wire::guarded({0, value.upper, value.kind}, most, widened);
  result.lower = -kInfinity;
  return result;
}

}  // namespace

Interval guarded_larger(const Directions& directions, double most, bool& widened) {
  return larger(guarded_by_kind(directions.remove, most, widened),
                guarded_by_kind(directions.add, most, widened));
}

namespace {

bool is_wide(const Interval& value, double width) {
  return value.upper == kInfinity || !(value.upper - value.lower <= width * value.upper);
}

/// Whether no work was left for what some run's bins have in common.
bool leaves_bins_uncompared(const Programme& programme) {
  return std::any_of(programme.phases.begin(), programme.phases.end(), [](const PhaseRun& phase) {
    return phase.run.correlation && !phase.run.correlation->compares_bins();
  });
}

Asked asked_by(const Question& question) {
  if (question.asks_epsilon) return Asked::epsilon;
  return question.given == 0 ? Asked::total_variation : Asked::delta;
}

}  // namespace

wire::Answer answer_for(const Programme& programme, const wire::Query& query,
                        const Question& question) {
  const Effort effort{question.width, question.log2_grid_limit};
  const std::string accountant = query.accountant.value_or("best");
  const Asked asked = asked_by(question);
  const work::Limit limit(kQuestionWork);
  const auto failure =
      question.asks_epsilon ? failure_beyond(programme, question.given) : std::nullopt;
  const auto found = failure ? nothing(0, IntervalKind::bound)
                             : find(programme, accountant, asked, question.given, effort);
  auto [finding, published] = found.value_or(
      nothing(-kInfinity, accountant == "gdp" ? IntervalKind::estimate : IntervalKind::bound));
  const double most = trivial_interval(asked).upper;
  bool widened = false;
  wire::Answer answer;
  if (accountant == "best" && question.compares) {
    const auto rdp = account_by_renyi(programme, asked, question.given);
    if (limit.was_met()) lower_by_renyi(finding, rdp);
    if (rdp)
      answer.rdp =
          guarded_by_kind(larger(rdp->directions.remove, rdp->directions.add), most, widened);
    if (const auto gdp = estimate_by_limit(programme, asked, question.given))
      answer.gdp = gdp->directions.remove;
  }
  answer.sampler = sampler_of(programme);
  answer.adjacency = adjacency_answered(programme);
  answer.privacy_unit = privacy_unit_of(programme);
  answer.directions.remove = guarded_by_kind(finding.directions.remove, most, widened);
  answer.directions.add = guarded_by_kind(finding.directions.add, most, widened);
  const Interval value = larger(answer.directions.remove, answer.directions.add);
  const Interval given = {question.given, question.given, IntervalKind::certified};
  answer.epsilon = question.asks_epsilon ? value : given;
  answer.delta = question.asks_epsilon ? given : value;
  if (published) answer.published = guarded_larger(*published, most, widened);
  answer.found_by(finding.method);
  answer.derived = derive(programme);
  answer.batch_sizes = batch_sizes_of(programme);
  answer.tuning = tuning_out(programme, asked, question.given, effort);
  answer.assume(assumptions_of(programme, published.has_value()));
  answer.citations = citations_of(programme, finding.method, published.has_value());
  answer.work.grid_points = static_cast<double>(finding.grid_points);

  answer.warnings = warnings_of(programme, question, value, published.has_value(), failure);
  const auto warn = [&](bool holds, wire::WarningCode code, const std::string& text) {
    if (holds) answer.warnings.push_back(wire::warning(code, text));
  };
  warn(!found, "accountant-has-no-bound",
       "Accountant " + spell_text(accountant) +
           " has no formula for this run: no number is given. Accountant \"best\" has one.");
  warn(finding.out_of_memory, "memory-limit",
       "There was not enough memory for the grid that this needs, so a coarser one was used. The "
       "interval holds, but may be wide.");
  const bool was_cut = limit.was_met() || leaves_bins_uncompared(programme);
  warn(was_cut && is_wide(value, question.width), "stopped-at-limit",
       "This would have cost more than the work that one question may, about two seconds: the "
       "interval holds, but is wider than asked.");
  warn(widened, "interval-widened",
       "The computation lost its precision here; the interval was widened until it certainly "
       "holds.");
  return answer;
}

Question question_of(const wire::Query& query) {
  Question question;
  question.asks_epsilon = query.delta.has_value();
  question.given = question.asks_epsilon ? *query.delta : *query.epsilon;
  question.width = query.width.value_or(kDefaultWidth);
  return question;
}

Outcome answer(const wire::Query& query) {
  return answer_within(query, Effort{}.log2_grid_limit);
}

Outcome answer_within(const wire::Query& query, int log2_grid_limit) {
  if (auto issue = find_issue(query)) return *issue;
  if (*query.question == "calibrate") return calibrated(query);
  if (*query.question == "tradeoff" || *query.question == "audit") {
    return wire::contradiction(
        &wire::Query::question, query,
        "be epsilon, delta, compare or calibrate here: a trade-off curve or an "
        "audit is no such answer");
  }
  std::vector<const Sampler*> every = {nullptr};
  if (*query.question == "compare") {
    every.clear();
    for (const Sampler& sampler : kSamplers) every.push_back(&sampler);
  }
  Question question = question_of(query);
  question.log2_grid_limit = log2_grid_limit;
  std::vector<wire::Answer> answers;
  const work::Limit limit(kQuestionWork);
  for (const Sampler* sampler : every) {
    // All are answered within one question's work.
    const work::Limit share(work::left() /
                            static_cast<std::int64_t>(every.size() - answers.size()));
    const auto read = read_programme(query, sampler);
    if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;
    answers.push_back(answer_for(std::get<Programme>(read), query, question));
  }
  return answers;
}

}  // namespace honest_epsilon::accounts
