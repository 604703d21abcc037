#include "core/accounts/trainer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/samplers/correlated.h"
#include "core/wire/check.h"
#include "core/wire/noise_unit.h"

namespace honest_epsilon::accounts {
bool has_matrix(const wire::Phase& p) {
  return matrix_field(p) != nullptr;
}

const char* matrix_field(const wire::Phase& p) {
  if (!p.matrix_column.empty()) return "matrix_column";
  if (!p.buffer_weights.empty()) return "buffer_weights";
  if (!p.buffer_decays.empty()) return "buffer_decays";
  return p.matrix.value_or("identity") != "identity" ? "matrix" : nullptr;
}

namespace {

bool several(const wire::Number& value) {
  return value.value_or(1) > 1;
}

bool has_buffers(const wire::Phase& p) {
  return !p.buffer_weights.empty() || !p.buffer_decays.empty();
}

/// A field that only some samplers take, given with another one.
std::optional<Issue> check_sampler(wire::Number wire::Phase::* member, const wire::Phase& p,
                                   const Sampler& sampler, bool (*has)(const Sampler&)) {
  if (has(sampler)) return std::nullopt;
  return wire::contradiction(member, p, "be 1 or absent unless sampler is " + samplers_with(has),
                             " with " + spell_text(sampler.name));
}

std::optional<Issue> check_gaussian(wire::Number wire::Phase::* member, const wire::Phase& p,
                                    const std::string& must) {
  if (p.mechanism.value_or("gaussian") == "gaussian") return std::nullopt;
  return wire::contradiction(member, p, must + " unless mechanism is \"gaussian\"",
                             " with " + spell_text(*p.mechanism));
}

/// Bands of a run whose groups' sizes are not known.
std::optional<Issue> check_group_rate(const wire::Phase& p) {
  if (p.sampling_probability && (!p.steps || p.epochs || p.steps_per_epoch))
    return wire::contradiction(
        &wire::Phase::bands, p,
        "be 1 or absent beside samplingProbability unless steps alone says how "
        "long the run is, since an epoch is as many times longer than 1 / samplingProbability",
        " (or give datasetSize and batchSize)");
  if (p.sampling_probability || *p.bands <= *p.steps_per_epoch) return std::nullopt;
  return wire::refused(
      "out-of-domain", &wire::Phase::bands, p,
      "be at most stepsPerEpoch, " + spell(*p.steps_per_epoch) + ", so that a group holds a batch");
}

std::optional<Issue> check_bands(const wire::Phase& p, const Sampler& sampler) {
  if (!several(p.bands) || has_matrix(p)) return std::nullopt;
  constexpr auto kBands = &wire::Phase::bands;
  if (auto issue =
          check_sampler(kBands, p, sampler, [](const Sampler& s) { return s.draws_by_step; }))
    return issue;
  if (auto issue = check_gaussian(kBands, p, "be 1 or absent")) return issue;
  // Records of one person may belong to several groups, whose blocks overlap.
  if (several(p.records_per_user))
    return wire::contradiction(kBands, p, "be 1 or absent beside recordsPerUser");
  const wire::Number batch = step_batch_of(p);
  if (!p.dataset_size || !batch) return check_group_rate(p);
  if (*batch <= std::floor(*p.dataset_size / *p.bands)) return std::nullopt;
  return wire::refused("out-of-domain", kBands, p,
                       "be at most datasetSize divided by a step's batch, " +
                           spell(std::floor(*p.dataset_size / *batch)) +
                           ", so that a group holds a batch");
}

/// What goes with correlated noise.
std::optional<Issue> check_matrix(const wire::Phase& p, const Sampler& sampler, bool comparing) {
  if (!has_matrix(p)) return std::nullopt;
  const char* field = matrix_field(p);
  const wire::Numbers& entries = !p.matrix_column.empty()    ? p.matrix_column
                                 : !p.buffer_weights.empty() ? p.buffer_weights
                                                             : p.buffer_decays;
  const std::string got =
      entries.empty() ? spell_text(*p.matrix) : spell(entries.front()) + ", ...";
  const auto only = [&](const std::string& what, const std::string& with) {
    return wire::contradiction(field, "be absent unless " + what, got + " with " + with);
  };
  if (comparing) return only("one sampler is asked for", "a comparison of all samplers");
  const auto kept = [](const Sampler& s) { return s.uses_epochs && !s.permutes; };
  if (!kept(sampler)) return only("sampler is " + samplers_with(kept), spell_text(sampler.name));
  if (p.mechanism.value_or("gaussian") != "gaussian")
    return only("mechanism is \"gaussian\"", spell_text(*p.mechanism));
  const std::string matrix = p.matrix.value_or("");
  if (matrix == "column" && p.matrix_column.empty())
    return wire::missing("matrix_column", "a list of numbers, the first column of C");
  if (matrix == "buffers" && p.buffer_weights.empty())
    return wire::missing("buffer_weights", "a list of numbers, as many as bufferDecays");
  if (!entries.empty()) {
    if (has_buffers(p) && !p.matrix_column.empty())
      return wire::contradiction("matrix_column",
                                 "be absent beside the weights and decays of buffers", got);
    const bool fits = !p.matrix || matrix == (has_buffers(p) ? "buffers" : "column");
    if (!fits || several(p.bands))
      return wire::contradiction(
          fits ? "bands" : "matrix",
          std::string("be absent beside ") + camel_case(field) + ", which says what the matrix is",
          fits ? spell(*p.bands) : spell_text(matrix));
    if (p.buffer_weights.size() != p.buffer_decays.size()) {
      const auto counted = [](const wire::Numbers& list, const std::string& one) {
        return std::to_string(list.size()) + " " + one + (list.size() == 1 ? "" : "s");
      };
      const std::string other = p.buffer_weights.empty() ? "bufferWeights" : "bufferDecays";
      return wire::contradiction(
          field, "have as many numbers as " + other,
          counted(p.buffer_weights, "weight") + " and " + counted(p.buffer_decays, "decay"));
    }
    // Its square must not underflow.
    if (!has_buffers(p) && p.matrix_column.front() < wire::kLeastEntry)
      return wire::refused("out-of-domain", &wire::Phase::matrix_column, p,
                           "begin with an entry of at least " + spell(wire::kLeastEntry) +
                               ", so that C has an inverse");
  }
  if (p.max_batch_size) return only("maxBatchSize is", "maxBatchSize " + spell(*p.max_batch_size));
  if (p.count_noise) return only("countNoise is", "countNoise " + spell(*p.count_noise));
  if (sampler.knows_batches) return std::nullopt;
  if (several(p.sampling_workers))
    return only("samplingWorkers is 1 or absent", "samplingWorkers " + spell(*p.sampling_workers));
  if (p.epochs.value_or(2) > 1 && p.reshuffle.value_or("each-epoch") != "once")
    return only("reshuffle is \"once\" or there is one epoch", "reshuffle \"each-epoch\"");
  if (p.adjacency.value_or("zero-out") == "substitution" || several(p.records_per_user) ||
      several(p.participations))
    return only(
        "the sampler is deterministic, or neighbours differ in one record that is zeroed, added "
        "or removed and takes part once an epoch",
        spell_text(sampler.name));
  return std::nullopt;
}

std::optional<Issue> check_workers(const wire::Phase& p, const Sampler& sampler) {
  if (!several(p.sampling_workers)) return std::nullopt;
  if (auto issue = check_sampler(&wire::Phase::sampling_workers, p, sampler,
                                 [](const Sampler& s) { return s.draws_by_record; }))
    return issue;
  if (several(p.records_per_user) || p.max_batch_size)
    return wire::contradiction(&wire::Phase::sampling_workers, p,
                               std::string("be 1 or absent beside ") +
                                   (p.max_batch_size ? "maxBatchSize" : "recordsPerUser"));
  return std::nullopt;
}

bool replaces(const wire::Phase& phase, const Sampler& sampler) {
  return sampler.can_replace && phase.replacement.value_or(false);
}

std::optional<Issue> check_replacement(const wire::Phase& p, const Sampler& sampler,
                                       bool comparing) {
  if (!p.replacement.value_or(false)) return std::nullopt;
  const auto only = [&](const std::string& what, const std::string& got) {
    return wire::contradiction("replacement", "be false or absent unless " + what,
                               "true with " + spell_text(got));
  };
  if (!sampler.can_replace) {
    if (comparing) return std::nullopt;
    return only("sampler is " + samplers_with([](const Sampler& s) { return s.can_replace; }),
                std::string(sampler.name));
  }
  // For neither of the two is it proved that no other gradients are worse.
  const std::string mechanism = p.mechanism.value_or("gaussian");
  if (mechanism == "laplace")
    return only("mechanism is " + spell_choices("gaussian randomized-response"), mechanism);
  if (p.adjacency.value_or("zero-out") == "substitution")
    return only("adjacency is " + spell_choices("zero-out add-remove"), *p.adjacency);
  if (!p.dataset_size || !p.batch_size)
    return wire::missing(p.dataset_size ? &wire::Phase::batch_size : &wire::Phase::dataset_size,
                         "replacement needs datasetSize and batchSize");
  const double records = p.records_per_user.value_or(1);
  if (*p.dataset_size > records) return std::nullopt;
  return wire::refused("out-of-domain", &wire::Phase::dataset_size, p,
                       "be above " + spell(records) + ", so that there are others to draw");
}

}  // namespace

std::optional<Issue> check_trainer(const wire::Phase& p, const Sampler& sampler, bool comparing) {
  if (p.drawn_divisor.value_or(false))
    return Issue{
        "not-assessed", "drawn_divisor",
        "drawnDivisor must be false: not assessed. It is not known here what a sum reveals if "
        "its divisor depends on the batch drawn, or on the number of records (divide by a "
        "constant, such as the expected batch size)"};
  if (auto issue = check_matrix(p, sampler, comparing)) return issue;
  if (auto issue = check_bands(p, sampler)) return issue;
  if (auto issue = check_workers(p, sampler)) return issue;
  if (auto issue = check_replacement(p, sampler, comparing)) return issue;
  if (!p.count_noise) return std::nullopt;
  return check_gaussian(&wire::Phase::count_noise, p, "be absent");
}

std::int64_t drawn_from(const Run& run, const Sampler& sampler, const wire::Number& dataset_size) {
  constexpr double kMostKnown = 1e4;  // their weights are worked out one by one
  constexpr double kRounding = 1e-12;
  if (!sampler.can_replace || run.places > 0 || !dataset_size || run.records_per_user == 1 ||
      run.mechanism != Mechanism::gaussian || run.adjacency == Adjacency::substitution)
    return 0;
  const double mean = run.sampling_probability * *dataset_size, batch = std::round(mean);
  const auto records = static_cast<double>(run.records_per_user);
  const bool known = records <= std::min(kMostKnown, *dataset_size - batch) &&
                     std::abs(mean - batch) <= kRounding * batch;
  return known ? static_cast<std::int64_t>(*dataset_size) : 0;
}

std::optional<Issue> check_correlation(const wire::Phase& phase, const Run& run) {
  if (!has_matrix(phase)) return std::nullopt;
  const std::int64_t steps = run.steps_per_epoch * run.epochs;
  if (steps > Correlation::kMostSteps)
    return wire::refused("out-of-domain", "epochs",
                         "be small enough for at most " + spell(Correlation::kMostSteps) +
                             " steps with correlated noise",
                         std::to_string(steps) + " steps");
  if (phase.bands.value_or(1) <= static_cast<double>(std::max<std::int64_t>(steps, 1)))
    return std::nullopt;
  return wire::refused("out-of-domain", &wire::Phase::bands, phase,
                       "be at most the run's steps, " + std::to_string(steps));
}

std::pair<wire::Numbers, double> column_of(const wire::Phase& phase, std::int64_t steps) {
  const auto whole = static_cast<double>(steps);
  const auto count = static_cast<std::size_t>(std::min(phase.bands.value_or(whole), whole));
  if (has_buffers(phase))
    return {buffered_column(phase.buffer_weights, phase.buffer_decays, count),
            buffered_error(count, phase.buffer_weights.size())};
  if (!phase.matrix_column.empty()) return {phase.matrix_column, 0};
  return {square_root_column(count), square_root_error(count)};
}

std::shared_ptr<const Correlation> correlation_of(const wire::Phase& phase, const Run& run) {
  if (!has_matrix(phase)) return nullptr;
  const std::int64_t steps = run.steps_per_epoch * run.epochs;
  if (steps == 0 || steps > Correlation::kMostSteps) return nullptr;
  const double bands = phase.bands.value_or(static_cast<double>(steps));
  // A search asks for the same one time and again.
  using MatrixKey =
      std::tuple<wire::Numbers, wire::Numbers, wire::Numbers, double, std::int64_t, std::int64_t>;
  thread_local std::pair<MatrixKey, std::shared_ptr<const Correlation>> last;
  const wire::Numbers &weights = phase.buffer_weights, &decays = phase.buffer_decays;
  MatrixKey key{phase.matrix_column, weights, decays, bands, run.steps_per_epoch, run.epochs};
  const bool is_affordable = Correlation::work(steps) <= work::left();
  if (last.second && last.first == key && (last.second->compares_bins() || !is_affordable))
    return last.second;
  auto [column, error] = column_of(phase, steps);
  last = {std::move(key),
          std::make_shared<const Correlation>(std::move(column), run.steps_per_epoch, run.epochs,
                                              error, is_affordable)};
  return last.second;
}

Run as_accounted(Run run, const Sampler& sampler, const wire::Phase& phase,
                 const wire::Schedule& schedule) {
  if (phase.count_noise) {
    const double share = run.noise_multiplier / (2 * *phase.count_noise);
    run.noise_multiplier /= std::hypot(1.0, share);
  }
  if (several(phase.sampling_workers))
    run.records_per_user = static_cast<std::int64_t>(*phase.sampling_workers);
  if (replaces(phase, sampler) && schedule.batch_size && phase.dataset_size) {
    run.places = static_cast<std::int64_t>(*schedule.batch_size);
    run.sampling_probability = phase.records_per_user.value_or(1) / *phase.dataset_size;
  }
  run.drawn_from = drawn_from(run, sampler, phase.dataset_size);
  if (several(phase.bands) && !has_matrix(phase)) {
    const auto bands = static_cast<std::int64_t>(*phase.bands);
    run.steps = (run.steps + bands - 1) / bands;
    if (run.cap) run.cap->records = std::floor(run.cap->records / *phase.bands);
    // A probability that was given by itself is the group's.
    if (schedule.batch_size && phase.dataset_size)
      run.sampling_probability =
          *schedule.batch_size / std::floor(*phase.dataset_size / *phase.bands);
    else if (!phase.sampling_probability)
      run.sampling_probability = *phase.bands / schedule.steps_per_epoch;
  }
  return run;
}

std::vector<wire::Assumption> translations_of(const wire::Phase& phase, const Run& run) {
  std::vector<wire::Assumption> list;
  if (phase.noise_stddev)
    list.push_back(
        wire::assumes::noise_unit(spell(*phase.noise_stddev), of_average(phase) ? "average" : "sum",
                                  spell(*phase.clipping_norm), spell(*phase.noise_multiplier)));
  if (phase.noise_end)
    list.push_back(wire::assumes::noise_schedule(
        phase.noise_schedule.value_or("geometric") == "linear" ? "amount" : "factor",
        spell(*phase.noise_end)));
  if (run.correlation)
    list.push_back(
        wire::assumes::correlated(std::string_view(matrix_field(phase)) == "matrix" && phase.bands
                                      ? ", cut after " + spell(*phase.bands) + " bands"
                                      : std::string()));
  else if (several(phase.bands))
    list.push_back(wire::assumes::bands(spell(*phase.bands), std::to_string(run.steps),
                                        spell_four(run.sampling_probability, true)));
  if (phase.count_noise)
    list.push_back(wire::assumes::count_noise(spell(*phase.count_noise),
                                              spell_four(run.noise_multiplier, false)));
  if (several(phase.sampling_workers))
    list.push_back(wire::assumes::sampling_workers(spell(*phase.sampling_workers)));
  if (run.places > 0)
    list.push_back(wire::assumes::replacement(std::to_string(run.places),
                                              spell(*phase.dataset_size),
                                              spell_four(run.sampling_probability, true)));
  return list;
}

}  // namespace honest_epsilon::accounts
