#include "core/runs/gaussian_limit.h"

#include <cmath>

#include "core/base/interval.h"

namespace honest_epsilon::gaussian_limit {
namespace {

bool has_formula(const Run& run) {
  return run.mechanism == Mechanism::gaussian && run.records_per_user == 1 && run.places == 0 &&
         !run.correlation;
}

/// The variance of q U_mu under the null, summed over steps; where a substituted gradient turns
/// about, that of q (U_mu - U_-mu).
double drawn_batches(const Run& run, double q, double mu, double steps) {
  if (!has_formula(run)) return kInfinity;
  const bool replaced = run.adjacency == Adjacency::substitution;
  return steps * q * (q * (replaced ? 2 * std::sinh(mu * mu) : std::expm1(mu * mu)));
}

}  // namespace

double known_batches(const Run& run) {
  if (run.mechanism != Mechanism::gaussian || run.correlation) return kInfinity;
  return static_cast<double>(run.epochs) * run.whole_shift() * run.whole_shift();
}

double poisson(const Run& run) {
  return drawn_batches(run, run.sampling_probability, run.shift(), static_cast<double>(run.steps));
}

double without_replacement(const Run& run) {
  if (!has_formula(run)) return kInfinity;
  const double q = run.sampling_probability, mu = 2 * run.shift();
  return static_cast<double>(run.steps) * q * (q * std::expm1(mu * mu));
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
