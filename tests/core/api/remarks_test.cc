#include "core/api/remarks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/runs/method.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon::api {
namespace {

/// Sets the field of that name; an empty text takes its value away. Whether there is such a field.
template <class Owner>
bool set(Owner& owner, const std::string& name, const std::string& text) {
  bool found = false;
  const auto set_one = [&](const auto& field) {
    if (name != field.name) return;
    found = true;
    auto& value = owner.*field.member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, Number>) value = std::stod(text.empty() ? "0" : text);
    if constexpr (std::is_same_v<Value, Choice>) value = text;
    if constexpr (std::is_same_v<Value, Flag>) value = text == "true";
    if (text.empty()) value = {};
  };
  std::apply([&](const auto&... field) { (set_one(field), ...); },
             fields(static_cast<const Owner*>(nullptr)));
  return found;
}

/// A thousand records in batches of ten, but for the words "name=value": of the phase or of the
/// query. "+" begins another phase like the first, and "+ release" a release.
Query query_of(const std::string& run) {
  Query query;
  query.question = "epsilon";
  Phase first;
  first.noise_multiplier = 1;
  first.dataset_size = 1000;
  first.batch_size = 10;
  query.phases = {first};
  std::istringstream words(run);
  for (std::string word; words >> word;) {
    if (word == "+") {
      query.phases.push_back(query.phases.front());
    } else if (word == "release") {
      query.phases.back() = Release{};
    } else {
      const auto sign = word.find('=');
      const std::string name = word.substr(0, sign), text = word.substr(sign + 1);
      const bool found =
          std::visit([&](auto& entry) { return set(entry, name, text); }, query.phases.back()) ||
          set(query, name, text);
      REQUIRE_MESSAGE(found, "no field " << name);
    }
  }
  return query;
}

Programme programme_of(const Query& query) {
  const auto read = read_programme(query, nullptr);
  if (const Issue* issue = std::get_if<Issue>(&read)) FAIL(issue->text);
  return std::get<Programme>(read);
}

template <class List>
std::string codes(const List& list) {
  std::string all;
  for (const auto& one : list) {
    // Which neighbours, which end and which runs is their sentences' first word.
    const bool several =
        one.code == "neighbours" || one.code == "upper-end" || one.code == "tuning";
    all += (all.empty() ? "" : " ") +
           (several ? one.code + ":" + one.text.substr(0, one.text.find(' ')) : one.code);
  }
  return all;
}

Method method_of(const std::string& code) {
  const auto found = std::find_if(kMethods.begin(), kMethods.end(),
                                  [&](const MethodInfo& info) { return info.code == code; });
  REQUIRE(found != kMethods.end());
  return found->method;
}

}  // namespace

TEST_CASE("remarks: what is assumed, warned of and cited follows from the run and its answer") {
  for (const auto& row : testing::reference_table("remarks")) {
    const Programme programme = programme_of(query_of(row.text("run")));
    const bool asks_epsilon = row.text("asked") == "epsilon", own = row.text("proofs") == "own";
    const auto assumed = assumptions_of(programme, own);
    const auto warned = warnings_of(programme, {asks_epsilon, asks_epsilon ? 1e-6 : 1, 1e-3},
                                    {row.number("lower"), row.number("upper")}, own);
    std::string cited;
    for (const auto& key : citations_of(programme, method_of(row.text("method")), own))
      cited += (cited.empty() ? "" : " ") + key;
    std::string text;
    for (const Assumption& a : assumed) text += a.text + " ";
    for (const Warning& w : warned) text += w.text + " ";
    CAPTURE(row.describe());
    CAPTURE(text);
    CHECK(codes(assumed) == row.text("assumptions"));
    CHECK(codes(warned) == row.text("warnings"));
    CHECK(cited == row.text("citations"));
    std::string parts = row.text("parts");
    while (!parts.empty()) {
      const auto end = std::min(parts.find(" | "), parts.size());
      CHECK(text.find(parts.substr(0, end)) != std::string::npos);
      parts.erase(0, end + 3);
    }
  }
}

TEST_CASE("remarks: a work limit is told of where nothing else explains the width") {
  const auto said = [](const char* run, const Interval& advantage, bool limited) {
    return codes(
        tradeoff_warnings_of(programme_of(query_of(run)), advantage, 1e-3, limited, false));
  };
  const Interval narrow = {0.3, 0.3}, wide = {0.3, 0.4};
  const char* search = "sampler=poisson tuning=poisson runs=3";
  CHECK(said("sampler=poisson", narrow, false).empty());
  CHECK(said("sampler=poisson", narrow, true) == "wide-interval");
  CHECK(said(search, narrow, true).empty());
  CHECK(said(search, wide, true) == "search-gap");
  CHECK(said("sampler=shuffle", narrow, true).empty());
  CHECK(said("sampler=shuffle", wide, true) == "shuffle-gap");
}

}  // namespace honest_epsilon::api
