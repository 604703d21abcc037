#include "core/samplers/without_replacement.h"

#include <doctest/doctest.h>

#include "core/samplers/poisson.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::kEffort;
using testing::show;

}  // namespace

TEST_CASE("without replacement: is Poisson sampling at half the noise") {
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const Run run = testing::steps_run(2 * row.number("sigma"), row.number("q"), 1);
    const Finding found = without_replacement::delta(run, row.number("epsilon"), kEffort);
    INFO(row.describe() << show(found.directions.remove) << " " << show(found.directions.add));
    CHECK(testing::contains(found.directions.remove, row.number("remove")));
    CHECK(testing::contains(found.directions.add, row.number("add")));
  }
  for (const auto& row : testing::reference_table("poisson_composed")) {
    const Run run =
        testing::steps_run(2 * row.number("sigma"), row.number("q"), row.number("steps"));
    const Finding found = without_replacement::delta(run, row.number("epsilon"), kEffort);
    const Interval& delta =
        row.text("direction") == "add" ? found.directions.add : found.directions.remove;
    INFO(row.describe() << show(delta));
    CHECK(testing::contains(delta, row.number("delta"), row.number("relative_error")));
    CHECK(
        testing::is_narrow(maximum(found.directions.remove, found.directions.add), kEffort.width));
  }
}

TEST_CASE("without replacement: costs far more than Poisson at the same noise") {
  const Run run = testing::steps_run(0.8, 1e-3, 10000);
  const Finding fixed = without_replacement::epsilon(run, 1e-6, kEffort);
  const Finding poisson = poisson::epsilon(run, 1e-6, kEffort);
  INFO(show(fixed.directions.remove) << " against " << show(poisson.directions.remove));
  CHECK(fixed.directions.remove.lower > 10 * poisson.directions.remove.upper);
}

// Either direction of the pair is an attack, and adding may show more than removing does.
TEST_CASE("without replacement: a replaced record is no safer than one put in or taken out") {
  int by_adding = 0;
  for (const double scale : {1.0, 2.0, 5.0}) {
    for (const double q : {0.1, 0.5, 0.9}) {
      for (const double epsilon : {0.05, 0.5, 1.0}) {
        Run run = testing::steps_run(scale, q, 2);
        run.mechanism = Mechanism::laplace;
        const Directions around = without_replacement::delta(run, epsilon, kEffort).directions;
        run.adjacency = Adjacency::substitution;
        const Directions replaced = without_replacement::delta(run, epsilon, kEffort).directions;
        INFO("scale=" << scale << " q=" << q << " epsilon=" << epsilon << show(around.remove)
                      << show(around.add) << show(replaced.remove) << show(replaced.add));
        for (const Interval& either : {replaced.remove, replaced.add}) {
          CHECK(either.lower >= around.remove.lower * (1 - 1e-3));
          CHECK(either.lower >= around.add.lower * (1 - 1e-3));
        }
        if (around.add.lower > around.remove.upper * 1.01) ++by_adding;
      }
    }
  }
  CHECK(by_adding > 0);
}

}  // namespace honest_epsilon
