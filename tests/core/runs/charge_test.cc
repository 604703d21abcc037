#include "core/runs/charge.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/samplers/poisson.h"
#include "tests/core/support.h"

namespace honest_epsilon {

TEST_CASE("charge: failure that is not announced costs both laws, one of them e^epsilon times") {
  const Ask nothing = [](Asked, double, Wanted) {
    Finding none;
    none.directions = {{0, 0}, {0, 0}};
    return none;
  };
  for (const double epsilon : {0.0, 1.0, 3.0}) {
    const Finding found =
        beside_failure(nothing, {1e-4, 1e-3}, Adjacency::zero_out, Asked::delta, epsilon);
    const double exact = 1e-4 + (1 + std::exp(epsilon)) * 1e-3;
    CHECK(found.directions.remove.upper >= exact);
    CHECK(found.directions.remove.upper <= exact * (1 + 1e-9));
    CHECK(found.directions.add.upper >= exact);
  }
  // However unlikely, at a large enough epsilon it is all there is to say.
  const Finding far = beside_failure(nothing, {0, 1e-307}, Adjacency::zero_out, Asked::delta, 1000);
  CHECK(far.directions.remove.upper == 1);
}

TEST_CASE(
    "charge: by way of the run without the records a tiny delta counts e^a times, however large") {
  const Ask tiny = [](Asked, double epsilon, Wanted) {
    Finding found;
    found.directions = {{0, epsilon < 1000 ? 1 : 0.01}, {0, 1e-307}};
    return found;
  };
  CHECK(through_left_out(tiny, tiny, Asked::delta, 3000, 3) == 1);
  // Where the first try tells hardly anything, no other is made.
  int asked = 0;
  const Ask hardly = [&](Asked, double, Wanted) {
    ++asked;
    Finding found;
    found.directions = {{0, 1e-70}, {0, 1e-70}};
    return found;
  };
  const double least = through_left_out(hardly, hardly, Asked::delta, 2, 3);
  CHECK(least >= 1e-70 * (1 + std::exp(1)));
  CHECK(least < 4e-70);
  CHECK(asked == 2);
  // An epsilon whose power no double divides leaves nothing to ask at.
  const Ask far = [](Asked, double, Wanted) {
    Finding found;
    found.directions = {{0, 720}, {0, 1}};
    return found;
  };
  CHECK(through_left_out(far, far, Asked::epsilon, 1e-6, 3) == kInfinity);
}

TEST_CASE("charge: a chain of neighbours costs the sum of its links' powers") {
  for (const double epsilon : {1e-15, 1e-6, 0.3, 2.0, 40.0}) {
    for (const int links : {1, 2, 3, 7}) {
      double sum = 0;
      for (int i = 0; i < links; ++i) sum += std::exp(i * epsilon);
      CHECK(group_factor(links, epsilon) >= sum * (1 - 1e-15));
      CHECK(group_factor(links, epsilon) <= sum * (1 + 1e-8));
    }
  }
  CHECK(group_factor(3, 1000) == kInfinity);
}

TEST_CASE(
    "charge: a group's epsilon settles where its links' deltas meet the target, in few steps") {
  // Deltas exp(-(eps / c)^{1/p}): a map's slope where it settles is anything up to one and beyond.
  constexpr double kTarget = 1e-9, kRecords = 3;
  for (const double p : {0.3, 0.5, 0.8, 1.0}) {
    for (const double c : {1e-3, 0.1, 0.3, 0.45, 0.6, 1.0}) {
      int asked = 0, both = 0;
      const auto epsilon_at = [&](double delta) { return c * std::pow(-std::log(delta), p); };
      const Ask ask = [&](Asked, double delta, Wanted wanted) {
        ++asked;
        both += wanted == Wanted::both ? 1 : 0;
        const double epsilon = epsilon_at(delta);
        Finding found;
        found.directions = {{epsilon, epsilon}, {0, 0.5 * epsilon}};
        return found;
      };
      const double upper =
          for_group(ask, kRecords, Asked::epsilon, kTarget, Wanted::both).directions.remove.upper /
          kRecords;
      const auto spent = [&](double epsilon) {
        return std::exp(-std::pow(epsilon / c, 1 / p)) * group_factor(kRecords, epsilon);
      };
      INFO("p=" << p << " c=" << c << " upper=" << upper << " asked=" << asked);
      // Each epsilon adds two to log (1 / target), and c^-1 to that of delta, for p = 1.
      const bool settles = !(p == 1 && 2 * c >= 1);
      CHECK((upper < kInfinity) == settles);
      if (!settles) continue;
      CHECK(spent(upper) <= kTarget * (1 + 1e-9));
      CHECK(spent(upper * (1 - 1e-4)) > kTarget);
      CHECK(asked <= 15);
      CHECK(both == 1);
    }
  }
}

TEST_CASE("charge: a group of one is itself, and g records cost at most the group theorem") {
  const Run run = testing::steps_run(4, 0.01, 500);
  const Ask ask = [&](Asked asked, double given, Wanted) {
    return asked == Asked::epsilon ? poisson::epsilon(run, given, {})
                                   : poisson::delta(run, given, {});
  };
  const Finding one = for_group(ask, 1, Asked::epsilon, 1e-6, Wanted::both);
  CHECK(one.directions.remove.upper ==
        ask(Asked::epsilon, 1e-6, Wanted::both).directions.remove.upper);
  // The pair of three records in Poisson batches is known, and must lie below the theorem.
  Run three = run;
  three.records_per_user = 3;
  const Finding exact = poisson::epsilon(three, 1e-6, {});
  const Finding theorem = for_group(ask, 3, Asked::epsilon, 1e-6, Wanted::both);
  CHECK(exact.directions.remove.lower <= theorem.directions.remove.upper);
  CHECK(exact.directions.remove.upper >= theorem.directions.remove.lower);
  const Finding delta = for_group(ask, 3, Asked::delta, 1.5, Wanted::both);
  const Finding exact_delta = poisson::delta(three, 1.5, {});
  CHECK(exact_delta.directions.remove.lower <= delta.directions.remove.upper);
  // Epsilon and delta agree with each other.
  const double back = for_group(ask, 3, Asked::delta, theorem.directions.remove.upper, Wanted::both)
                          .directions.remove.upper;
  CHECK(back <= 1e-6 * (1 + 1e-2));
}

}  // namespace honest_epsilon
