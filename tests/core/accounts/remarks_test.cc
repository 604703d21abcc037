#include "core/accounts/remarks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/runs/method.h"
#include "tests/core/accounts/words.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon::accounts {
namespace {

using testing::programme_of;

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
    const Programme programme = programme_of(row.text("run"));
    const double given = *testing::query_of(row.text("run")).delta;
    const bool asks_epsilon = row.text("asked") == "epsilon", own = row.text("proofs") == "own";
    const auto assumed = assumptions_of(programme, own);
    const auto warned = warnings_of(programme, {asks_epsilon, asks_epsilon ? given : 1, 1e-3},
                                    {row.number("lower"), row.number("upper")}, own);
    std::string cited;
    for (const auto& key : citations_of(programme, method_of(row.text("method")), own))
      cited += (cited.empty() ? "" : " ") + key;
    std::string text;
    for (const wire::Assumption& a : assumed) text += a.text + " ";
    for (const wire::Warning& w : warned) text += w.text + " ";
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
    return codes(tradeoff_warnings_of(programme_of(run), advantage, 1e-3, limited, false));
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

}  // namespace honest_epsilon::accounts
