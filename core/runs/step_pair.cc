#include "core/runs/step_pair.h"

#include "core/pairs/laplace.h"
#include "core/pairs/randomized_response.h"
#include "core/pairs/subsampled_gaussian.h"

namespace honest_epsilon {
namespace {

/// The records' shifts under the mixture's noise.
template <class Mixture>
std::shared_ptr<const pairs::Pair> mixture_of(const Run& run, const pairs::Records& records) {
  return std::make_shared<const Mixture>(run.adjacency == Adjacency::substitution
                                             ? pairs::replaced_group<Mixture>(records, run.shift())
                                             : pairs::group<Mixture>(records, run.shift()));
}

std::shared_ptr<const pairs::Pair> gaussian_pair(const Run& run, const pairs::Records& records) {
  using pairs::SubsampledGaussian;
  const double q = records.q;
  if (q == 1) return std::make_shared<const SubsampledGaussian>(1.0, run.whole_shift());
  if (records.count == 1 && run.adjacency != Adjacency::substitution)
    return std::make_shared<const SubsampledGaussian>(q, run.shift());
  return mixture_of<pairs::GaussianMixture>(run, records);
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
  if (run.mechanism == Mechanism::laplace) return mixture_of<pairs::LaplaceMixture>(run, records);
  // The response turns on whether any of the records is in the batch.
  return std::make_shared<const pairs::RandomizedResponse>(any_record(records), run.shift());
}

}  // namespace honest_epsilon
