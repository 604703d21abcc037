#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace honest_epsilon::wire {

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
  correlated,
  noise_schedule,
  noise_unit,
  client,
  local_epochs,
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
  parts,
  attack_sampled,
  fair_coins,
  guesses,
  own_runs,
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
     "The theorem is about a single record; several are zeroed or replaced one by one. Without "
     "Gaussian noise a replaced one is zeroed first."},
    {Assumes::replaced_pair, "upper-end",
     "The upper end uses a theorem of ours that is not yet peer-reviewed."},
    {Assumes::zero_out, "neighbours",
     "Zero-out neighbours: one record's gradient is replaced by zero.{}"},
    {Assumes::add_remove, "neighbours",
     "Add/remove neighbours: one record is present or absent.{}"},
    {Assumes::substitution, "neighbours",
     "Substitution neighbours: one record is replaced by another, so its gradient changes by up to "
     "twice the clipping norm; the noise multiplier is still relative to the clipping norm."},
    {Assumes::gaussian, "noise",
     "The noise is Gaussian; its standard deviation is the noise multiplier times the clipping "
     "norm."},
    {Assumes::laplace, "noise",
     "The noise is Laplace; its scale is the noise multiplier times the clipping norm."},
    {Assumes::randomized_response, "noise",
     "Each step answers one bit, whether its batch holds the record, by randomised response with "
     "epsilon 1 / noiseMultiplier."},
    {Assumes::redrawn, "reshuffle", "Batches are resampled every epoch."},
    {Assumes::kept, "reshuffle", "The same batches are used in every epoch."},
    {Assumes::step_batch, "step-batch",
     "Each step sums {} batches of {} records, {} in total, and adds noise once."},
    {Assumes::left_out, "left-out",
     "Each epoch leaves out the {} records of the incomplete last batch."},
    {Assumes::participations, "participations",
     "Each record is used in exactly {} steps of an epoch, chosen at random."},
    {Assumes::bands, "bands",
     "The records form {} groups that take turns, and the noise is correlated by a matrix with as "
     "many bands and columns of norm 1: accounted as {} Poisson steps at the sampling rate of a "
     "group, {}."},
    {Assumes::correlated, "correlated",
     "The noise is correlated: the run publishes C x + z, with C lower triangular, Toeplitz and "
     "without negative entries{}; the noise multiplier is that of z."},
    {Assumes::noise_schedule, "noise",
     "The noise multiplier changes by the same {} from one epoch to the next, to {} in the last."},
    {Assumes::noise_unit, "noise",
     "Noise of standard deviation {} on the {} of gradients clipped to norm {} is a noise "
     "multiplier of {}."},
    {Assumes::client, "privacy-unit",
     "A record is a client with all its examples: its whole update of a round is clipped "
     "once."},
    {Assumes::local_epochs, "privacy-unit",
     "The {} local epochs of a client change nothing: its update is clipped whatever they are."},
    {Assumes::count_noise, "count-noise",
     "The clipping norm adapts to a count of the unclipped gradients (plus or minus one half per "
     "record), released with noise of standard deviation {}: accounted as noise multiplier {} for "
     "both."},
    {Assumes::sampling_workers, "sampling-workers",
     "Each of {} workers samples its batch from the whole dataset, so a step can use a record that "
     "many times: accounted like a person with as many records."},
    {Assumes::replacement, "replacement",
     "Each of the {} places of a batch samples from all {} records, with replacement: accounted "
     "like Poisson batches at half the noise, for a person with as many records as there are "
     "places, each in a batch with probability {}."},
    {Assumes::records_per_user, "records-per-user",
     "Up to {} records belong to one person, and neighbours differ in all of them."},
    {Assumes::swapped, "swapped",
     "In a swapped phase the roles of the two datasets are exchanged: it lacks the record where "
     "the "
     "others have it."},
    {Assumes::cap, "max-batch-size",
     "Batches of more than {} records are randomly reduced to that size."},
    {Assumes::fixed_runs, "tuning",
     "All {} runs count as if they were published: for a fixed number of runs no better theorem is "
     "known."},
    {Assumes::drawn_runs, "tuning",
     "The number of runs is chosen at random before the first run. Neither the number nor the "
     "other "
     "runs are published."},
    {Assumes::drawn_configuration, "tuning",
     "Each run samples its configuration from the same list with the same probabilities, with "
     "fresh "
     "batches and noise; no configuration costs more than the run described here."},
    {Assumes::score, "tuning",
     "The score of a run depends only on the output of that run and on independent randomness. A "
     "score computed from private data is covered only if it is part of the run described here."},
    {Assumes::releases, "releases",
     "Other releases count as the worst that their guarantees allow, for the same neighbours and "
     "with independent noise."},
    {Assumes::parts, "parts",
     "Numbered parts of the data are disjoint, and which records are in a part does not depend on "
     "other records: only the most expensive part counts."},
    {Assumes::attack_sampled, "attack-sampled",
     "Samples come from one attack, the static one of [HP24]: its delta is a lower end for "
     "shuffled "
     "batches; other attacks may prove more."},
    {Assumes::fair_coins, "canaries",
     "Each of the {} canaries was included in training with probability 1/2, independently of "
     "everything else."},
    {Assumes::guesses, "canaries",
     "At most {} guesses were made; this number was fixed before looking at the results."},
    {Assumes::own_runs, "canaries",
     "Each of the {} members and {} non-members is attacked in a training run of its own. The "
     "attack and its thresholds were fixed before looking at the results."},
    {Assumes::local_privacy, "randomiser",
     "Each user's randomiser is locally private with the given epsilon; the shuffler hides who "
     "sent "
     "what."},
    {Assumes::one_user, "neighbours",
     "Neighbours differ in one user's input, and the adversary knows everybody else's."},
    {Assumes::standard_clones, "clones", "Standard clones: every such randomiser is covered."},
    {Assumes::stronger_clones, "clones",
     "Stronger clones: only for randomisers, such as randomised response, in which no output is "
     "more "
     "likely under two inputs than under a third."},
    {Assumes::fresh_rounds, "rounds", "Every round uses fresh randomness."},
    {Assumes::linear_model, "model", "A linear model takes one step from a random start, N(0, 1)."},
    {Assumes::clipped, "clipping", "Gradients are clipped."},
    {Assumes::unclipped, "clipping", "Gradients are not clipped."},
    {Assumes::visible_start, "adversary",
     "The adversary may see the start, too; without it they learn less."},
    {Assumes::one_example, "neighbours",
     "Zero-out neighbours: the gradient of one example is present or replaced by zero."},
    {Assumes::two_components, "model",
     "P and Q are mixtures of two Gaussians of variance 1, with the same weight."},
    {Assumes::observer, "adversary",
     "Joint concavity reveals the component to the observer; advanced joint concavity allows any "
     "regrouping of the components."},
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

}  // namespace honest_epsilon::wire
