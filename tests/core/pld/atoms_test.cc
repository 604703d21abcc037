#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

#include "core/pairs/glued.h"
#include "core/pairs/laplace.h"
#include "core/pairs/one_step.h"
#include "core/pairs/randomized_response.h"
#include "core/pairs/shift_mixture.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "tests/core/pairs/mixtures.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

// Compositions of pairs whose loss has atoms or kinks, or whose weights are many.
namespace honest_epsilon::pld {
namespace {

using testing::show;

// Where the truth is 0 no interval is narrow: the limit stops the search for it.
constexpr Effort kCoarse{1e-3, 15};
const std::initializer_list<Direction> kBoth = {Direction::remove, Direction::add};

Interval composed(const pairs::Pair& pair, std::int64_t steps, Direction direction, double epsilon,
                  const Effort& effort = kCoarse) {
  const PairSource source(pair);
  return delta({{&source, steps}}, direction, epsilon, effort).value;
}

std::string two(Direction direction) {
  return direction == Direction::remove ? "two_remove" : "two_add";
}

// P x Q against Q x P.
Interval crossed(std::shared_ptr<const pairs::Pair> pair, Direction direction, double epsilon) {
  const PairSource source(std::move(pair));
  return delta({{&source, 1}, {&source, 1, true}}, direction, epsilon, kCoarse).value;
}

double total(const LatticeLaw& law) {
  double sum = law.infinite;
  for (const double mass : law.mass) sum += mass;
  return sum;
}

// The twin law's mass, E e^{-L}.
double twin(const LatticeLaw& law) {
  double sum = 0;
  for (std::size_t i = 0; i < law.mass.size(); ++i) sum += law.mass[i] * std::exp(-law.point(i));
  return sum;
}

}  // namespace

TEST_CASE("atoms: a lattice that fits keeps both laws' mean ratio, from above and below") {
  const std::initializer_list<std::shared_ptr<const pairs::Pair>> list = {
      std::make_shared<pairs::SubsampledLaplace>(0.5, 1),
      std::make_shared<pairs::SubsampledLaplace>(1e-3, 1e-4),
      std::make_shared<pairs::LaplaceMixture>(
          pairs::replaced_group<pairs::LaplaceMixture>({0.1}, 3)),
      std::make_shared<pairs::RandomizedResponse>(0.2, 1),
      std::make_shared<pairs::Glued>(std::make_shared<pairs::SubsampledLaplace>(0.1, 2)),
      std::make_shared<pairs::Glued>(std::make_shared<pairs::RandomizedResponse>(0.1, 2))};
  int index = 0;
  for (const auto& pair : list) {
    const PairSource source(pair);
    const double lowest = pair->lowest_loss(), highest = pair->highest_loss();
    for (const double parts : {2.0, 7.0, 1000.0}) {
      const double spacing = source.grain() / parts;
      for (const Direction direction : kBoth) {
        const LatticeLaw upper = source.upper(direction, spacing, {lowest, highest});
        const LatticeLaw lower = source.lower(direction, spacing, {lowest, highest}, 1);
        INFO("pair=" << index << " parts=" << parts);
        CHECK(total(upper) >= 1);
        CHECK(total(upper) <= 1 + 1e-11);
        CHECK(total(lower) <= 1);
        CHECK(total(lower) >= 1 - 1e-11);
        CHECK(twin(upper) == doctest::Approx(1).epsilon(1e-11));
        CHECK(twin(lower) <= 1 + 0.2 * spacing);
        CHECK(twin(lower) >= 1 - 1e-12);
        // The atoms at both ends are where they belong: no mass beyond, plenty there.
        CHECK(upper.point(upper.mass.size() - 1) - upper.point(0) <=
              (highest - lowest) + 1.001 * spacing);
        const pairs::Cell top = pair->cell(pair->kinks().back(), kInfinity);
        if (direction == Direction::remove) CHECK(lower.mass.back() >= 0.4 * top.p.value);
      }
    }
    ++index;
  }
}

TEST_CASE("atoms: plans see them") {
  const pairs::SubsampledLaplace laplace(0.1, 2);
  const pairs::Glued glued(std::make_shared<pairs::SubsampledGaussian>(0.05, 0.5));
  const pairs::RandomizedResponse bit(0.3, 1);
  for (const pairs::Pair* pair :
       {static_cast<const pairs::Pair*>(&laplace), static_cast<const pairs::Pair*>(&glued),
        static_cast<const pairs::Pair*>(&bit)}) {
    const PairSource source(*pair);
    for (const Direction direction : kBoth) {
      double mass = 0, other = 0;
      for (const LossNode& node : source.nodes(direction)) {
        mass += std::exp(node.log_weight);
        other += std::exp(node.log_weight - node.loss);
      }
      CHECK(mass == doctest::Approx(1).epsilon(1e-9));
      CHECK(other == doctest::Approx(1).epsilon(1e-9));
    }
  }
}

TEST_CASE("atoms: two steps of Laplace noise, in every order") {
  for (const auto& row : testing::reference_table("laplace_two_steps")) {
    const bool subsampled = row.text("pair") == "subsampled";
    const std::shared_ptr<const pairs::Pair> pair =
        subsampled
            ? std::shared_ptr<const pairs::Pair>(std::make_shared<pairs::SubsampledLaplace>(0.5, 1))
            : std::make_shared<pairs::LaplaceMixture>(
                  pairs::replaced_group<pairs::LaplaceMixture>({0.5}, 0.5));
    const double epsilon = row.number("epsilon");
    for (const Direction direction : kBoth) {
      const Interval found = composed(*pair, 2, direction, epsilon);
      const Interval mixed = crossed(pair, direction, epsilon);
      INFO(row.describe() << show(found) << " mixed " << show(mixed));
      CHECK(testing::contains(found, row.number(two(direction)), 1e-13));
      CHECK(testing::is_narrow(found, kCoarse.width, 1e-13));
      CHECK(testing::contains(mixed, row.number("mixed"), 1e-13));
      CHECK(testing::is_narrow(mixed, kCoarse.width, 1e-13));
    }
  }
}

TEST_CASE("atoms: neither direction of subsampled Laplace noise dominates, and that is proved") {
  const pairs::SubsampledLaplace pair(0.5, 1);
  const Interval early_remove = composed(pair, 2, Direction::remove, 0.25);
  const Interval early_add = composed(pair, 2, Direction::add, 0.25);
  CHECK(early_add.lower > early_remove.upper);
  const Interval late_remove = composed(pair, 2, Direction::remove, 0.6);
  const Interval late_add = composed(pair, 2, Direction::add, 0.6);
  CHECK(late_remove.lower > late_add.upper);
}

TEST_CASE("atoms: a peer's intervals for two and ten steps of Laplace noise overlap ours") {
  int compared = 0;
  for (const auto& row : testing::reference_table("laplace_peer")) {
    if (row.number("steps") == 1) continue;
    const pairs::SubsampledLaplace pair(row.number("q"), 1 / row.number("scale"));
    for (const Direction direction : kBoth) {
      const double peer = row.number(direction == Direction::remove ? "remove" : "add");
      const Interval found = composed(pair, static_cast<std::int64_t>(row.number("steps")),
                                      direction, row.number("epsilon"));
      INFO(row.describe() << show(found));
      // The peer adds 1e-15 of its own.
      if (row.text("side") == "upper") CHECK(found.lower <= peer * (1 + 1e-9) + 2e-15);
      if (row.text("side") == "lower") CHECK(found.upper >= peer * (1 - 1e-9) - 2e-15);
      CHECK(testing::is_narrow(found, kCoarse.width, 1e-13));
      ++compared;
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("atoms: two answers of randomised response, in every order") {
  const auto pair = std::make_shared<pairs::RandomizedResponse>(0.5, std::log(3.0));
  for (const auto& row : testing::reference_table("randomized_response")) {
    const double epsilon = std::log(row.number("exp_epsilon"));
    for (const Direction direction : kBoth) {
      const Interval found = composed(*pair, 2, direction, epsilon);
      const Interval mixed = crossed(pair, direction, epsilon);
      INFO(row.describe() << show(found) << " mixed " << show(mixed));
      CHECK(testing::contains(found, row.number(two(direction)), 1e-13));
      CHECK(testing::contains(mixed, row.number("mixed"), 1e-13));
      CHECK(testing::is_narrow(found, 1e-5, 1e-14));
      CHECK(testing::is_narrow(mixed, 1e-5, 1e-14));
    }
  }
}

TEST_CASE("atoms: many answers of randomised response agree with the binomial sum") {
  for (const std::int64_t steps : {50, 20000, 1000000}) {
    const double q = 0.3 / std::sqrt(static_cast<double>(steps));
    const pairs::RandomizedResponse pair(q, 1);
    for (const double epsilon : {0.05, 1.0}) {
      for (const Direction direction : kBoth) {
        const Interval exact = randomized_response::delta(q, 1, steps, direction, epsilon);
        const Interval found = composed(pair, steps, direction, epsilon);
        INFO("steps=" << steps << " epsilon=" << epsilon << " " << show(found) << " exact "
                      << show(exact));
        CHECK(testing::overlap(found, exact));
        CHECK(testing::is_narrow(found, kCoarse.width));
      }
    }
  }
}

TEST_CASE("atoms: two steps with a substituted record, Gaussian noise") {
  for (const auto& row : testing::reference_table("substituted_two_steps")) {
    const auto pair =
        pairs::replaced_group<pairs::GaussianMixture>({row.number("q")}, row.number("mu"));
    for (const Direction direction : kBoth) {
      const Interval found = composed(pair, 2, direction, row.number("epsilon"));
      INFO(row.describe() << show(found));
      CHECK(testing::contains(found, row.number("delta"), 1e-11));
      CHECK(testing::is_narrow(found, kCoarse.width));
    }
  }
}

TEST_CASE("atoms: a thousand steps: replacing a record costs more than leaving it out") {
  const pairs::SubsampledGaussian removed(0.01, 1), doubled(0.01, 2);
  const auto substituted = pairs::replaced_group<pairs::GaussianMixture>({0.01}, 1);
  for (const double epsilon : {0.1, 0.5, 2.0}) {
    const Interval one = composed(removed, 1000, Direction::remove, epsilon);
    const Interval both = composed(substituted, 1000, Direction::remove, epsilon);
    const Interval twice = composed(doubled, 1000, Direction::remove, epsilon);
    INFO("epsilon=" << epsilon << " " << show(one) << " " << show(both) << " " << show(twice));
    CHECK(one.upper < both.lower);
    CHECK(both.upper < twice.lower);
    CHECK(testing::is_narrow(both, kCoarse.width));
  }
}

TEST_CASE("atoms: a group of one is a record, and a larger one costs more") {
  const pairs::SubsampledGaussian record(0.02, 0.8);
  const auto alone = pairs::group<pairs::GaussianMixture>({0.02, 1}, 0.8);
  const auto three = pairs::group<pairs::GaussianMixture>({0.02, 3}, 0.8);
  for (const Direction direction : kBoth) {
    for (const double epsilon : {0.05, 1.0}) {
      const Interval a = composed(record, 500, direction, epsilon);
      const Interval b = composed(alone, 500, direction, epsilon);
      const Interval c = composed(three, 500, direction, epsilon);
      INFO("epsilon=" << epsilon << " " << show(a) << " " << show(b) << " " << show(c));
      CHECK(testing::overlap(a, b));
      CHECK(testing::is_narrow(b, kCoarse.width));
      CHECK(c.lower > a.upper);
      CHECK(testing::is_narrow(c, kCoarse.width));
    }
  }
}

TEST_CASE("atoms: a thousand records a user, and steps of several kinds, stay narrow") {
  const auto group = pairs::group<pairs::LaplaceMixture>({1e-3, 1000}, 0.5);
  const auto laplace = std::make_shared<pairs::SubsampledLaplace>(0.01, 1);
  const PairSource first(laplace);
  const PairSource second(std::make_shared<pairs::SubsampledLaplace>(0.02, 0.7));
  const PairSource third(std::make_shared<pairs::SubsampledGaussian>(0.01, 1));
  for (const Direction direction : kBoth) {
    const Interval many = composed(group, 1000, direction, 130);
    INFO(show(many));
    CHECK(testing::is_narrow(many, kCoarse.width));
    // Atoms of one kind do not fit the lattice of the other.
    const Interval alone = composed(*laplace, 1000, direction, 1);
    const Interval mixed =
        delta({{&first, 1000}, {&second, 700}, {&third, 200}}, direction, 1, kCoarse).value;
    const Interval turned =
        delta({{&third, 200}, {&second, 700}, {&first, 1000}}, direction, 1, kCoarse).value;
    INFO(show(alone) << " " << show(mixed) << " " << show(turned));
    CHECK(mixed.lower > alone.upper);
    CHECK(testing::is_narrow(mixed, kCoarse.width));
    CHECK(testing::overlap(mixed, turned));
  }
}

TEST_CASE("atoms: without replacement, the glued pair is above the curve of one direction") {
  // AP24, Figure 4: sigma 4, q 0.05, distance two.
  const auto base = std::make_shared<pairs::SubsampledGaussian>(0.05, 0.5);
  const auto laplace = std::make_shared<pairs::SubsampledLaplace>(0.05, 0.5);
  for (const std::shared_ptr<const pairs::Pair>& one :
       {std::shared_ptr<const pairs::Pair>(base), std::shared_ptr<const pairs::Pair>(laplace)}) {
    const pairs::Glued glued(one);
    for (const double epsilon : {0.1, 1.0, 3.0}) {
      const Interval upper = composed(glued, 1000, Direction::remove, epsilon);
      const Interval lower = composed(*one, 1000, Direction::remove, epsilon);
      const Interval turned = composed(glued, 1000, Direction::add, epsilon);
      INFO("epsilon=" << epsilon << " " << show(upper) << " above " << show(lower));
      CHECK(upper.lower > lower.upper);
      CHECK(testing::overlap(upper, turned));
      CHECK(testing::is_narrow(upper, kCoarse.width));
    }
    for (const double epsilon : {0.0, 0.02, 0.2}) {
      const Interval once = composed(glued, 1, Direction::add, epsilon);
      const Interval exact = pairs::one_step(*one, Direction::remove, epsilon);
      INFO("epsilon=" << epsilon << " " << show(once) << " exact " << show(exact));
      CHECK(testing::overlap(once, exact));
    }
  }
}

TEST_CASE("atoms: extremes give valid intervals on small grids") {
  Effort little;
  little.log2_grid_limit = 11;
  const auto check = [&](const pairs::Pair& pair, double q, double mu) {
    for (const std::int64_t steps : {1, 10000000}) {
      for (const Direction direction : kBoth) {
        for (const double e : {0.0, 10.0}) {
          const Interval found = composed(pair, steps, direction, e, little);
          INFO("q=" << q << " mu=" << mu << " steps=" << steps << " epsilon=" << e << " "
                    << show(found));
          CHECK(testing::is_valid(found, 1));
          if (steps == 1) CHECK(testing::overlap(found, pairs::one_step(pair, direction, e)));
        }
        const PairSource source(pair);
        const Result found = epsilon({{&source, steps}}, direction, 1e-5, little);
        CHECK(testing::is_valid(found.value, kInfinity));
      }
    }
  };
  for (std::size_t i = 0; i < 6; ++i) {
    const double q = std::array{1e-9, 0.01, 1.0}[i / 2], mu = std::array{1e-4, 26.0}[i % 2];
    const std::size_t sum = i / 2 + i % 2;
    if (testing::in_share(sum, 3)) {
      check(pairs::replaced_group<pairs::GaussianMixture>({q}, mu), q, mu);
      check(pairs::RandomizedResponse(q, mu), q, mu);
      check(pairs::Glued(std::make_shared<pairs::SubsampledLaplace>(q, mu)), q, mu);
    }
    if (testing::in_share(sum + 1, 3)) {
      check(pairs::group<pairs::GaussianMixture>({q, 4}, mu), q, mu);
      check(pairs::replaced_group<pairs::LaplaceMixture>({q, 2}, mu), q, mu);
    }
    if (testing::in_share(sum + 2, 3)) {
      check(pairs::SubsampledLaplace(q, mu), q, mu);
      check(pairs::Glued(std::make_shared<pairs::SubsampledGaussian>(q, mu)), q, mu);
    }
  }
}

}  // namespace honest_epsilon::pld
