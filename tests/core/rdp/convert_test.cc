#include "core/rdp/convert.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/pairs/gaussian.h"
#include "core/rdp/renyi.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {

using rdp::Converted;
using rdp::RenyiCurve;

namespace {

RenyiCurve poisson_curve(double sigma, double q, double steps) {
  return [=](double order) { return steps * rdp::subsampled_gaussian(order, q, 1 / sigma); };
}

RenyiCurve of_row(const testing::ReferenceRow& row) {
  return poisson_curve(row.number("sigma"), row.number("q"), row.number("steps"));
}

/// The conversion at a fixed order, straight from [CKS20, Prop 12].
double delta_at(const RenyiCurve& curve, double order, double epsilon) {
  return std::exp((order - 1) * (curve(order) - epsilon)) / (order - 1) *
         std::pow(1 - 1 / order, order);
}

}  // namespace

TEST_CASE("rdp: orders found by search are no worse than another accountant's list") {
  for (const auto& row : testing::reference_table("renyi_peer")) {
    const bool for_epsilon = row.text("given") == "delta";
    const double found = for_epsilon ? rdp::epsilon_upper(of_row(row), row.number("delta")).value
                                     : rdp::delta_upper(of_row(row), row.number("epsilon")).value;
    const double listed = row.number(for_epsilon ? "epsilon" : "delta");
    INFO(row.describe() << found);
    CHECK(found <= listed * (1 + 1e-9));
    CHECK((found > 0) == (listed > 0));
  }
}

TEST_CASE("rdp: no order on a fine list does better than the search") {
  const RenyiCurve curve = poisson_curve(0.8, 1e-3, 1e4);
  for (const double epsilon : {0.3, 1.0, 3.0}) {
    const Converted found = rdp::delta_upper(curve, epsilon);
    INFO("epsilon=" << epsilon << " order=" << found.order);
    CHECK(found.value >= delta_at(curve, found.order, epsilon));
    for (double order = 1.01; order < 400; order *= 1.003)
      CHECK(found.value <= delta_at(curve, order, epsilon) * (1 + 1e-9));
  }
}

TEST_CASE("rdp: the two questions are inverse to each other") {
  const RenyiCurve curve = poisson_curve(1.1, 0.01, 1000);
  for (const double delta : {1e-3, 1e-6, 1e-20, 1e-200}) {
    const double epsilon = rdp::epsilon_upper(curve, delta).value;
    INFO("delta=" << delta << " epsilon=" << epsilon);
    CHECK(rdp::delta_upper(curve, epsilon).value == doctest::Approx(delta).epsilon(1e-6));
  }
}

TEST_CASE("rdp: the Gaussian mechanism's exact profile lies below") {
  for (const double mu : {0.01, 0.3, 1.0, 5.0}) {
    const RenyiCurve curve = [mu](double order) { return rdp::gaussian(order, mu); };
    for (const double epsilon : {0.0, 0.1, 1.0, 10.0}) {
      const double bound = rdp::delta_upper(curve, epsilon).value;
      INFO("mu=" << mu << " epsilon=" << epsilon << " " << bound);
      CHECK(bound >= gaussian::delta(mu, epsilon).lower);
      CHECK(bound <= 1);
    }
    for (const double delta : {0.5, 1e-5, 1e-30})
      CHECK(rdp::epsilon_upper(curve, delta).value >= gaussian::epsilon(mu, delta).lower);
  }
}

TEST_CASE("rdp: no bound is below a delta known from privacy loss distributions") {
  const auto check = [](const testing::ReferenceRow& row, const RenyiCurve& curve) {
    const double known = row.number("delta") * (1 - row.number("relative_error"));
    const double bound = rdp::delta_upper(curve, row.number("epsilon")).value;
    INFO(row.describe() << bound);
    CHECK(bound >= known);
  };
  for (const auto& row : testing::reference_table("poisson_composed")) check(row, of_row(row));
  for (const auto& row : testing::reference_table("poisson_small_delta")) check(row, of_row(row));
  for (const char* table : {"balls_and_bins_one_epoch", "balls_and_bins_add"}) {
    for (const auto& row : testing::reference_table(table))
      check(row, rdp::balls_and_bins_curve(row.number("steps_per_epoch"), 1 / row.number("sigma")));
  }
}

TEST_CASE("rdp: orders far above the best one, which may be costly, are not asked") {
  double highest = 0;
  const auto curve = [&](double order) {
    highest = std::max(highest, order);
    return 1e-4 * order;
  };
  const Converted epsilon = rdp::epsilon_upper(curve, 1e-9);
  CHECK(epsilon.order > 300);
  CHECK(highest < 5 * epsilon.order);
  highest = 0;
  const Converted delta = rdp::delta_upper(curve, epsilon.value);
  CHECK(delta.order > 300);
  CHECK(highest < 5 * delta.order);
}

TEST_CASE("rdp: where every order's divergence is far above epsilon, two orders are enough") {
  int asked = 0;
  double growth = 1e6;
  const auto curve = [&](double order) {
    ++asked;
    return growth * order;
  };
  CHECK(rdp::delta_upper(curve, 1e5).value == 1);
  CHECK(asked <= 2);
  growth = 30;  // A gain of the conversion is all there is, and still counted.
  const Converted near = rdp::delta_upper(curve, 20);
  CHECK(near.value < 1);
  CHECK(near.value > 0.999);
}

TEST_CASE("rdp: trivial questions have trivial answers") {
  const RenyiCurve curve = poisson_curve(1, 0.01, 100);
  CHECK(rdp::epsilon_upper(curve, 1).value == 0);
  CHECK(rdp::epsilon_upper(curve, 0.9).value == 0);
  CHECK(rdp::epsilon_upper(curve, 0).value == kInfinity);
  CHECK(rdp::delta_upper(curve, 0).value < 0.1);
  const RenyiCurve nothing = [](double) { return kInfinity; };
  CHECK(rdp::epsilon_upper(nothing, 1e-5).value == kInfinity);
  CHECK(rdp::delta_upper(nothing, 1).value == 1);
  const RenyiCurve broken = [](double) { return NAN; };
  CHECK(rdp::epsilon_upper(broken, 1e-5).value == kInfinity);
  CHECK(rdp::delta_upper(broken, 1).value == 1);
  // Finite at low orders alone, as for noise with heavy tails.
  const RenyiCurve low = [](double order) { return order < 3 ? 0.1 * order : kInfinity; };
  CHECK(rdp::epsilon_upper(low, 1e-5).value < 7);
  CHECK(rdp::epsilon_upper(low, 1e-5).order < 3);
}

TEST_CASE("rdp: a kink at a whole order is found") {
  const RenyiCurve chords = rdp::balls_and_bins_curve(1000, 1);
  const Converted found = rdp::epsilon_upper(chords, 1e-6);
  CHECK(found.order == 13);
  for (double order = 2; order < 30; ++order) {
    INFO("order=" << order);
    CHECK(delta_at(chords, order, found.value) >= 1e-6 * (1 - 1e-9));
  }
}

TEST_CASE("rdp: numbers that [HP24] printed") {
  // Rounded up to the digits printed: Figure 4's 3.43 comes out.
  const double figure4 = rdp::epsilon_upper(poisson_curve(0.5, 1e-4, 1e4), 1e-6).value;
  CHECK(std::ceil(figure4 * 100) == 343);
  // Figure 6's 3.346e-5 is what a list of orders in tenths gives; the best order does better.
  const double figure6 = rdp::delta_upper(poisson_curve(0.8, 1e-3, 1e3), 1).value;
  CHECK(figure6 == doctest::Approx(3.3203e-5).epsilon(1e-4));
  CHECK(figure6 < 3.346e-5);
  // Figure 7's 8.45e-5 belongs to epsilon = 0.5, not 1.
  const RenyiCurve figure7 = poisson_curve(1, 1e-3, 1e3);
  CHECK(rdp::delta_upper(figure7, 0.5).value == doctest::Approx(8.45e-5).epsilon(2e-2));
  CHECK(rdp::delta_upper(figure7, 1).value < 2.1e-7);
  // Figure 5's 1.64 does not come out: no order gives less than 1.6516.
  const RenyiCurve figure5 = poisson_curve(0.7, 1e-3, 1e3);
  CHECK(rdp::epsilon_upper(figure5, 1e-5).value == doctest::Approx(1.65167).epsilon(1e-5));
  for (double order = 1.5; order < 60; order *= 1.001)
    CHECK(delta_at(figure5, order, 1.645) > 1e-5);
}

}  // namespace honest_epsilon
