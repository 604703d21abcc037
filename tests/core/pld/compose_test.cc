#include "core/pld/compose.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {

LatticeLaw law_on(double origin, double spacing, std::int64_t first, std::vector<double> mass) {
  LatticeLaw law;
  law.origin = origin;
  law.spacing = spacing;
  law.first = first;
  law.mass = std::move(mass);
  return law;
}

// By the definition: every term is positive, so the relative error is below one unit a step.
LatticeLaw convolved(const LatticeLaw& a, const LatticeLaw& b) {
  LatticeLaw sum = law_on(a.origin + b.origin, a.spacing, a.first + b.first, {});
  sum.mass.assign(a.mass.size() + b.mass.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.mass.size(); ++i) {
    for (std::size_t j = 0; j < b.mass.size(); ++j) sum.mass[i + j] += a.mass[i] * b.mass[j];
  }
  return sum;
}

LatticeLaw repeated(const LatticeLaw& law, std::int64_t copies) {
  LatticeLaw sum = law;
  for (std::int64_t i = 1; i < copies; ++i) sum = convolved(sum, law);
  return sum;
}

// What the window should show: the tilted masses, those outside wrapped round into it.
void check_sum(const TiltedSum& sum, const LatticeLaw& exact) {
  std::vector<double> expected(sum.value.size(), 0.0);
  const auto n = static_cast<std::int64_t>(expected.size());
  for (std::size_t i = 0; i < exact.mass.size(); ++i) {
    const double place = (exact.point(i) - sum.origin) / sum.spacing;
    const auto offset = static_cast<std::int64_t>(std::llround(place)) - sum.first;
    const auto index = static_cast<std::size_t>(((offset % n) + n) % n);
    // A wrapped point carries the tilt of where it truly is.
    expected[index] += exact.mass[i] * std::exp(sum.tilt * exact.point(i) - sum.log_scale);
  }
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double allowed = sum.error + (sum.relative + 1e-12) * expected[i];
    worst = std::max(worst, std::abs(sum.value[i] - expected[i]) / allowed);
  }
  INFO("worst deviation, in units of the stated error: " << worst);
  CHECK(worst <= 1);
  CHECK(sum.error < 1e-9);
}

}  // namespace

TEST_CASE("compose: is the convolution of the steps, within the stated error") {
  const LatticeLaw upper = law_on(0, 0.5, -2, {0.1, 0.2, 0.4, 0.05, 0.25});
  const LatticeLaw lower = law_on(-0.125, 0.5, -3, {0.15, 0.25, 0.5, 0.0, 0.1});
  for (const double tilt : {0.0, 0.3, 1.5}) {
    for (const std::int64_t copies : {1, 2, 7, 40}) {
      CAPTURE(tilt);
      CAPTURE(copies);
      const TiltedPair pair = compose({{upper, lower, copies}}, tilt, -65, 512);
      check_sum(pair.upper, repeated(upper, copies));
      check_sum(pair.lower, repeated(lower, copies));
    }
  }
}

TEST_CASE("compose: different kinds of steps multiply under one tilt") {
  const LatticeLaw a = law_on(0, 0.25, -1, {0.3, 0.4, 0.3});
  const LatticeLaw b = law_on(0, 0.25, 0, {0.9, 0.0, 0.0, 0.1});
  const TiltedPair pair = compose({{a, a, 5}, {b, b, 9}}, 0.8, -4, 256);
  const LatticeLaw exact = convolved(repeated(a, 5), repeated(b, 9));
  check_sum(pair.upper, exact);
  check_sum(pair.lower, exact);
}

TEST_CASE("compose: what leaves the window comes back at its other end") {
  const LatticeLaw law = law_on(0, 1, 0, {0.5, 0.5});
  const TiltedPair pair = compose({{law, law, 40}}, 0.1, 10, 16);  // 41 points in 16
  check_sum(pair.upper, repeated(law, 40));
}

TEST_CASE("compose: a tilt keeps the digits of masses far below round-off") {
  // Binomial(400, .01): the mass at 100 is about 1e-105.
  const LatticeLaw law = law_on(0, 1, 0, {0.99, 0.01});
  const LatticeLaw exact = repeated(law, 400);
  const double tilt = std::log(100 * 0.99 / (300 * 0.01));
  const TiltedPair pair = compose({{law, law, 400}}, tilt, 0, 512);
  const TiltedSum& sum = pair.upper;
  const double mass = sum.value[100] * std::exp(sum.log_scale - tilt * 100);
  CHECK(exact.mass[100] < 1e-90);
  CHECK(std::abs(mass / exact.mass[100] - 1) < 1e-10);
}

}  // namespace honest_epsilon::pld
