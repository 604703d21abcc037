#include "core/monte_carlo/query.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/monte_carlo/order_statistics.h"

namespace honest_epsilon::monte_carlo {
namespace {

constexpr double kLeastNoise = 0.01;
constexpr double kMostNoise = 1e9;
constexpr std::int64_t kMostSteps = 100'000'000;
constexpr double kMostEpsilon = 500;
constexpr std::size_t kMostEpsilons = 1000;

std::string show(double value) {
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

std::string show(Method method) {
  if (method == Method::importance) return "importance";
  return method == Method::plain ? "plain" : "conditional";
}

Issue issue(const char* field, const std::string& text) {
  return {"out-of-range", field, std::string(field) + " " + text};
}

std::optional<Issue> check_numbers(const Query& query) {
  const double noise = query.noise_multiplier;
  if (!(noise >= kLeastNoise && noise <= kMostNoise)) {
    return issue("noise_multiplier", "must lie between 0.01 and 1e9; got " + show(noise));
  }
  const double q = query.sampling_probability;
  if (!(q > 0 && q <= 1)) {
    return issue("sampling_probability", "must be above 0 and at most 1; got " + show(q));
  }
  if (query.steps < 1 || query.steps > kMostSteps) {
    return issue("steps", "must lie between 1 and 1e8; got " + std::to_string(query.steps));
  }
  if (query.epochs < 1 || query.epochs > kMostSteps / query.steps) {
    return issue("epochs", "must be at least 1, and steps times epochs at most 1e8; got " +
                               std::to_string(query.epochs));
  }
  if (query.epsilons.empty() || query.epsilons.size() > kMostEpsilons) {
    return issue("epsilons", "must be a list of 1 to 1000 values; got a list of " +
                                 std::to_string(query.epsilons.size()));
  }
  for (const double epsilon : query.epsilons) {
    if (!(epsilon >= 0 && epsilon <= kMostEpsilon)) {
      return issue("epsilons", "must lie between 0 and 500; got " + show(epsilon));
    }
  }
  return std::nullopt;
}

std::optional<Issue> check_method(const Query& query) {
  if (query.method == Method::plain) return std::nullopt;
  if (query.pair != Pair::balls_and_bins) {
    return issue("method",
                 "must be plain for this pair, as the others know balls-and-bins only; got " +
                     show(query.method));
  }
  if (query.epochs != 1) {
    return issue("method",
                 "must be plain for several epochs, as the others know a single one; got " +
                     show(query.method));
  }
  return std::nullopt;
}

std::optional<Issue> check_orders(const Query& query) {
  if (!query.order_statistics) return std::nullopt;
  if (query.pair != Pair::balls_and_bins) {
    return issue("order_statistics",
                 "must be absent for this pair, as they bound balls-and-bins only; got some");
  }
  if (query.method == Method::conditional && query.direction == Direction::add) {
    return issue(
        "order_statistics",
        "must be absent for direction add with method conditional, whose coordinates are tilted; "
        "got some (method plain or importance takes them)");
  }
  std::int64_t before = 0;
  for (const std::int64_t order : query.orders) {
    if (order <= before || order > query.steps) {
      return issue("orders", "must increase from 1 or more to at most steps; got " +
                                 std::to_string(order) + " after " + std::to_string(before));
    }
    before = order;
  }
  const bool needs_largest =
      query.direction == Direction::remove || query.method == Method::importance;
  if (needs_largest && !query.orders.empty() && query.orders.front() != 1) {
    return issue("orders", "must start with 1 here, where the largest coordinate is needed; got " +
                               std::to_string(query.orders.front()));
  }
  return std::nullopt;
}

/// Random coordinates of a sample, about.
double draws_per_sample(const Query& query) {
  double draws = static_cast<double>(query.steps);
  if (query.order_statistics) {
    const std::size_t ranks =
        query.orders.empty() ? automatic_orders(query.steps).size() : query.orders.size();
    draws = 2 * static_cast<double>(ranks);
  } else if (query.method != Method::plain) {
    draws *= query.method == Method::importance || query.direction == Direction::add ? 2 : 1;
  }
  return draws * static_cast<double>(query.epochs);
}

}  // namespace

std::optional<Issue> check(const Query& query) {
  if (auto found = check_numbers(query)) return found;
  if (auto found = check_method(query)) return found;
  return check_orders(query);
}

std::int64_t samples_per_chunk(const Query& query) {
  // 2^22 coordinates of some 10 ns each.
  constexpr double kDraws = 0x1p22;
  constexpr std::int64_t kFewest = 8;
  constexpr std::int64_t kMost = 4096;
  std::int64_t samples = kFewest;
  while (samples < kMost && 2 * static_cast<double>(samples) * draws_per_sample(query) <= kDraws) {
    samples *= 2;
  }
  return samples;
}

}  // namespace honest_epsilon::monte_carlo
