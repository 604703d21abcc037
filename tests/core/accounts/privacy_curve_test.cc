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

/// Deltas of a run, by these words.
template <class... Words>
PrivacyCurveQuery curve_query(const Words&... words) {
  PrivacyCurveQuery query;
  static_cast<wire::Query&>(query) = testing::query_of("question=delta delta=");
  return testing::with(query, words...);
}

const std::string kPoisson = "sampler=poisson steps_per_epoch=100 epochs=2 ";

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
      check_points(curve_query("noise_multiplier=.8 steps_per_epoch=300 epochs=", epochs,
                               " epsilons=1.5,0,0.2,6,3,0.7 sampler=", sampler.name));
    }
  }
}

TEST_CASE(
    "privacy curve: of replaced records and of persons with several, as their own questions find") {
  const std::vector runs = {
      "sampler=without-replacement adjacency=substitution records_per_user=2 noise_multiplier=2",
      "sampler=without-replacement adjacency=substitution records_per_user=2 mechanism=laplace",
      "sampler=poisson adjacency=substitution records_per_user=2 noise_multiplier=2",
      "sampler=balls-and-bins records_per_user=3 noise_multiplier=3",
      "sampler=poisson max_batch_size=40 records_per_user=2 + release epsilon=0.5 delta=1e-5"};
  for (const char* run : testing::in_share(runs, 2)) {
    CAPTURE(run);
    const PrivacyCurveQuery query = curve_query(run, " epsilons=2,0");
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
  const PrivacyCurveQuery query =
      curve_query("sampler=balls-and-bins steps_per_epoch=1000 epochs=4 epsilons=6,6.5");
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
  for (const DeltaPoint& point : curve_of(testing::with(query, "width=.3 epsilons=1.75")).points) {
    const Interval alone = delta_of(query, point.epsilon);
    INFO(point.epsilon << show(point.delta) << show(alone));
    CHECK(testing::is_narrow(alone, 0.2));
    CHECK(testing::overlap(point.delta, alone));
  }
}

TEST_CASE("privacy curve: phases and releases, laws with atoms, other neighbours, a stopped run") {
  const std::string first = "sampler=poisson noise_multiplier=1.2 steps_per_epoch=500 epochs=2 ";
  for (const std::string& words :
       {first + "epsilons=0,1,4 + sampler=balls-and-bins noise_multiplier=1.5 steps_per_epoch=200 "
                "epochs=1 + release mu=.5",
        kPoisson + "mechanism=laplace noise_multiplier=.9 steps_per_epoch=50 epsilons=0,0.3,1,5,50",
        first + "adjacency=substitution epsilons=0.1,2",
        std::string("sampler=balls-and-bins steps_per_epoch=100 steps=130 epsilons=0.5,2"),
        std::string("sampler=poisson steps_per_epoch=200 epochs=1 dataset_size=20000 "
                    "max_batch_size=130 epsilons=0.5,2"),
        first + "tuning=geometric runs=5 epsilons=0.5,2",
        std::string("sampler=deterministic steps=3 part_of_data=1 epsilons=0.5,2 + "
                    "noise_multiplier=.9 part_of_data=2")}) {
    CAPTURE(words);
    check_points(curve_query(words));
  }
}

TEST_CASE("privacy curve: says whether its points share their work") {
  const auto points = [](const std::string& words) {
    return curve_of(curve_query(kPoisson + "epsilons=1,2 " + words));
  };
  for (const char* sampler : {"poisson", "balls-and-bins", "shuffle"})
    CHECK(points(std::string("sampler=") + sampler).shares_work);
  // Nothing is known of these but single answers' bounds.
  const PrivacyCurveAnswer tuned = points("tuning=geometric runs=5");
  CHECK_FALSE(tuned.shares_work);
  CHECK(tuned.points.size() == 2);
  // Whoever would rather ask each by itself is told no more.
  CHECK(points("tuning=geometric runs=5 shared_only=true").points.empty());
  CHECK(points("shared_only=true").points.size() == 2);
}

TEST_CASE("privacy curve: shuffled batches' upper ends are convex in e^eps, and as low as alone") {
  struct Row {
    double noise, batches, epochs, farthest;
  };
  for (const Row& row : testing::in_share(std::vector{Row{1.6, 234, 10, 4.4}, Row{1, 10000, 1, 2.5},
                                                      Row{1.6, 234, 1, 3.4}, Row{0.8, 234, 1, 7.9},
                                                      Row{1.1, 234, 10, 12.3}})) {
    // The last ones of ten epochs are not convex by themselves.
    constexpr int kPoints = 24;
    const int first = testing::share_of_cases() >= 1 ? 0 : 20;
    wire::Numbers epsilons;
    for (int i = first; i <= kPoints; ++i) epsilons.push_back(row.farthest * i / kPoints);
    PrivacyCurveQuery query = curve_query("sampler=shuffle noise_multiplier=", row.noise,
                                          " steps_per_epoch=", row.batches, " epochs=", row.epochs);
    query.epsilons = epsilons;
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
    const PrivacyCurveQuery query = curve_query(kPoisson, "epsilons=1,1.5,2 accountant=", name);
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
  const PrivacyCurveQuery query = curve_query(kPoisson, "epsilons=1");
  const auto complaint = [&](const char* words) {
    return complaint_of(testing::with(query, words));
  };
  CHECK(complaint("epsilons=").starts_with("epsilons: epsilons is required"));
  CHECK(complaint("epsilons=1,-1").starts_with("epsilons"));
  CHECK(complaint("epsilons=1,nan").starts_with("epsilons"));
  CHECK(complaint("epsilon=1").starts_with("epsilon: "));
  CHECK(complaint("question=epsilon").starts_with("question: "));
  PrivacyCurveQuery other = query;
  other.epsilons.assign(wire::kMostNumbers + 1, 1.0);
  CHECK(complaint_of(other).starts_with("epsilons"));
  other = query;
  other.phases.clear();
  CHECK(complaint_of(other).starts_with("phases"));
}

}  // namespace honest_epsilon::accounts
