#include "core/accounts/programme.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/accounts/account.h"
#include "core/accounts/answer.h"
#include "core/base/spelling.h"
#include "core/pairs/gaussian.h"
#include "core/samplers/batch_cap.h"
#include "core/wire/validate.h"
#include "tests/core/accounts/words.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon::accounts {
namespace {

/// What an accountant is given, but for what it is given always.
std::string described(const Run& run) {
  std::string all = "q=" + spell_four(run.sampling_probability, true) +
                    " T=" + std::to_string(run.steps_per_epoch) +
                    " epochs=" + std::to_string(run.epochs) + " steps=" + std::to_string(run.steps);
  const auto add = [&](const char* name, double value, double usual) {
    if (value != usual) all += std::string(" ") + name + "=" + spell_four(value, true);
  };
  add("noise", run.noise_multiplier, 1);
  add("mechanism", static_cast<double>(run.mechanism), 0);
  add("adjacency", static_cast<double>(run.adjacency), 0);
  add("places", static_cast<double>(run.places), 0);
  add("from", static_cast<double>(run.drawn_from), 0);
  add("missing", static_cast<double>(run.missing_steps), 0);
  add("kept", run.redrawn_each_epoch ? 0 : 1, 0);
  add("uses", static_cast<double>(run.participations), 1);
  add("records", static_cast<double>(run.records_per_user), 1);
  add("share", run.used_share, 1);
  add("short", run.short_batch ? 1 : 0, 0);
  add("published", run.published_only ? 1 : 0, 0);
  if (run.cap) all += " cap=" + spell(run.cap->largest) + "/" + spell(run.cap->records);
  return all;
}

std::string described(const Programme& programme) {
  std::string all;
  for (const PhaseRun& phase : merged(programme.phases)) {
    all += all.empty() ? "" : " + ";
    all += described(phase.run);
    if (phase.bracketed()) all += " > " + described(phase.least);
    if (phase.swapped()) all += " swapped";
  }
  for (const wire::Release& release : programme.releases) {
    all += all.empty() ? "release" : " + release";
    if (release.epsilon) all += " epsilon=" + spell(*release.epsilon);
    if (release.delta) all += " delta=" + spell(*release.delta);
    if (release.mu) all += " mu=" + spell(*release.mu);
    if (release.rho) all += " rho=" + spell(*release.rho);
  }
  return all;
}

/// Pr[more than k of n], each with probability p.
double upper_tail(double n, double p, double k) {
  double sum = 0;
  for (double j = k + 1; j <= n; ++j)
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(j + 1) - std::lgamma(n - j + 1) +
                    j * std::log(p) + (n - j) * std::log1p(-p));
  return sum;
}

std::string described(const wire::Derived& derived) {
  const auto spelt = [](const wire::Number& value) {
    return value ? spell_four(*value, true) : "-";
  };
  return spelt(derived.steps) + " " + spelt(derived.sampling_probability) + " " +
         spelt(derived.steps_per_epoch) + " " + spelt(derived.epochs) + " " +
         spelt(derived.batch_size);
}

}  // namespace

TEST_CASE("programme: what is accounted follows from what is said of a run") {
  for (const auto& row : testing::reference_table("programmes")) {
    const Programme programme = testing::programme_of(row.text("run"));
    CAPTURE(row.describe());
    CHECK(described(programme) == row.text("accounted"));
    CHECK(adjacency_answered(programme) == row.text("adjacency"));
    CHECK(sampler_of(programme) + " " + described(derive(programme)) == row.text("derived"));
  }
}

TEST_CASE("programme: what cannot be accounted is refused by field, value and remedy") {
  for (const auto& row : testing::reference_table("refusals")) {
    const wire::Query query = testing::query_of(row.text("run"));
    auto issue = find_issue(query);
    if (!issue) {
      const auto read = read_programme(query);
      if (const Issue* found = std::get_if<Issue>(&read)) issue = *found;
    }
    CAPTURE(row.describe());
    REQUIRE(issue);
    CHECK(issue->code == row.text("code"));
    CHECK(issue->field == row.text("field"));
    CHECK(issue->text == row.text("text"));
  }
}

TEST_CASE("programme: a comparison asks what each sampler makes of a run") {
  const wire::Query capped = testing::query_of("max_batch_size=9");
  for (const Sampler& sampler : kSamplers) {
    CAPTURE(sampler.name);
    CHECK(std::holds_alternative<Programme>(read_programme(capped, &sampler)));
  }
  const wire::Query repeated = testing::query_of("participations=2");
  const auto read = read_programme(repeated, &sampler_named("poisson"));
  REQUIRE(std::holds_alternative<Issue>(read));
  CHECK(std::get<Issue>(read).text.find("with a comparison of all samplers") != std::string::npos);
  // What one sampler alone can do says nothing of the others.
  const wire::Query replaced = testing::query_of("replacement=true");
  for (const Sampler& sampler : kSamplers)
    CHECK(std::holds_alternative<Programme>(read_programme(replaced, &sampler)));
}

TEST_CASE("programme: the failures of all phases' caps add up") {
  const Programme two = testing::programme_of(
      "sampler=poisson max_batch_size=25 + sampler=balls-and-bins max_batch_size=28");
  const Failure first = batch_cap::poisson(two.phases[0].run);
  const Failure second = batch_cap::balls_and_bins(two.phases[1].run);
  const Failure both = cap_failure(two.phases);
  CHECK(both.announced == first.announced + second.announced);
  CHECK(both.hidden == first.hidden + second.hidden);
  CHECK(both.announced + both.hidden > first.announced + first.hidden);
}

TEST_CASE("programme: batches are as large as a binomial number of records is") {
  struct Case {
    const char* run;
    double records, q, steps, cap = 0;
  };
  for (const Case& one :
       {Case{"sampler=poisson", 1000, 0.01, 100}, Case{"sampler=poisson bands=4", 250, 0.04, 100},
        Case{"sampler=poisson epochs=0", 1000, 0.01, 1},
        Case{"sampler=poisson max_batch_size=25", 1000, 0.01, 100, 25},
        Case{"sampler=poisson max_batch_size=15", 1000, 0.01, 100, 15},
        Case{"sampler=balls-and-bins", 1000, 0.01, 100},
        Case{"sampler=balls-and-bins participations=3 epochs=2", 1000, 0.03, 200}}) {
    CAPTURE(one.run);
    const wire::Query query = testing::query_of(one.run);
    const auto sizes =
        answer_for(testing::programme_of(one.run), query, question_of(query)).batch_sizes;
    REQUIRE(sizes);
    CHECK(sizes->mean == doctest::Approx(one.records * one.q));
    for (const auto& [size, tail] :
         {std::pair{sizes->p99, 0.01}, std::pair{sizes->largest, 1e-3 / one.steps}}) {
      CHECK(upper_tail(one.records, one.q, size) <= tail);
      CHECK(upper_tail(one.records, one.q, size - 1) > tail);
    }
    const double over = one.steps * upper_tail(one.records, one.q, one.cap);
    CHECK(sizes->cap_probability ==
          doctest::Approx(one.cap > 0 ? std::min(1.0, over) : 0).epsilon(1e-9));
  }
  for (const char* none : {"sampler=shuffle", "sampler=poisson + swapped=true",
                           "sampler=poisson dataset_size= batch_size= steps_per_epoch=9"}) {
    const wire::Query query = testing::query_of(none);
    CHECK_FALSE(answer_for(testing::programme_of(none), query, question_of(query)).batch_sizes);
  }
}

TEST_CASE("programme: a Gaussian limit is estimated where all that is composed has one") {
  const auto estimate = [](const char* run) {
    return estimate_by_limit(testing::programme_of(run), Asked::delta, 1);
  };
  const auto delta = [](double squared) { return gaussian::delta(std::sqrt(squared), 1).upper; };
  const double known = 1;  // of one epoch at noise 1
  CHECK(estimate("sampler=deterministic")->directions.upper() == doctest::Approx(delta(known)));
  CHECK(estimate("sampler=deterministic + release mu=2")->directions.upper() ==
        doctest::Approx(delta(known + 4)));
  CHECK(estimate("sampler=deterministic + release rho=2")->directions.upper() ==
        doctest::Approx(delta(known + 4)));
  CHECK(estimate("sampler=deterministic epochs=0 + release mu=2")->directions.upper() ==
        doctest::Approx(delta(4)));
  CHECK(estimate("sampler=deterministic epochs=0")->directions.upper() == 0);
  CHECK_FALSE(estimate("sampler=deterministic + release epsilon=1"));
  CHECK_FALSE(estimate("sampler=deterministic mechanism=laplace"));
  CHECK(estimate("sampler=deterministic tuning=fixed runs=3")->directions.upper() ==
        doctest::Approx(delta(3)));
  CHECK_FALSE(estimate("sampler=deterministic tuning=poisson runs=3"));
}

}  // namespace honest_epsilon::accounts
