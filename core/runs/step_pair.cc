#include "core/runs/step_pair.h"

#include "core/pairs/laplace.h"
#include "core/pairs/randomized_response.h"
#include "core/pairs/subsampled_gaussian.h"

namespace honest_epsilon {
namespace {

template <class P, class... Arguments>
std::shared_ptr<const pairs::Pair> make(Arguments... arguments) {
  return std::make_shared<const P>(arguments...);
}

std::shared_ptr<const pairs::Pair> gaussian_pair(const Run& run, const pairs::Records& records) {
  const bool substitution = run.adjacency == Adjacency::substitution;
  const double q = records.q;
  if (q == 1) return make<pairs::SubsampledGaussian>(1.0, run.whole_shift());
  if (records.count == 1 && !substitution) return make<pairs::SubsampledGaussian>(q, run.shift());
  using pairs::GaussianMixture;
  return make<GaussianMixture>(substitution
                                   ? pairs::substituted_group_gaussian(records, run.shift())
                                   : pairs::group_gaussian(records, run.shift()));
}

std::shared_ptr<const pairs::Pair> laplace_pair(const Run& run, const pairs::Records& records) {
  const bool substitution = run.adjacency == Adjacency::substitution;
  if (records.q == 1) return make<pairs::SubsampledLaplace>(1.0, run.whole_shift());
  return make<pairs::LaplaceMixture>(substitution
                                         ? pairs::substituted_group_laplace(records, run.shift())
                                         : pairs::group_laplace(records, run.shift()));
}

}  // namespace

pairs::Records records_of(const Run& run) {
  pairs::Records records{run.sampling_probability, run.records_per_user};
  records.drawn_from = run.drawn_from;
  records.most = largest_number(records);
  return records;
}

std::shared_ptr<const pairs::Pair> step_pair(const Run& run, const pairs::Records& records) {
  if (run.mechanism == Mechanism::gaussian) return gaussian_pair(run, records);
  if (run.mechanism == Mechanism::laplace) return laplace_pair(run, records);
  // The response turns on whether any of the records is in the batch.
  return make<pairs::RandomizedResponse>(any_record(records), run.shift());
}

}  // namespace honest_epsilon
