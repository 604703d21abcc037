#include "core/pairs/pair.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/interval.h"

namespace honest_epsilon::pairs {
namespace {

Cell cell_of(double q, double loss) {
  return {{q * std::exp(loss), 1e-17}, {q, 1e-17}, loss, 1e-18};
}

}  // namespace

TEST_CASE("pair: a union has the sum of the masses and their mean ratio") {
  for (const double loss : {-3.0, -1e-9, 2e-9, 0.5, 40.0}) {
    for (const double other : {-20.0, -1e-9, 0.0, 3e-9, 1.0}) {
      const Cell a = cell_of(0.3, loss);
      const Cell b = cell_of(0.002, other);
      const Cell whole = joined(a, b);
      const Cell turned = joined(b, a);
      CAPTURE(loss);
      CAPTURE(other);
      CHECK(whole.p.value == doctest::Approx(a.p.value + b.p.value).epsilon(1e-15));
      CHECK(whole.q.value == doctest::Approx(0.302).epsilon(1e-15));
      const long double mean = std::log1p((0.3L * std::expm1(static_cast<long double>(loss)) +
                                           0.002L * std::expm1(static_cast<long double>(other))) /
                                          0.302L);
      CHECK(std::abs(static_cast<double>(whole.loss - mean)) <= whole.loss_error);
      CHECK(whole.loss_error <= 1e-14 * (1 + std::abs(loss)));
      CHECK(turned.loss == whole.loss);
    }
  }
}

TEST_CASE("pair: nothing joined to a cell leaves it as it was") {
  const Cell cell = cell_of(0.1, 0.3);
  CHECK(joined(cell, {}).loss == cell.loss);
  CHECK(joined({}, cell).p.value == cell.p.value);
  CHECK(joined({}, {}).p.value == 0);
}

TEST_CASE("pair: where a law has no mass left the mean ratio is that of the masses") {
  const Cell beyond{{0.25, 1e-16}, {0, 0}, kInfinity, kInfinity};
  const Cell whole = joined(cell_of(0.5, 0), beyond);
  CHECK(std::abs(whole.loss - std::log(1.5)) <= whole.loss_error);
  CHECK(whole.loss_error < 1e-14);
}

TEST_CASE("pair: two portions make a whole, and exchanging twice is nothing") {
  const Cell cell = cell_of(0.2, -0.4);
  const Cell whole = joined(portion(cell, 0.3), portion(cell, 0.7));
  CHECK(whole.p.value == doctest::Approx(cell.p.value).epsilon(1e-15));
  CHECK(std::abs(whole.loss - cell.loss) <= whole.loss_error);
  const Cell back = exchanged(exchanged(cell));
  CHECK(back.p.value == cell.p.value);
  CHECK(back.loss == cell.loss);
}

}  // namespace honest_epsilon::pairs
