#include "core/samplers/participations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/pairs/normal_cell.h"
#include "core/pld/compose.h"

namespace honest_epsilon::balls_and_bins {
namespace {

constexpr std::size_t kGrid = 8192;

/// Coordinates farther out than this from either centre are rounded to it.
constexpr double kFarthest = 9;

/// One step's statistic.
struct StepStatistic {
  double mu, q;

  double at(double x) const { return std::log1p(q * std::expm1(mu * x - 0.5 * mu * mu)); }

  /// The x at which it has a value; -infinity below all of them.
  double inverse(double value) const {
    const double ratio = std::expm1(value) / q;
    return ratio > -1 ? std::log1p(ratio) / mu + 0.5 * mu : -kInfinity;
  }
};

struct MeanAndVariance {
  double mean = 0, variance = 0;
};

/// Of the statistic with x_t around a centre, roughly: where to look, not part of a bound.
MeanAndVariance roughly(const StepStatistic& term, double centre) {
  constexpr double kStep = 0.05;
  double weight = 0, sum = 0, squares = 0;
  for (double x = -kFarthest; x < kFarthest; x += kStep) {
    const double w = std::exp(-0.5 * x * x), f = term.at(centre + x);
    weight += w;
    sum += w * f;
    squares += w * f * f;
  }
  const double mean = sum / weight;
  return {mean, std::max(0.0, squares / weight - mean * mean)};
}

/// Both laws of one step's rounded statistic, and how far off any of their masses may be,
/// relatively.
struct StepLaws {
  pld::LatticeLaw hit, missed;
  double relative = 0;
};

StepLaws laws_of(const StepStatistic& term, double spacing) {
  const double first = std::floor(term.at(-kFarthest) / spacing);
  const double last = std::max(first, std::ceil(term.at(term.mu + kFarthest) / spacing));
  StepLaws laws;
  for (pld::LatticeLaw* law : {&laws.hit, &laws.missed}) {
    law->spacing = spacing;
    law->first = static_cast<std::int64_t>(first);
    law->mass = pld::no_masses(first, last);
  }
  double low = -kInfinity;
  for (std::size_t i = 0; i < laws.hit.mass.size(); ++i) {
    const bool is_last = i + 1 == laws.hit.mass.size();
    // Rounded or not, the cells divide the line, and both laws are of the same cells.
    const double high =
        is_last ? kInfinity : std::max(low, term.inverse(laws.hit.point(i) + 0.5 * spacing));
    const auto put = [&](pld::LatticeLaw& law, double centre) {
      const pairs::Mass mass = pairs::normal_mass(low, high, centre);
      if (high > low) laws.relative = std::max(laws.relative, mass.error / mass.value);
      law.mass[i] = high > low ? mass.value : 0;
    };
    put(laws.hit, term.mu);
    put(laws.missed, 0);
    low = high;
  }
  return laws;
}

}  // namespace

std::vector<pairs::Cell> participation_events(double mu, std::int64_t steps, std::int64_t hits) {
  const auto count = static_cast<double>(steps);
  const StepStatistic term{mu, static_cast<double>(hits) / count};
  const MeanAndVariance with = roughly(term, mu), without = roughly(term, 0);
  const double others = count - static_cast<double>(hits);
  const double variance = others * without.variance + static_cast<double>(hits) * with.variance;
  const double shift = static_cast<double>(hits) * (with.mean - without.mean);
  constexpr double kDeviations = 10;
  const double low = count * without.mean - kDeviations * std::sqrt(count * without.variance);
  const double high =
      count * without.mean + shift + kDeviations * std::sqrt(variance) + term.at(mu + kFarthest);
  const double spacing = (high - low) / static_cast<double>(kGrid);
  if (!(spacing > 0 && spacing < kInfinity)) return {};
  const StepLaws laws = laws_of(term, spacing);
  const double off = count * laws.relative;
  constexpr double kKnownWell = 1e-6;
  if (!(off < kKnownWell)) return {};
  const pld::TiltedPair sums = pld::compose(
      {{laws.hit, laws.missed, hits}, {laws.missed, laws.missed, steps - hits}}, 0, low, kGrid);
  const auto mass_at = [off](const pld::TiltedSum& sum, std::size_t i) {
    const double scale = std::exp(sum.log_scale);
    const double value = std::max(0.0, sum.value[i]);
    const double relative = 1.01 * (off + sum.relative) + 16 * kUnit;
    return pairs::Mass{scale * value, scale * (value * relative + sum.error * (1 + relative))};
  };
  std::vector<pairs::Cell> events(kGrid);
  for (std::size_t i = 0; i < kGrid; ++i)
    events[i] = {mass_at(sums.upper, i), mass_at(sums.lower, i)};
  return events;
}

}  // namespace honest_epsilon::balls_and_bins
