#include "core/accounts/tradeoff.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/accounts/catalog.h"
#include "core/pairs/gaussian.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"
#include "tests/core/tradeoff/laws.h"

namespace honest_epsilon::accounts {
namespace {
using testing::phase;
using testing::show;

TradeOffAnswer curve_of(wire::Query query) {
  query.question = "tradeoff";
  const auto outcome = accounts::tradeoff(query);
  REQUIRE_MESSAGE(std::holds_alternative<TradeOffAnswer>(outcome), std::get<Issue>(outcome).text);
  return std::get<TradeOffAnswer>(outcome);
}

/// Without a delta, but for these words.
template <class... Words>
wire::Query rates_query(const Words&... words) {
  return testing::query_of("question=tradeoff delta= ", words...);
}

/// A run by its batches of an epoch.
wire::Query run_query(std::string_view sampler, double sigma, double batches, double epochs) {
  return rates_query("sampler=", sampler, " noise_multiplier=", sigma, " steps_per_epoch=", batches,
                     " epochs=", epochs);
}

/// The false negative rate of a polygon at a false positive rate.
double read_off(const std::vector<tradeoff::ErrorRates>& points, double rate) {
  std::size_t i = 1;
  while (i + 1 < points.size() && points[i].false_positive_rate < rate) ++i;
  const tradeoff::ErrorRates& a = points[i - 1];
  const tradeoff::ErrorRates& b = points[i];
  const double share =
      (rate - a.false_positive_rate) / (b.false_positive_rate - a.false_positive_rate);
  return a.false_negative_rate * (1 - share) + b.false_negative_rate * share;
}

void check_polygon(const std::vector<tradeoff::ErrorRates>& points) {
  REQUIRE(points.size() >= 2);
  CHECK(points.front().false_positive_rate == 0);
  CHECK(points.back().false_positive_rate == 1);
  CHECK(points.back().false_negative_rate == 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    CAPTURE(points[i].false_positive_rate);
    CHECK(points[i].false_positive_rate + points[i].false_negative_rate <= 1 + 1e-12);
    if (i == 0) continue;
    CHECK(points[i].false_positive_rate > points[i - 1].false_positive_rate);
    CHECK(points[i].false_negative_rate <= points[i - 1].false_negative_rate);
    if (i + 1 == points.size()) continue;
    const std::vector<tradeoff::ErrorRates> chord = {points[i - 1], points[i + 1]};
    CHECK(points[i].false_negative_rate <= read_off(chord, points[i].false_positive_rate) + 1e-12);
  }
}

/// Falling, convex, below guessing, the lower polygon below the upper one.
void check_band(const Band& band) {
  check_polygon(band.lower);
  check_polygon(band.upper);
  for (int i = 0; i <= 200; ++i) {
    const double rate = i / 200.0;
    CAPTURE(rate);
    CHECK(read_off(band.lower, rate) <= read_off(band.upper, rate) + 1e-12);
  }
  CHECK(testing::is_valid(band.advantage, 1));
  for (const AttackRate& rate : band.attack_rates) {
    CHECK(testing::is_valid(rate.true_positive_rate, 1));
    CHECK(rate.true_positive_rate.upper >= rate.false_positive_rate);
  }
  for (const Guess& guess : band.guesses) CHECK(testing::is_valid(guess.success, 1));
}

/// The largest distance of a polygon's vertices from its own inverse.
double asymmetry(const std::vector<tradeoff::ErrorRates>& points) {
  std::vector<tradeoff::ErrorRates> inverse;
  for (auto p = points.rbegin(); p != points.rend(); ++p)
    inverse.push_back({p->false_negative_rate, p->false_positive_rate});
  double most = 0;
  for (const tradeoff::ErrorRates& p : inverse) {
    if (p.false_positive_rate > points.front().false_negative_rate) continue;
    most =
        std::max(most, std::abs(read_off(points, p.false_positive_rate) - p.false_negative_rate));
  }
  return most;
}

}  // namespace

TEST_CASE("tradeoff: a curve that is as narrow as was asked has no warning, however many points") {
  for (const double sigma : {0.8, 1.0, 1.3, 2.0, 3.0}) {
    const TradeOffAnswer answer = curve_of(run_query("poisson", sigma, 100, 1));
    INFO(sigma << " " << answer.knots.size());
    CHECK(answer.warnings.empty());
  }
}

TEST_CASE("accounts tradeoff: seeded runs of every sampler obey the laws of trade-off functions") {
  testing::Dice dice(20261121);
  for (const Sampler& sampler : kSamplers) {
    for (int draw = 0; draw < testing::rounds(3); ++draw) {
      wire::Query query = run_query(sampler.name, dice.log_uniform(0.5, 5), dice.whole(1, 200),
                                    draw == 0 ? 1 : dice.whole(1, 4));
      query.false_positive_rates = {dice.log_uniform(1e-4, 0.5), 0, 1};
      query.priors = {dice.uniform(0, 1), 0, 1};
      CAPTURE(std::string(sampler.name));
      CAPTURE(*testing::phase(query).noise_multiplier);
      CAPTURE(*testing::phase(query).steps_per_epoch);
      CAPTURE(*testing::phase(query).epochs);
      const TradeOffAnswer answer = curve_of(query);
      for (const Band* band : {&answer.remove, &answer.add, &answer.symmetric}) check_band(*band);
      CHECK(asymmetry(answer.symmetric.lower) < 1e-9);
      // An attacker who may choose the direction does at least as well.
      for (std::size_t i = 0; i < query.false_positive_rates.size(); ++i) {
        const auto at = [i](const Band& band) { return band.attack_rates[i].true_positive_rate; };
        CHECK(at(answer.symmetric).upper >= at(answer.remove).lower);
        CHECK(at(answer.symmetric).upper >= at(answer.add).lower);
      }
    }
  }
}

TEST_CASE("accounts tradeoff: delta of the curve is delta of the run, for every sampler") {
  for (const Sampler& sampler : kSamplers) {
    std::size_t place = static_cast<std::size_t>(&sampler - kSamplers.data());
    for (const double epochs : {1.0, 3.0}) {
      CAPTURE(std::string(sampler.name));
      CAPTURE(epochs);
      for (const double epsilon : {0.0, 0.3, 1.0}) {
        if (epochs > 1 ? epsilon != 0.3 : !testing::in_share(place++)) continue;
        CAPTURE(epsilon);
        wire::Query query = run_query(sampler.name, 1, 50, epochs);
        query.epsilon = epsilon;
        const TradeOffAnswer curve = curve_of(query);
        query.question = "delta";
        const wire::Answer answer = testing::answer_of(query);
        REQUIRE(curve.delta);
        for (const auto& [read, asked] : {std::pair{curve.delta->remove, answer.directions.remove},
                                          std::pair{curve.delta->add, answer.directions.add}}) {
          // Not bindings: clang 14 captures none.
          const Interval ours = read;
          const Interval theirs = asked;
          INFO("curve " << show(ours) << " delta " << show(theirs));
          CHECK(testing::overlap(ours, theirs));
        }
        if (sampler.name != "shuffle") CHECK(testing::is_narrow(curve.delta->remove, 2e-2, 1e-7));
      }
    }
  }
}

TEST_CASE("accounts tradeoff: one Gaussian release is G_mu, closely") {
  for (const double mu : {0.01, 0.5, 1.0, 4.0}) {
    CAPTURE(mu);
    wire::Query query = rates_query("releases mu=", mu);
    query.false_positive_rates = {1e-5, 1e-3, 1e-2, 0.3};
    const TradeOffAnswer answer = curve_of(query);
    CHECK(answer.method == "closed form");
    for (const AttackRate& rate : answer.remove.attack_rates) {
      const Interval miss = testing::gdp_false_negative_rate(mu, rate.false_positive_rate);
      const double truth = 1 - 0.5 * (miss.lower + miss.upper);
      CHECK(testing::contains(rate.true_positive_rate, truth, 1e-9));
      CHECK(testing::is_narrow(rate.true_positive_rate, 2e-3));
    }
    const tradeoff::GaussianBelow& fit = answer.remove.gaussian;
    CHECK(fit.mu.upper >= mu);
    CHECK(fit.mu.upper <= mu * 1.004 + 1e-9);
    CHECK(answer.symmetric.advantage.upper == answer.remove.advantage.upper);
  }
}

TEST_CASE("accounts tradeoff: a pure and an approximate release are their lines") {
  for (const double delta : {0.0, 1e-5, 0.1}) {
    CAPTURE(delta);
    wire::Query query = rates_query("releases epsilon=1 delta=", delta);
    query.false_positive_rates = {1e-7, 1e-3, 0.2, 0.9};
    const TradeOffAnswer answer = curve_of(query);
    for (const AttackRate& rate : answer.remove.attack_rates) {
      const double alpha = rate.false_positive_rate;
      const double miss =
          std::max({0.0, 1 - delta - std::exp(1.0) * alpha, std::exp(-1.0) * (1 - delta - alpha)});
      CHECK(rate.true_positive_rate.lower == doctest::Approx(1 - miss).epsilon(1e-9));
      CHECK(rate.true_positive_rate.upper == doctest::Approx(1 - miss).epsilon(1e-9));
    }
  }
}

TEST_CASE("accounts tradeoff: phases and releases compose") {
  const wire::Query run = run_query("poisson", 1, 100, 1);
  const TradeOffAnswer once = curve_of(run), twice = curve_of(testing::with(run, "+")),
                       whole = curve_of(testing::with(run, "epochs=2")),
                       beside = curve_of(testing::with(run, "+ release epsilon=.5 delta=1e-6"));
  CHECK(testing::overlap(twice.symmetric.advantage, whole.symmetric.advantage));
  CHECK(twice.derived.steps == 200);
  CHECK(once.symmetric.advantage.upper < twice.symmetric.advantage.lower);
  CHECK(once.symmetric.advantage.upper < beside.symmetric.advantage.lower);
  CHECK(beside.sampler == "composition");
  // One batch that holds everything is one Gaussian, whatever draws it.
  const TradeOffAnswer full = curve_of(run_query("shuffle", 2, 1, 1));
  CHECK(full.remove.advantage.upper ==
        doctest::Approx(gaussian::delta(0.5, 0).upper).epsilon(1e-9));
}

TEST_CASE("accounts tradeoff: corners are answered, with a band that holds") {
  std::size_t place = 0;
  for (const Sampler& sampler : kSamplers) {
    for (const double sigma : {1e-3, 1e6}) {
      if (!testing::in_share(place++)) continue;
      CAPTURE(std::string(sampler.name));
      CAPTURE(sigma);
      wire::Query query = run_query(sampler.name, sigma, 10, 1);
      // As narrow as by default it takes twenty times as long.
      if (testing::share_of_cases() < 1) query.width = 0.1;
      const TradeOffAnswer answer = curve_of(query);
      check_band(answer.remove);
      if (sigma > 1) CHECK(answer.symmetric.advantage.upper < 1e-5);
    }
    CAPTURE(std::string(sampler.name));
    const TradeOffAnswer none = curve_of(run_query(sampler.name, 1, 10, 0));
    CHECK(none.symmetric.advantage.upper == 0);
    CHECK(none.symmetric.attack_rates[0].true_positive_rate.upper <= 1e-3 * (1 + 1e-9));
  }
  for (const char* release : {"epsilon=0", "epsilon=700", "mu=0", "rho=.5"})
    check_band(curve_of(rates_query("releases ", release)).symmetric);
}

TEST_CASE("accounts tradeoff: bad questions are refused by field") {
  const auto issue_of = [](const wire::Query& query) {
    const auto outcome = accounts::tradeoff(query);
    REQUIRE(std::holds_alternative<Issue>(outcome));
    return std::get<Issue>(outcome);
  };
  wire::Query query = run_query("poisson", 1, 10, 1);
  query.question = "tradeoff";
  query.delta = 1e-5;
  CHECK(issue_of(query).field == "delta");
  query.delta.reset();
  query.false_positive_rates = {0.5, 1.5};
  CHECK(issue_of(query).text ==
        "falsePositiveRates must be a finite number of at least 0 and at most 1; got 1.5");
  query.false_positive_rates.assign(1001, 0.5);
  CHECK(issue_of(query).text ==
        "falsePositiveRates must be a list of at most 1000 numbers; got 1001");
  query.false_positive_rates.clear();
  query.priors = {-0.1};
  CHECK(issue_of(query).field == "priors");
  query.priors.clear();
  query.accountant = "rdp";
  CHECK(issue_of(query).field == "accountant");
  query.accountant.reset();
  CHECK(std::holds_alternative<TradeOffAnswer>(accounts::tradeoff(query)));
  // Each question to its own answer.
  CHECK(testing::issue_of(accounts::answer(query)).field == "question");
  query.question = "epsilon";
  query.delta = 1e-5;
  CHECK(issue_of(query).field == "question");
  query.priors = {0.5};
  CHECK(testing::issue_of(accounts::answer(query)).field == "priors");
}

TEST_CASE("tradeoff: of shuffled batches the clones are seen") {
  std::size_t place = 0;
  for (const double epochs : {1.0, 3.0}) {
    ++place;
    wire::Query query = run_query("shuffle", 2, 1000, epochs);
    wire::Query known = run_query("deterministic", 2, 1000, epochs);
    for (const double epsilon : {0.0, 0.05, 0.3}) {
      if (!testing::in_share(place++)) continue;
      query.epsilon = known.epsilon = epsilon;
      const TradeOffAnswer curve = curve_of(query);
      const Run run = testing::epochs_run(2, 1000, epochs);
      const Directions direct = shuffle::delta(run, epsilon, {}).directions;
      INFO(epochs << " " << epsilon << " " << show(curve.delta->remove) << " "
                  << show(direct.remove));
      CHECK(curve.delta->remove.upper >= direct.remove.lower);
      CHECK(curve.delta->remove.upper <= 2 * direct.remove.upper);
      CHECK(curve.delta->remove.upper < 0.5 * curve_of(known).delta->remove.lower);
      CHECK(curve.method == "upper end: swap theorem");
    }
  }
}

}  // namespace honest_epsilon::accounts
