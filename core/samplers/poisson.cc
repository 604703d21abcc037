#include "core/samplers/poisson.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/rounding.h"
#include "core/math/invert.h"
#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/profile.h"
#include "core/samplers/directions.h"

namespace honest_epsilon::poisson {
namespace {

using pairs::Direction;

/// Beyond this shift the density of N(0) where N(mu) lives underflows; nothing is private there.
constexpr double kLargestShift = 26;

constexpr double kShiftError = 4 * kUnit;

/// delta of the Gaussian pair with the rounding of mu and eps accounted for.
Interval gaussian_delta(double mu, double epsilon, double epsilon_error) {
  return {gaussian::delta(mu * (1 - kShiftError), epsilon + epsilon_error).lower,
          gaussian::delta(mu * (1 + kShiftError), epsilon - epsilon_error).upper};
}

Interval scaled(const Interval& value, double low, double high) {
  return {std::clamp(value.lower * low * (1 - 4 * kUnit), 0.0, 1.0),
          std::clamp(value.upper * high * (1 + 4 * kUnit) + kTiny, 0.0, 1.0)};
}

/// H((1-q)Q + qP || Q)(e^eps) = q H(P || Q)(e^eps'),  e^eps' = 1 + (e^eps - 1)/q.
Interval one_step_remove(double q, double mu, double epsilon) {
  const double inner = epsilon > 40 ? epsilon - std::log(q) : std::log1p(std::expm1(epsilon) / q);
  return scaled(gaussian_delta(mu, inner, 8 * kUnit * (inner + 1)), q, q);
}

/// H(Q || (1-q)Q + qP)(e^eps) = c H(Q || P)(e^eps'),  c = 1 - e^eps (1-q),  e^eps' = e^eps q / c;
/// 0 where c <= 0.
Interval one_step_add(double q, double mu, double epsilon) {
  const double exponent = epsilon + std::log1p(-q);
  const double c = -std::expm1(exponent);
  const double error = 4 * kUnit * (epsilon + std::abs(std::log1p(-q)));
  if (c + error <= 0) return {0, 0};
  // H(Q || P) falls with eps', so the smaller c gives the smaller value twice over.
  const auto at = [&](double share) -> Interval {
    if (share <= 0) return {0, 0};
    const double inner = epsilon + std::log(q / share);
    return scaled(gaussian_delta(mu, inner, 8 * kUnit * (std::abs(inner) + 1)), share, share);
  };
  return {at(c - error).lower, at(c + error).upper};
}

/// A valid interval where sigma is tiny. Upper: the run is a mixture, over how often the record
/// took part, of Gaussian runs; Pr[Bin(T, q) > m] by Chernoff, m of them below. Lower: one
/// threshold.
Interval mixture_delta(const Run& run, double mu, double epsilon, Direction direction) {
  const auto steps = static_cast<double>(run.steps);
  const double q = run.sampling_probability;
  double upper = gaussian::delta(mu * std::sqrt(steps) * (1 + kShiftError), epsilon).upper;
  upper = std::min(upper, -std::expm1(steps * std::log1p(-q)) * (1 + 1e-12));  // never took part
  for (double share = q; share < 1; share = std::min(1.0, share * 1.02 + 1 / steps)) {
    const double excess =
        share * std::log(share / q) + (1 - share) * std::log((1 - share) / (1 - q));
    if (!std::isfinite(excess)) break;
    const double tail = std::min(1.0, std::exp(-steps * excess) * (1 + 1e-9));
    const double rest = gaussian::delta(mu * std::sqrt(share * steps) * (1 + 1e-12), epsilon).upper;
    upper = std::min(upper, tail + rest);
  }
  if (direction == Direction::add) return {0, std::min(1.0, upper)};
  // P(max >= C) - e^eps Q(max >= C) at C halfway and at the record's own mean.
  double lower = 0;
  for (const double place : {0.5, 0.75, 0.9, 1.0}) {
    const double c = place * mu;
    const double hit = q * normal::upper_tail(c - mu) * (1 - 1e-12);
    const double p = -std::expm1(steps * std::log1p(-hit));
    const double log_q = epsilon + std::log(steps) + std::log(normal::upper_tail(c) + kTiny);
    lower = std::max(lower, p * (1 - 1e-9) - std::exp(log_q) * (1 + 1e-9));
  }
  return {std::clamp(lower, 0.0, upper), std::min(1.0, upper)};
}

struct Model {
  double q;
  double mu;
  pairs::SubsampledGaussian pair;
  pld::PairSource source;

  explicit Model(const Run& run)
      : q(run.sampling_probability), mu(1 / run.noise_multiplier), pair(q, mu), source(pair) {}
};

/// The closed forms: the curve of one direction, where there is one.
std::function<Interval(double)> closed_form(const Run& run, const Model& model,
                                            Direction direction) {
  const auto steps = static_cast<double>(run.steps);
  if (model.q == 1) {
    return [mu = model.mu * std::sqrt(steps)](double e) { return gaussian_delta(mu, e, 0); };
  }
  if (model.mu > kLargestShift)
    return
        [&run, mu = model.mu, direction](double e) { return mixture_delta(run, mu, e, direction); };
  if (run.steps == 1 && direction == Direction::remove)
    return [q = model.q, mu = model.mu](double e) { return one_step_remove(q, mu, e); };
  if (run.steps == 1)
    return [q = model.q, mu = model.mu](double e) { return one_step_add(q, mu, e); };
  return nullptr;
}

template <class Composed, class Closed>
Finding ask(const Run& run, const Effort& effort, Asked asked, Composed composed, Closed closed) {
  const Model model(run);
  const char* method = "privacy loss distribution, tilted FFT";
  Finding finding = both_directions(effort, asked, [&](Direction direction, const Effort& limit) {
    if (const auto curve = closed_form(run, model, direction)) {
      method = model.mu > kLargestShift && model.q < 1 ? "mixture over participations, Chernoff"
                                                       : "closed form";
      return pld::Result{closed(curve, direction, model), 0, false};
    }
    pld::Result result = composed(model, direction, limit);
    if (result.limited) {
      // A work limit left the interval wide: what the mixture bound proves may be better.
      const auto mixture = [&](double e) { return mixture_delta(run, model.mu, e, direction); };
      result.value = intersect(result.value, closed(mixture, direction, model));
    }
    return result;
  });
  finding.method = method;
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  return ask(
      run, effort, epsilon == 0 ? Asked::total_variation : Asked::delta,
      [&](const Model& model, Direction direction, const Effort& limit) {
        return pld::delta({{&model.source, run.steps}}, direction, epsilon, limit);
      },
      [&](const std::function<Interval(double)>& curve, Direction, const Model&) -> Interval {
        return curve(epsilon);
      });
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return ask(
      run, effort, Asked::epsilon,
      [&](const Model& model, Direction direction, const Effort& limit) {
        return pld::epsilon({{&model.source, run.steps}}, direction, delta, limit);
      },
      [&](const std::function<Interval(double)>& curve, Direction direction,
          const Model& model) -> Interval {
        const bool bounded = direction == Direction::add && run.steps == 1 && model.q < 1;
        const double highest = bounded ? -std::log1p(-model.q) * (1 + 4 * kUnit) : kInfinity;
        return invert_decreasing(curve, delta, highest);
      });
}

}  // namespace honest_epsilon::poisson
