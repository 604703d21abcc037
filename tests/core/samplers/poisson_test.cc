#include "core/samplers/poisson.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::contains;
using testing::is_narrow;
using testing::show;

constexpr Effort kEffort;

const Interval& side(const Finding& finding, const std::string& direction) {
  REQUIRE((direction == "remove" || direction == "add"));
  return direction == "remove" ? finding.directions.remove : finding.directions.add;
}

Interval larger(const Finding& finding) {
  return maximum(finding.directions.remove, finding.directions.add);
}

}  // namespace

TEST_CASE("poisson: one step is the closed form") {
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const Run run = testing::steps_run(row.number("sigma"), row.number("q"), 1);
    const Finding found = poisson::delta(run, row.number("epsilon"), kEffort);
    INFO(row.describe() << show(found.directions.remove) << " " << show(found.directions.add));
    CHECK(contains(found.directions.remove, row.number("remove")));
    CHECK(contains(found.directions.add, row.number("add")));
    CHECK(is_narrow(larger(found), kEffort.width, 1e-290));
  }
}

TEST_CASE("poisson: contains the composed values of independent programs") {
  for (const std::string& table :
       {std::string("poisson_composed"), std::string("poisson_small_delta")}) {
    for (const auto& row : testing::reference_table(table)) {
      const Run run = testing::steps_run(row.number("sigma"), row.number("q"), row.number("steps"));
      const Finding found = poisson::delta(run, row.number("epsilon"), kEffort);
      const Interval& delta = side(found, row.text("direction"));
      INFO(row.describe() << show(delta));
      CHECK(contains(delta, row.number("delta"), std::abs(row.number("relative_error"))));
      CHECK(is_narrow(larger(found), kEffort.width));
    }
  }
}

TEST_CASE("poisson: no lower end is above a library's proved upper value") {
  for (const auto& row : testing::reference_table("poisson_peer_upper")) {
    const Run run = testing::steps_run(row.number("sigma"), row.number("q"), row.number("steps"));
    const Finding found = poisson::epsilon(run, row.number("delta"), kEffort);
    const Interval& epsilon = side(found, row.text("direction"));
    const double theirs = row.number("epsilon");
    INFO(row.describe() << show(epsilon));
    // Their round-off is not charged: at delta >= 1e-8 it is below this.
    CHECK(epsilon.lower <= theirs * (1 + 1e-5) + 1e-9);
    CHECK(is_narrow(larger(found), kEffort.width, 1e-4));
    // Where their grid is fine beside the loss of one step, the value is near the truth too.
    const double grid = row.number("grid");
    const double step_loss = row.number("q") / row.number("sigma");
    if (grid < 0.02 * step_loss) CHECK(epsilon.upper >= theirs * (1 - 2e-3) - 1e-4);
  }
}

TEST_CASE("poisson: small delta keeps its relative width at both ends") {
  // The setting at which an accountant without a tilt reports 2.06e-10.
  const Run run = testing::steps_run(1, 1e-3, 1000);
  for (const auto& row : {std::pair{1.0, 2.541e-13}, std::pair{4.0, 1.3395e-26}}) {
    const double epsilon =
        row.first;  // clang lets no lambda (INFO is one) see a structured binding
    const double delta = row.second;
    const Finding found = poisson::delta(run, epsilon, kEffort);
    const Interval value = larger(found);
    INFO("epsilon=" << epsilon << " " << show(value));
    CHECK(value.lower >= delta * (1 - 1e-3));
    CHECK(value.upper <= delta * (1 + 1e-3));
  }
}

TEST_CASE("poisson: q = 1 is the Gaussian mechanism, composed") {
  const Run run = testing::steps_run(6, 1, 9);  // one release at sigma 2
  const Finding found = poisson::delta(run, 0.5, kEffort);
  // Phi(-3/4) - e^(1/2) Phi(-5/4)
  const double exact = 0.22662735237686821 - std::exp(0.5) * 0.10564977366685535;
  for (const Interval& delta : {found.directions.remove, found.directions.add}) {
    INFO(show(delta));
    CHECK(contains(delta, exact, 1e-13));
    CHECK(is_narrow(delta, kEffort.width));
  }
}

}  // namespace honest_epsilon
