#include "core/runs/charge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/pairs/gaussian.h"
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

// At the whole epsilon a single record's delta may be so tiny that its upper end takes all the
// work.
TEST_CASE(
    "charge: of a group's delta the upper end is asked first, and no other one than it needs") {
  struct Question {
    double given;
    Wanted wanted;
    bool operator==(const Question&) const = default;
  };
  std::vector<Question> asked;
  const Ask ask = [&](Asked, double given, Wanted wanted) {
    asked.push_back({given, wanted});
    Finding found;
    found.directions = {{0.01, 0.02}, {0.01, 0.02}};
    return found;
  };
  const Question upper{1, Wanted::upper}, lower{2, Wanted::lower};
  for_group(ask, 2, Asked::delta, 2, Wanted::both);
  CHECK((asked == std::vector{upper, lower}));
  asked.clear();
  const Directions above = for_group(ask, 2, Asked::delta, 2, Wanted::upper).directions;
  CHECK((asked == std::vector{upper}));
  CHECK(above.remove.lower == 0);
  CHECK(above.add.lower == 0);
}

namespace {

/// Gaussian pairs, of another distance in either direction.
constexpr double kMu[] = {1.2, 0.8};

/// One percent below or above, so that the two ends differ.
double mu_of(bool remove, bool upper) {
  return kMu[remove ? 0 : 1] * (upper ? 1.01 : 0.99);
}

double delta_of(bool remove, double epsilon, bool upper = true) {
  return gaussian::delta(mu_of(remove, upper), epsilon).upper;
}

const Ask kGaussians = [](Asked asked, double given, Wanted) {
  const auto of = [&](bool remove) {
    const double low = mu_of(remove, false), high = mu_of(remove, true);
    return asked == Asked::epsilon
               ? Interval{gaussian::epsilon(low, given).lower, gaussian::epsilon(high, given).upper}
               : Interval{gaussian::delta(low, given).lower, gaussian::delta(high, given).upper};
  };
  Finding found;
  found.directions = {of(true), of(false)};
  return found;
};

/// Where a function first falls to a value.
template <class Function>
double meeting(Function function, double value) {
  if (function(0) <= value) return 0;
  double low = 0, high = 0.01;
  for (; function(high) > value; high += 0.01) {
    if (high > 50) return kInfinity;
    low = high;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (function(middle) > value ? low : high) = middle;
  }
  return low;
}

void check_met(double found, double exact, bool above) {
  CAPTURE(found);
  CAPTURE(exact);
  CHECK((above ? found >= exact * (1 - 1e-9) : found <= exact * (1 + 1e-9)));
  CHECK((found == exact || std::abs(found - exact) <= 1e-4 * exact + 1e-12));
}

}  // namespace

TEST_CASE("charge: a failure's price is paid at both ends, of epsilon and of delta") {
  for (const Failure& failure :
       {Failure{0, 0}, Failure{1e-4, 0}, Failure{0, 1e-4}, Failure{2e-4, 1e-5}}) {
    CAPTURE(failure.announced);
    CAPTURE(failure.hidden);
    const double any = failure.announced + failure.hidden;
    const auto price = [&](double e) {
      return failure.announced + (1 + std::exp(e)) * failure.hidden;
    };
    for (const Adjacency adjacency : {Adjacency::zero_out, Adjacency::substitution}) {
      // Cut batches may matter under one of two zero-out neighbours alone.
      const auto refund = [&](bool remove, double e) {
        return any * (remove && adjacency != Adjacency::substitution ? 1 : 1 + std::exp(e));
      };
      for (const bool remove : {true, false}) {
        CAPTURE(remove);
        for (const double e : {0.0, 0.7, 3.0, 9.0}) {
          const Directions d =
              beside_failure(kGaussians, failure, adjacency, Asked::delta, e).directions;
          const Interval found = remove ? d.remove : d.add;
          check_met(found.upper, std::min(1.0, delta_of(remove, e) + price(e)), true);
          check_met(found.lower, std::max(0.0, delta_of(remove, e, false) - refund(remove, e)),
                    false);
        }
        for (const double delta : {1e-3, 0.05}) {
          const Directions d =
              beside_failure(kGaussians, failure, adjacency, Asked::epsilon, delta).directions;
          const Interval found = remove ? d.remove : d.add;
          // The larger direction's epsilon sets what either pays.
          const double paid =
              price(meeting([&](double e) { return delta_of(true, e) + price(e); }, delta));
          check_met(found.upper,
                    meeting([&](double e) { return delta_of(remove, e); }, delta - paid), true);
          const double known = meeting([&](double e) { return delta_of(remove, e); }, delta);
          check_met(found.lower,
                    meeting([&](double e) { return delta_of(remove, e, false); },
                            delta + refund(remove, known)),
                    false);
        }
      }
    }
  }
  // What fails with more than delta leaves no epsilon.
  const Finding none =
      beside_failure(kGaussians, {0.1, 0}, Adjacency::zero_out, Asked::epsilon, 0.05);
  CHECK(none.directions.upper() == kInfinity);
}

TEST_CASE("charge: a group's two ends are the theorem's and a single record's") {
  for (const double records : {2.0, 3.0}) {
    CAPTURE(records);
    const auto chain = [&](bool remove, double e) {
      double sum = 0;
      for (int i = 0; i < records; ++i) sum += std::exp(i * e / records);
      return std::min(1.0, sum * delta_of(remove, e / records));
    };
    for (const bool remove : {true, false}) {
      for (const double e : {0.0, 1.5, 6.0}) {
        const Finding both = for_group(kGaussians, records, Asked::delta, e, Wanted::both);
        CHECK(both.method == Method::group_privacy);
        const Interval found = remove ? both.directions.remove : both.directions.add;
        check_met(found.upper, chain(remove, e), true);
        check_met(found.lower, delta_of(remove, e, false), false);
      }
      const double delta = 1e-4;
      const Directions d =
          for_group(kGaussians, records, Asked::epsilon, delta, Wanted::both).directions;
      const Interval found = remove ? d.remove : d.add;
      // The larger direction's settles the price of either.
      const double settled = meeting([&](double e) { return chain(true, e); }, delta) / records;
      const double left = delta / group_factor(records, settled);
      check_met(found.upper, records * meeting([&](double e) { return delta_of(remove, e); }, left),
                true);
      check_met(found.lower, meeting([&](double e) { return delta_of(remove, e, false); }, delta),
                false);
      const Directions below =
          for_group(kGaussians, records, Asked::epsilon, delta, Wanted::lower).directions;
      CHECK((remove ? below.remove : below.add).upper == kInfinity);
      CHECK((remove ? below.remove : below.add).lower == found.lower);
    }
  }
}

TEST_CASE("charge: by way of the run without the records, the sum of both steps' prices") {
  for (const double given : {0.5, 2.0, 6.0}) {
    const auto sum = [&](double a) {
      return delta_of(true, a) + std::exp(a) * delta_of(false, given - a);
    };
    double least = 1;
    for (double a = 0; a <= given; a += 1e-3 * given) least = std::min(least, sum(a));
    const double found = through_left_out(kGaussians, kGaussians, Asked::delta, given, 6);
    CAPTURE(given);
    CHECK(found >= least * (1 - 1e-9));
    CHECK(found <= std::min(1.0, 2.01 * least));
    // One try is at the middle.
    CHECK(through_left_out(kGaussians, kGaussians, Asked::delta, given, 1) <=
          std::min(1.0, sum(0.5 * given)) * (1 + 1e-9));
  }
  for (const double delta : {1e-3, 0.1}) {
    const double a = meeting([](double e) { return delta_of(true, e); }, 0.5 * delta);
    const double b =
        meeting([](double e) { return delta_of(false, e); }, 0.5 * delta * std::exp(-a));
    check_met(through_left_out(kGaussians, kGaussians, Asked::epsilon, delta, 6), a + b, true);
  }
}

}  // namespace honest_epsilon
