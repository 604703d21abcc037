#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace honest_epsilon::api {

/// What an answer rests on: what it is about, for programs, and a sentence for readers.
struct Assumption {
  std::string code;
  std::string text;
  bool operator==(const Assumption&) const = default;
};

enum class Assumes : unsigned char {
  batches,
  known_upper_end,
  one_by_one,
  replaced_pair,
  zero_out,
  add_remove,
  substitution,
  gaussian,
  laplace,
  randomized_response,
  redrawn,
  kept,
  step_batch,
  left_out,
  participations,
  bands,
  count_noise,
  sampling_workers,
  replacement,
  records_per_user,
  swapped,
  cap,
  fixed_runs,
  drawn_runs,
  drawn_configuration,
  score,
  releases,
  attack_sampled,
  fair_coins,
  guesses,
  local_privacy,
  one_user,
  standard_clones,
  stronger_clones,
  fresh_rounds,
  linear_model,
  clipped,
  unclipped,
  visible_start,
  one_example,
  two_components,
  observer,
};

/// An assumption as programs and readers know it.
struct AssumptionInfo {
  Assumes assumes;
  std::string_view code;      ///< what it is about; never changes, and several may share it
  std::string_view sentence;  ///< with {} for each value that the run fills in
};

/// THE table of assumptions, in the order of the enumeration.
inline constexpr auto kAssumptions = std::to_array<AssumptionInfo>({
    {Assumes::batches, "batches", "{}"},
    {Assumes::known_upper_end, "upper-end", "The upper end is that of deterministic batches."},
    {Assumes::one_by_one, "upper-end",
     "That theorem is about a single record; several are zeroed or replaced one by one, and where "
     "noise is not Gaussian a replaced one is zeroed first."},
    {Assumes::replaced_pair, "upper-end",
     "The upper end is by a theorem of this project that is not yet peer-reviewed."},
    {Assumes::zero_out, "neighbours",
     "Zero-out neighbours: one record's gradient is replaced by zero.{}"},
    {Assumes::add_remove, "neighbours", "Add/remove neighbours: one record is there or not.{}"},
    {Assumes::substitution, "neighbours",
     "Substitution neighbours: one record is replaced by another, so that its gradient moves by up "
     "to twice the clipping norm; the noise multiplier still counts clipping norms."},
    {Assumes::gaussian, "noise",
     "The noise is Gaussian; its standard deviation is the noise multiplier times the clipping "
     "norm."},
    {Assumes::laplace, "noise",
     "The noise is Laplace; its scale is the noise multiplier times the clipping norm."},
    {Assumes::randomized_response, "noise",
     "Each step answers one bit, whether its batch holds the record, by randomised response of "
     "epsilon 1 / noiseMultiplier."},
    {Assumes::redrawn, "reshuffle", "Every epoch draws its batches again."},
    {Assumes::kept, "reshuffle", "The same batches are used in every epoch."},
    {Assumes::step_batch, "step-batch",
     "A step sums {} batches of {} records, {} in all, before noise of the stated multiplier is "
     "added once."},
    {Assumes::left_out, "left-out", "Each epoch leaves out {} records that fill no whole batch."},
    {Assumes::participations, "participations",
     "Each record is used in exactly {} steps of an epoch, chosen at random."},
    {Assumes::bands, "bands",
     "The records are divided into {} groups that take turns, and the noise is correlated by a "
     "matrix of as many bands and columns of norm 1: accounted as {} Poisson steps at the group's "
     "rate, {}."},
    {Assumes::count_noise, "count-noise",
     "The clipping norm adapts to a count of the unclipped gradients, plus or minus one half a "
     "record, with noise of standard deviation {}: accounted as noise multiplier {} for both."},
    {Assumes::sampling_workers, "sampling-workers",
     "Each of {} workers draws its batch from the whole dataset, so that a step may use a record "
     "up to that often: accounted like a person with as many records."},
    {Assumes::replacement, "replacement",
     "Each of a batch's {} places draws from all {} records, with replacement: accounted like "
     "Poisson batches at half the noise, for a person with as many records as there are places, "
     "each in a batch with probability {}."},
    {Assumes::records_per_user, "records-per-user",
     "Up to {} records belong to one person, and neighbours differ in all of them."},
    {Assumes::swapped, "swapped",
     "A swapped phase lacks the record where the others have it, so that removing and adding "
     "change places."},
    {Assumes::cap, "max-batch-size",
     "Batches of more than {} records are cut to that size by leaving records out at random."},
    {Assumes::fixed_runs, "tuning",
     "All {} runs count, as if every one of them were published: no theorem makes the best of a "
     "fixed number of runs cheaper."},
    {Assumes::drawn_runs, "tuning",
     "The number of runs is drawn from its distribution before the first run, and neither the "
     "number nor the runs that were not chosen are published."},
    {Assumes::drawn_configuration, "tuning",
     "Each run draws its configuration at random, from the same list and with the same "
     "probabilities, and fresh batches and noise; every configuration costs at most what is stated "
     "for one run."},
    {Assumes::score, "tuning",
     "The score that chooses the best run depends on that run's output and on independent "
     "randomness alone. A score that is computed from private data is covered only if the run's "
     "own account includes it."},
    {Assumes::releases, "releases",
     "The other releases are assumed to be the worst that their guarantees allow for the same "
     "neighbours, with independent noise."},
    {Assumes::attack_sampled, "attack-sampled",
     "The pair sampled is that of one attack, the static one of [HP24]: its delta is a lower end "
     "for shuffled batches, and other attacks may prove more."},
    {Assumes::fair_coins, "canaries",
     "Each of the {} canaries was included in training or not by its own fair coin, independent of "
     "all else."},
    {Assumes::guesses, "canaries",
     "At most {} coins were guessed, a number that was fixed before the guesses were compared with "
     "the coins."},
    {Assumes::local_privacy, "randomiser",
     "Each user's randomiser is locally private with the epsilon given; the shuffler hides who "
     "sent which output."},
    {Assumes::one_user, "neighbours",
     "Neighbours differ in one user's input, and the adversary knows everybody else's."},
    {Assumes::standard_clones, "clones", "Standard clones: every such randomiser is covered."},
    {Assumes::stronger_clones, "clones",
     "Stronger clones: a restricted class of randomisers, in which no output is likelier under two "
     "inputs than under a third; randomised response is in it."},
    {Assumes::fresh_rounds, "rounds", "Every round draws fresh randomness."},
    {Assumes::linear_model, "model",
     "A linear model takes one step from a start drawn from N(0, 1)."},
    {Assumes::clipped, "clipping", "Gradients are clipped."},
    {Assumes::unclipped, "clipping", "Gradients are not clipped."},
    {Assumes::visible_start, "adversary",
     "The adversary may see the start as well; one who does not learns less."},
    {Assumes::one_example, "neighbours",
     "Zero-out neighbours: one example's gradient is there or replaced by zero."},
    {Assumes::two_components, "model",
     "P and Q are mixtures of two Gaussians of variance 1 with one weight."},
    {Assumes::observer, "adversary",
     "Joint concavity holds for an observer who is told the component, advanced joint concavity "
     "for any regrouping of the components."},
});

static_assert([] {
  for (std::size_t at = 0; at < kAssumptions.size(); ++at)
    if (kAssumptions[at].assumes != static_cast<Assumes>(at)) return false;
  return kAssumptions.back().assumes == Assumes::observer;
}());

/// The table's sentence with these values.
template <class... Values>
Assumption assumption(Assumes assumes, const Values&... values) {
  const AssumptionInfo& info = kAssumptions[static_cast<std::size_t>(assumes)];
  std::string text(info.sentence);
  std::size_t at = 0;
  [[maybe_unused]] const auto fill = [&](std::string_view value) {
    at = text.find("{}", at);
    text.replace(at, 2, value);
    at += value.size();
  };
  (fill(values), ...);
  return {std::string(info.code), std::move(text)};
}

}  // namespace honest_epsilon::api
