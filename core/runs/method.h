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
  event_known,
  event_clones,
  epochs_known,
  epochs_clones,
  stopped_known,
  stopped_clones,
  bins_known,
  bins_clones,
  epoch_integral,
  replaced_epoch,
  bins_integral,
  composed_epochs,
  participation_rounds,
  through_zero_out,
  through_left_out,
  renyi,
  central_limit,
  search,
  audit,
  clone_sum,
  clone_rounds,
  random_start,
  density_zeros,
  two_batches,
};

/// A method as programs and readers know it.
struct MethodInfo {
  Method method;
  std::string_view code;      ///< for programs; never changes
  std::string_view sentence;  ///< for readers
  std::string_view anchor;    ///< where web/docs explains it
};

/// The table of methods, in the order of the enumeration.
inline constexpr auto kMethods = std::to_array<MethodInfo>({
    {Method::none, "none", "none", "refine"},
    {Method::gaussian_closed_form, "gaussian-closed-form", "Gaussian closed form", "deterministic"},
    {Method::closed_form, "closed-form", "closed form", "poisson"},
    {Method::lattice, "lattice", "privacy loss distribution, tilted FFT", "pld"},
    {Method::contour, "contour", "moment functions, contour integral", "contour"},
    {Method::epoch_contour, "epoch-contour", "moment function of an epoch, contour integral",
     "contour-bins"},
    {Method::glued, "glued",
     "upper: both one-step curves glued to one dominating pair, composed; lower: one of them, "
     "composed",
     "glued"},
    {Method::largest_loss, "largest-loss", "largest loss", "largest-loss"},
    {Method::group_privacy, "group-privacy",
     "upper: group privacy, record by record; lower: a single record", "single-record"},
    {Method::group_above_pair, "group-above-pair",
     "upper: group privacy, record by record; lower: all records at once", "single-record"},
    {Method::group_sum, "group-sum",
     "upper: group privacy, record by record; lower: the sum of an epoch's batches",
     "single-record"},
    {Method::single_record, "single-record", "upper: deterministic batches; lower: a single record",
     "single-record"},
    {Method::known_above_pair, "known-above-pair",
     "upper: deterministic batches; lower: all records at once", "single-record"},
    {Method::known_sum, "known-sum",
     "upper: deterministic batches; lower: the sum of an epoch's batches", "single-record"},
    {Method::known, "known", "upper: deterministic batches", "shuffle"},
    {Method::clones, "clones", "upper: clones", "clones"},
    {Method::event_known, "event-known",
     "lower: best threshold and adaptive attack; upper: deterministic batches", "shuffle"},
    {Method::event_clones, "event-clones",
     "lower: best threshold and adaptive attack; upper: clones", "clones"},
    {Method::epochs_known, "epochs-known",
     "lower: an attack on each epoch, composed; upper: deterministic batches", "shuffle-epochs"},
    {Method::epochs_clones, "epochs-clones",
     "lower: an attack on each epoch, composed; upper: clones", "clones"},
    {Method::stopped_known, "stopped-known",
     "lower: best threshold and adaptive attack on the batches seen; upper: deterministic "
     "batches",
     "stopped"},
    {Method::stopped_clones, "stopped-clones",
     "lower: best threshold and adaptive attack on the batches seen; upper: clones", "stopped"},
    {Method::bins_known, "bins-known",
     "lower: balls-and-bins, which reveals less; upper: deterministic batches", "shuffle-bins"},
    {Method::bins_clones, "bins-clones", "lower: balls-and-bins, which reveals less; upper: clones",
     "clones"},
    {Method::epoch_integral, "epoch-integral", "exact integral by FFT", "balls-and-bins"},
    {Method::replaced_epoch, "replaced-epoch",
     "contour integral over an epoch with a replaced record", "bins-replaced"},
    {Method::bins_integral, "bins-integral", "exact integral over the bins by FFT",
     "balls-and-bins"},
    {Method::composed_epochs, "composed-epochs",
     "one epoch's proved curve as a privacy loss distribution, composed by tilted FFT",
     "bins-epochs"},
    {Method::participation_rounds, "participation-rounds",
     "upper: k rounds of one in floor(T / k), composed; lower: the largest and the sum",
     "participations"},
    {Method::through_zero_out, "through-zero-out",
     "upper: by way of the run without the record; lower: zero-out neighbours, or the sum of an "
     "epoch's batches",
     "bins-substitution"},
    {Method::through_left_out, "through-left-out",
     "upper: by way of the run without the records; lower: an attack on the replaced ones",
     "bins-substitution"},
    {Method::renyi, "renyi", "Rényi divergences, the best order", "renyi"},
    {Method::central_limit, "central-limit", "central limit theorem", "gdp"},
    {Method::search, "search", "best of a random number of runs, by one run's trade-off curve",
     "search"},
    {Method::audit, "audit", "right guesses at canaries, one run", "audit"},
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
