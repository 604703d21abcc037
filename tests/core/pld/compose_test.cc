#include "core/pld/compose.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/core/pld/exact.h"
#include "tests/core/reference_table.h"
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

using testing::Dice;
using testing::Real;

std::vector<Real> cyclic(const std::vector<Real>& a, const std::vector<Real>& b) {
  const std::size_t n = a.size();
  std::vector<Real> sum(n, 0.0L);
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] == 0) continue;
    for (std::size_t j = 0; j < n; ++j) sum[(i + j) & (n - 1)] += a[i] * b[j];
  }
  return sum;
}

// The tilted law's n-fold cyclic convolution by squaring, scaled as `sum` is. Every term is
// positive: the relative error is about n units of long double, 2048 times below one of double.
std::vector<Real> powered(const LatticeLaw& law, std::int64_t copies, const TiltedSum& sum) {
  const std::size_t n = sum.value.size();
  const Real log_step = static_cast<Real>(sum.log_scale) / static_cast<Real>(copies);
  std::vector<Real> base(n, 0.0L);
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    const std::int64_t index = law.first + static_cast<std::int64_t>(i);
    const Real point = static_cast<Real>(law.origin) + static_cast<Real>(index) * law.spacing;
    base[static_cast<std::size_t>(index) & (n - 1)] +=
        law.mass[i] * std::exp(static_cast<Real>(sum.tilt) * point - log_step);
  }
  std::vector<Real> result;
  for (std::int64_t left = copies; left > 0; left >>= 1) {
    if (left & 1) result = result.empty() ? base : cyclic(result, base);
    if (left > 1) base = cyclic(base, base);
  }
  return result;
}

// How far the worst value is off, in units of the error stated for it.
double worst_deviation(const LatticeLaw& law, std::int64_t copies, const TiltedSum& sum) {
  const std::vector<Real> expected = powered(law, copies, sum);
  double worst = 0;
  for (std::size_t i = 0; i < sum.value.size(); ++i) {
    const auto index = static_cast<std::size_t>(sum.first + static_cast<std::int64_t>(i));
    const Real exact = expected[index & (sum.value.size() - 1)];
    const Real allowed = sum.error + sum.relative * exact;
    worst = std::max(worst, static_cast<double>(std::abs(sum.value[i] - exact) / allowed));
  }
  return worst;
}

LatticeLaw random_law(Dice& dice, double spike) {
  LatticeLaw law =
      law_on(dice.uniform(-0.1, 0.1), 0.125, static_cast<std::int64_t>(dice.uniform(-9, 3)), {});
  law.mass.assign(static_cast<std::size_t>(dice.uniform(3, 30)), 0.0);
  double total = 0;
  for (double& mass : law.mass) total += mass = dice.log_uniform(1e-6, 1);
  for (double& mass : law.mass) mass *= (1 - spike) / total;
  law.mass[static_cast<std::size_t>(dice.uniform(0, 3))] += spike;
  return law;
}

}  // namespace

TEST_CASE("compose: the stated error holds against longer arithmetic, up to 1e5 steps") {
  double most = 0;
  for (int draw = 0; draw < (testing::kSlowReal ? 10 : 80); ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 1);
    // From no spike to one that leaves 1e-9 for the rest.
    const double spike = draw % 2 ? 1 - dice.log_uniform(1e-9, 0.5) : 0;
    const LatticeLaw upper = random_law(dice, spike);
    const LatticeLaw lower = random_law(dice, spike);
    const auto copies = static_cast<std::int64_t>(dice.whole(1, 1e5));
    const double tilt = dice.uniform(0, 1) < 0.2 ? 0 : dice.log_uniform(0.01, 4);
    const std::size_t grid = testing::kSlowReal ? 64 : 256;
    const TiltedPair pair = compose({{upper, lower, copies}}, tilt, dice.uniform(-50, 50), grid);
    INFO("draw=" << draw << " copies=" << copies << " spike=" << spike << " tilt=" << tilt
                 << " error=" << pair.upper.error);
    const double upper_worst = worst_deviation(upper, copies, pair.upper);
    const double lower_worst = worst_deviation(lower, copies, pair.lower);
    CHECK(upper_worst <= 1);
    CHECK(lower_worst <= 1);
    most = std::max({most, upper_worst, lower_worst});
    // Of a vector of masses that sum to one: useful, not only true.
    CHECK(pair.upper.error < 1e-8);
    CHECK(pair.lower.error < 1e-8);
  }
  // A bound that nothing comes near could be anything.
  CAPTURE(most);
  CHECK(most > 1e-3);
}

TEST_CASE("compose: the error covers frequencies that are dropped and what two sequences share") {
  // A wide, flat law and a spike travel in one transform; each one's error sees the other's norm.
  LatticeLaw flat = law_on(0, 0.125, 0, std::vector<double>(200, 0.005));
  LatticeLaw narrow = law_on(0, 0.125, 3, {1e-9, 1 - 2e-9, 1e-9});
  for (const std::int64_t copies : {1, 3, 1000, 100000}) {
    const TiltedPair pair = compose({{flat, narrow, copies}}, 0.2, -3, 256);
    CAPTURE(copies);
    CHECK(worst_deviation(flat, copies, pair.upper) <= 1);
    CHECK(worst_deviation(narrow, copies, pair.lower) <= 1);
  }
}

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

TEST_CASE(
    "compose: single masses of up to 1e9 steps, down to e^-12000, are those of exact arithmetic") {
  for (const auto& row : testing::reference_table("tilted_powers")) {
    const double p = row.number("p");
    const bool two = row.text("law") == "two";
    const LatticeLaw law = two ? law_on(0, 1, 0, {1 - p, p})
                               : law_on(0, 1, 0, {0.109375, 0.3125, 0.015625, 0.46875, 0.09375});
    const auto copies = static_cast<std::int64_t>(row.number("copies"));
    const double n = row.number("copies");
    const double place = row.number("place");
    // The tilt that makes this mass one of the large ones.
    double low = -60;
    double high = 60;
    const auto mean = [&](double tilt) {
      return n * (log_moment(law, tilt + 1e-4) - log_moment(law, tilt - 1e-4)) / 2e-4;
    };
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (mean(middle) < place ? low : high) = middle;
    }
    constexpr std::size_t kGrid = 1 << 17;
    const double start = std::floor(place) - kGrid / 2;
    const TiltedPair pair = compose({{law, law, copies}}, low, start, kGrid);
    for (const TiltedSum& sum : {pair.upper, pair.lower}) {
      const auto i = static_cast<std::size_t>(place - static_cast<double>(sum.first));
      const double exponent = row.number("log_mass") + low * place - sum.log_scale;
      const double exact = std::exp(exponent);
      // The exponent's own rounding, here in the test.
      const double rounding =
          0x1p-51 * (std::abs(row.number("log_mass")) + std::abs(low) * place + 1);
      INFO(row.describe() << "tilt=" << low << " value=" << sum.value[i] << " exact=" << exact
                          << " error=" << sum.error << " relative=" << sum.relative);
      CHECK(std::abs(sum.value[i] - exact) <= sum.error + (sum.relative + rounding) * exact);
      CHECK(sum.error < 0.02 * exact);
    }
  }
}

}  // namespace honest_epsilon::pld
