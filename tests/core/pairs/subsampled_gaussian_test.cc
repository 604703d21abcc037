#include "core/pairs/subsampled_gaussian.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/interval.h"
#include "core/math/normal.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon::pairs {
namespace {

// H(P||Q)(eps) = P(z > t) - e^eps Q(z > t) at the point t where the loss is eps.
Interval remove_delta(const SubsampledGaussian& pair, double epsilon) {
  const Cell above = pair.cell(pair.position(epsilon), kInfinity);
  const double scale = std::exp(epsilon);
  const double slack = above.p.error + scale * above.q.error + 1e-15 * above.p.value;
  const double value = above.p.value - scale * above.q.value;
  return {value - slack, value + slack};
}

// H(Q||P)(eps), on the other side of the point where the loss is -eps.
Interval add_delta(const SubsampledGaussian& pair, double epsilon) {
  if (-epsilon <= pair.lowest_loss()) return {0, 0};
  const Cell below = pair.cell(-kInfinity, pair.position(-epsilon));
  const double scale = std::exp(epsilon);
  const double slack = below.q.error + scale * below.p.error + 1e-15 * below.q.value;
  const double value = below.q.value - scale * below.p.value;
  return {value - slack, value + slack};
}

}  // namespace

TEST_CASE("subsampled gaussian: its cells give the closed form of one step") {
  for (const auto& row : testing::reference_table("poisson_one_step")) {
    const SubsampledGaussian pair(row.number("q"), 1 / row.number("sigma"));
    const double epsilon = row.number("epsilon");
    const Interval remove = remove_delta(pair, epsilon);
    const Interval add = add_delta(pair, epsilon);
    INFO(row.describe() << testing::show(remove) << " " << testing::show(add));
    CHECK(testing::contains(remove, row.number("remove")));
    CHECK(testing::contains(add, row.number("add")));
  }
}

TEST_CASE("subsampled gaussian: a cell's masses and mean loss are within their stated errors") {
  for (const auto& row : testing::reference_table("subsampled_cells")) {
    const SubsampledGaussian pair(row.number("q"), row.number("mu"));
    const Cell cell = pair.cell(row.number("low"), row.number("high"));
    INFO(row.describe() << " p=" << cell.p.value << "+-" << cell.p.error << " q=" << cell.q.value
                        << "+-" << cell.q.error << " loss=" << cell.loss << "+-"
                        << cell.loss_error);
    CHECK(std::abs(cell.p.value - row.number("mass_p")) <= cell.p.error + 1e-300);
    CHECK(std::abs(cell.q.value - row.number("mass_q")) <= cell.q.error + 1e-300);
    CHECK(std::abs(cell.loss - row.number("loss")) <= cell.loss_error);
  }
}

TEST_CASE("subsampled gaussian: a mass of few digits tells no loss closely") {
  constexpr double kLow = 38.1, kHigh = 38.45, kShift = 26;
  const auto log_mass = [](double shift) {
    const double first = normal::log_upper_tail(kLow - shift);
    return first + std::log1p(-std::exp(normal::log_upper_tail(kHigh - shift) - first));
  };
  const Cell cell = SubsampledGaussian(1, kShift).cell(kLow, kHigh);
  CHECK(cell.q.value < 1e-310);
  const double truth = log_mass(kShift) - log_mass(0);
  CHECK_FALSE(std::abs(cell.loss - truth) > cell.loss_error);
}

TEST_CASE("subsampled gaussian: loss, position and slope belong together") {
  for (const double q : {1e-5, 0.01, 0.5, 1.0}) {
    for (const double mu : {1e-3, 0.7, 2.5, 20.0}) {
      const SubsampledGaussian pair(q, mu);
      double before = -kInfinity;
      for (const double z : {-6.0, -1.0, 0.0, 0.4, 2.0, 9.0, 30.0}) {
        INFO("q=" << q << " mu=" << mu << " z=" << z);
        const double loss = pair.loss(z);
        CHECK(loss >= before);
        before = loss;
        CHECK(loss >= pair.lowest_loss());
        const double step = 1e-5;
        const double slope = (pair.loss(z + step) - pair.loss(z - step)) / (2 * step);
        CHECK(pair.slope(z) == doctest::Approx(slope).epsilon(1e-5));
        // Where the loss is flat, rounding moves the position by its unit over the slope.
        if (pair.slope(z) > 1e-6 * std::abs(loss)) {
          CHECK(pair.position(loss) ==
                doctest::Approx(z).epsilon(1e-14 * (1 + std::abs(loss)) / pair.slope(z) + 1e-12));
        }
      }
    }
  }
}

TEST_CASE("subsampled gaussian: the ends of the line") {
  const SubsampledGaussian pair(0.25, 2);
  CHECK(pair.loss(-kInfinity) == pair.lowest_loss());
  CHECK(pair.lowest_loss() == doctest::Approx(std::log(0.75)));
  CHECK(pair.position(-1) == -kInfinity);
  const Cell everything = pair.cell(-kInfinity, kInfinity);
  CHECK(everything.p.value == doctest::Approx(1));
  CHECK(everything.q.value == doctest::Approx(1));
  CHECK(std::abs(everything.loss) <= everything.loss_error);
  CHECK(pair.cell(3, 3).p.value == 0);
  const SubsampledGaussian whole(1, 2);
  CHECK(whole.lowest_loss() == -kInfinity);
  CHECK(whole.loss(3) == doctest::Approx(2 * 3 - 2));
}

TEST_CASE("subsampled gaussian: with q next to 1 losses near the lowest one keep their digits") {
  for (const double left : {0x1p-20, 0x1p-39, 0x1p-50}) {
    const pairs::SubsampledGaussian pair(1 - left, 10);
    for (const double above : {1e-6, 1e-3, 0.5, 5.0}) {
      const double loss = std::log(left) + above;
      const double z = pair.position(loss);
      INFO("1 - q = " << left << " loss = lowest + " << above);
      CHECK(std::abs(pair.loss(z) - loss) <= pair.misplacement(z, loss));
      // e^x = (e^above - 1) (1 - q) / q.
      const double exponent = std::log(std::expm1(above)) + std::log(left) - std::log1p(-left);
      CHECK(10 * z - 50 == doctest::Approx(exponent).epsilon(1e-8));
    }
  }
}

}  // namespace honest_epsilon::pairs
