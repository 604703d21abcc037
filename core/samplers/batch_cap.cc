#include "core/samplers/batch_cap.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/contour/gaussian_moments.h"
#include "core/contour/mixture_moments.h"
#include "core/contour/subsampled_moments.h"
#include "core/math/binomial_tail.h"
#include "core/samplers/poisson.h"

namespace honest_epsilon::batch_cap {
namespace {

/// Products of fewer than ten rounded factors: 900 units cover them.
constexpr double kRounding = 1e-13;

/// The chance, over q, that a batch is cut that holds one of a person's g records: each of them
/// meets B or more of all others with this probability, those of the same person among them.
double crowded(const Cap& cap, double q, double records_per_user) {
  const double others = std::max(0.0, cap.records - 1);
  return records_per_user * binomial::upper_tail_upper(others, q, cap.largest - 1) *
         (1 + kRounding);
}

/// A probability in whole multiples of 2^-52, so that differences are exact.
double rounded(double probability, bool up) {
  const double steps = probability / 0x1p-52;
  return std::clamp((up ? std::ceil(steps) : std::floor(steps)) * 0x1p-52, 0.0, 1.0);
}

}  // namespace

Failure poisson(const Run& run) {
  if (!run.cap) return {};
  const double q = run.sampling_probability;
  const double each = q * crowded(*run.cap, q, static_cast<double>(run.records_per_user));
  return {std::min(1.0, static_cast<double>(run.steps) * each * (1 + kRounding)), 0};
}

bool has_poisson_parts(const Run& run) {
  return run.cap && run.mechanism == Mechanism::gaussian &&
         run.adjacency != Adjacency::substitution && run.records_per_user == 1 &&
         run.sampling_probability < 1 && run.cap->largest < run.cap->records;
}

Parts poisson_parts(const Run& run, const Demand& demand) {
  const double q = run.sampling_probability, mu = run.shift();
  const double n = run.cap->records, largest = run.cap->largest;
  const Interval full = binomial::upper_tail(n - 1, q, largest - 1);
  const Interval kept = binomial::upper_tail(n, q, largest);  // n / B times Pr[kept, N >= B]
  const double share = largest / n * (1 + kRounding);
  const double most = rounded(full.upper * (1 + kRounding), true);
  const double least = rounded(full.lower * (1 - kRounding), false);

  using contour::MixtureMoments;
  using contour::SubsampledGaussianMoments;
  std::vector<MixtureMoments::WeightedMoments> kinds;
  const auto add = [&](double weight, std::shared_ptr<const contour::Moments> moments) {
    if (weight > 0) kinds.push_back({weight, std::move(moments)});
  };
  add(1 - most, std::make_shared<SubsampledGaussianMoments>(q, mu));
  if (run.adjacency == Adjacency::add_remove) {
    const double stands_in = std::min(q, share * kept.upper / least * (1 + kRounding));
    if (least > 0) add(least, std::make_shared<SubsampledGaussianMoments>(stands_in, 2 * mu));
    add(most - least, std::make_shared<SubsampledGaussianMoments>(q, 2 * mu));
  } else {
    const double known = std::min(share * kept.upper, q * most) + (most - least) * q;
    const double weight = std::min(most, rounded(known * (1 + kRounding), true));
    add(weight, std::make_shared<contour::GaussianMoments>(mu * mu, 4 * kUnit));
    add(most - weight, nullptr);
  }
  Parts parts;
  Steps steps;
  steps.copies = run.steps;
  steps.moments = std::make_shared<MixtureMoments>(std::move(kinds));
  parts.upper.steps.push_back(std::move(steps));

  Run zeros = run;
  zeros.cap.reset();
  zeros.sampling_probability = (q * (1 - most) + largest / n * kept.lower) * (1 - kRounding);
  if (zeros.sampling_probability > 0) parts.lower = poisson::parts(zeros, demand).upper;
  return parts;
}

Failure balls_and_bins(const Run& run) {
  if (!run.cap) return {};
  const double draws = static_cast<double>(run.participations) *
                       static_cast<double>(run.shares_draw() ? 1 : run.epochs);
  const double q =
      static_cast<double>(run.participations) / static_cast<double>(run.steps_per_epoch);
  const double each = crowded(*run.cap, q, static_cast<double>(run.records_per_user));
  return {0, std::min(1.0, draws * each * (1 + kRounding))};
}

}  // namespace honest_epsilon::batch_cap
