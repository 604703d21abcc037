#include "core/contour/jump_cut.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/contour/inversion.h"
#include "core/contour/line.h"
#include "core/contour/subsampled_moments.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "core/pld/source.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using contour::JumpCut;
using contour::Line;
using contour::LogMoment;
using contour::MomentSteps;
using contour::Omission;
using contour::ShiftRatio;
using contour::Sketch;
using contour::SubsampledGaussianMoments;

double tail(double z) {
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// E[f(t)] for a function as smooth as a cut of that softness, from `low` to `high`.
template <class F>
double normal_mean(double low, double high, double softness, F f) {
  const double step = softness / 8;
  double sum = 0;
  for (double t = low; t < high; t += step) sum += std::exp(-0.5 * t * t) * f(t);
  return sum * step / std::sqrt(2 * 3.14159265358979323846);
}

/// log R^w, or log R^w R'^{1-w} where records are replaced.
std::complex<double> log_power(const ShiftRatio& ratio, bool replaced, std::complex<double> w,
                               double t) {
  const std::complex<double> log = w * ratio.real(t).log;
  return replaced ? log + (1.0 - w) * ratio.real(-t).log : log;
}

/// delta of steps without jumps beyond a loss, and with them.
std::optional<Line> line_for(const std::vector<MomentSteps>& steps, double epsilon,
                             double log_delta, double loss) {
  std::vector<MomentSteps> rest = steps;
  for (MomentSteps& each : rest) {
    each.moments = each.moments->leaving_out(Direction::remove, {-60, loss});
    if (!each.moments) return std::nullopt;
  }
  return Line::make(Sketch(std::move(rest), Direction::remove), {epsilon, log_delta});
}

}  // namespace

TEST_CASE("jump cut: what is kept of complex places is within its error, and nearly exact") {
  const ShiftRatio ratio({0.01}, 1);
  const JumpCut cut(ratio, 0.5);
  const double s = cut.softness();
  constexpr double kFirst = 16;
  for (const double step : {0.25, 0.125, 2.0}) {
    for (const double turn : {0.0, 0.5, 1.5, 2.0}) {
      const auto count = static_cast<std::size_t>(28 / step);
      const auto kept = cut.kept(cut.place() - kFirst * s, step * s, count, turn * s);
      for (const auto& row : testing::reference_table("kept_share")) {
        const double j = (kFirst - row.number("place")) / step;
        if (row.number("turn") != turn || j != std::floor(j)) continue;
        const auto& at = kept[static_cast<std::size_t>(j)];
        const std::complex<double> truth{row.number("re"), row.number("im")};
        INFO(row.describe() << " step=" << step << " error=" << at.error);
        CHECK(std::abs(at.value - truth) <= at.error + 1e-17);
        CHECK(at.error < 1e-12);
      }
    }
  }
  // What lies beyond the last node, Phi(-2), is part of the error.
  const auto short_row = cut.kept(cut.place() - kFirst * s, s, 19, s);
  for (std::size_t j = 0; j < short_row.size(); ++j) {
    const std::complex<double> left{cut.kept(cut.place() - kFirst * s, s, 40, s)[j].value};
    CHECK(std::abs(short_row[j].value - left) <= short_row[j].error);
  }
}

TEST_CASE("jump cut: masses are those of a fine sum") {
  for (const double mu : {0.5, 1.25, 3.0}) {
    for (const std::int64_t count : {1, 3}) {
      for (const double loss : {0.05, 0.75, 2.5}) {
        const ShiftRatio ratio({0.02, count}, mu);
        const JumpCut cut(ratio, loss);
        const double b = cut.place(), s = cut.softness();
        // t + s N is beyond b: the coin's side by side with the place.
        const auto jumps = [&](double t) { return tail((b - t) / s); };
        const double high = b + 8 * s + 9 + ratio.farthest();
        const auto over = [&](auto f) {
          return normal_mean(b - 12 * s, high, s, [&](double t) { return jumps(t) * f(t); });
        };
        const auto real = [&](double t) { return std::exp(ratio.real(t).log); };
        const Charged p = cut.mass_of_records(ratio, 1), q = cut.mass(0),
                      opposite = cut.mass_of_records(ratio, -1);
        INFO("mu=" << mu << " count=" << count << " loss=" << loss);
        CHECK(p.value == doctest::Approx(over(real)).epsilon(1e-10));
        CHECK(q.value == doctest::Approx(over([](double) { return 1.0; })).epsilon(1e-10));
        CHECK(opposite.value ==
              doctest::Approx(over([&](double t) { return real(-t); })).epsilon(1e-10));
        CHECK(p.error < 1e-12 * p.value);
        CHECK(opposite.error < 1e-12 * opposite.value);
        CHECK(q.error < 1e-12 * q.value);
        for (const double rate : {0.0, 2.0, 20.0}) {
          const double truth = over([&](double t) { return std::exp(-rate * t); });
          const double bound = std::exp(
              cut.log_expectation(rate * (12 * s - b), [&](double t) { return -rate * t; }));
          INFO("rate=" << rate << " truth=" << truth << " bound=" << bound);
          CHECK(bound >= truth * (1 - 1e-9));
          CHECK(bound <= 3 * truth);
        }
        CHECK(ratio.real(b).log >= loss - 1e-6);
        CHECK(ratio.real(b - s).log <= loss);
        const JumpCut replaced(ratio, loss, true);
        const auto loss_at = [&](double t) { return ratio.real(t).log - ratio.real(-t).log; };
        CHECK(loss_at(replaced.place()) >= loss - 1e-6);
        CHECK(ratio.real(replaced.place()).log >= 0);
        const double before = replaced.place() - replaced.softness();
        CHECK((loss_at(before) <= loss || ratio.real(before).log <= 0));
      }
    }
  }
}

TEST_CASE("jump cut: what falls steeply is told far to the left of the cut") {
  const JumpCut cut(1.0, 14.5);
  for (const double power : {100.0, 1000.0, 4000.0}) {
    const auto log_f = [power](double t) {
      return -power * std::log(std::exp(t - 0.5) / 1e6 + 0.997);
    };
    const double s = cut.softness(), step = s / 8;
    LogSum fine;
    for (double t = cut.place() - 300 * s; t < cut.place() + 12 * s; t += step) {
      const double z = (cut.place() - t) / s;
      fine.add(std::log(step) - 0.5 * t * t - kHalfLogTwoPi + log_f(t) +
               (z > 0 ? normal::log_upper_tail(z) : std::log1p(-normal::upper_tail(-z))));
    }
    const double bound = cut.log_expectation(-power * std::log(0.997), log_f);
    INFO("power=" << power << " truth=" << fine.log() << " bound=" << bound);
    CHECK(bound >= fine.log() - 1e-6);
    CHECK(bound <= fine.log() + 3);
  }
}

TEST_CASE("jump cut: moments without jumps hold against 45-digit values, at any precision asked") {
  for (const auto& row : testing::reference_table("kept_moments")) {
    const pairs::Records records{row.number("q"), static_cast<std::int64_t>(row.number("records"))};
    const SubsampledGaussianMoments whole(records, row.number("mu"), false);
    const ShiftRatio ratio(records, row.number("mu"));
    const double loss = ratio.real(row.number("place") - 0.5 * row.number("softness")).log;
    const JumpCut cut(ratio, loss);
    REQUIRE(cut.place() == row.number("place"));
    REQUIRE(cut.softness() == row.number("softness"));
    const auto rest = whole.leaving_out(Direction::remove, {-60, loss});
    REQUIRE(rest);
    const double x = row.number("power") - 1, y = row.number("height");
    const std::complex<double> truth{row.number("log_re"), row.number("log_im")};
    for (const double precision : {0.0, -3.0, -8.0, -16.0, -40.0}) {
      const auto rule = rest->rule(Direction::remove, {x, x, precision});
      REQUIRE(rule);
      const LogMoment at = rule->column(x)->log_moment(y);
      INFO(row.describe() << " precision=" << precision << " error=" << at.error);
      CHECK(std::abs(std::exp(truth - at.value) - 1.0) <=
            std::expm1(at.error + 1e-15 * (1 + std::abs(truth))));
      if (precision == -40 && truth.real() < 1) CHECK(at.error < 1e-9);
    }
    // At power 1 it is all of P but the jumps.
    if (row.number("power") == 1) {
      const auto jumps = rest->rule(Direction::remove, {0, 0})->jumps();
      REQUIRE(jumps);
      CHECK(-std::expm1(truth.real()) == doctest::Approx(jumps->under_p.value).epsilon(1e-9));
    }
  }
}

TEST_CASE("jump cut: the jumps' own moments are those of a fine sum, and fall below their bound") {
  testing::Dice dice(73);
  int exact = 0;
  for (int i = 0; i < 120; ++i) {
    const bool replaced = i % 4 > 1;
    const double mu = dice.log_uniform(0.3, 4), q = dice.log_uniform(1e-6, 0.3);
    const std::int64_t count = 1 + i % 3;
    const SubsampledGaussianMoments whole({q, count}, mu, replaced);
    const double loss = dice.log_uniform(0.02, 3);
    const ShiftRatio ratio({q, count}, mu);
    // Every third time smooth ones, without what a cut farther out calls jumps.
    const bool below = i % 3 == 2, removes = below || i % 2 == 0;
    const double far = 2 * loss + 1;
    const JumpCut cut(ratio, loss, replaced, below), cap(ratio, below ? far : 100, replaced);
    const auto rest = whole.leaving_out(Direction::remove, {-60, below ? far : loss});
    const auto jumps =
        below ? rest->jumping(Direction::remove, {0, loss, true}) : rest->apart().jumps;
    REQUIRE(jumps);
    const double x = removes ? dice.uniform(0.1, 3) : dice.log_uniform(0.1, 40 / loss);
    const Direction direction = removes ? Direction::remove : Direction::add;
    const auto rule = jumps->rule(direction, {x, x, -30});
    REQUIRE(rule);
    const auto column = rule->column(x);
    const auto decay = rule->decay(x);
    const double b = cut.place(), s = cut.softness();
    const double farthest = std::max(b, removes ? (x + 1) * ratio.farthest() : 0) + 9;
    const double high = below ? cap.place() + 12 * cap.softness() : farthest;
    double least = kInfinity;
    const double harder = std::min(s, cap.softness()), step = harder / 16,
                 turned = 12 / (mu * static_cast<double>(count) * harder);
    for (double y = 0; y < std::min(60 / loss, turned); y += 2.3 / loss) {
      const std::complex<double> w{removes ? x + 1 : -x, y};
      std::complex<double> truth = 0;
      double size = 0;
      for (double t = b - 36 * s; t < high; t += step) {
        const std::complex<double> power = log_power(ratio, replaced, w, t);
        const double weight =
            std::exp(-0.5 * t * t) * tail((b - t) / s) * (below ? std::exp(cap.log_kept(t)) : 1);
        size += weight * std::exp(power.real());
        truth += weight * std::exp(power);
      }
      const double scale = step / std::sqrt(2 * 3.14159265358979323846);
      LogMoment at = column->log_moment(y);
      if (!removes) at.value = std::conj(at.value);
      least = std::min(least, decay->log_bound_beyond(y));
      INFO("mu=" << mu << " q=" << q << " loss=" << loss << " x=" << x << " y=" << y << " error "
                 << at.error << " direction " << removes << " replaced " << replaced);
      const double modulus = std::exp(at.value.real());
      CHECK(std::abs(scale * truth - std::exp(at.value)) <=
            modulus * std::expm1(at.error) + 1e-11 * scale * size);
      CHECK(std::log(scale * std::abs(truth)) <= least + 1e-11 * size / std::abs(truth));
      if (at.error < 1e-9) ++exact;
      if (y == 0 && (below || !removes) && at.error < 0.01)
        CHECK(at.value.real() ==
              doctest::Approx(jumps->log_moment_estimate(direction, x)).epsilon(0.01));
    }
  }
  CHECK(exact > 600);
}

TEST_CASE("jump cut: tiny losses to high powers, kept or jumping, at any precision asked") {
  testing::Dice dice(79);
  int exact = 0;
  for (int i = 0; i < 180; ++i) {
    const bool replaced = i >= 90;
    const double mu = dice.log_uniform(0.2, 4), q = dice.log_uniform(1e-9, 1e-4);
    const double loss = q * dice.log_uniform(3, 1e3);
    const SubsampledGaussianMoments whole({q}, mu, replaced);
    const ShiftRatio ratio({q, 1}, mu);
    const JumpCut cut(ratio, loss, replaced);
    const double b = cut.place();
    const auto rest = whole.leaving_out(Direction::remove, {-60, loss});
    REQUIRE(rest);
    // What is kept; what jumps; what is kept, but jumps over an earlier cut.
    const bool capped = i % 3 == 2, kept = i % 3 == 0 || capped;
    const Omission earlier{0, dice.uniform(0.05, 0.4) * loss, i % 2 == 0};
    const JumpCut first(ratio, earlier.loss, replaced, earlier.smooth);
    const auto moments = capped ? rest->jumping(Direction::remove, earlier)
                         : kept ? rest
                                : rest->apart().jumps;
    if (!moments) continue;
    const Direction direction = kept ? Direction::remove : Direction::add;
    const double x = dice.log_uniform(1, kept ? 12 : 40) / loss;
    // What is kept ends there.
    const double s = capped ? std::min(first.softness(), cut.softness()) : cut.softness();
    const double low = capped ? first.place() - 36 * first.softness() : kept ? -12 : b - 36 * s;
    const double high = kept ? cut.end() : b + 9;
    for (const double y : {0.0, 3 / loss, 40 / loss}) {
      const std::complex<double> w{kept ? x + 1 : -x, y};
      std::complex<double> truth = 0;
      double size = 0;
      const double step = s / 16, scale = step / std::sqrt(2 * 3.14159265358979323846);
      for (double t = low; t < high; t += step) {
        const std::complex<double> power = log_power(ratio, replaced, w, t);
        const double share = tail((kept ? t - b : b - t) / cut.softness()) *
                             (capped ? tail((first.place() - t) / first.softness()) : 1);
        const double weight = std::exp(-0.5 * t * t) * share * scale;
        size += weight * std::exp(power.real());
        truth += weight * std::exp(power);
      }
      for (const double precision : {0.0, -3.0, -8.0, -40.0}) {
        const auto rule = moments->rule(direction, {x, x, precision});
        // High powers of losses in the other direction, which jumps of replaced records may have,
        // outgrow any cut.
        if (!rule && replaced && !kept) continue;
        REQUIRE(rule);
        LogMoment at = rule->column(x)->log_moment(y);
        if (!kept) at.value = std::conj(at.value);
        INFO("mu=" << mu << " q=" << q << " loss=" << loss << " x=" << x << " y=" << y
                   << " kept=" << kept << " capped=" << capped << " replaced=" << replaced
                   << " precision=" << precision << " error=" << at.error);
        CHECK(std::abs(truth - std::exp(at.value)) <=
              std::exp(at.value.real()) * std::expm1(at.error) + 1e-11 * size);
        const double bound = rule->decay(x)->log_bound_beyond(y);
        CHECK(std::log(std::abs(truth)) <= bound + 1e-11 * size / std::abs(truth));
        if (at.error < 1e-9) ++exact;
      }
    }
  }
  CHECK(exact > 350);
}

TEST_CASE("jump cut: high powers of replaced records' ratios, where R' is far below 1") {
  testing::Dice dice(80);
  int exact = 0;
  for (int i = 0; i < 40; ++i) {
    const double mu = dice.log_uniform(0.4, 2), q = dice.uniform(0.2, 0.8);
    const double loss = dice.uniform(0.5, 3), x = dice.uniform(5, 60);
    const SubsampledGaussianMoments whole({q}, mu, true);
    const ShiftRatio ratio({q}, mu);
    const JumpCut cut(ratio, loss, true);
    const auto rest = whole.leaving_out(Direction::remove, {-60, loss});
    REQUIRE(rest);
    const double b = cut.place(), s = cut.softness(), step = s / 16;
    for (const double y : {0.0, 0.5, 3.0}) {
      const std::complex<double> w{x + 1, y};
      std::complex<double> truth = 0;
      double size = 0;
      for (double t = -12 - 2 * x * mu; t < b + 38 * s; t += step) {
        const std::complex<double> power =
            log_power(ratio, true, w, t) + std::log(tail((t - b) / s)) - 0.5 * t * t;
        size += std::exp(power.real());
        truth += std::exp(power);
      }
      const double scale = step / std::sqrt(2 * 3.14159265358979323846);
      for (const double precision : {0.0, -3.0, -8.0, -40.0}) {
        const auto rule = rest->rule(Direction::remove, {x, x, precision});
        REQUIRE(rule);
        const LogMoment at = rule->column(x)->log_moment(y);
        INFO("mu=" << mu << " q=" << q << " loss=" << loss << " x=" << x << " y=" << y
                   << " precision=" << precision << " error=" << at.error);
        CHECK(std::abs(scale * truth - std::exp(at.value)) <=
              std::exp(at.value.real()) * std::expm1(at.error) + 1e-11 * scale * size);
        if (at.error < 1e-9) ++exact;
      }
    }
  }
  CHECK(exact > 60);
}

TEST_CASE("jump cut: beyond y nothing is above the bound, near the cut either") {
  testing::Dice dice(72);
  int fallen = 0;
  for (int i = 0; i < 40; ++i) {
    const double mu = dice.log_uniform(0.3, 4), q = dice.log_uniform(1e-3, 0.3);
    const SubsampledGaussianMoments whole({q}, mu, i % 2 == 1);
    const auto rest = whole.leaving_out(Direction::remove, {-60, dice.log_uniform(0.2, 3)});
    REQUIRE(rest);
    const double x = dice.uniform(0.1, 6);
    const auto rule = rest->rule(Direction::remove, {x, x, -30});
    REQUIRE(rule);
    const auto column = rule->column(x);
    const auto decay = rule->decay(x);
    double least = kInfinity;
    for (double y = 1; y < 1e5; y *= 1.4) {
      least = std::min(least, decay->log_bound_beyond(y));
      const LogMoment at = column->log_moment(y);
      INFO("mu=" << mu << " q=" << q << " x=" << x << " y=" << y);
      if (at.error < 0.5) CHECK(at.value.real() + std::log(2 - std::exp(at.error)) <= least);
    }
    if (least < column->log_moment(0).value.real() - 3) ++fallen;
  }
  CHECK(fallen > 15);
}

// A cut below epsilon makes jumps of steps that decide nothing; the shortfall pays for them.
TEST_CASE("jump cut: delta holds the values of a plain contour, wherever the cut is") {
  int lines = 0, narrow = 0, rows = 0;
  testing::Dice dice(20261124);
  for (const auto& row : testing::reference_table("poisson_contour")) {
    if (row.text("direction") != "remove" || dice.uniform(0, 1) > testing::share_of_cases())
      continue;
    const double epsilon = row.number("epsilon"), truth = row.number("delta");
    const std::vector<MomentSteps> steps{
        {std::make_shared<SubsampledGaussianMoments>(row.number("q"), 1 / row.number("sigma")),
         row.number("steps")}};
    ++rows;
    bool any_narrow = false;
    for (const double factor : {0.25, 1.0, 1.5, 4.0}) {
      const double loss = factor * epsilon + (factor > 1 ? 0.1 : 0);
      const auto line = line_for(steps, epsilon, std::log(truth), loss);
      if (!line) continue;
      ++lines;
      const Interval delta = line->delta(epsilon);
      INFO(row.describe() << " loss=" << loss << " " << testing::show(delta));
      CHECK(testing::contains(delta, truth, 1e-14));
      any_narrow = any_narrow || testing::is_narrow(delta, 1e-7);
    }
    if (any_narrow) ++narrow;
  }
  CHECK(lines > rows);
  CHECK(narrow > 0.7 * rows);
}

TEST_CASE("jump cut: the run in which no step jumps is charged, wherever jumps begin") {
  constexpr std::array kFactors = {0.1, 0.5, 1.5};
  int runs = 0, lines = 0;
  std::size_t place = 0;
  for (const auto& row : testing::reference_table("poisson_contour")) {
    if (row.text("direction") != "remove") continue;
    const double epsilon = row.number("epsilon"), truth = row.number("delta");
    const auto whole =
        std::make_shared<SubsampledGaussianMoments>(row.number("q"), 1 / row.number("sigma"));
    const double copies = row.number("steps");
    ++place;
    for (std::size_t i = 0; i < kFactors.size(); ++i) {
      if (!testing::in_share(place + i)) continue;
      ++runs;
      const double factor = kFactors[i];
      const Omission omission{-60, factor * epsilon, true};
      const auto low = whole->leaving_out(Direction::remove, omission);
      const auto jumps = whole->jumping(Direction::remove, omission);
      if (!low || !jumps) continue;
      const Sketch run({{whole, copies, jumps}}, Direction::remove,
                       std::make_shared<const Sketch>(std::vector<MomentSteps>{{low, copies}},
                                                      Direction::remove));
      // What is beyond the last sample of a coarse line is charged as well.
      for (const double error : {1e-9, 1e-2, 0.5}) {
        const auto line = Line::make(run, {epsilon, std::log(truth), error, true});
        if (!line) continue;
        ++lines;
        const Interval delta = line->delta(epsilon);
        INFO(row.describe() << " factor=" << factor << " " << testing::show(delta));
        CHECK(testing::contains(delta, truth, 1e-14));
      }
    }
  }
  CHECK(lines > runs / 2);
}

TEST_CASE("jump cut: unlike phases, each with jumps of its own, agree with their transform") {
  const pairs::SubsampledGaussian near(1e-3, 1 / 0.7), far(1e-4, 1 / 0.5);
  const pld::PairSource near_source(near), far_source(far);
  const std::vector<MomentSteps> steps{
      {std::make_shared<SubsampledGaussianMoments>(1e-3, 1 / 0.7), 1000},
      {std::make_shared<SubsampledGaussianMoments>(1e-4, 1 / 0.5), 3000}};
  for (const double epsilon : {0.75, 1.5, 2.5}) {
    const Interval lattice = pld::delta({{&near_source, 1000}, {&far_source, 3000}},
                                        Direction::remove, epsilon, Effort{1e-4})
                                 .value;
    const auto line = line_for(steps, epsilon, std::log(lattice.upper), epsilon);
    REQUIRE(line);
    const Interval delta = line->delta(epsilon);
    INFO(epsilon << " " << testing::show(delta) << " " << testing::show(lattice));
    CHECK(testing::overlap(delta, lattice));
    CHECK(testing::is_narrow(delta, 1e-6));
  }
}

TEST_CASE("jump cut: no cut is softer than half a deviation of the noise") {
  for (const double mu : {0.03, 1e-3, 1e-5}) {
    CHECK(JumpCut(mu, 6).softness() == 0.5);
    // Otherwise hardly any step would be none: those of a million have one in 5e8.
    const SubsampledGaussianMoments steps(1e-6, mu);
    const double loss = 1e-6 * std::expm1(8 * mu);
    const auto rest = steps.leaving_out(Direction::remove, {-60, loss});
    REQUIRE(rest);
    const auto jumps = rest->rule(Direction::remove, {loss, loss})->jumps();
    REQUIRE(jumps);
    CHECK(jumps->under_p.value < 1e-9);
  }
}

TEST_CASE("jump cut: epsilons of runs in which few of many steps matter") {
  struct Setting {
    double sigma, rate, steps, delta, width;
  };
  // The first three had widths of 13 %, 1 % and 1.5 % from lattices of 2^20 points. Delta of the
  // last six is about the jumps' own mass twice; Chernoff's bound guesses epsilon 0; the first cut
  // has no line; high moments of jumps have no digits; a step that has a loss jumps for certain.
  for (const Setting& given : {Setting{0.7681, 1 / 8'049'670.0, 8'049'670, 9.86e-12, 1e-5},
                               {0.8829, 1 / 5'949'068.0, 5'949'068, 4.66e-11, 1e-5},
                               {0.665, 1 / 240'848.0, 240'848, 1.35e-11, 1e-5},
                               {0.4, 1e-5, 100'000, 1e-6, 1e-8},
                               {0.4195, 4.18e-7, 1898, 1.817e-12, 1e-6},
                               {0.4005, 1.047e-6, 117, 1.186e-7, 1e-6},
                               {0.34, 0.0038, 60, 0.049, 1e-6},
                               {0.2144, 1.858e-10, 1'082'081, 6.136e-6, 1e-6},
                               {0.4517, 1.0606e-9, 534'162, 3.946e-11, 1e-6},
                               {0.12066, 8.035e-5, 2, 4.4687e-10, 1e-8}}) {
    const MomentSteps steps{
        std::make_shared<SubsampledGaussianMoments>(given.rate, 1 / given.sigma), given.steps};
    contour::Inversion run({steps}, Direction::remove);
    const auto epsilon = run.epsilon(given.delta, given.width);
    REQUIRE(epsilon);
    INFO(given.sigma << " " << given.steps << " " << testing::show(*epsilon));
    CHECK(testing::is_narrow(*epsilon, given.width));
    for (const auto& [at, above] : {std::pair{epsilon->lower, true}, {epsilon->upper, false}}) {
      const auto delta = contour::Inversion({steps}, Direction::remove).delta(at, given.width);
      REQUIRE(delta);
      CHECK((above ? delta->upper >= given.delta : delta->lower <= given.delta));
    }
  }
}

}  // namespace honest_epsilon
