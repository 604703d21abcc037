#include "core/accounts/privacy_curve.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"
#include "core/wire/check.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {
using testing::show;

wire::Phase phase_of(const std::string& sampler, double sigma, double steps_per_epoch,
                     double epochs) {
  wire::Phase phase;
  phase.sampler = sampler;
  phase.noise_multiplier = sigma;
  phase.steps_per_epoch = steps_per_epoch;
  phase.epochs = epochs;
  return phase;
}

PrivacyCurveQuery curve_query(std::vector<wire::Entry> phases, wire::Numbers epsilons) {
  PrivacyCurveQuery query;
  query.question = "delta";
  query.phases = std::move(phases);
  query.epsilons = std::move(epsilons);
  return query;
}

PrivacyCurveAnswer curve_of(const PrivacyCurveQuery& query) {
  const auto outcome = privacy_curve_at(query);
  REQUIRE_MESSAGE(std::holds_alternative<PrivacyCurveAnswer>(outcome),
                  std::get<Issue>(outcome).text);
  return std::get<PrivacyCurveAnswer>(outcome);
}

Interval delta_of(wire::Query query, double epsilon) {
  query.epsilon = epsilon;
  query.accountant = "pld";
  const Outcome outcome = answer(query);
  REQUIRE(std::holds_alternative<std::vector<wire::Answer>>(outcome));
  return std::get<std::vector<wire::Answer>>(outcome).front().delta;
}

/// Every point lies where a question of its own would put it, and is as narrow as was asked where
/// that one is.
void check_points(const PrivacyCurveQuery& query) {
  const PrivacyCurveAnswer curve = curve_of(query);
  REQUIRE(curve.points.size() == query.epsilons.size());
  const double width = query.width.value_or(kDefaultCurveWidth);
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const DeltaPoint& point = curve.points[i];
    const Interval alone = delta_of(query, query.epsilons[i]);
    INFO(point.epsilon << show(point.delta) << show(alone) << point.method);
    CHECK(point.epsilon == query.epsilons[i]);
    CHECK(testing::overlap(point.delta, alone));
    CHECK(point.delta.kind == alone.kind);
    CHECK_FALSE(point.method.empty());
    if (!testing::is_narrow(alone, width)) continue;
    CHECK(testing::is_narrow(point.delta, width));
  }
}

std::string complaint_of(const PrivacyCurveQuery& query) {
  const auto outcome = privacy_curve_at(query);
  REQUIRE(std::holds_alternative<Issue>(outcome));
  const Issue& issue = std::get<Issue>(outcome);
  return issue.field + ": " + issue.text;
}

}  // namespace

TEST_CASE("privacy curve: each point is what its own question finds, for every sampler") {
  for (const Sampler& sampler : kSamplers) {
    INFO(sampler.name);
    for (const double epochs : {1.0, 3.0}) {
      check_points(curve_query({phase_of(std::string(sampler.name), 0.8, 300, epochs)},
                               {1.5, 0, 0.2, 6, 3, 0.7}));
    }
  }
}

TEST_CASE(
    "privacy curve: of replaced records and of persons with several, as their own questions find") {
  for (const char* run :
       {"sampler=without-replacement adjacency=substitution records_per_user=2 noise_multiplier=2",
        "sampler=without-replacement adjacency=substitution records_per_user=2 mechanism=laplace",
        "sampler=poisson adjacency=substitution records_per_user=2 noise_multiplier=2",
        "sampler=balls-and-bins records_per_user=3 noise_multiplier=3",
        "sampler=poisson max_batch_size=40 records_per_user=2 + release epsilon=0.5 delta=1e-5"}) {
    CAPTURE(run);
    const PrivacyCurveQuery query = curve_query(testing::query_of(run).phases, {2, 0, 0.3});
    for (const DeltaPoint& point : curve_of(query).points) {
      const Interval alone = delta_of(query, point.epsilon);
      INFO(point.epsilon << show(point.delta) << show(alone) << point.method);
      CHECK(testing::overlap(point.delta, alone));
      CHECK(point.delta.upper <= 1.01 * alone.upper);
      CHECK(point.delta.lower >= 0.99 * alone.lower);
    }
  }
}

TEST_CASE("privacy curve: vanishing deltas of several epochs are about as close as alone") {
  const PrivacyCurveQuery query = curve_query({phase_of("balls-and-bins", 1, 1000, 4)}, {2, 6});
  const PrivacyCurveAnswer curve = curve_of(query);
  for (const DeltaPoint& point : curve.points) {
    const Interval here = point.delta;
    const Interval alone = delta_of(query, point.epsilon);
    INFO(point.epsilon << show(here) << show(alone));
    CHECK(testing::overlap(here, alone));
    CHECK(here.upper <= 1.001 * alone.upper);
    CHECK(std::log(here.upper / here.lower) <= 1.1 * std::log(alone.upper / alone.lower));
  }
  // Wide ones hold as much, whatever their neighbours are.
  PrivacyCurveQuery wide = query;
  wide.width = 0.3;
  wide.epsilons = {1.25, 1.75};
  for (const DeltaPoint& point : curve_of(wide).points) {
    const Interval alone = delta_of(query, point.epsilon);
    INFO(point.epsilon << show(point.delta) << show(alone));
    CHECK(testing::is_narrow(alone, 0.2));
    CHECK(testing::overlap(point.delta, alone));
  }
}

TEST_CASE("privacy curve: phases and releases, laws with atoms, other neighbours, a stopped run") {
  wire::Release release;
  release.mu = 0.5;
  const wire::Phase first = phase_of("poisson", 1.2, 500, 2);
  check_points(curve_query({first, phase_of("balls-and-bins", 1.5, 200, 1), release}, {0, 1, 4}));
  wire::Phase laplace = phase_of("poisson", 0.9, 50, 2);
  laplace.mechanism = "laplace";
  check_points(curve_query({laplace}, {0, 0.3, 1, 5, 50}));
  wire::Phase substituted = first;
  substituted.adjacency = "substitution";
  check_points(curve_query({substituted}, {0.1, 2}));
  wire::Phase stopped = phase_of("balls-and-bins", 1, 100, 1);
  stopped.epochs.reset();
  stopped.steps = 130;
  check_points(curve_query({stopped}, {0.5, 2}));
  wire::Phase capped = phase_of("poisson", 1, 200, 1);
  capped.dataset_size = 20000;
  capped.max_batch_size = 130;
  check_points(curve_query({capped}, {0.5, 2}));
  PrivacyCurveQuery tuned = curve_query({first}, {0.5, 2});
  tuned.tuning = "geometric";
  tuned.runs = 5;
  check_points(tuned);
}

TEST_CASE("privacy curve: says whether its points share their work") {
  const auto shares = [](const char* sampler) {
    return curve_of(curve_query({phase_of(sampler, 1, 100, 2)}, {1, 2})).shares_work;
  };
  CHECK(shares("poisson"));
  CHECK(shares("balls-and-bins"));
  CHECK(shares("shuffle"));
  // Nothing is known of these but single answers' bounds.
  PrivacyCurveQuery tuned = curve_query({phase_of("poisson", 1, 100, 2)}, {1, 2});
  tuned.tuning = "geometric";
  tuned.runs = 5;
  CHECK_FALSE(curve_of(tuned).shares_work);
  CHECK(curve_of(tuned).points.size() == 2);
  // Whoever would rather ask each by itself is told no more.
  tuned.shared_only = true;
  CHECK(curve_of(tuned).points.empty());
  PrivacyCurveQuery shared = curve_query({phase_of("poisson", 1, 100, 2)}, {1, 2});
  shared.shared_only = true;
  CHECK(curve_of(shared).points.size() == 2);
}

TEST_CASE("privacy curve: shuffled batches' upper ends are convex in e^eps, and as low as alone") {
  struct Row {
    wire::Phase phase;
    double farthest;
  };
  for (const Row& row : testing::in_share(std::vector{
           Row{phase_of("shuffle", 1, 10000, 1), 2.5}, Row{phase_of("shuffle", 1.6, 234, 1), 3.4},
           Row{phase_of("shuffle", 0.8, 234, 1), 7.9}, Row{phase_of("shuffle", 1.1, 234, 10), 12.3},
           Row{phase_of("shuffle", 1.6, 234, 10), 4.4}})) {
    const int kPoints = testing::share_of_cases() >= 1 ? 24 : 12;
    wire::Numbers epsilons;
    for (int i = 0; i <= kPoints; ++i) epsilons.push_back(row.farthest * i / kPoints);
    const PrivacyCurveQuery query = curve_query({row.phase}, epsilons);
    const std::vector<DeltaPoint> points = curve_of(query).points;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const double before = points[i - 1].delta.upper, here = points[i].delta.upper,
                   after = points[i + 1].delta.upper;
      const double part =
          std::expm1(epsilons[i] - epsilons[i - 1]) / std::expm1(epsilons[i + 1] - epsilons[i - 1]);
      INFO(epsilons[i] << " " << before << " " << here << " " << after);
      CHECK(here <= before);
      CHECK(here <= (before + part * (after - before)) * (1 + 1e-9));
      if (!testing::in_share(i)) continue;
      // A question of its own has no chords between neighbours.
      const double alone = delta_of(query, epsilons[i]).upper;
      CHECK(here <= 1.02 * alone);
      CHECK(here >= 0.75 * alone);
    }
  }
}

TEST_CASE("privacy curve: the other accountants answer, too") {
  for (const char* name : {"rdp", "gdp"}) {
    PrivacyCurveQuery query = curve_query({phase_of("poisson", 1, 100, 2)}, {1, 2});
    query.accountant = name;
    for (const DeltaPoint& point : curve_of(query).points) {
      wire::Query alone = query;
      alone.epsilon = point.epsilon;
      const wire::Answer answer = std::get<0>(accounts::answer(alone)).front();
      CHECK(point.delta.upper == answer.delta.upper);
      CHECK(point.delta.kind == answer.delta.kind);
    }
  }
}

TEST_CASE("privacy curve: bad questions get one complaint that names the field") {
  const std::vector<wire::Entry> run = {phase_of("poisson", 1, 100, 2)};
  CHECK(complaint_of(curve_query(run, {})).starts_with("epsilons: epsilons is required"));
  CHECK(complaint_of(curve_query(run, wire::Numbers(wire::kMostNumbers + 1, 1.0)))
            .starts_with("epsilons"));
  CHECK(complaint_of(curve_query(run, {1, -1})).starts_with("epsilons"));
  CHECK(complaint_of(curve_query(run, {1, std::nan("")})).starts_with("epsilons"));
  CHECK(complaint_of(curve_query({}, {1})).starts_with("phases"));
  PrivacyCurveQuery both = curve_query(run, {1});
  both.epsilon = 1;
  CHECK(complaint_of(both).starts_with("epsilon: "));
  PrivacyCurveQuery other = curve_query(run, {1});
  other.question = "epsilon";
  CHECK(complaint_of(other).starts_with("question: "));
}

}  // namespace honest_epsilon::accounts
