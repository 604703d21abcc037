#include "core/samplers/batch_cap.h"

#include <algorithm>
#include <cmath>

#include "core/math/binomial_tail.h"

namespace honest_epsilon::batch_cap {
namespace {

constexpr double kRounding = 1e-13;

/// Pr[B - g + 1 or more of the other records], times the chance of one of the g to be drawn.
double crowded(const Cap& cap, double q, double records_per_user) {
  const double others = std::max(0.0, cap.records - 1);
  return records_per_user *
         binomial::upper_tail_upper(others, q, cap.largest - records_per_user) * (1 + kRounding);
}

}  // namespace

Failure poisson(const Run& run) {
  if (!run.cap) return {};
  const double q = run.sampling_probability;
  const double each = q * crowded(*run.cap, q, static_cast<double>(run.records_per_user));
  return {std::min(1.0, static_cast<double>(run.steps) * each * (1 + kRounding)), 0};
}

Failure balls_and_bins(const Run& run) {
  if (!run.cap) return {};
  const double draws = static_cast<double>(run.participations) *
                       static_cast<double>(run.redrawn_each_epoch ? run.epochs : 1);
  const double q =
      static_cast<double>(run.participations) / static_cast<double>(run.steps_per_epoch);
  const double each = crowded(*run.cap, q, static_cast<double>(run.records_per_user));
  return {0, std::min(1.0, draws * each * (1 + kRounding))};
}

double appendix_c_upper(double records, double q, double steps, double largest, double epsilon) {
  return (1 + std::exp(epsilon)) * steps * binomial::upper_tail_upper(records, q, largest);
}

}  // namespace honest_epsilon::batch_cap
