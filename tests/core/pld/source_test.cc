#include "core/pld/source.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/expectation.h"
#include "tests/core/pld/exact.h"
#include "tests/core/support.h"

namespace honest_epsilon::pld {
namespace {

using testing::density;
using testing::Dice;
using testing::kRatio;
using testing::Real;
using testing::upper_tail;

// U = e^{mu z - mu^2/2} under N(0,1): calls and puts on U itself, and on a sum of two.
struct Lognormal {
  Real mu;

  Real place(Real u) const { return std::log(u) / mu + mu / 2; }
  Real at(Real z) const { return std::exp(mu * z - mu * mu / 2); }

  // E[(U - k)+; U <= limit].
  Real call(Real k, Real limit) const {
    if (k >= limit) return 0;
    const Real top = place(limit);
    const Real low = k > 0 ? place(k) : -HUGE_VALL;
    const Real mass = upper_tail(low) - upper_tail(top);
    return upper_tail(low - mu) - upper_tail(top - mu) - k * mass;
  }
  // E[(k - U)+].
  Real put(Real k) const {
    return k > 0 ? k * upper_tail(-place(k)) - upper_tail(mu - place(k)) : 0;
  }

  // Two copies: the second in closed form, the first on a scale that is smooth at both its ends.
  Real call_of_two(Real k, Real limit) const {
    const auto term = [&](Real z) { return density(z) * call(k - at(z), limit); };
    Real top = place(limit);
    Real sum = 0;
    // The inner call turns where k - U is 0, and ends where it is the limit.
    for (const Real turn : {k, k - limit}) {
      if (!(turn > 0) || place(turn) >= top) continue;
      sum += between(term, place(turn), top);
      top = place(turn);
    }
    return sum + between(term, -14, top);
  }
  Real put_of_two(Real k) const {
    const auto term = [&](Real z) { return density(z) * put(k - at(z)); };
    return between(term, -14, place(k));
  }

  // The double exponential rule: ends may be as singular as they like.
  template <class Term>
  static Real between(const Term& term, Real low, Real high) {
    if (!(high > low)) return 0;
    constexpr Real h = 1.0L / 32;
    const Real half = (high - low) / 2;
    Real sum = 0;
    for (Real t = -3.5L; t <= 3.5L; t += h) {
      const Real inner = std::numbers::pi_v<Real> / 2 * std::sinh(t);
      const Real cosh = std::cosh(inner);
      const Real weight = std::numbers::pi_v<Real> / 2 * std::cosh(t) / (cosh * cosh);
      // From the nearer end, so that points close to it stay apart from it.
      const Real offset = half / (std::exp(2 * std::abs(inner)) + 1) * 2;
      sum += weight * term(t < 0 ? low + offset : high - offset);
    }
    return sum * h * half;
  }
};

}  // namespace

TEST_CASE("source: on a lattice that no double tells apart an upper law loses all, a lower none") {
  const pairs::SubsampledGaussian pair(1, 10);
  const PairSource source(pair);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double spacing : {1e-14, 1e-17, 1e-300}) {
      const LatticeLaw upper = source.upper(direction, spacing, {-100, 100});
      CHECK(upper.infinite == 1);
      const LatticeLaw lower = source.lower(direction, spacing, {-100, 100}, 0);
      REQUIRE(lower.mass.size() == 1);
      CHECK(lower.mass[0] == 1);
      CHECK(lower.point(0) == 0);
    }
  }
}

TEST_CASE("source: merged nodes are few, and keep mass, mean and moments") {
  // A bulk of deviation 0.1, and a rare exponential tail.
  std::vector<LossNode> nodes;
  for (int i = 2000; i >= 0; --i) {
    const double z = -1 + 0.001 * i;
    nodes.push_back({z, -50 * z * z});
  }
  for (int i = 0; i < 3000; ++i) nodes.push_back({1 + 0.004 * i, -20 - 0.02 * i});
  const std::vector<LossNode> few = merged(nodes);
  CHECK(few.size() < nodes.size() / 5);
  for (std::size_t i = 1; i < few.size(); ++i) CHECK(few[i].loss > few[i - 1].loss);
  const auto moment = [](const std::vector<LossNode>& of, double s) {
    double sum = 0;
    for (const LossNode& node : of) sum += std::exp(node.log_weight + s * node.loss);
    return sum;
  };
  CHECK(moment(few, 0) == doctest::Approx(moment(nodes, 0)).epsilon(1e-12));
  for (const double s : {-3.0, 1.0, 4.0, 8.0}) {
    INFO(s);
    // Merged losses of 13 spread over 0.13: e^{s loss} is off by (0.13 s)^2 / 24 of itself.
    CHECK(moment(few, s) == doctest::Approx(moment(nodes, s)).epsilon(0.05));
  }
  // Of weights further apart than doubles reach, the larger one decides.
  const std::vector<LossNode> unlike = merged({{1, -740}, {1, 0}, {2, 0}});
  REQUIRE(unlike.size() == 2);
  CHECK(unlike[0].loss == 1);
  CHECK(unlike[0].log_weight == 0);
}

TEST_CASE("source: planning nodes carry the law's mass and its mean ratio") {
  for (const double q : {1.0, 0.01}) {
    for (const double mu : {0.05, 1.0, 6.0}) {
      const pairs::SubsampledGaussian pair(q, mu);
      const PairSource source(pair);
      for (const Direction direction : {Direction::remove, Direction::add}) {
        double mass = 0, twin = 0;
        for (const LossNode& node : source.nodes(direction)) {
          mass += std::exp(node.log_weight);
          twin += std::exp(node.log_weight - node.loss);
          CHECK(node.loss >= source.lowest(direction));
          CHECK(node.loss <= source.highest(direction));
        }
        CAPTURE(q);
        CAPTURE(mu);
        CHECK(mass == doctest::Approx(1).epsilon(1e-6));
        CHECK(twin == doctest::Approx(1).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("source: a pair's losses end at log(1 - q), on the side of its direction") {
  const pairs::SubsampledGaussian pair(0.3, 1);
  const PairSource source(pair);
  CHECK(source.lowest(Direction::remove) == doctest::Approx(std::log(0.7)));
  CHECK(source.highest(Direction::add) == doctest::Approx(-std::log(0.7)));
  CHECK(source.highest(Direction::remove) == kInfinity);
  CHECK(source.lowest(Direction::add) == -kInfinity);
  const LatticeLaw upper = source.upper(Direction::add, 0.01, {-9, 9});
  CHECK(upper.point(upper.mass.size() - 1) == doctest::Approx(-std::log(0.7)));
}

TEST_CASE("source: ratio nodes carry what the limit leaves") {
  const pairs::SubsampledGaussian pair(1, 1.5);
  const Lognormal u{1.5L};
  for (const double limit : {0.5, 3.0, 100.0}) {
    const RatioSource source(pair, limit);
    const double below = static_cast<double>(upper_tail(-u.place(limit)));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      double mass = 0;
      for (const LossNode& node : source.nodes(direction)) {
        mass += std::exp(node.log_weight);
        CHECK(node.loss >= source.lowest(direction));
        CHECK(node.loss <= source.highest(direction));
      }
      CAPTURE(limit);
      CHECK(mass == doctest::Approx(direction == Direction::remove ? below : 1).epsilon(2e-3));
    }
  }
}

TEST_CASE("source: whatever the plan, a call or put on one or two lognormal ratios is contained") {
  int narrow = 0;
  const int plans = testing::kSlowReal ? 100 : 200;
  for (int draw = 0; draw < plans; ++draw) {
    Dice dice(static_cast<std::uint64_t>(draw) + 31);
    const Direction direction = draw % 2 ? Direction::add : Direction::remove;
    const bool call = direction == Direction::remove;
    const double mu = dice.log_uniform(0.2, 2);
    const double limit = dice.log_uniform(0.3, 20);
    const int copies = 1 + draw / 2 % 2;
    const pairs::SubsampledGaussian pair(1, mu);
    const RatioSource source(pair, limit);
    const Lognormal u{mu};
    TransformPlan plan;
    plan.grid = std::size_t{1} << static_cast<int>(dice.uniform(4, 12));
    plan.window = limit * dice.log_uniform(0.5, 4);
    plan.tilt = dice.uniform(0, 1) < 0.25 ? 0 : dice.log_uniform(0.1, 20) / limit;
    plan.saddle = plan.tilt;
    plan.top = call ? dice.uniform(0.1, 1.2) * limit * copies
                    : -limit * copies * dice.uniform(0, 1) + dice.uniform(0, 0.3) * limit;
    plan.ranges = {{0, 1}};
    for (int i = static_cast<int>(dice.uniform(0, 5)); i > 0; --i)
      plan.up.push_back(dice.log_uniform(1e-2, 100) / limit);
    for (int i = static_cast<int>(dice.uniform(0, 4)); i > 0; --i)
      plan.down.push_back(-dice.log_uniform(1e-2, 100) / limit);
    if (dice.uniform(0, 1) < 0.5) plan.down.push_back(0);
    const Expectation e({{&source, copies}}, direction, kRatio, plan, plan.grid);
    for (int i = 0; i < 6; ++i) {
      const double k = limit * copies * dice.log_uniform(0.05, 1.2);
      const double strike = call ? k : -k;
      // A call leaves larger ratios to the caller, who asks which they are. A put's laws may do as
      // they like with them, on their safe side.
      const auto truth = [&](double covered) {
        if (call) return copies == 1 ? u.call(k, covered) : u.call_of_two(k, covered);
        return copies == 1 ? u.put(k) : u.put_of_two(k);
      };
      const Real truth_low = truth(e.covered_lower());
      const Real truth_high = truth(e.covered_upper());
      const double lower = e.lower(strike), upper = e.upper(strike);
      INFO("draw=" << draw << " mu=" << mu << " limit=" << limit << " copies=" << copies
                   << " strike=" << strike << " tilt=" << plan.tilt << " top=" << plan.top
                   << " window=" << plan.window << " grid=" << plan.grid << " lower=" << lower
                   << " truth=" << static_cast<double>(truth_low) << ".."
                   << static_cast<double>(truth_high) << " upper=" << upper);
      if (call) {
        CHECK(e.covered_lower() <= limit);
        CHECK(e.covered_upper() >= limit);
      }
      CHECK(static_cast<Real>(lower) <= truth_low * (1 + 1e-11L) + 1e-17L);
      CHECK(static_cast<Real>(upper) >= truth_high * (1 - 1e-11L) - 1e-17L);
      if (upper - lower < 0.05 * upper) ++narrow;
    }
  }
  CAPTURE(narrow);
  CHECK(narrow > (testing::kSlowReal ? plans / 5 : plans / 4));
}

}  // namespace honest_epsilon::pld
