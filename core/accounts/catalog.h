#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/spelling.h"
#include "core/monte_carlo/request.h"
#include "core/runs/gaussian_limit.h"
#include "core/runs/run.h"
#include "core/samplers/balls_and_bins.h"
#include "core/samplers/batch_cap.h"
#include "core/samplers/deterministic.h"
#include "core/samplers/poisson.h"
#include "core/samplers/shuffle.h"
#include "core/samplers/shuffle_upper.h"
#include "core/samplers/without_replacement.h"

/// THE list of samplers. Form, flags, bindings, law tests and plots follow from it.
namespace honest_epsilon::accounts {

/// Of the relations zero-out and add/remove, those that a sampler's numbers hold for. Every sampler
/// answers for substitution when that is asked.
struct Relations {
  bool zero_out = false;
  bool add_remove = false;
  std::string_view why_not = "";  ///< a sentence, where one of the two is missing
};

struct Sampler {
  std::string_view name;      ///< as on the wire
  std::string_view label;     ///< as a person reads it
  std::string_view sentence;  ///< how its batches are drawn, one sentence

  Finding (*delta)(const Run&, double epsilon, const Effort&);
  Finding (*epsilon)(const Run&, double delta, const Effort&);
  Parts (*parts)(const Run&, const Demand&);     ///< for composing it with other runs
  rdp::RenyiCurve (*renyi)(const Run&);          ///< an upper bound
  double (*squared_shift_estimate)(const Run&);  ///< of the Gaussian limit; +inf without a formula

  Failure (*cap)(const Run&) = nullptr;           ///< null where batches have a fixed size
  bool (*can_stop_midway)(const Run&) = nullptr;  ///< null where the last epoch is never a part
  bool (*has_gap)(const Run&) = nullptr;          ///< null where theory never leaves a gap
  /// Whether an upper end may rest on a theorem of this project's own; null where none does.
  bool (*has_own_proof)(const Run&) = nullptr;
  std::optional<monte_carlo::SampledPair> gaussian_pair = std::nullopt;  ///< Monte Carlo's
  std::optional<monte_carlo::SampledPair> laplace_pair = std::nullopt;

  bool uses_epochs = false;       ///< counts passes over the data, not independent draws
  bool knows_batches = false;     ///< which batch holds a record is known
  bool cuts_the_data = false;     ///< batches are consecutive records, one may be short or left out
  bool permutes = false;          ///< the records are shuffled first
  bool can_keep_draw = false;     ///< `reshuffle` makes a difference
  bool can_repeat = false;        ///< a record may be used several times an epoch
  bool can_replace = false;       ///< a batch's records may be drawn with replacement
  bool draws_by_record = false;   ///< each record is drawn independently of all others
  bool draws_by_step = false;     ///< and each step independently of all others
  bool knows_groups = false;      ///< several records per person have a pair of their own
  bool usually_drawn = false;     ///< training loops draw so unless they are told otherwise
  bool usually_reported = false;  ///< papers report this sampler's epsilon, whatever they drew
  Relations holds_for;

  std::string_view assumption;
  std::string_view citations;                 ///< space-separated BibTeX keys
  std::string_view epochs_citations = "";     ///< and where each epoch has a draw of its own
  std::string_view groups_citation = "DR14";  ///< and of several records per person
};

inline constexpr Relations kEitherRelation = {.zero_out = true, .add_remove = true};
inline constexpr Relations kZeroOutOnly = {
    .zero_out = true,
    .why_not =
        "Add/remove is not covered: adding a record would shift the position of all later "
        "ones."};
inline constexpr Relations kAddRemoveOnly = {
    .add_remove = true,
    .why_not =
        "When a record is missing, another takes its place in the batch, so the sum can "
        "change by twice the clipping norm."};

inline constexpr std::array kSamplers = {
    Sampler{
        .name = "deterministic",
        .label = "Deterministic batches",
        .sentence = "Same batches, same known order, every epoch.",
        .delta = deterministic::delta,
        .epsilon = deterministic::epsilon,
        .parts = deterministic::parts,
        .renyi = deterministic::renyi,
        .squared_shift_estimate = gaussian_limit::known_batches,
        .uses_epochs = true,
        .knows_batches = true,
        .cuts_the_data = true,
        .knows_groups = true,
        .holds_for = kZeroOutOnly,
        .assumption = "The adversary knows which batches hold a record.",
        .citations = "HP24 BW18",
    },
    Sampler{
        .name = "shuffle",
        .label = "Shuffled batches",
        .sentence = "The dataset is shuffled and cut into batches: DataLoader(shuffle=True).",
        .delta = shuffle::delta,
        .epsilon = shuffle::epsilon,
        .parts = shuffle::parts,
        .renyi = shuffle::renyi,
        .squared_shift_estimate = gaussian_limit::known_batches,
        .can_stop_midway = shuffle::can_stop_midway,
        .has_gap = shuffle::has_gap,
        .has_own_proof = shuffle::has_own_proof,
        .gaussian_pair = monte_carlo::SampledPair::shuffle,
        .uses_epochs = true,
        .cuts_the_data = true,
        .permutes = true,
        .can_keep_draw = true,
        .knows_groups = true,
        .usually_drawn = true,
        .holds_for = kZeroOutOnly,
        .assumption = "The upper end is the best of three bounds: deterministic batches, and two "
                      "theorems of ours that are not yet peer-reviewed.",
        .citations = "HP24",
        .epochs_citations = "CG24",
    },
    Sampler{
        .name = "balls-and-bins",
        .label = "Balls-and-bins",
        .sentence = "Each record goes into one batch per epoch, chosen at random, independently.",
        .delta = balls_and_bins::delta,
        .epsilon = balls_and_bins::epsilon,
        .parts = balls_and_bins::parts,
        .renyi = balls_and_bins::renyi,
        .squared_shift_estimate = gaussian_limit::balls_and_bins,
        .cap = batch_cap::balls_and_bins,
        .can_stop_midway = balls_and_bins::can_stop_midway,
        .has_gap = balls_and_bins::has_gap,
        .has_own_proof = balls_and_bins::has_own_proof,
        .gaussian_pair = monte_carlo::SampledPair::balls_and_bins,
        .uses_epochs = true,
        .can_keep_draw = true,
        .can_repeat = true,
        .draws_by_record = true,
        .knows_groups = true,
        .holds_for = kEitherRelation,
        .assumption = "Each record's batch is chosen independently of all other records.",
        .citations = "BB25",
    },
    Sampler{
        .name = "poisson",
        .label = "Poisson batches",
        .sentence = "Each record joins each batch independently with probability q: Opacus’s "
                    "default.",
        .delta = poisson::delta,
        .epsilon = poisson::epsilon,
        .parts = poisson::parts,
        .renyi = poisson::renyi,
        .squared_shift_estimate = gaussian_limit::poisson,
        .cap = batch_cap::poisson,
        .has_gap = poisson::has_gap,
        .gaussian_pair = monte_carlo::SampledPair::poisson_gaussian,
        .laplace_pair = monte_carlo::SampledPair::poisson_laplace,
        .draws_by_record = true,
        .draws_by_step = true,
        .knows_groups = true,
        .usually_reported = true,
        .holds_for = kEitherRelation,
        .assumption = "Each record joins each batch independently; batch sizes vary.",
        .citations = "HP24 AP24 CD22",
        .groups_citation = "GA24",
    },
    Sampler{
        .name = "without-replacement",
        .label = "Fixed-size batches",
        .sentence = "Every step takes a new random subset of exactly b records.",
        .delta = without_replacement::delta,
        .epsilon = without_replacement::epsilon,
        .parts = without_replacement::parts,
        .renyi = without_replacement::renyi,
        .squared_shift_estimate = gaussian_limit::without_replacement,
        .has_gap = without_replacement::has_gap,
        .can_replace = true,
        .holds_for = kAddRemoveOnly,
        .assumption = "Each step samples a new batch of exactly b records.",
        .citations = "AP24 CD22",
    },
};

/// A sampler of the list, by a name that is in it.
inline const Sampler& sampler_named(std::string_view name) {
  std::size_t i = 0;
  while (kSamplers[i].name != name) ++i;
  return kSamplers[i];
}

/// The samplers of which something holds, as a sentence lists them.
inline std::string samplers_with(bool (*holds)(const Sampler&)) {
  std::string names;
  for (const Sampler& sampler : kSamplers) {
    if (!holds(sampler)) continue;
    if (!names.empty()) names += ' ';
    names += sampler.name;
  }
  return spell_choices(names);
}

}  // namespace honest_epsilon::accounts
