#include "core/tradeoff/shuffle_model.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/invert.h"
#include "core/pld/profile.h"
#include "core/tradeoff/imbalance.h"

namespace honest_epsilon::shuffle_model {
namespace {
using tradeoff::Above;
using tradeoff::Imbalance;

Imbalance imbalance(const ShuffleModel& model) {
  return {model.users, clone_probability(model)};
}

/// s = tanh(eps0 / 2) = 1 - 2w.
double spread(const ShuffleModel& model) {
  return std::tanh(0.5 * model.local_epsilon);
}

/// E[(b X - x)+] = b E[(X - x/b)+]; x and b round by a few units, the ratio as imbalance.h allows.
Interval priced(const ShuffleModel& model, double b, double x) {
  const double r = x / b;
  if (!(r < 1)) return {0, std::min(1.0, 8 * kUnit * b)};
  const Interval call = tradeoff::above(imbalance(model), r).call;
  return within_unit({call.lower * b * (1 - 8 * kUnit), call.upper * b * (1 + 8 * kUnit) + kTiny});
}

/// A printed bound: S = k1 sqrt(g log(4/delta) / n) + k2 g / n, and what it makes of S.
struct Printed {
  double local_epsilon;
  double n;
  bool stronger;
  double g;
  double k1;
  double k2;

  explicit Printed(const ShuffleModel& model)
      : local_epsilon(model.local_epsilon),
        n(static_cast<double>(model.users)),
        stronger(model.clone == Clone::stronger),
        g(std::exp(local_epsilon) + (stronger ? 1 : 0)),
        k1(stronger ? 4 * std::sqrt(2.0) : 8),
        k2(stronger ? 4 : 8) {}

  bool covers(double delta) const {
    if (!(delta > 0 && delta <= 1)) return false;
    const double room =
        stronger ? n / (8 * std::log(2 / delta)) - 1 : n / (16 * std::log(4 / delta));
    return room > 0 && local_epsilon <= std::log(room);
  }

  /// e^eps - 1 of S, and back.
  double gain(double sum) const {
    if (stronger) return std::tanh(0.5 * local_epsilon) * sum;
    const double rare = std::exp(-local_epsilon);
    return -std::expm1(-local_epsilon) * sum * (1 + sum) / (1 + sum + rare);
  }
  double sum(double gain) const {
    if (stronger) return gain / std::tanh(0.5 * local_epsilon);
    // S^2 + (1 - y) S = y (1 + e^-eps0)
    const double y = gain / -std::expm1(-local_epsilon);
    const double rare = std::exp(-local_epsilon);
    const double root = std::sqrt((1 - y) * (1 - y) + 4 * y * (1 + rare));
    return y < 1 ? 2 * y * (1 + rare) / (1 - y + root) : 0.5 * (y - 1 + root);
  }
};

}  // namespace

double clone_probability(const ShuffleModel& model) {
  return model.clone == Clone::standard ? std::exp(-model.local_epsilon)
                                        : 2 / (std::exp(model.local_epsilon) + 1);
}

Interval delta(const ShuffleModel& model, double epsilon) {
  if (epsilon >= model.local_epsilon) return {0, 0};
  const double x = std::expm1(epsilon);
  return priced(model, spread(model) * (x + 2), x);
}

Interval delta_advanced_joint(const ShuffleModel& model, double epsilon) {
  if (epsilon >= model.local_epsilon) return {0, 0};
  const double x = std::expm1(epsilon);
  return priced(model, x + 2 * spread(model), x);
}

Interval delta_joint(const ShuffleModel& model, double epsilon) {
  if (epsilon >= model.local_epsilon) return {0, 0};
  const double x = std::expm1(epsilon);
  return priced(model, x + 2, x);
}

Interval epsilon(const ShuffleModel& model, double target) {
  return invert_decreasing([&](double e) { return delta(model, e); }, target, model.local_epsilon);
}

Interval epsilon_advanced_joint(const ShuffleModel& model, double target) {
  return invert_decreasing([&](double e) { return delta_advanced_joint(model, e); }, target,
                           model.local_epsilon);
}

ShuffleKnot trade_off_knot(const ShuffleModel& model, double t) {
  // Q0/P0 = (1 - X)/(1 + X) > t is X < y; both laws' tails follow from those of X beyond |y|.
  const double y = (1 - t) / (1 + t);
  const double s = spread(model);
  Interval alpha{0, 0};
  Interval beta{0, 0};  // of P0 and Q0
  if (std::abs(y) >= 1) {
    (y < 0 ? beta : alpha) = {1, 1};
  } else {
    const double r = std::abs(y);
    const Above tail = tradeoff::above(imbalance(model), r);
    // E[1 - X; X > r] and E[1 + X; X > r], with E[X; X > r] = call + r Pr[X > r].
    const Interval small{(1 - r) * tail.probability.lower - tail.call.upper,
                         (1 - r) * tail.probability.upper - tail.call.lower};
    const Interval large{(1 + r) * tail.probability.lower + tail.call.lower,
                         (1 + r) * tail.probability.upper + tail.call.upper};
    const Interval rest{1 - large.upper, 1 - large.lower};
    alpha = y > 0 ? rest : small;
    beta = y > 0 ? small : rest;
  }
  const auto widened = [](double low, double high) {
    return within_unit({low - 8 * kUnit, high + 8 * kUnit});
  };
  return {t, widened(alpha.lower, alpha.upper),
          widened((1 - s) * (1 - alpha.upper) + s * beta.lower,
                  (1 - s) * (1 - alpha.lower) + s * beta.upper)};
}

ClosedForm closed_form_epsilon(const ShuffleModel& model, double delta) {
  const Printed printed(model);
  const double sum = printed.k1 * std::sqrt(printed.g * std::log(4 / delta) / printed.n) +
                     printed.k2 * printed.g / printed.n;
  return {std::min(model.local_epsilon, std::log1p(printed.gain(sum))), printed.covers(delta)};
}

ClosedForm closed_form_delta(const ShuffleModel& model, double epsilon) {
  const Printed printed(model);
  const double sum = printed.sum(std::expm1(epsilon)) - printed.k2 * printed.g / printed.n;
  const double root = std::max(0.0, sum) / printed.k1;
  const double delta = 4 * std::exp(-root * root * printed.n / printed.g);
  return {delta, printed.covers(delta)};
}

tradeoff::TradeOffCurve trade_off(const ShuffleModel& model, const tradeoff::Sampling& sampling) {
  tradeoff::Sampling within = sampling;
  within.highest = std::min(sampling.highest, model.local_epsilon);
  return tradeoff::TradeOffCurve(
      tradeoff::sample_symmetric([&](double e) { return delta(model, e); }, within));
}

namespace {

/// A round's curve between knots: as many as its sums allow within a second or so, and no more than
/// make a difference.
tradeoff::Sampling round_sampling(const ShuffleModel& model, double negligible) {
  constexpr double kSteps = 3e7;
  constexpr double kMost = 2000;
  const double c = clone_probability(model);
  const double steps = 20 * std::sqrt(static_cast<double>(model.users) * c * (1 - c)) + 100;
  tradeoff::Sampling sampling;
  sampling.smallest = sampling.resolution = negligible;
  sampling.width = 1e-6;
  sampling.most = static_cast<int>(std::clamp(kSteps / steps, 150.0, kMost));
  return sampling;
}

}  // namespace

Round::Round(const ShuffleModel& model, double negligible)
    : curve_(trade_off(model, round_sampling(model, negligible))),
      source_([this](double log_k, Direction direction) { return at(log_k, direction); },
              curve_.knots().back().epsilon, model) {}

/// Pr[X = 1] = (1 - c/2)^(n-1) / 2, with the loss log((1 + s) / (1 - s)) = eps0.
pairs::Cell Round::RoundSource::top(Direction) const {
  const double others = static_cast<double>(model_.users - 1);
  const double log_half = -std::log(2.0) + others * std::log1p(-0.5 * clone_probability(model_));
  const double flip = 1 / (1 + std::exp(model_.local_epsilon));
  const double mass = 2 * std::exp(log_half);
  const double relative = (16 + 8 * others) * kUnit - 8 * kUnit * log_half;
  const pairs::Mass q{mass * flip, mass * flip * relative + kTiny};
  const pairs::Mass p{mass * (1 - flip), mass * relative + kTiny};
  return {p, q, model_.local_epsilon, 4 * kUnit * model_.local_epsilon};
}

Interval Round::at(double log_k, Direction direction) const {
  // K >= 1: call = delta(log K), put = call - 1 + K.
  // K < 1: put = K delta(-log K), call = put + 1 - K.
  const Interval known = curve_.delta(Direction::remove, std::abs(log_k));
  const double scale = log_k < 0 ? std::exp(log_k) : 1;
  const bool small = (direction == Direction::remove) == (log_k >= 0);
  const double offset = small ? 0 : std::abs(std::expm1(log_k));
  return affine(offset, scale, known, 8);
}

namespace {

/// Several rounds tell no less than one of them.
Interval at_least(const Interval& several, const Interval& one) {
  return {std::max(several.lower, std::min(one.lower, several.upper)), several.upper};
}

}  // namespace

pld::Result composed_delta(const ShuffleModel& model, std::int64_t rounds, double epsilon,
                           const Effort& effort) {
  const Interval one = delta(model, epsilon);
  if (rounds == 1) return {one, 0, false};
  // What is left out of a round is charged.
  const Round round(model, 1e-30 / static_cast<double>(rounds));
  pld::Result found = pld::delta({{&round.source(), rounds}}, Direction::remove, epsilon, effort);
  found.value = at_least(found.value, one);
  return found;
}

pld::Result composed_epsilon(const ShuffleModel& model, std::int64_t rounds, double target,
                             const Effort& effort) {
  const Interval one = epsilon(model, target);
  if (rounds == 1) return {one, 0, false};
  // What is left out of a round may cost its share of the target once a round.
  constexpr double kLeftOutShare = 1e-12;
  const Round round(model, kLeftOutShare * target / static_cast<double>(rounds));
  pld::Result found = pld::epsilon({{&round.source(), rounds}}, Direction::remove, target, effort);
  // Each round costs at most its local epsilon.
  const double most = static_cast<double>(rounds) * model.local_epsilon * (1 + kUnit);
  found.value.upper = std::min(found.value.upper, most);
  found.value = at_least(found.value, one);
  return found;
}

tradeoff::TradeOffCurve composed_trade_off(const ShuffleModel& model, std::int64_t rounds,
                                           const tradeoff::Sampling& sampling,
                                           const Effort& effort) {
  if (rounds == 1) return trade_off(model, sampling);
  // What all rounds together leave out, as a share of a knot's smallest delta; it is charged.
  constexpr double kLeftOutShare = 1e-3;
  const Round round(model, kLeftOutShare * sampling.smallest / static_cast<double>(rounds));
  pld::DirectionProfile profile({{&round.source(), rounds}}, Direction::remove, effort,
                                sampling.smallest);
  return tradeoff::TradeOffCurve(tradeoff::sample_symmetric(
      [&](double epsilon) { return at_least(profile.delta(epsilon).value, delta(model, epsilon)); },
      sampling));
}

}  // namespace honest_epsilon::shuffle_model
