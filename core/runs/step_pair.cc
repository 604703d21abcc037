#include "core/runs/step_pair.h"

#include <cmath>

#include "core/pairs/laplace.h"
#include "core/pairs/randomized_response.h"
#include "core/pairs/shift_mixture.h"
#include "core/pairs/subsampled_gaussian.h"

namespace honest_epsilon {
namespace {

template <class P, class... Arguments>
std::shared_ptr<const pairs::Pair> make(Arguments... arguments) {
  return std::make_shared<const P>(arguments...);
}

std::shared_ptr<const pairs::Pair> gaussian(const Run& run, double q) {
  const bool substitution = run.adjacency == Adjacency::substitution;
  const std::int64_t records = run.records_per_user;
  if (q == 1) return make<pairs::SubsampledGaussian>(1.0, run.whole_shift());
  if (records == 1 && !substitution) return make<pairs::SubsampledGaussian>(q, run.shift());
  using pairs::GaussianMixture;
  if (records == 1) return make<GaussianMixture>(pairs::substituted_gaussian(q, run.shift()));
  return make<GaussianMixture>(substitution
                                   ? pairs::substituted_group_gaussian(q, run.shift(), records)
                                   : pairs::group_gaussian(q, run.shift(), records));
}

std::shared_ptr<const pairs::Pair> laplace(const Run& run, double q) {
  const bool substitution = run.adjacency == Adjacency::substitution;
  const std::int64_t records = run.records_per_user;
  if (q == 1) return make<pairs::SubsampledLaplace>(1.0, run.whole_shift());
  return make<pairs::LaplaceMixture>(substitution
                                         ? pairs::substituted_group_laplace(q, run.shift(), records)
                                         : pairs::group_laplace(q, run.shift(), records));
}

}  // namespace

double any_record(const Run& run, double q) {
  if (q == 1 || run.records_per_user == 1) return q;
  return -std::expm1(static_cast<double>(run.records_per_user) * std::log1p(-q));
}

std::shared_ptr<const pairs::Pair> step_pair(const Run& run, double q) {
  if (run.mechanism == Mechanism::gaussian) return gaussian(run, q);
  if (run.mechanism == Mechanism::laplace) return laplace(run, q);
  // The response turns on whether any of the records is in the batch.
  return make<pairs::RandomizedResponse>(any_record(run, q), run.shift());
}

}  // namespace honest_epsilon
