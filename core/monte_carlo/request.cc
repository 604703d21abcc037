#include "core/monte_carlo/request.h"

#include <algorithm>
#include <string>

#include "core/base/spelling.h"
#include "core/monte_carlo/order_statistics.h"

namespace honest_epsilon::monte_carlo {
namespace {

constexpr double kLeastNoise = 0.01, kMostNoise = 1e9;
constexpr std::int64_t kMostSteps = 100'000'000;
constexpr double kMostEpsilon = 500;
constexpr std::size_t kMostEpsilons = 1000;
constexpr double kMostProducts = 4e6;  // some milliseconds

Issue issue(const char* field, const std::string& text) {
  return {"out-of-range", field, std::string(field) + " " + text};
}

std::optional<Issue> check_numbers(const SampleRequest& request) {
  const double noise = request.noise_multiplier;
  if (!(noise >= kLeastNoise && noise <= kMostNoise)) {
    return issue("noise_multiplier", "must lie between 0.01 and 1e9; got " + spell(noise));
  }
  const double q = request.sampling_probability;
  if (!(q > 0 && q <= 1)) {
    return issue("sampling_probability", "must be above 0 and at most 1; got " + spell(q));
  }
  if (request.steps < 1 || request.steps > kMostSteps) {
    return issue("steps", "must lie between 1 and 1e8; got " + std::to_string(request.steps));
  }
  if (request.epochs < 1 || request.epochs > kMostSteps / request.steps) {
    return issue("epochs", "must be at least 1, and steps times epochs at most 1e8; got " +
                               std::to_string(request.epochs));
  }
  if (request.participations < 1 || request.participations > request.steps ||
      request.participations > kMostSteps / (request.steps * request.epochs)) {
    return issue("participations",
                 "must be at least 1 and at most steps, and their product with steps and epochs at "
                 "most 1e8; got " +
                     std::to_string(request.participations));
  }
  if (request.epsilons.empty() || request.epsilons.size() > kMostEpsilons) {
    return issue("epsilons", "must be a list of 1 to 1000 values; got a list of " +
                                 std::to_string(request.epsilons.size()));
  }
  for (const double epsilon : request.epsilons) {
    if (!(epsilon >= 0 && epsilon <= kMostEpsilon)) {
      return issue("epsilons", "must lie between 0 and 500; got " + spell(epsilon));
    }
  }
  return std::nullopt;
}

std::optional<Issue> check_method(const SampleRequest& request) {
  if (request.method == SampledMean::plain) return std::nullopt;
  if (request.pair != SampledPair::balls_and_bins) {
    return issue("method",
                 "must be plain for this pair, as the others know balls-and-bins only; got " +
                     name_of(request.method));
  }
  if (request.participations > 1) {
    return issue("method",
                 "must be plain for several participations, as the others know a single one; got " +
                     name_of(request.method));
  }
  if (request.epochs != 1) {
    return issue("method",
                 "must be plain for several epochs, as the others know a single one; got " +
                     name_of(request.method));
  }
  return std::nullopt;
}

/// Multiplications of a sample of correlated bins.
double products_per_sample(const SampleRequest& request) {
  const auto steps = static_cast<double>(request.steps * request.kept_epochs);
  return steps * std::min(steps, static_cast<double>(request.column.size()));
}

std::optional<Issue> check_column(const SampleRequest& request) {
  if (request.kept_epochs > kMostSteps / request.steps ||
      products_per_sample(request) > kMostProducts)
    return issue("column", "must have at most " + spell(kMostProducts) +
                               " bands times steps for Monte Carlo; got " +
                               std::to_string(request.column.size()) + " bands and " +
                               std::to_string(request.steps * request.kept_epochs) + " steps");
  return std::nullopt;
}

std::optional<Issue> check_orders(const SampleRequest& request) {
  if (!request.order_statistics) return std::nullopt;
  if (request.pair != SampledPair::balls_and_bins) {
    return issue("order_statistics",
                 "must be absent for this pair, as they bound balls-and-bins only; got some");
  }
  if (request.participations > 1) {
    return issue("order_statistics",
                 "must be absent for several participations, which every coordinate bears on; got "
                 "some");
  }
  if (request.method == SampledMean::conditional && request.direction == Direction::add) {
    return issue(
        "order_statistics",
        "must be absent for direction add with method conditional, whose coordinates are tilted; "
        "got some (method plain or importance takes them)");
  }
  std::int64_t before = 0;
  for (const std::int64_t order : request.orders) {
    if (order <= before || order > request.steps) {
      return issue("orders", "must increase from 1 or more to at most steps; got " +
                                 std::to_string(order) + " after " + std::to_string(before));
    }
    before = order;
  }
  const bool needs_largest =
      request.direction == Direction::remove || request.method == SampledMean::importance;
  if (needs_largest && !request.orders.empty() && request.orders.front() != 1) {
    return issue("orders", "must start with 1 here, where the largest coordinate is needed; got " +
                               std::to_string(request.orders.front()));
  }
  return std::nullopt;
}

/// Random coordinates of a sample, about, or what else takes as long.
double draws_per_sample(const SampleRequest& request) {
  constexpr double kDrawsPerProduct = 0.2;
  double draws = static_cast<double>(request.steps * request.kept_epochs);
  constexpr double kDrawsPerTerm = 0.05;
  draws += kDrawsPerTerm * products_per_sample(request);
  if (request.participations > 1)
    draws *= 1 + kDrawsPerProduct * static_cast<double>(request.participations);
  if (request.order_statistics) {
    const std::size_t ranks =
        request.orders.empty() ? automatic_orders(request.steps).size() : request.orders.size();
    draws = 2 * static_cast<double>(ranks);
  } else if (request.method != SampledMean::plain) {
    draws *=
        request.method == SampledMean::importance || request.direction == Direction::add ? 2 : 1;
  }
  return draws * static_cast<double>(request.epochs);
}

}  // namespace

std::string name_of(SampledMean method) {
  if (method == SampledMean::importance) return "importance";
  return method == SampledMean::plain ? "plain" : "conditional";
}

std::optional<Issue> check(const SampleRequest& request) {
  if (auto found = check_numbers(request)) return found;
  if (auto found = check_method(request)) return found;
  if (auto found = check_column(request)) return found;
  return check_orders(request);
}

std::int64_t samples_per_chunk(const SampleRequest& request) {
  constexpr std::int64_t kFewest = 8;
  constexpr std::int64_t kMost = 4096;
  std::int64_t samples = kFewest;
  // 2^22 coordinates of some 10 ns each.
  while (samples < kMost &&
         2 * static_cast<double>(samples) * draws_per_sample(request) <= 0x1p22) {
    samples *= 2;
  }
  return samples;
}

}  // namespace honest_epsilon::monte_carlo
