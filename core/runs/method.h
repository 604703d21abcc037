#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace honest_epsilon {

/// How the ends of an answer were found.
enum class Method : unsigned char {
  none,
  gaussian_closed_form,
  closed_form,
  lattice,
  contour,
  epoch_contour,
  glued,
  largest_loss,
  group_privacy,
  group_above_pair,
  group_sum,
  single_record,
  known_above_pair,
  known_sum,
  known,
  clones,
  swaps,
  event_known,
  event_swaps,
  epochs_known,
  epochs_swaps,
  stopped_known,
  stopped_swaps,
  bins_known,
  bins_clones,
  bins_swaps,
  epoch_integral,
  replaced_epoch,
  bins_integral,
  composed_epochs,
  participation_rounds,
  correlated,
  through_zero_out,
  through_left_out,
  renyi,
  central_limit,
  search,
  audit,
  audit_counts,
  clone_sum,
  clone_rounds,
  random_start,
  density_zeros,
  two_batches,
};

/// A method as programs and readers know it.
struct MethodInfo {
  Method method;
  std::string_view code;      ///< for programs; never changes: either of our theorems is "clones"
  std::string_view sentence;  ///< for readers
  std::string_view anchor;    ///< where web/docs explains it
};

/// The table of methods, in the order of the enumeration.
inline constexpr auto kMethods = std::to_array<MethodInfo>({
    {Method::none, "none", "none", "refine"},
    {Method::gaussian_closed_form, "gaussian-closed-form", "Gaussian closed form", "deterministic"},
    {Method::closed_form, "closed-form", "closed form", "poisson"},
    {Method::lattice, "lattice", "privacy loss distribution, tilted FFT", "pld"},
    {Method::contour, "contour", "contour integral of moment functions", "contour"},
    {Method::epoch_contour, "epoch-contour", "contour integral of the epoch's moment function",
     "contour-bins"},
    {Method::glued, "glued",
     "upper end: both one-step curves glued to one dominating pair, composed; lower end: one of "
     "them, composed",
     "glued"},
    {Method::largest_loss, "largest-loss", "largest loss", "largest-loss"},
    {Method::group_privacy, "group-privacy",
     "upper end: group privacy, record by record; lower end: a single record", "single-record"},
    {Method::group_above_pair, "group-above-pair",
     "upper end: group privacy, record by record; lower end: all records at once", "single-record"},
    {Method::group_sum, "group-sum",
     "upper end: group privacy, record by record; lower end: the sum of the batches of an epoch",
     "single-record"},
    {Method::single_record, "single-record",
     "upper end: deterministic batches; lower end: a single record", "single-record"},
    {Method::known_above_pair, "known-above-pair",
     "upper end: deterministic batches; lower end: all records at once", "single-record"},
    {Method::known_sum, "known-sum",
     "upper end: deterministic batches; lower end: the sum of the batches of an epoch",
     "single-record"},
    {Method::known, "known", "upper end: deterministic batches", "shuffle"},
    {Method::clones, "clones", "upper end: clone theorem", "clones"},
    {Method::swaps, "clones", "upper end: swap theorem", "swaps"},
    {Method::event_known, "event-known",
     "lower end: threshold or adaptive attack; upper end: deterministic batches", "shuffle"},
    {Method::event_swaps, "event-clones",
     "lower end: threshold or adaptive attack; upper end: swap theorem", "swaps"},
    {Method::epochs_known, "epochs-known",
     "lower end: an attack on each epoch, composed; upper end: deterministic batches",
     "shuffle-epochs"},
    {Method::epochs_swaps, "epochs-clones",
     "lower end: an attack on each epoch, composed; upper end: swap theorem", "swaps"},
    {Method::stopped_known, "stopped-known",
     "lower end: threshold or adaptive attack on the batches seen; upper end: deterministic "
     "batches",
     "stopped"},
    {Method::stopped_swaps, "stopped-clones",
     "lower end: threshold or adaptive attack on the batches seen; upper end: swap theorem",
     "stopped"},
    {Method::bins_known, "bins-known",
     "lower end: balls-and-bins, which reveals less; upper end: deterministic batches",
     "shuffle-bins"},
    {Method::bins_clones, "bins-clones",
     "lower end: balls-and-bins, which reveals less; upper end: clone theorem", "clones"},
    {Method::bins_swaps, "bins-clones",
     "lower end: balls-and-bins, which reveals less; upper end: swap theorem", "swaps"},
    {Method::epoch_integral, "epoch-integral", "exact integral by FFT", "balls-and-bins"},
    {Method::replaced_epoch, "replaced-epoch",
     "contour integral over an epoch with a replaced record", "bins-replaced"},
    {Method::bins_integral, "bins-integral", "exact integral over the bins by FFT",
     "balls-and-bins"},
    {Method::composed_epochs, "composed-epochs",
     "one epoch's proved curve as a privacy loss distribution, composed by tilted FFT",
     "bins-epochs"},
    {Method::participation_rounds, "participation-rounds",
     "upper end: k rounds of one in floor(T / k), composed; lower end: an attack "
     "that weighs each step as if it were sampled on its own, or the "
     "largest or the sum",
     "participations"},
    {Method::correlated, "correlated",
     "both ends: a Gaussian release and an epoch of balls-and-bins, by Kahane's inequality",
     "correlated"},
    {Method::through_zero_out, "through-zero-out",
     "upper end: via the run without the record; lower end: zero-out neighbours, or the sum of the "
     "batches of an epoch",
     "bins-substitution"},
    {Method::through_left_out, "through-left-out",
     "upper end: via the run without the records; lower end: an attack on the replaced ones",
     "bins-substitution"},
    {Method::renyi, "renyi", "Rényi divergence at the best order", "renyi"},
    {Method::central_limit, "central-limit", "central limit theorem", "gdp"},
    {Method::search, "search",
     "best of a random number of runs, from the trade-off curve of one run", "search"},
    {Method::audit, "audit", "correct guesses of canaries, one run", "audit"},
    {Method::audit_counts, "audit-counts",
     "true and false positives over many runs, exact binomial bounds", "audit"},
    {Method::clone_sum, "clone-sum", "finite sum over the clones", "shuffle-model"},
    {Method::clone_rounds, "clone-rounds",
     "finite sum over the clones as a privacy loss distribution, tilted FFT", "shuffle-rounds"},
    {Method::random_start, "random-start",
     "expectation over the start, between Jensen's inequality and chords", "initialisation"},
    {Method::density_zeros, "density-zeros", "zeros of the difference of densities", "mixtures"},
    {Method::two_batches, "two-batches",
     "expectation over the first output, between Jensen's inequality and chords", "counterexample"},
});

constexpr const MethodInfo& info_of(Method method) {
  return kMethods[static_cast<std::size_t>(method)];
}

static_assert([] {
  for (std::size_t at = 0; at < kMethods.size(); ++at)
    if (kMethods[at].method != static_cast<Method>(at)) return false;
  return kMethods.back().method == Method::two_batches;
}());

}  // namespace honest_epsilon
