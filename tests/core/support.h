#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "core/accounts/answer.h"
#include "core/runs/run.h"
#include "tests/core/chance.h"
#include "tests/core/counts.h"

/// What several test files say about intervals, and how they ask.
namespace honest_epsilon::testing {

/// Builds in which the same work takes several times as long: sanitizers, WebAssembly.
#if defined(__EMSCRIPTEN__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSlowBuild = true;
#else
inline constexpr bool kSlowBuild = false;
#endif

/// The share of its random cases that a test looks at: an eighth, and all of them in `npm run
/// test:full`, which sets HONEST_EPSILON_ROUNDS=1; 100 makes a long check.
inline double share_of_cases() {
  const char* wanted = std::getenv("HONEST_EPSILON_ROUNDS");
  if (wanted != nullptr) return std::atof(wanted);
  // Slow builds look at the same code.
  return kSlowBuild ? 1.0 / 12 : 1.0 / 8;
}

inline int rounds(int all) {
  return std::max(2, static_cast<int>(std::lround(share_of_cases() * all)));
}

/// Whether a cell of a grid of costly cases is looked at, by the sum of its places along the axes:
/// one of so many, which still takes every value of an axis; all in the full run.
inline bool in_share(std::size_t sum_of_places, std::size_t of = 5) {
  return share_of_cases() >= 1 || sum_of_places % of == 0;
}

/// A list of costly cases, such as rows of a table: one of so many, and all in the full run.
template <class Row>
std::vector<Row> in_share(std::vector<Row> rows, std::size_t of = 5) {
  std::size_t place = 0;
  std::erase_if(rows, [&](const Row&) { return !in_share(place++, of); });
  return rows;
}

/// Nothing a reader of an interval has to doubt before its meaning.
inline bool is_valid(const Interval& interval, double most) {
  counts().sides += 2;
  return interval.lower >= 0 && interval.lower <= interval.upper && interval.upper <= most;
}

/// The truth, known up to a relative error, lies in the interval.
inline bool contains(const Interval& interval, double truth, double relative_error = 0) {
  counts().sides += 2;
  return interval.lower * (1 - relative_error) <= truth &&
         truth <= interval.upper * (1 + relative_error);
}

inline bool overlap(const Interval& a, const Interval& b) {
  counts().sides += 2;
  return a.lower <= b.upper && b.lower <= a.upper;
}

/// At most `relative` wide (of its upper end), or at most `absolute`.
inline bool is_narrow(const Interval& interval, double relative, double absolute = 0) {
  return interval.upper - interval.lower <= std::max(relative * interval.upper, absolute);
}

inline std::string show(const Interval& interval) {
  char text[80];
  std::snprintf(text, sizeof text, "[%.17g, %.17g]", interval.lower, interval.upper);
  return text;
}

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The truth in both directions.
struct ExactDelta {
  double remove = 0, add = 0;
};

inline double relative_error(double computed, double truth) {
  return std::abs(computed / truth - 1);
}

/// How narrow an answer is where a test asks for nothing else.
inline constexpr Effort kEffort;

inline Direction direction_of(const std::string& name) {
  REQUIRE((name == "remove" || name == "add"));
  return name == "remove" ? Direction::remove : Direction::add;
}

inline const Interval& side(const Finding& finding, Direction direction) {
  return direction == Direction::remove ? finding.directions.remove : finding.directions.add;
}

inline Interval larger(const Finding& finding) {
  return maximum(finding.directions.remove, finding.directions.add);
}

/// A run of a sampler that passes over the data.
inline Run epochs_run(double sigma, double steps_per_epoch, double epochs = 1,
                      bool redrawn_each_epoch = true) {
  Run run;
  run.noise_multiplier = sigma;
  run.sampling_probability = 1 / steps_per_epoch;
  run.steps_per_epoch = static_cast<std::int64_t>(steps_per_epoch);
  run.epochs = static_cast<std::int64_t>(epochs);
  run.steps = run.steps_per_epoch * run.epochs;
  run.redrawn_each_epoch = redrawn_each_epoch;
  return run;
}

/// A run of a sampler that draws each step afresh.
inline Run steps_run(double sigma, double probability, double steps) {
  Run run;
  run.noise_multiplier = sigma;
  run.sampling_probability = probability;
  run.steps = static_cast<std::int64_t>(steps);
  return run;
}

/// A question that every sampler can answer, to be varied.
inline wire::Query epsilon_query(const std::string& sampler = "poisson") {
  wire::Query query;
  query.question = "epsilon";
  query.delta = 1e-6;
  wire::Phase phase;
  phase.sampler = sampler;
  phase.noise_multiplier = 1;
  phase.steps_per_epoch = 100;
  query.phases = {phase};
  return query;
}

/// The first phase of a query, to be varied.
inline wire::Phase& phase(wire::Query& query) {
  return std::get<wire::Phase>(query.phases.front());
}

inline const Issue& issue_of(const accounts::Outcome& outcome) {
  REQUIRE_MESSAGE(std::holds_alternative<Issue>(outcome), "answered, though it should not");
  return std::get<Issue>(outcome);
}

inline const std::vector<wire::Answer>& answers_of(const accounts::Outcome& outcome) {
  REQUIRE_MESSAGE(std::holds_alternative<std::vector<wire::Answer>>(outcome),
                  std::get<Issue>(outcome).text);
  return std::get<std::vector<wire::Answer>>(outcome);
}

inline wire::Answer answer_of(const wire::Query& query) {
  const accounts::Outcome outcome = accounts::answer(query);
  const auto& answers = answers_of(outcome);
  REQUIRE(answers.size() == 1);
  return answers.front();
}

inline bool warns(const wire::Answer& answer, const std::string& code) {
  for (const wire::Warning& warning : answer.warnings) {
    if (warning.code == code) return true;
  }
  return false;
}

}  // namespace honest_epsilon::testing
