#include "core/runs/parts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/contour/even_moments.h"
#include "core/contour/subsampled_moments.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/source.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using testing::show;

}  // namespace

TEST_CASE("parts: either of two sides is asked for its own end, and told as closely as alone") {
  constexpr double kWidth = 1e-3;
  // Few steps decide: where epsilon is, plans find out late.
  const pairs::SubsampledGaussian pair(1e-3, 1 / 0.3);
  const auto run_of = [&](std::int64_t copies) {
    Parts parts;
    parts.tight = true;
    parts.upper.steps = {{std::make_shared<pld::PairSource>(pair), copies}};
    return parts;
  };
  const Parts most = run_of(5000), least = run_of(20);
  const auto asked_of = [&](const Parts& parts, Asked asked, double given) {
    const Effort effort{kWidth};
    return compose([&](const Demand&) { return parts; }, 5000, asked, given, effort).directions;
  };
  const auto check = [&](Asked asked, double given) {
    const Directions both = asked_of(between(most, least), asked, given);
    const Directions above = asked_of(most, asked, given), below = asked_of(least, asked, given);
    INFO(given << " " << show(both.remove) << " " << show(both.add));
    CHECK(both.upper() >= above.lower());
    CHECK(both.upper() <= above.upper() * (1 + 2 * kWidth));
    CHECK(both.lower() <= below.upper());
    CHECK(both.lower() >= below.lower() * (1 - 2 * kWidth));
  };
  for (const double target : {1e-2, 1e-5, 1e-9}) check(Asked::epsilon, target);
  for (const double epsilon : {0.5, 2.0, 5.0}) check(Asked::delta, epsilon);
}

TEST_CASE("parts: outright failure counts at either end by that end's probability") {
  const auto shifted = [](double shift, const Interval& failure) {
    Parts parts;
    parts.tight = parts.symmetric = true;
    parts.upper.squared_shift = shift * shift;
    parts.failure = failure;
    return parts;
  };
  // Between a run that reveals more and one that reveals less, beside a release that may fail.
  const auto make = [&](const Demand&) {
    return joined(
        {between(shifted(2, {0.01, 0.02}), shifted(1, {0.005, 0.008})), shifted(0, {0, 0.001})});
  };
  const double most = 1 - 0.98 * 0.999, least = 0.005;
  const auto is_near = [](const Interval& found, double lower, double upper) {
    INFO(show(found) << lower << " " << upper);
    CHECK(found.lower <= lower * (1 + 1e-12));
    CHECK(found.lower >= lower * (1 - 1e-6));
    CHECK(found.upper >= upper * (1 - 1e-12));
    CHECK(found.upper <= upper * (1 + 1e-6));
  };
  Profile profile(make({-40, testing::kEffort}), testing::kEffort, 1e-12);
  for (const double epsilon : {0.0, 1.0, 3.0}) {
    const double lower = least + (1 - least) * gaussian::delta(1, epsilon).lower;
    const double upper = most + (1 - most) * gaussian::delta(2, epsilon).upper;
    const Asked asked = epsilon == 0 ? Asked::total_variation : Asked::delta;
    for (const Directions& d : {compose(make, 1, asked, epsilon, testing::kEffort).directions,
                                profile.delta(epsilon).directions}) {
      is_near(d.remove, lower, upper);
      is_near(d.add, lower, upper);
    }
  }
  for (const double delta : {0.03, 0.2}) {
    const Directions d = compose(make, 1, Asked::epsilon, delta, testing::kEffort).directions;
    const double lower = gaussian::epsilon(1, (delta - least) / (1 - least)).lower;
    const double upper = gaussian::epsilon(2, (delta - most) / (1 - most)).upper;
    is_near(d.remove, lower, upper);
    is_near(d.add, lower, upper);
  }
  // A larger failure of the one that reveals less is known to be no larger than the other's.
  const Interval failure = between(shifted(2, {0.01, 0.02}), shifted(1, {0.5, 0.5})).failure;
  CHECK(failure.lower == 0.02);
  CHECK(failure.upper == 0.02);
}

TEST_CASE("parts: where nothing else is known no epsilon is above the largest loss") {
  // Moments that recur have no line to be inverted along.
  for (const std::int64_t copies : {1, 10, 1000}) {
    const auto make = [&](const Demand&) {
      Parts parts;
      parts.tight = true;
      parts.upper.steps = {
          {nullptr, copies, nullptr, std::make_shared<contour::ResponseMoments>(0.5)}};
      return parts;
    };
    Effort effort;
    effort.lattices = false;
    const double largest = 0.5 * static_cast<double>(copies);
    const Directions d =
        compose(make, static_cast<double>(copies), Asked::epsilon, 1e-9, effort).directions;
    CHECK(d.upper() >= largest);
    CHECK(d.upper() <= largest * (1 + 1e-12));
  }
}

TEST_CASE("parts: an answer is named after what found it") {
  const auto pair = std::make_shared<const pairs::SubsampledGaussian>(0.1, 1);
  const auto moments = std::make_shared<contour::SubsampledGaussianMoments>(0.1, 1);
  const auto method = [&](bool has_moments, double squared_shift, std::int64_t copies) {
    const auto make = [&](const Demand&) {
      Parts parts;
      parts.tight = true;
      parts.upper.squared_shift = squared_shift;
      if (copies > 0)
        parts.upper.steps.push_back({std::make_shared<pld::PairSource>(pair), copies, nullptr,
                                     has_moments ? moments : nullptr});
      return parts;
    };
    return compose(make, 1, Asked::epsilon, 1e-5, testing::kEffort).method;
  };
  CHECK(method(true, 4, 0) == Method::closed_form);
  CHECK(method(true, 0, 50) == Method::contour);
  CHECK(method(true, 0.5, 50) == Method::contour);
  CHECK(method(false, 0, 50) == Method::lattice);
}

}  // namespace honest_epsilon
