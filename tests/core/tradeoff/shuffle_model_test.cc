#include "core/tradeoff/shuffle_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"
#include "tests/core/tradeoff/laws.h"

namespace honest_epsilon {

using shuffle_model::Clone;
using shuffle_model::ShuffleModel;

namespace {

ShuffleModel model_of(const testing::ReferenceRow& row, Clone clone) {
  return {row.number("local_epsilon"), static_cast<std::int64_t>(row.number("users")), clone};
}

/// delta of `rounds` runs of binary randomised response, exactly: i truths against rounds - i.
double randomised_response(double local_epsilon, int rounds, double epsilon) {
  const double truth = 1 / (1 + std::exp(-local_epsilon));
  double delta = 0;
  double choose = 1;
  for (int i = 0; i <= rounds; ++i) {
    const double p = choose * std::pow(truth, rounds - i) * std::pow(1 - truth, i);
    const double q = choose * std::pow(truth, i) * std::pow(1 - truth, rounds - i);
    delta += std::max(0.0, p - std::exp(epsilon) * q);
    choose = choose * (rounds - i) / (i + 1);
  }
  return delta;
}

}  // namespace

TEST_CASE("shuffle_model: the paper's setting, exactly and by its bounds") {
  for (const auto& row : testing::reference_table("shuffle_model")) {
    INFO(row.describe());
    const ShuffleModel model = model_of(row, Clone::stronger);
    const double epsilon = row.number("epsilon");
    const Interval exact = shuffle_model::delta(model, epsilon);
    CHECK(testing::contains(exact, row.number("exact")));
    CHECK(testing::is_narrow(exact, 1e-8));
    const Interval advanced = shuffle_model::delta_advanced_joint(model, epsilon);
    CHECK(testing::contains(advanced, row.number("advanced_joint")));
    CHECK(testing::is_narrow(advanced, 1e-8));
    CHECK(testing::contains(shuffle_model::delta_joint(model, epsilon), row.number("joint")));
    const shuffle_model::ClosedForm printed = shuffle_model::closed_form_delta(model, epsilon);
    CHECK(printed.value == doctest::Approx(row.number("closed_form")).epsilon(1e-12));
    // Above 1 it says nothing, whatever its condition.
    CHECK(printed.covered == (row.number("covered") == 1 && printed.value <= 1));
  }
}

TEST_CASE("shuffle_model: few users, by enumeration of the definition") {
  for (const auto& row : testing::reference_table("shuffle_model_small")) {
    INFO(row.describe());
    const ShuffleModel model =
        model_of(row, row.text("clone") == "standard" ? Clone::standard : Clone::stronger);
    const double epsilon = row.number("epsilon");
    const Interval exact = shuffle_model::delta(model, epsilon);
    const Interval advanced = shuffle_model::delta_advanced_joint(model, epsilon);
    // Printed epsilons are decimal: 1e-16 of them, times e^eps.
    const double slack = 1e-14 * std::exp(epsilon);
    CHECK(exact.lower <= row.number("exact") + slack);
    CHECK(exact.upper >= row.number("exact") - slack);
    CHECK(testing::is_narrow(exact, 1e-9, 10 * slack));
    CHECK(advanced.lower <= row.number("advanced_joint") + slack);
    CHECK(advanced.upper >= row.number("advanced_joint") - slack);
    CHECK(exact.lower <= advanced.upper);
  }
}

TEST_CASE(
    "shuffle_model: exact <= Corollary 4.3 <= joint concavity, and the stronger clone helps") {
  testing::Dice dice(20230719);
  for (int i = 0; i < 120; ++i) {
    ShuffleModel model;
    model.local_epsilon = dice.log_uniform(0.01, 20);
    model.users = static_cast<std::int64_t>(dice.whole(1, 1e7));
    model.clone = Clone::stronger;
    const double top = shuffle_model::epsilon(model, 1e-20).upper;
    const double epsilon = top * dice.uniform(0, 1.05);
    CAPTURE(model.local_epsilon);
    CAPTURE(model.users);
    CAPTURE(epsilon);
    const Interval exact = shuffle_model::delta(model, epsilon);
    const Interval advanced = shuffle_model::delta_advanced_joint(model, epsilon);
    const Interval joint = shuffle_model::delta_joint(model, epsilon);
    CHECK(exact.lower <= exact.upper);
    CHECK(exact.lower <= advanced.upper);
    CHECK(advanced.lower <= joint.upper);
    ShuffleModel standard = model;
    standard.clone = Clone::standard;
    CHECK(exact.lower <= shuffle_model::delta(standard, epsilon).upper);
  }
}

TEST_CASE("shuffle_model: one user is randomised response, and eps0 ends every curve") {
  for (const double local : {0.01, 1.0, 5.0, 20.0}) {
    const ShuffleModel model{local, 1, Clone::standard};
    for (const double share : {0.0, 0.3, 0.9}) {
      CAPTURE(local);
      CAPTURE(share);
      const double exact = -std::expm1((share - 1) * local) / (1 + std::exp(-local));
      const Interval found = shuffle_model::delta(model, share * local);
      CHECK(found.lower <= exact * (1 + 1e-6));
      CHECK(found.upper >= exact * (1 - 1e-6));
      CHECK(testing::is_narrow(found, 1e-5));
    }
    CHECK(shuffle_model::delta(model, local).upper == 0);
    CHECK(shuffle_model::delta({local, 1000, Clone::standard}, local * 2).upper == 0);
  }
}

TEST_CASE("shuffle_model: epsilon is on the safe side, and barely, up to a hundred million users") {
  for (const double users : {1e2, 1e5, 1e8}) {
    for (const double local : {0.01, 1.0, 6.0}) {
      const ShuffleModel model{local, static_cast<std::int64_t>(users), Clone::standard};
      const double target = 1e-9;
      const Interval found = shuffle_model::epsilon(model, target);
      CAPTURE(users);
      CAPTURE(local);
      INFO(testing::show(found));
      CHECK(shuffle_model::delta(model, found.upper).upper <= target);
      CHECK(shuffle_model::delta(model, found.lower).lower >= target);
      CHECK(testing::is_narrow(found, 1e-7));
    }
  }
}

TEST_CASE("shuffle_model: closed forms are above the exact value of their clone where they hold") {
  for (const Clone clone : {Clone::standard, Clone::stronger}) {
    for (const double users : {1e5, 1e7}) {
      for (const double local : {0.5, 2.0, 4.0}) {
        const ShuffleModel model{local, static_cast<std::int64_t>(users), clone};
        const auto printed = shuffle_model::closed_form_epsilon(model, 1e-6);
        CAPTURE(users);
        CAPTURE(local);
        REQUIRE(printed.covered);
        CHECK(printed.value >= shuffle_model::epsilon(model, 1e-6).upper);
        if (printed.value < local) {
          CHECK(shuffle_model::closed_form_delta(model, printed.value).value ==
                doctest::Approx(1e-6));
        }
      }
    }
  }
  // Beyond, too, each of the two forms is the other's inverse.
  for (const double local : {4.0, 5.0, 7.0}) {
    const ShuffleModel model{local, 3000, Clone::standard};
    const double epsilon = shuffle_model::closed_form_epsilon(model, 1e-3).value;
    REQUIRE(epsilon < local);
    CHECK(shuffle_model::closed_form_delta(model, epsilon).value == doctest::Approx(1e-3));
  }
  // Local epsilons up to log(n / (8 log(2/delta)) - 1), or log(n / (16 log(4/delta))).
  for (const auto& [clone, most] : {std::pair{Clone::stronger, 10000 / (8 * std::log(2e6)) - 1},
                                    {Clone::standard, 10000 / (16 * std::log(4e6))}}) {
    const double edge = std::log(most);
    CHECK(shuffle_model::closed_form_epsilon({edge * (1 - 1e-9), 10000, clone}, 1e-6).covered);
    CHECK_FALSE(
        shuffle_model::closed_form_epsilon({edge * (1 + 1e-9), 10000, clone}, 1e-6).covered);
  }
  CHECK(shuffle_model::closed_form_epsilon({5, 10, Clone::standard}, 1e-6).value == 5);
}

TEST_CASE("shuffle_model: knots of Theorem 4.2 lie on the curve that its delta proves") {
  const ShuffleModel model{2, 500, Clone::stronger};
  const auto bound = [&](double e) { return shuffle_model::delta_advanced_joint(model, e); };
  const tradeoff::TradeOffCurve curve(tradeoff::sample_symmetric(bound));
  testing::check_laws(curve);
  for (const double t : {0.0, 0.8012, 0.9017, 1.0, 1.1009, 1.3003, 1e9}) {
    CAPTURE(t);
    const shuffle_model::ShuffleKnot knot = shuffle_model::trade_off_knot(model, t);
    CHECK(testing::is_narrow(knot.false_positive_rate, 1e-9, 1e-14));
    CHECK(testing::is_narrow(knot.false_negative_rate, 1e-9, 1e-14));
    const Interval band = curve.false_negative_rate(knot.false_positive_rate.lower);
    CHECK(knot.false_negative_rate.upper >= band.lower - 1e-12);
    // On its flat side the theorem's function is above its symmetrisation.
    if (t >= 1) CHECK(knot.false_negative_rate.lower <= band.upper + 1e-12);
    CHECK(testing::is_narrow(band, 1e-3, 1e-12));
  }
}

TEST_CASE("shuffle_model: the trade-off curve is its own inverse and gives delta back") {
  const ShuffleModel model{3, 2000, Clone::standard};
  const tradeoff::TradeOffCurve curve = shuffle_model::trade_off(model);
  testing::check_laws(curve);
  for (const double alpha : {1e-6, 1e-3, 0.05, 0.3, 0.45}) {
    CAPTURE(alpha);
    const double beta = curve.false_negative_rate(alpha).lower;
    CHECK(curve.false_negative_rate(beta).lower == doctest::Approx(alpha).epsilon(1e-7));
  }
  for (const double epsilon : {0.01, 0.1, 0.31}) {
    CAPTURE(epsilon);
    CHECK(testing::overlap(curve.delta(Direction::add, epsilon),
                           shuffle_model::delta(model, epsilon)));
  }
}

TEST_CASE("shuffle_model: rounds of one user compose as randomised response does") {
  const ShuffleModel model{1, 1, Clone::standard};
  for (const int rounds : {1, 2, 10}) {
    for (const double epsilon : {0.0, 0.7, 1.5}) {
      CAPTURE(rounds);
      CAPTURE(epsilon);
      const Interval found = shuffle_model::composed_delta(model, rounds, epsilon).value;
      CHECK(testing::contains(found, randomised_response(1, rounds, epsilon), 1e-12));
      CHECK(testing::is_narrow(found, 5e-3, 1e-9));
    }
  }
}

TEST_CASE("shuffle_model: composed rounds cost more than one and less than their sum") {
  const ShuffleModel model{2, 20000, Clone::standard};
  const double target = 1e-6;
  const Interval one = shuffle_model::epsilon(model, target);
  const Interval ten = shuffle_model::composed_epsilon(model, 10, target).value;
  CHECK(ten.lower > one.upper);
  CHECK(ten.upper < 10 * shuffle_model::epsilon(model, target / 10).upper);
  CHECK(testing::is_narrow(ten, 2e-3));
  const Interval back = shuffle_model::composed_delta(model, 10, ten.upper).value;
  CHECK(back.lower <= target);
  CHECK(testing::is_narrow(back, 1e-2));
}

TEST_CASE("shuffle_model: a round composes with other steps, and the curve of many is a curve") {
  const ShuffleModel model{2, 5000, Clone::standard};
  const shuffle_model::Round round(model);
  const pairs::SubsampledGaussian gaussian_step(0.05, 1);
  const pld::PairSource other(gaussian_step);
  const auto together = [&](double epsilon) {
    return pld::delta({{&round.source(), 4}, {&other, 20}}, Direction::remove, epsilon, {}).value;
  };
  const Interval both = together(0.5);
  CHECK(testing::is_narrow(both, 1e-2));
  CHECK(both.lower > shuffle_model::composed_delta(model, 4, 0.5).value.upper);
  CHECK(both.lower > pld::delta({{&other, 20}}, Direction::remove, 0.5, {}).value.upper);

  const tradeoff::TradeOffCurve curve = shuffle_model::composed_trade_off(model, 4);
  testing::check_laws(curve);
  const Interval hit = curve.true_positive_rate(1e-3);
  CHECK(testing::is_narrow(hit, 0.1));
  CHECK(hit.lower > shuffle_model::trade_off(model).true_positive_rate(1e-3).upper);
}

TEST_CASE("shuffle_model: no n gives both numbers of the caption of the paper's third figure") {
  const auto at = [](std::int64_t users) -> ShuffleModel {
    return {std::log(2.0), users, Clone::stronger};
  };
  CHECK(shuffle_model::delta_advanced_joint(at(93), 0.5).upper ==
        doctest::Approx(1.65e-6).epsilon(0.01));
  CHECK(shuffle_model::delta_joint(at(93), 0.5).upper == doctest::Approx(0.0034).epsilon(0.01));
  CHECK(shuffle_model::delta_advanced_joint(at(110), 0.5).upper ==
        doctest::Approx(3.2e-7).epsilon(0.01));
  CHECK(shuffle_model::delta_joint(at(110), 0.5).upper == doctest::Approx(0.0020).epsilon(0.01));
  for (std::int64_t users = 2; users < 200; ++users) {
    CAPTURE(users);
    const double advanced = shuffle_model::delta_advanced_joint(at(users), 0.5).upper;
    const double joint = shuffle_model::delta_joint(at(users), 0.5).upper;
    CHECK_FALSE((std::abs(advanced - 1.5e-6) < 5e-8 && std::abs(joint - 0.0020) < 5e-5));
  }
}

TEST_CASE(
    "shuffle_model: rounds cost no more than their local epsilons, no less than one, and "
    "little is open") {
  std::size_t place = 0;
  for (const double local : {0.1, 1.0, 3.0, 4.0, 8.0}) {
    for (const std::int64_t users : {1, 5, 30, 1000}) {
      for (const std::int64_t rounds : {2, 3, 10, 100}) {
        if (!testing::in_share(place++, 7)) continue;
        const ShuffleModel model{local, users, Clone::standard};
        const Interval one = shuffle_model::epsilon(model, 1e-6);
        const Interval found = shuffle_model::composed_epsilon(model, rounds, 1e-6).value;
        INFO("local " << local << " users " << users << " rounds " << rounds << " "
                      << testing::show(found));
        CHECK(found.lower >= one.lower);
        CHECK(found.upper <= static_cast<double>(rounds) * local * (1 + 1e-9));
        CHECK(testing::is_narrow(found, 2e-3));
        if (rounds == 10)
          CHECK(testing::is_narrow(shuffle_model::composed_epsilon(model, 10, 1e-14).value, 2e-3));
        const double middle = 0.5 * found.upper;
        CHECK(shuffle_model::composed_delta(model, rounds, middle).value.lower >=
              shuffle_model::delta(model, middle).lower);
        CHECK(shuffle_model::composed_delta(model, rounds, 2 * found.upper).value.upper <= 1e-6);
      }
    }
  }
}

TEST_CASE("shuffle_model: two rounds of a few users, by enumeration of the counts") {
  for (const double local : {1.0, 3.0}) {
    const ShuffleModel model{local, 4, Clone::standard};
    const double c = shuffle_model::clone_probability(model), s = std::tanh(local / 2);
    struct Atom {
      double p, q;
    };
    std::vector<Atom> one;
    const auto choose = [](int n, int k) {
      return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
    };
    for (int clones = 0; clones <= 3; ++clones) {
      const int m = clones + 1;
      const double law = choose(3, clones) * std::pow(c, clones) * std::pow(1 - c, 3 - clones);
      for (int a = 0; a <= m; ++a) {
        const double mass = law * choose(m, a) * std::pow(0.5, m), x = (2.0 * a - m) / m;
        one.push_back({mass * (1 + s * x), mass * (1 - s * x)});
      }
    }
    for (const double share : {0.1, 0.5, 0.9}) {
      const double epsilon = share * 2 * local;
      double exact = 0;
      for (const Atom& a : one) {
        for (const Atom& b : one) exact += std::max(0.0, a.p * b.p - std::exp(epsilon) * a.q * b.q);
      }
      const Interval found = shuffle_model::composed_delta(model, 2, epsilon).value;
      INFO("local " << local << " epsilon " << epsilon << " " << testing::show(found) << " "
                    << exact);
      CHECK(testing::contains(found, exact, 1e-9));
      CHECK(testing::is_narrow(found, 2e-3));
    }
  }
}

TEST_CASE("shuffle_model: a round's largest loss is the local epsilon, where no clone hides it") {
  for (const std::int64_t users : {1, 5, 1000}) {
    const ShuffleModel model{3, users, Clone::standard};
    const shuffle_model::Round round(model);
    const double alone =
        std::pow(1 - 0.5 * shuffle_model::clone_probability(model), static_cast<double>(users - 1));
    const double kept = 1 / (1 + std::exp(-3.0));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const pairs::Cell top = round.source().top(direction);
      CHECK(top.p.value == doctest::Approx(alone * kept).epsilon(1e-10));
      CHECK(top.q.value == doctest::Approx(alone * (1 - kept)).epsilon(1e-10));
      CHECK(top.p.error + top.q.error <= 1e-10 * top.p.value);
      CHECK(top.loss == 3);
    }
  }
}

TEST_CASE("shuffle_model: no bound of a round exceeds the local epsilon") {
  for (const std::int64_t users : {1, 5, 1000}) {
    const ShuffleModel model{4, users, Clone::standard};
    CHECK(shuffle_model::epsilon_advanced_joint(model, 1e-6).upper <= 4);
    CHECK(shuffle_model::delta_advanced_joint(model, 4).upper == 0);
    CHECK(shuffle_model::delta_joint(model, 5).upper == 0);
    CHECK(shuffle_model::delta_joint(model, 3.9).upper > 0);
  }
}

}  // namespace honest_epsilon
