#include "core/runs/gaussian_limit.h"

#include <cmath>

#include "core/base/interval.h"
#include "core/rdp/gaussian_limit.h"

namespace honest_epsilon::gaussian_limit {
namespace {

bool has_formula(const Run& run) {
  return run.mechanism == Mechanism::gaussian && run.records_per_user == 1 && run.places == 0;
}

double squared(double x) {
  return x * x;
}

double drawn_batches(const Run& run, double q, double mu, double steps) {
  if (!has_formula(run)) return kInfinity;
  // The variance of q (U_1 - U_-1) under the null, where a substituted gradient turns about.
  if (run.adjacency == Adjacency::substitution) return steps * q * q * 2 * std::sinh(mu * mu);
  return squared(rdp::mu_estimate(q, mu, steps));
}

}  // namespace

double known_batches(const Run& run) {
  if (run.mechanism != Mechanism::gaussian) return kInfinity;
  return static_cast<double>(run.epochs) * squared(run.whole_shift());
}

double poisson(const Run& run) {
  return drawn_batches(run, run.sampling_probability, run.shift(), static_cast<double>(run.steps));
}

double without_replacement(const Run& run) {
  if (!has_formula(run)) return kInfinity;
  return squared(
      rdp::mu_estimate(run.sampling_probability, 2 * run.shift(), static_cast<double>(run.steps)));
}

double balls_and_bins(const Run& run) {
  const auto epochs = static_cast<double>(run.epochs);
  const auto bins = static_cast<double>(run.steps_per_epoch);
  const double q = static_cast<double>(run.participations) / bins;
  const auto missing = static_cast<double>(run.missing_steps);
  if (run.shares_draw()) return drawn_batches(run, q, run.shift() * std::sqrt(epochs), bins);
  return drawn_batches(run, q, run.shift(), bins * epochs - missing);
}

}  // namespace honest_epsilon::gaussian_limit
