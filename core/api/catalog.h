#pragma once

#include <array>
#include <string_view>

#include "core/samplers/balls_and_bins.h"
#include "core/samplers/batch_cap.h"
#include "core/samplers/deterministic.h"
#include "core/runs/gaussian_limit.h"
#include "core/samplers/poisson.h"
#include "core/runs/run.h"
#include "core/samplers/shuffle.h"
#include "core/samplers/without_replacement.h"

/// THE list of samplers. Form, flags, bindings, law tests and plots follow from it.
namespace honest_epsilon::api {

/// Of the relations zero-out and add/remove, those that a sampler's numbers hold for. Every sampler
/// answers for substitution when that is asked.
struct Relations {
  bool zero_out = false;
  bool add_remove = false;
  std::string_view why_not = "";  ///< the other one, where there is one; a sentence
};

struct Sampler {
  std::string_view name;      ///< as on the wire
  std::string_view label;     ///< as a person reads it
  std::string_view sentence;  ///< how its batches are drawn, one sentence
  Finding (*delta)(const Run&, double epsilon, const Effort&);
  Finding (*epsilon)(const Run&, double delta, const Effort&);
  Parts (*parts)(const Run&, const Demand&);     ///< for composing it with other runs
  rdp::RenyiCurve (*renyi)(const Run&);          ///< at most
  double (*squared_shift_estimate)(const Run&);  ///< of the Gaussian limit; +inf without a formula
  Failure (*cap)(const Run&);         ///< null where batches have a fixed size
  bool (*can_stop_midway)(const Run&);  ///< null where steps need not make whole epochs, or end so
  bool uses_epochs;                     ///< counts passes over the data, not independent draws
  bool knows_batches;                   ///< which batch holds a record is known
  bool can_keep_draw;                   ///< `reshuffle` makes a difference
  bool can_repeat;                      ///< a record may be used several times an epoch
  bool knows_groups;                    ///< several records a person have a pair of their own
  Relations holds_for;
  std::string_view assumption;
  std::string_view citations;  ///< space-separated BibTeX keys
};

inline constexpr Relations kEitherRelation = {true, true};
inline constexpr Relations kZeroOutOnly = {
    true, false,
    "Adding a record would shift every record after it into another place, and nothing is proved "
    "about that."};
inline constexpr Relations kAddRemoveOnly = {
    false, true,
    "A batch of fixed size fills the place of a missing record with another record, so that its "
    "sum may move by twice the clipping norm."};

inline constexpr std::array kSamplers = {
    Sampler{"deterministic", "Deterministic",
            "Every epoch visits the same batches in a known order.", deterministic::delta,
            deterministic::epsilon, deterministic::parts, deterministic::renyi,
            gaussian_limit::known_batches, nullptr, nullptr, true, true, false, false, true,
            kZeroOutOnly, "The batch that holds a record is known to the adversary.", "HP24 BW18"},
    Sampler{"shuffle", "Shuffle", "The dataset is permuted at random and cut into batches.",
            shuffle::delta, shuffle::epsilon, shuffle::parts, shuffle::renyi,
            gaussian_limit::known_batches, nullptr, shuffle::can_stop_midway, true, false, true,
            false, true, kZeroOutOnly,
            "The upper end is the smaller of two: deterministic batches, and a theorem of this "
            "project's own, unrefereed.",
            "HP24"},
    Sampler{"balls-and-bins", "Balls-and-bins",
            "Each record is put into one batch of the epoch, chosen at random on its own.",
            balls_and_bins::delta, balls_and_bins::epsilon, balls_and_bins::parts,
            balls_and_bins::renyi, gaussian_limit::balls_and_bins, batch_cap::balls_and_bins,
            balls_and_bins::can_stop_midway, true, false, true, true, true, kEitherRelation,
            "Each record's batch is chosen independently of all other records.", "BB25"},
    Sampler{"poisson", "Poisson", "Each record joins each batch with probability q, on its own.",
            poisson::delta, poisson::epsilon, poisson::parts, poisson::renyi,
            gaussian_limit::poisson, batch_cap::poisson, nullptr, false, false, false, false, true,
            kEitherRelation, "Each record joins each batch independently; batch sizes vary.",
            "HP24 AP24 CD22"},
    Sampler{"without-replacement", "Without replacement",
            "Each batch is a fresh uniform subset of fixed size.", without_replacement::delta,
            without_replacement::epsilon, without_replacement::parts, without_replacement::renyi,
            gaussian_limit::without_replacement, nullptr, nullptr, false, false, false, false,
            false, kAddRemoveOnly, "Each step draws its batch afresh, of exactly b records.",
            "AP24 CD22"},
};

/// A sampler of the list, by a name that is in it.
inline const Sampler& sampler_named(std::string_view name) {
  std::size_t i = 0;
  while (kSamplers[i].name != name) ++i;
  return kSamplers[i];
}

}  // namespace honest_epsilon::api
