#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/audit.h"
#include "core/accounts/initialisation.h"
#include "core/accounts/mixtures.h"
#include "core/accounts/monte_carlo.h"
#include "core/accounts/privacy_curve.h"
#include "core/accounts/shuffle_model.h"
#include "core/accounts/tradeoff.h"
#include "tests/core/accounts/words.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon::accounts {
namespace {

using wire::fields;

/// All numbers of an answer in the order of its fields, but for the work that it took. Of a long
/// list, such as a polygon's vertices, two.
struct Collected {
  std::vector<double> all;

  void add(double value) { all.push_back(value); }
  void add(bool value) { all.push_back(value ? 1 : 0); }
  void add(const std::string&) {}
  void add(const wire::RankList&) {}
  void add(const wire::Work&) {}
  void add(const Interval& value) { all.insert(all.end(), {value.lower, value.upper}); }
  template <class Value>
  void add(const std::optional<Value>& value) {
    if (value) add(*value);
  }
  template <class Value>
  void add(const std::vector<Value>& list) {
    constexpr std::size_t kLong = 8;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.size() < kLong || i == list.size() / 3 || i + 2 == list.size()) add(list[i]);
  }
  template <class Found>
  void add(const std::variant<Found, Issue>& outcome) {
    REQUIRE_MESSAGE(std::holds_alternative<Found>(outcome), std::get<Issue>(outcome).text);
    add(std::get<Found>(outcome));
  }
  template <class Owner>
  void add(const Owner& owner) {
    std::apply([&](const auto&... field) { (add(owner.*field.member), ...); },
               fields(static_cast<const Owner*>(nullptr)));
  }
};

void add_samples(const MonteCarloQuery& query, Collected& found) {
  const auto plan = monte_carlo_plan(query);
  found.add(plan);
  MonteCarloShard shard;
  static_cast<MonteCarloQuery&>(shard) = query;
  shard.first_chunk = 0;
  shard.chunk_count = std::get<MonteCarloPlan>(plan).chunks;
  const auto drawn = std::get<MonteCarloDrawn>(monte_carlo_chunks(shard));
  MonteCarloSums sums;
  static_cast<MonteCarloQuery&>(sums) = query;
  sums.samples = drawn.samples;
  sums.sums = drawn.sums;
  found.add(monte_carlo_estimates(sums));
}

std::vector<double> numbers_of(const std::string& line) {
  Collected found;
  const std::string kind = line.substr(0, line.find(' '));
  const std::string words = line.substr(std::min(line.size(), kind.size() + 1));
  if (kind == "initialisation") {
    found.add(initialisation(testing::with(InitialisationQuery(), words)));
  } else if (kind == "mixtures") {
    found.add(mixtures(testing::with(MixturesQuery(), words)));
  } else if (kind == "shuffle-model") {
    found.add(shuffle_model(testing::with(ShuffleModelQuery(), words)));
  } else if (kind == "monte-carlo") {
    add_samples(testing::with(MonteCarloQuery(), words), found);
  } else {
    wire::Query query = testing::query_of(line);
    if (*query.question == "tradeoff") {
      found.add(tradeoff(query));
    } else if (*query.question == "audit") {
      found.add(audited(query));
    } else if (*query.question == "curve") {
      PrivacyCurveQuery curve;
      static_cast<wire::Query&>(curve) = query;
      curve.question = "delta";
      curve.epsilons = {0.1, 1, 3};
      found.add(privacy_curve_at(curve));
    } else {
      found.add(answer(query));
    }
  }
  return found.all;
}

}  // namespace

// A bound may become better, and then has new numbers; what else moves one is a fault. The rows
// were drawn at random, each with what was answered when it came here.
TEST_CASE("answer: every number of questions of all kinds is as it is on record") {
  constexpr double kSame = 3e-4;  // what a width of 1e-4 leaves open
  auto rows = testing::reference_table("on_record");
  // Those that take more than a tenth of a second each.
  const auto costly = testing::in_share(testing::reference_table("on_record_costly"));
  rows.insert(rows.end(), costly.begin(), costly.end());
#if defined(__EMSCRIPTEN__)
  // Where a curve's vertices lie, the last bits decide, and WebAssembly has other ones.
  std::erase_if(rows, [](const auto& row) {
    const std::string question = row.text("question");
    return question.starts_with("question=tradeoff") || question.starts_with("shuffle-model");
  });
#endif
  for (const auto& row : rows) {
    std::string found;
    std::istringstream known(row.text("numbers"));
    bool same = true;
    for (const double value : numbers_of(row.text("question"))) {
      char text[32];
      std::snprintf(text, sizeof text, "%.6g", value);
      found += (found.empty() ? "" : " ") + std::string(text);
      std::string before;
      known >> before;
      const double expected = std::strtod(before.c_str(), nullptr);
      same =
          same && !before.empty() &&
          (value == expected || std::abs(value - expected) <= kSame * std::abs(expected) + 1e-15);
    }
    std::string left;
    CHECK_MESSAGE((same && !(known >> left)), row.text("question")
                                                  << "\n found\t" << found << "\n known\t"
                                                  << row.text("numbers"));
  }
}

}  // namespace honest_epsilon::accounts
