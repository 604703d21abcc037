#include "core/accounts/calibrate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/accounts/account.h"
#include "core/accounts/answer.h"
#include "core/accounts/limits.h"
#include "core/accounts/programme.h"
#include "core/accounts/target_met.h"
#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/calibrate/solve.h"
#include "core/samplers/batch_cap.h"
#include "core/wire/check.h"

namespace honest_epsilon::accounts {
namespace {

using calibrate::Axis;
using calibrate::Care;
using calibrate::Solved;

/// What one measurement of a search may cost, and the answer that comes out: the first of two that
/// this asks (account_twice) may cost as much as the measurement, and so is the same.
constexpr std::int64_t kProbeWork = 7 * kQuestionWork / 20;
constexpr std::int64_t kAnswerWork = kQuestionWork / 2;
/// What a rough search leaves to a fine one.
constexpr std::int64_t kFineWork = 2 * kSearchWork / 3;
static_assert(kAnswerWork * kFirstShare == kProbeWork);

using P = wire::Phase;

/// A field that can be solved for: where it is stored, what its value displaces, where it lies.
struct Unknown {
  std::string_view name;  ///< as `solve_for` has it
  wire::Number P::* member;
  std::string_view displaces;  ///< fields, separated by spaces
  Axis axis;

  std::string field() const { return camel_case(wire::field_of(member).name); }
};

constexpr Unknown kUnknowns[] = {
    {"noise",
     &P::noise_multiplier,
     "noise_unit noise_stddev",
     {0.02, wire::kMostNoise, 1, false, false}},
    {"epochs", &P::epochs, "steps", {1, wire::kMostSteps, 10, true, true}},
    {"steps", &P::steps, "epochs", {1, wire::kMostSteps, 1000, true, true}},
    {"batch-size",
     &P::batch_size,
     "sampling_probability steps_per_epoch",
     {1, wire::kMostRecords, 256, true, true}},
    // Without a batch size the last three that it displaces have no meaning.
    {"sampling-probability",
     &P::sampling_probability,
     "batch_size steps_per_epoch epochs accumulation_steps devices drop_last",
     {1e-9, 1, 0.01, false, true}},
    {"cap", &P::max_batch_size, "", {1, wire::kMostRecords, 1000, true, false}},
};

const Unknown* unknown_named(std::string_view name) {
  for (const Unknown& unknown : kUnknowns) {
    if (unknown.name == name) return &unknown;
  }
  return nullptr;
}

template <class Visit>
void for_each_phase(wire::Query& query, Visit visit) {
  for (wire::Entry& entry : query.phases) {
    if (wire::Phase* phase = std::get_if<wire::Phase>(&entry)) visit(*phase);
  }
}

/// The query with a value in the sought field: in the phases that leave it out, and state nothing
/// that it would displace, or in all of them where none does.
class Filled {
 public:
  Filled(const wire::Query& query, const Unknown& unknown) : query_(query), unknown_(unknown) {
    bool some = false;
    for_each_phase(query_, [&](const wire::Phase& phase) { some = some || leaves_out(phase); });
    for (std::size_t i = 0; i < query_.phases.size(); ++i) {
      wire::Phase* phase = std::get_if<wire::Phase>(&query_.phases[i]);
      if (phase == nullptr || (some && !leaves_out(*phase))) continue;
      entries_.push_back(static_cast<double>(i));
      sought_.push_back(phase);
      for_each_displaced([&](auto member) { phase->*member = {}; });
    }
  }
  Filled(const Filled&) = delete;
  Filled& operator=(const Filled&) = delete;

  const wire::Query& with(double value) {
    for (wire::Phase* phase : sought_) phase->*unknown_.member = value;
    return query_;
  }

  /// Whether the query has more than the phases with that field.
  bool is_part() const { return entries_.size() < query_.phases.size(); }

  /// A value as it crosses the wire.
  wire::Solution solution(double value) const {
    wire::Solution found{.field = unknown_.field(), .value = value, .entries = entries_};
    for (const std::string_view name : split(unknown_.displaces))
      found.displaced.push_back(camel_case(name));
    return found;
  }

 private:
  template <class Visit>
  void for_each_displaced(Visit visit) const {
    const auto visit_field = [&](const auto& field) {
      if (wire::lists(unknown_.displaces, field.name)) visit(field.member);
    };
    std::apply([&](const auto&... field) { (visit_field(field), ...); },
               fields(static_cast<const wire::Phase*>(nullptr)));
  }

  bool leaves_out(const wire::Phase& phase) const {
    bool stated = (phase.*unknown_.member).has_value();
    for_each_displaced(
        [&](auto member) { stated = stated || phase.*member != wire::Phase().*member; });
    return !stated;
  }

  wire::Query query_;
  const Unknown& unknown_;
  std::vector<wire::Phase*> sought_;  ///< into `query_`
  wire::Numbers entries_;             ///< where they stand
};

/// The axis, cut to what the phases allow and started where they suggest.
Axis axis_of(const Unknown& unknown, const wire::Query& query) {
  Axis axis = unknown.axis;
  wire::Query copy = query;
  for_each_phase(copy, [&](const wire::Phase& phase) {
    if (const wire::Number& typed = phase.*unknown.member) axis.start = *typed;
    const double batches = phase.accumulation_steps.value_or(1) * phase.devices.value_or(1);
    if (unknown.name == "batch-size" && phase.dataset_size)
      axis.high = std::max(1.0, std::min(axis.high, std::floor(*phase.dataset_size / batches)));
    if (unknown.name == "cap" && phase.dataset_size) {
      axis.high = std::min(axis.high, *phase.dataset_size);
      if (const wire::Number batch = step_batch_of(phase)) axis.start = 1.2 * *batch;
    }
    if (unknown.name == "epochs" || unknown.name == "steps") {
      // A run may have no more steps than kMostSteps.
      double per_epoch = phase.steps_per_epoch.value_or(1);
      const wire::Number batch = step_batch_of(phase);
      if (phase.dataset_size && batch) per_epoch = std::ceil(*phase.dataset_size / *batch);
      if (phase.sampling_probability) per_epoch = std::ceil(1 / *phase.sampling_probability);
      if (unknown.name == "epochs")
        axis.high = std::max(1.0, std::min(axis.high, std::floor(wire::kMostSteps / per_epoch)));
    }
  });
  axis.start = std::clamp(axis.start, axis.low, axis.high);
  return axis;
}

/// log of the proved upper end over the target, or target_excess.
double excess_of(const wire::Query& query, const wire::Query& filled, Care care) {
  const auto read = read_programme(filled);
  if (!std::holds_alternative<Programme>(read)) return kInfinity;
  const Programme& programme = std::get<Programme>(read);
  // A fine measurement is the answer itself.
  if (const auto attack = target_of(query)) return target_excess(*attack, query, programme, care);
  const Effort effort = effort_of(care, query.width.value_or(kDefaultWidth));
  const bool by_delta = *query.epsilon == 0;
  const Asked asked = by_delta ? Asked::total_variation : Asked::epsilon;
  const double given = by_delta ? 0 : *query.delta;
  const double target = by_delta ? *query.delta : *query.epsilon;
  const auto found = account_by(query.accountant.value_or("best"), programme, asked, given, effort);
  return found ? std::log(found->directions.upper() / target) : kInfinity;
}

/// What the caps may add to delta at some epsilon, for the target to be met there.
struct Allowance {
  double epsilon;
  double delta;
};

/// A chosen extra delta; or what the same programme without caps leaves of the target. A cap's
/// price may grow with epsilon, so that the target is often met best below it.
std::vector<Allowance> allowances(const wire::Query& query, wire::Query uncapped) {
  if (query.cap_delta) return {{*query.epsilon, *query.cap_delta}};
  for_each_phase(uncapped, [](wire::Phase& phase) { phase.max_batch_size.reset(); });
  const auto read = read_programme(uncapped);
  if (!std::holds_alternative<Programme>(read)) return {};
  const auto& programme = std::get<Programme>(read);
  const Effort effort = effort_of(Care::fine, query.width.value_or(kDefaultWidth));
  std::vector<Allowance> list;
  for (const double share : {0.999, 0.9, 0.5}) {
    const double epsilon =
        account(programme, Asked::epsilon, share * *query.delta, effort).directions.upper();
    if (epsilon > *query.epsilon) break;
    list.push_back({epsilon, (1 - share) * *query.delta * (1 - 1e-12)});
  }
  return list;
}

/// log of what the caps add to delta over what they may, where that is least.
double cap_excess(const wire::Query& filled, const std::vector<Allowance>& allowed) {
  const auto read = read_programme(filled);
  if (!std::holds_alternative<Programme>(read)) return kInfinity;
  const Failure total = cap_failure(merged(std::get<Programme>(read).phases));
  double least = kInfinity;
  for (const Allowance& a : allowed) {
    const double extra = total.announced + charge_of(total.hidden, a.epsilon);
    least = std::min(least, std::log(extra / a.delta));
  }
  return least;
}

Issue unreachable(const wire::Query& query, const Unknown& unknown, const Filled& filled,
                  double value, bool stopped) {
  const auto target = target_of(query);
  const std::string exceeds =
      target ? name_of(*target) + " exceeds " + spell(target->limit)
             : "epsilon exceeds " + spell(*query.epsilon) +
                   (query.delta ? " at delta " + spell(*query.delta) : std::string());
  const std::string there = unknown.field() + " " + spell(value);
  Issue issue{
      "unreachable", "solve_for",
      (stopped ? "Within the work that a calibration may cost nothing was proved to meet the "
                 "target: not even " +
                     there
               : "Nothing meets the target: even with " + there +
                     (filled.is_part() ? " beside the rest of the run" : "") + ", " + exceeds) +
          " (raise the target, or change another field)"};
  issue.nearest = value;
  return issue;
}

/// The answer at the value found, with that.
Outcome answered(const wire::Query& query, const wire::Query& filled, wire::Solution solution,
                 std::int64_t most_work) {
  const auto read = read_programme(filled);
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;
  const Programme& programme = std::get<Programme>(read);
  wire::Answer answer = [&] {
    const work::Limit limit(most_work);
    return answer_for(programme, query, question_of(query));
  }();
  answer.solution = std::move(solution);
  if (const auto target = target_of(query)) {
    const work::Limit limit(kProbeWork);
    answer.target = target_met(*target, query, programme);
    answer.citations.emplace_back("KGK24");
    if (target->measure == wire::Measure::inference) answer.citations.emplace_back("KGK25");
  }
  return std::vector<wire::Answer>{answer};
}

Outcome solved_delta(const wire::Query& query) {
  Outcome outcome = answered(query, query, {.field = "delta"}, kQuestionWork);
  if (auto* answers = std::get_if<std::vector<wire::Answer>>(&outcome)) {
    wire::Answer& answer = answers->front();
    // An accountant without a formula for the run gives no number; its warning says so.
    if (std::isfinite(answer.delta.upper)) {
      answer.solution->value = answer.delta.upper;
    } else {
      answer.solution.reset();
    }
  }
  return outcome;
}

}  // namespace

Outcome calibrated(const wire::Query& query) {
  const Unknown* unknown = unknown_named(*query.solve_for);
  if (unknown == nullptr) return solved_delta(query);
  Filled filled(query, *unknown);
  const Axis axis = axis_of(*unknown, query);
  // Whatever else is wrong with the phases is reported before any work is done.
  const auto read = read_programme(filled.with(axis.start));
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;
  if (query.delta && !target_of(query) && *query.epsilon > 0) {
    if (const auto failure = failure_beyond(std::get<Programme>(read), *query.delta))
      return wire::refused("no-finite-epsilon", &wire::Query::delta, query,
                           "be above " + spell_four(*failure, true) +
                               ", the probability that the releases reveal everything");
  }
  const bool by_cap = unknown->name == "cap";
  const auto allowed =
      by_cap ? allowances(query, filled.with(axis.start)) : std::vector<Allowance>{};
  const work::Limit limit(kSearchWork);
  const auto is_spent = [](Care care) {
    return work::left() < (care == Care::rough ? kFineWork : kAnswerWork + 2 * kProbeWork);
  };
  const Solved solved = calibrate::solve(
      axis,
      [&](double x, Care care) {
        // Where no more work is left than the answer takes, by what costs nothing.
        const work::Limit probing(is_spent(care) ? 0 : kProbeWork);
        const wire::Query& probe = filled.with(x);
        return by_cap ? cap_excess(probe, allowed) : excess_of(query, probe, care);
      },
      is_spent);
  if (!solved.met) return unreachable(query, *unknown, filled, solved.x, is_spent(Care::fine));
  Outcome outcome = answered(query, filled.with(solved.x), filled.solution(solved.x), kAnswerWork);
  auto* answers = std::get_if<std::vector<wire::Answer>>(&outcome);
  if (answers == nullptr) return outcome;
  std::vector<wire::Warning>& warnings = answers->front().warnings;
  const std::string found = unknown->field() + " " + spell(solved.x);
  if (solved.stopped_before) {
    // Its own interval may be wide for the same reason.
    std::erase_if(warnings, [](const wire::Warning& w) { return w.code == "stopped-at-limit"; });
    warnings.push_back(wire::warning(
        "stopped-at-limit",
        "The search would have cost more than the work that one calibration may, about five "
        "seconds. " +
            found + " meets the target; what lies between it and " + spell(*solved.stopped_before) +
            " was not settled."));
  }
  if (solved.everywhere)
    warnings.push_back(
        wire::warning("any-value-meets",
                      found + " is the end of the supported range: every value meets the target."));
  return outcome;
}

}  // namespace honest_epsilon::accounts
