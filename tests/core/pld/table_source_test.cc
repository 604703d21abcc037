#include "core/pld/table_source.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/pld/profile.h"
#include "tests/core/pld/exact.h"
#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {

using pairs::Cell;
using testing::Dice;
using testing::Real;

struct Table {
  std::vector<double> p;
  std::vector<double> q;
};

Table random_table(Dice& dice, int size) {
  Table table;
  double total_p = 0, total_q = 0;
  for (int i = 0; i < size; ++i) {
    table.p.push_back(dice.log_uniform(1e-4, 1));
    table.q.push_back(dice.log_uniform(1e-4, 1));
    total_p += table.p.back();
    total_q += table.q.back();
  }
  for (double& p : table.p) p /= total_p;
  for (double& q : table.q) q /= total_q;
  return table;
}

// The cells as an accountant would give them: off by up to `error`, which they state.
std::vector<Cell> cells_of(const Table& table, Dice& dice, double error) {
  std::vector<Cell> cells;
  const auto mass = [&](double value) {
    return pairs::Mass{value * (1 + error * dice.uniform(-1, 1)), 2 * value * error};
  };
  for (std::size_t i = 0; i < table.p.size(); ++i)
    cells.push_back({mass(table.p[i]), mass(table.q[i]), 0, 0});
  return cells;
}

// sum over all outcomes of `copies` draws of (P - e^eps Q)+.
Real hockey_stick(const std::vector<double>& p, const std::vector<double>& q, int copies,
                  double epsilon, Real all_p = 1, Real all_q = 1) {
  if (copies == 0) return std::max(0.0L, all_p - std::exp(static_cast<Real>(epsilon)) * all_q);
  Real sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    sum += hockey_stick(p, q, copies - 1, epsilon, all_p * p[i], all_q * q[i]);
  return sum;
}

double exact_delta(const LatticeLaw& law, double epsilon) {
  return static_cast<double>(testing::expected(testing::exact(law), {PayoffKind::loss}, epsilon));
}

}  // namespace

TEST_CASE("table_source: the lower law is never above the table's own profile, nor far below") {
  for (int draw = 0; draw < 60; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 1);
    const Table table = random_table(dice, static_cast<int>(dice.uniform(2, 12)));
    const double error = draw % 2 ? 1e-3 : 1e-13;
    const TableSource source(cells_of(table, dice, error));
    const double spacing = dice.log_uniform(1e-4, 1);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const bool remove = direction == Direction::remove;
      const auto& p = remove ? table.p : table.q;
      const auto& q = remove ? table.q : table.p;
      const LatticeLaw lower = source.lower(direction, spacing, {-700, 700}, 1);
      const LatticeLaw upper = source.upper(direction, spacing, {-700, 700});
      for (const double epsilon : {-2.0, 0.0, 0.3, 1.7, 6.0}) {
        const auto exact = static_cast<double>(hockey_stick(p, q, 1, epsilon));
        INFO("draw=" << draw << " spacing=" << spacing << " epsilon=" << epsilon
                     << " remove=" << remove << " exact=" << exact);
        CHECK(exact_delta(lower, epsilon) <= exact * (1 + 1e-15) + 1e-17);
        CHECK(exact_delta(upper, epsilon) <=
              exact_delta(lower, epsilon) + 2 * spacing + 12 * error);
        if (error < 1e-9) {
          CHECK(exact_delta(upper, epsilon) >= exact * (1 - 1e-11) - 1e-11);
          CHECK(exact_delta(lower, epsilon) >= exact - spacing - 1e-11);
        }
        // What lies beyond a range costs width, never the side.
        const double high = dice.uniform(0, 3);
        CHECK(exact_delta(source.lower(direction, spacing, {-1, high}, 1), epsilon) <=
              exact * (1 + 1e-15) + 1e-17);
        const LatticeLaw cut = source.upper(direction, spacing, {-1, high});
        CHECK(exact_delta(cut, epsilon) + cut.infinite >= exact * (1 - 1e-11) - 12 * error);
        if (epsilon < 0) continue;
        const double own = source.delta_lower(direction, epsilon);
        CHECK(own <= exact);
        CHECK(own >= exact * (1 - 1e-13) - 6 * error);
        CHECK(own >= exact_delta(lower, epsilon) * (1 - 1e-13));
      }
    }
  }
}

TEST_CASE("table_source: a lattice is as long as the range that matters, however fine it is") {
  // Losses of 300, of little, and of -300.
  const std::vector<Cell> cells = {{{0.3, 0}, {0.3 * std::exp(-300.0), 0}, 0, 0},
                                   {{0.4, 0}, {0.5, 0}, 0, 0},
                                   {{0.3, 0}, {0.2, 0}, 0, 0},
                                   {{0.3 * std::exp(-300.0), 0}, {0.3, 0}, 0, 0}};
  const TableSource source(cells);
  constexpr double kSpacing = 1e-5;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const LatticeLaw lower = source.lower(direction, kSpacing, {-0.5, 0.5}, 1);
    const LatticeLaw upper = source.upper(direction, kSpacing, {-0.5, 0.5});
    CHECK(lower.mass.size() < 1 << 21);
    CHECK(upper.mass.size() < 1 << 21);
    CHECK(upper.infinite == 0.3);
    const LatticeLaw whole = source.lower(direction, 0.01, {-300, 300}, 1);
    for (const double epsilon : {0.0, 0.1, 0.35, 0.4}) {
      INFO("epsilon=" << epsilon);
      CHECK(exact_delta(lower, epsilon) >= 0.3 * -std::expm1(epsilon - 0.5));
      CHECK(exact_delta(lower, epsilon) <= exact_delta(whole, epsilon) + 0.01);
      CHECK(exact_delta(upper, epsilon) >= exact_delta(whole, epsilon));
    }
  }
}

TEST_CASE(
    "table_source: a lattice that no double tells apart, or beside all events, claims nothing") {
  const std::vector<Cell> cells = {{{0.7, 0}, {0.7 * std::exp(-300.0), 0}, 0, 0},
                                   {{0.3, 0}, {1, 0}, 0, 0}};
  const TableSource source(cells);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double end = direction == Direction::remove ? 300 : -300;
    const LatticeLaw upper = source.upper(direction, 1e-17, {end - 1e-10, end});
    const LatticeLaw lower = source.lower(direction, 1e-17, {end - 1e-10, end}, 1);
    CHECK(upper.infinite == 1);
    CHECK(exact_delta(lower, 0) == 0);
  }
  // Losses are log .3 and 300: none is in the range, nor below it or above it.
  CHECK(exact_delta(source.lower(Direction::remove, 0.1, {400, 500}, 1), 0) == 0);
  const LatticeLaw below = source.upper(Direction::remove, 0.1, {-500, -400});
  CHECK(below.infinite + exact_delta(below, 0) >= 0.7);
}

TEST_CASE("table_source: composed, the lower end stays below every outcome summed up") {
  for (int draw = 0; draw < 6; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 1000);
    const Table table = random_table(dice, 5);
    const TableSource source(cells_of(table, dice, 1e-12));
    for (const int copies : {1, 2, 5}) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const bool remove = direction == Direction::remove;
        const auto& p = remove ? table.p : table.q;
        const auto& q = remove ? table.q : table.p;
        for (const double epsilon : {0.0, 1.3, 4.0}) {
          const auto exact = static_cast<double>(hockey_stick(p, q, copies, epsilon));
          const Result found = delta({{&source, copies}}, direction, epsilon, Effort{1e-3, 14});
          INFO("draw=" << draw << " copies=" << copies << " remove=" << remove << " epsilon="
                       << epsilon << " exact=" << exact << " " << testing::show(found.value));
          CHECK(found.value.lower <= exact * (1 + 1e-12));
          if (exact > 1e-6) CHECK(found.value.lower >= exact * 0.6);
        }
      }
    }
  }
}

TEST_CASE("table_source: events without a twin, and events too rare, are left to the upper side") {
  // P alone: an infinite loss, of which a lower bound may claim any finite one; Q alone: no gain.
  const std::vector<Cell> cells = {{{0.25, 0}, {0, 0}, 0, 0},
                                   {{0.75, 0}, {0.5, 0}, 0, 0},
                                   {{0, 0}, {0.5, 0}, 0, 0},
                                   {{1e-25, 1e-26}, {1e-300, 0}, 0, 0}};
  const TableSource source(cells);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const bool remove = direction == Direction::remove;
    const LatticeLaw lower = source.lower(direction, 0.01, {-700, 700}, 1);
    for (const double epsilon : {0.0, 0.2, 3.0, 100.0}) {
      const double k = std::exp(epsilon);
      const double exact =
          remove ? 0.25 + std::max(0.0, 0.75 - 0.5 * k) : 0.5 + std::max(0.0, 0.5 - 0.75 * k);
      INFO("epsilon=" << epsilon << " remove=" << remove);
      CHECK(exact_delta(lower, epsilon) <= exact);
      CHECK(exact_delta(lower, epsilon) >= exact - 0.02);
    }
    CHECK(source.highest(direction) <= 600);
    CHECK(source.lowest(direction) <= source.highest(direction));
  }
}

}  // namespace honest_epsilon::pld
