#pragma once

#include <algorithm>
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

/// What assumptions are about: never changes, and several may share it.
inline constexpr auto kAssumptionCodes = std::to_array<std::string_view>(
    {"batches",        "upper-end",      "neighbours",       "noise",       "reshuffle",
     "step-batch",     "left-out",       "participations",   "bands",       "correlated",
     "privacy-unit",   "count-noise",    "sampling-workers", "replacement", "records-per-user",
     "swapped",        "max-batch-size", "tuning",           "releases",    "parts",
     "attack-sampled", "canaries",       "randomiser",       "clones",      "rounds",
     "model",          "clipping",       "adversary"});

/// A sentence with {} for each value that the run fills in; called with these, the assumption.
struct Assumes {
  std::string_view code;
  std::string_view sentence;

  consteval Assumes(const char* about, const char* text) : code(about), sentence(text) {
    if (std::find(kAssumptionCodes.begin(), kAssumptionCodes.end(), code) == kAssumptionCodes.end())
      throw about;
    // A sentence may end in what the sampler says.
    if (!sentence.ends_with('.') && !sentence.ends_with("{}")) throw text;
  }

  template <class... Values>
  Assumption operator()(const Values&... values) const {
    std::string text(sentence);
    std::size_t at = 0;
    [[maybe_unused]] const auto fill = [&](std::string_view value) {
      at = text.find("{}", at);
      text.replace(at, 2, value);
      at += value.size();
    };
    (fill(values), ...);
    return {std::string(code), std::move(text)};
  }
};

/// THE list of assumptions.
namespace assumes {

inline constexpr Assumes batches{"batches", "{}"};
inline constexpr Assumes known_upper_end{"upper-end",
                                         "The upper end is that of deterministic batches."};
inline constexpr Assumes one_by_one{
    "upper-end",
    "The theorem is about a single record; several are zeroed or replaced one by one. Without "
    "Gaussian noise a replaced one is zeroed first."};
inline constexpr Assumes replaced_pair{
    "upper-end", "The upper end uses a theorem of ours that is not yet peer-reviewed."};
inline constexpr Assumes zero_out{
    "neighbours", "Zero-out neighbours: one record's gradient is replaced by zero.{}"};
inline constexpr Assumes add_remove{"neighbours",
                                    "Add/remove neighbours: one record is present or absent.{}"};
inline constexpr Assumes substitution{
    "neighbours",
    "Substitution neighbours: one record is replaced by another, so its gradient changes by up to "
    "twice the clipping norm; the noise multiplier is still relative to the clipping norm."};
inline constexpr Assumes gaussian{"noise",
                                  "The noise is Gaussian; its standard deviation is the "
                                  "noise multiplier times the clipping norm."};
inline constexpr Assumes laplace{
    "noise", "The noise is Laplace; its scale is the noise multiplier times the clipping norm."};
inline constexpr Assumes randomized_response{
    "noise",
    "Each step answers one bit, whether its batch holds the record, by randomised response with "
    "epsilon 1 / noiseMultiplier."};
inline constexpr Assumes redrawn{"reshuffle", "Batches are resampled every epoch."};
inline constexpr Assumes kept{"reshuffle", "The same batches are used in every epoch."};
inline constexpr Assumes step_batch{
    "step-batch", "Each step sums {} batches of {} records, {} in total, and adds noise once."};
inline constexpr Assumes left_out{
    "left-out", "Each epoch leaves out the {} records of the incomplete last batch."};
inline constexpr Assumes participations{
    "participations", "Each record is used in exactly {} steps of an epoch, chosen at random."};
inline constexpr Assumes bands{
    "bands",
    "The records form {} groups that take turns, and the noise is correlated by a matrix with as "
    "many bands and columns of norm 1: accounted as {} Poisson steps at the sampling rate of a "
    "group, {}."};
inline constexpr Assumes correlated{
    "correlated",
    "The noise is correlated: the run publishes C x + z, with C lower triangular, Toeplitz and "
    "without negative entries{}; the noise multiplier is that of z."};
inline constexpr Assumes noise_schedule{
    "noise",
    "The noise multiplier changes by the same {} from one epoch to the next, to {} in the last."};
inline constexpr Assumes noise_unit{"noise",
                                    "Noise of standard deviation {} on the {} of gradients "
                                    "clipped to norm {} is a noise multiplier of {}."};
inline constexpr Assumes client{
    "privacy-unit",
    "A record is a client with all its examples: its whole update of a round is clipped once."};
inline constexpr Assumes local_epochs{
    "privacy-unit",
    "The {} local epochs of a client change nothing: its update is clipped whatever they are."};
inline constexpr Assumes count_noise{
    "count-noise",
    "The clipping norm adapts to a count of the unclipped gradients (plus or minus one half per "
    "record), released with noise of standard deviation {}: accounted as noise multiplier {} for "
    "both."};
inline constexpr Assumes sampling_workers{
    "sampling-workers",
    "Each of {} workers samples its batch from the whole dataset, so a step can use a record that "
    "many times: accounted like a person with as many records."};
inline constexpr Assumes replacement{
    "replacement",
    "Each of the {} places of a batch samples from all {} records, with replacement: accounted "
    "like Poisson batches at half the noise, for a person with as many records as there are "
    "places, each in a batch with probability {}."};
inline constexpr Assumes records_per_user{
    "records-per-user",
    "Up to {} records belong to one person, and neighbours differ in all of them."};
inline constexpr Assumes swapped{"swapped",
                                 "In a swapped phase the roles of the two datasets are "
                                 "exchanged: it lacks the record where the others have it."};
inline constexpr Assumes cap{"max-batch-size",
                             "Batches of more than {} records are randomly reduced to that size."};
inline constexpr Assumes fixed_runs{"tuning",
                                    "All {} runs count as if they were published: for a "
                                    "fixed number of runs we have checked no better theorem."};
inline constexpr Assumes drawn_runs{
    "tuning",
    "The number of runs is chosen at random before the first run. Neither the number nor the other "
    "runs are published."};
inline constexpr Assumes drawn_configuration{
    "tuning",
    "Each run samples its configuration from the same list with the same probabilities, with fresh "
    "batches and noise; no configuration costs more than the run described here."};
inline constexpr Assumes score{
    "tuning",
    "The score of a run depends only on the output of that run and on independent randomness. A "
    "score computed from private data is covered only if it is part of the run described here."};
inline constexpr Assumes releases{
    "releases",
    "Other releases count as the worst that their guarantees allow, for the same neighbours and "
    "with independent noise."};
inline constexpr Assumes parts{
    "parts",
    "Numbered parts of the data are disjoint, and which records are in a part does not depend on "
    "other records: only the most expensive part counts."};
inline constexpr Assumes attack_sampled{
    "attack-sampled",
    "Samples come from one attack, the static one of [HP24]: its delta is a lower end for shuffled "
    "batches; other attacks may prove more."};
inline constexpr Assumes fair_coins{"canaries",
                                    "Each of the {} canaries was included in training with "
                                    "probability 1/2, independently of everything else."};
inline constexpr Assumes guesses{
    "canaries",
    "At most {} guesses were made; this number was fixed before looking at the results."};
inline constexpr Assumes own_runs{
    "canaries",
    "Each of the {} members and {} non-members is attacked in a training run of its own. The "
    "attack and its thresholds were fixed before looking at the results."};
inline constexpr Assumes local_privacy{"randomiser",
                                       "Each user's randomiser is locally private with the "
                                       "given epsilon; the shuffler hides who sent what."};
inline constexpr Assumes one_user{
    "neighbours",
    "Neighbours differ in one user's input, and the adversary knows everybody else's."};
inline constexpr Assumes standard_clones{"clones",
                                         "Standard clones: every such randomiser is covered."};
inline constexpr Assumes stronger_clones{
    "clones",
    "Stronger clones: only for randomisers, such as randomised response, in which no output is "
    "more likely under two inputs than under a third."};
inline constexpr Assumes fresh_rounds{"rounds", "Every round uses fresh randomness."};
inline constexpr Assumes linear_model{
    "model", "A linear model takes one step from a random start, N(0, 1)."};
inline constexpr Assumes clipped{"clipping", "Gradients are clipped."};
inline constexpr Assumes unclipped{"clipping", "Gradients are not clipped."};
inline constexpr Assumes visible_start{
    "adversary", "The adversary may see the start, too; without it they learn less."};
inline constexpr Assumes one_example{
    "neighbours",
    "Zero-out neighbours: the gradient of one example is present or replaced by zero."};
inline constexpr Assumes two_components{
    "model", "P and Q are mixtures of two Gaussians of variance 1, with the same weight."};
inline constexpr Assumes observer{
    "adversary",
    "Joint concavity reveals the component to the observer; advanced joint concavity allows any "
    "regrouping of the components."};

}  // namespace assumes

}  // namespace honest_epsilon::wire
