#include "core/accounts/noise_schedule.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/accounts/trainer.h"
#include "core/base/spelling.h"
#include "core/wire/check.h"
#include "core/wire/schedule.h"

namespace honest_epsilon::accounts {
namespace {

double noise_of(const wire::Phase& phase, std::int64_t epoch, std::int64_t epochs) {
  const double start = *phase.noise_multiplier, end = *phase.noise_end;
  if (epochs == 1) return std::min(start, end);
  if (epoch == epochs - 1) return end;
  const double part = static_cast<double>(epoch) / static_cast<double>(epochs - 1);
  return phase.noise_schedule.value_or("geometric") == "linear"
             ? start + (end - start) * part
             : start * std::pow(end / start, part);
}

/// Complains of what epochs of unlike noise leave without a meaning, or without a proof.
std::optional<Issue> find_obstacle(const wire::Phase& phase, const wire::Schedule& schedule) {
  const std::string end = spell(*phase.noise_end);
  if (has_matrix(phase))
    return wire::contradiction("noise_end", "be absent where a matrix correlates the noise", end);
  if (phase.bands.value_or(1) > 1)
    return wire::contradiction("noise_end", "be absent where bands correlate the noise", end);
  if (phase.reshuffle.value_or("each-epoch") == "once" && schedule.epochs > 1)
    return wire::contradiction("noise_end", "be absent where all epochs have the same batches",
                               end);
  if (phase.steps && phase.epochs && *phase.steps != schedule.steps_per_epoch * *phase.epochs) {
    return wire::contradiction(
        &wire::Phase::steps, phase,
        "be absent where noiseEnd and epochs are given, or make whole epochs");
  }
  if (schedule.epochs <= static_cast<std::int64_t>(wire::kMostPhases)) return std::nullopt;
  return wire::refused("out-of-domain", phase.epochs ? "epochs" : "steps",
                       "make at most " + std::to_string(wire::kMostPhases) +
                           " epochs where the noise changes from one to the next",
                       std::to_string(schedule.epochs) + " epochs");
}

}  // namespace

std::variant<std::vector<wire::Phase>, Issue> epochs_of(const wire::Phase& phase,
                                                        const Sampler& sampler) {
  if (!phase.noise_end) {
    if (phase.noise_schedule.value_or("geometric") == "geometric")
      return std::vector<wire::Phase>{phase};
    return wire::missing(
        "noise_end",
        "a finite number above 0, the noise multiplier of the last epoch (noiseSchedule "
        "needs it)");
  }
  const auto read = read_schedule(phase);
  if (const Issue* issue = std::get_if<Issue>(&read)) return *issue;
  const wire::Schedule& schedule = std::get<wire::Schedule>(read);
  if (auto issue = find_obstacle(phase, schedule)) return *issue;
  const std::int64_t epochs = std::max<std::int64_t>(schedule.epochs, 1);
  const auto share = [&](std::int64_t first) {
    const auto epoch = static_cast<double>(first);
    return phase.epochs ? std::ceil(epoch * schedule.steps / static_cast<double>(epochs))
                        : std::min(schedule.steps, epoch * schedule.steps_per_epoch);
  };
  std::vector<wire::Phase> result;
  for (std::int64_t i = 0; i < epochs; ++i) {
    wire::Phase epoch = phase;
    epoch.noise_multiplier = noise_of(phase, i, epochs);
    epoch.steps = share(i + 1) - share(i);
    epoch.epochs = {};
    if (sampler.uses_epochs && (phase.epochs || *epoch.steps == schedule.steps_per_epoch)) {
      epoch.steps = {};
      epoch.epochs = std::min<double>(1, static_cast<double>(schedule.epochs));
    }
    result.push_back(epoch);
  }
  return result;
}

}  // namespace honest_epsilon::accounts
