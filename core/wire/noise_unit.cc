#include "core/wire/noise_unit.h"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "core/base/spelling.h"
#include "core/wire/check.h"
#include "core/wire/schedule.h"

namespace honest_epsilon::wire {
namespace {

/// What a standard deviation takes to be a noise multiplier.
std::optional<Issue> check_deviation(const Phase& phase, const std::string& solve_for) {
  const std::string unit = phase.noise_unit.value_or("multiplier");
  if (!phase.noise_stddev) return require(&Phase::noise_stddev, phase);
  const std::string got = spell(*phase.noise_stddev);
  if (unit == "multiplier")
    return missing("noise_unit", "one of sum or average (noiseStddev " + got +
                                     " is the standard deviation of the noise on one of them)");
  if (phase.noise_multiplier)
    return contradiction(&Phase::noise_multiplier, phase, "be absent beside noiseStddev " + got);
  if (phase.noise_end)
    return contradiction(&Phase::noise_end, phase, "be absent beside noiseStddev " + got);
  if (phase.mechanism.value_or("gaussian") != "gaussian")
    return contradiction("noise_unit", "be multiplier unless mechanism is \"gaussian\"",
                         spell_text(unit) + " with " + spell_text(*phase.mechanism));
  if (!phase.clipping_norm)
    return missing(&Phase::clipping_norm, "noiseStddev " + got +
                                              " alone does not say how large the noise is beside a "
                                              "clipped gradient");
  if (unit == "average") {
    if (!phase.batch_size && solve_for != "batch-size" && solve_for != "sampling-probability")
      return missing(&Phase::batch_size,
                     "the noise is that of an average: noiseStddev "
                     "times batchSize is that of the sum");
    if (!phase.batch_size || solve_for == "batch-size" || solve_for == "sampling-probability")
      return contradiction("noise_unit",
                           "be multiplier or sum when solveFor is " + spell_text(solve_for),
                           spell_text(unit) + ", which changes the noise with the batch");
    if (phase.sampling_workers.value_or(1) > 1)
      return contradiction("noise_unit", "be multiplier or sum beside samplingWorkers",
                           spell_text(unit));
  }
  const double sigma = *with_multiplier(phase).noise_multiplier;
  if (sigma >= kLeastNoise && sigma <= kMostNoise) return std::nullopt;
  return refused("out-of-domain", "noise_stddev",
                 "make a noise multiplier of at least " + spell(kLeastNoise) + " and at most " +
                     spell(kMostNoise),
                 got + ", which makes " + spell(sigma));
}

/// THE table of words: those of examples, in the singular, and those of clients.
constexpr auto kClientWords = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"batch sizes", "numbers of clients per round"},
    {"batch size", "number of clients per round"},
    {"dataset size", "number of clients"},
    {"gradient", "update"},
    {"record", "client"},
    {"step", "round"},
});

}  // namespace

std::optional<Issue> check_noise(const Phase& phase, const std::string& solve_for) {
  if (phase.noise_stddev || phase.noise_unit.value_or("multiplier") != "multiplier") {
    if (solve_for != "noise") return check_deviation(phase, solve_for);
    return std::nullopt;
  }
  return solve_for == "noise" ? std::nullopt : require(&Phase::noise_multiplier, phase);
}

Phase with_multiplier(Phase phase) {
  if (!phase.noise_stddev || phase.noise_multiplier) return phase;
  const double batch = of_average(phase) ? *step_batch_of(phase) : 1;
  phase.noise_multiplier = *phase.noise_stddev * batch / *phase.clipping_norm;
  return phase;
}

std::string in_client_words(std::string text) {
  const auto letter = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (const auto& [example, client] : kClientWords) {
    for (const bool capital : {false, true}) {
      std::string from(example), to(client);
      if (capital) {
        for (std::string* word : {&from, &to})
          word->front() =
              static_cast<char>(std::toupper(static_cast<unsigned char>(word->front())));
      }
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
        std::size_t end = at + from.size();
        if (text[end] == 's') ++end;  // beyond the last letter there is a 0
        // Names of fields stay: recordsPerUser.
        if ((at == 0 || !letter(at - 1)) && !letter(end)) text.replace(at, from.size(), to);
      }
    }
  }
  return text;
}

}  // namespace honest_epsilon::wire
