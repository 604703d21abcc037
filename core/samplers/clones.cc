#include "core/samplers/clones.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/bins_moments.h"
#include "core/contour/gaussian_moments.h"
#include "core/contour/mixture_moments.h"
#include "core/math/binomial_tail.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::shuffle {
namespace {

/// kappa of a lambda, from above; mu is known to a unit in its last place.
double kappa_of(double lambda, double mu) {
  const double epsilon = -std::log(lambda);
  const double below = epsilon * (1 - 2 * kFunctionError * kUnit);
  return lambda * gaussian::delta(mu * (1 + 2 * kUnit), below).upper * (1 + 4 * kUnit) + kTiny;
}

/// About the largest lambda of a kappa.
double lambda_of(double kappa, double mu) {
  constexpr double kFurthest = 700;
  double low = 0, high = kFurthest;  // of log 1/lambda
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (kappa_of(std::exp(-middle), mu) > kappa ? low : high) = middle;
  }
  return std::exp(-high);
}

/// The largest w <= `at_most` whose complement is a double.
double with_exact_complement(double at_most) {
  double rest = 1 - at_most;
  if (1 - rest > at_most) rest = std::nextafter(rest, 2);
  return 1 - rest;
}

/// Pr[M <= m], at most: M - 1 ~ Bin(others, w).
double cumulative(double others, double w, double m) {
  return m < 1 ? 0 : binomial::cumulative_upper(others, w, m - 1);
}

/// The largest m with Pr[M < m] <= probability.
double lowest_rung(double others, double w, double probability) {
  double low = 1, high = std::max(1.0, std::floor(others * w));
  while (high - low > 0.5) {
    const double middle = std::ceil(0.5 * (low + high));
    if (cumulative(others, w, middle - 1) <= probability) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// The M's that others are rounded down to: every one of a few, then ever farther apart, by half a
/// standard deviation at most, and a whole one where M is rare.
std::vector<double> ladder(double others, double w, double first) {
  const double mean = 1 + others * w, deviation = std::sqrt(others * w * (1 - w));
  constexpr double kRatio = 0.25;
  std::vector<double> rungs;
  for (double m = first; rungs.empty() || m < mean + 1.5 * deviation;) {
    rungs.push_back(m);
    const double part = m < mean - 2.5 * deviation ? 1 : 0.5;
    m += std::max(1.0, std::floor(std::min(part * deviation, kRatio * m)));
  }
  return rungs;
}

/// Balls-and-bins over each number of bins, one of which leaves nothing to draw.
std::vector<std::shared_ptr<const contour::Moments>> moments_of(std::vector<double> bins,
                                                                double mu) {
  const bool single = bins.front() == 1;
  if (single) bins.erase(bins.begin());
  auto all = contour::BinsMoments::kin(bins, mu);
  if (single)
    all.insert(all.begin(), std::make_shared<contour::GaussianMoments>(mu * mu, 4 * kUnit));
  return all;
}

/// Few clones hide little: then known batches are as good.
constexpr double kFewestClones = 0.02;

/// The part of what may be spent that pays for rounding M up.
constexpr double kFailurePart = 0.05;

/// Probabilities in whole multiples of this have exact differences.
double rounded_up(double probability) {
  constexpr double kStep = 0x1p-52;
  return std::min(1.0, std::ceil(probability * (1 + 8 * kUnit) / kStep) * kStep);
}

}  // namespace

std::optional<Clones> clones(double batches, double mu, double variation) {
  const double others = batches - 1;
  if (!(others >= 1 && variation > 0)) return std::nullopt;
  const double lambda = lambda_of((1 - kFailurePart) * variation / others, mu);
  const double kappa = kappa_of(lambda, mu);
  const double w = with_exact_complement(lambda / (1 + kappa) * (1 - 4 * kUnit));
  if (!(others * w > kFewestClones)) return std::nullopt;

  const double first = lowest_rung(others, w, kFailurePart * variation);
  const std::vector<double> rungs = ladder(others, w, first);
  // From the worst kind to the best, each with what is not yet given to a worse one.
  std::vector<contour::MixtureMoments::Kind> kinds;
  double given = 0;
  const auto add = [&](double up_to, std::shared_ptr<const contour::Moments> moments) {
    const double cumulated = rounded_up(up_to);
    if (cumulated <= given) return;
    kinds.push_back({cumulated - given, std::move(moments)});
    given = cumulated;
  };
  const auto moments = moments_of(rungs, mu);
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const bool last = i + 1 == rungs.size();
    const double share = last ? 1 : cumulative(others, w, rungs[i + 1] - 1);
    add(share, moments[i]);
  }
  return Clones{std::make_shared<contour::MixtureMoments>(std::move(kinds)), w,
                others * kappa * (1 + 2 * kUnit), cumulative(others, w, first - 1)};
}

}  // namespace honest_epsilon::shuffle
