#include "core/tradeoff/mixtures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/math/order.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/normal_cell.h"

namespace honest_epsilon::mixtures {

using pairs::Mass;
using pairs::normal_mass;

namespace {

Mixtures directed(const Mixtures& m, Direction direction) {
  if (direction == Direction::remove) return m;
  return {m.weight, m.q1, m.q2, m.p1, m.p2};
}

/// sign e^(log_size + rate x)
struct Term {
  double sign;
  double log_size;
  double rate;
};

/// A sum of exponentials with different rates, sorted by them, divided by its largest term.
double scaled_sum(const std::vector<Term>& terms, double x) {
  double largest = -kInfinity;
  for (const Term& t : terms) largest = std::max(largest, t.log_size + t.rate * x);
  double sum = 0;
  for (const Term& t : terms) sum += t.sign * std::exp(t.log_size + t.rate * x - largest);
  return sum;
}

/// The derivative of the sum divided by its first term, up to that term: one term fewer.
std::vector<Term> derivative(const std::vector<Term>& terms) {
  std::vector<Term> result;
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const double rate = terms[i].rate - terms[0].rate;
    result.push_back({terms[i].sign, terms[i].log_size + std::log(rate), terms[i].rate});
  }
  return result;
}

/// Where the sum changes sign within [low, high], sorted.
std::vector<double> zeros(const std::vector<Term>& terms, double low, double high) {
  if (terms.size() < 2) return {};
  if (terms.size() == 2) {
    if (terms[0].sign == terms[1].sign) return {};
    const double x = (terms[0].log_size - terms[1].log_size) / (terms[1].rate - terms[0].rate);
    return x > low && x < high ? std::vector<double>{x} : std::vector<double>{};
  }
  // Divided by its first term the sum is monotone between the zeros of its derivative.
  std::vector<double> edges = zeros(derivative(terms), low, high);
  edges.insert(edges.begin(), low);
  edges.push_back(high);
  std::vector<double> result;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    const double sign = scaled_sum(terms, edges[i - 1]) >= 0 ? 1 : -1;
    if (sign * scaled_sum(terms, edges[i]) >= 0) continue;
    const Bracket bracket = shrink([&](double x) { return sign * scaled_sum(terms, x); },
                                   edges[i - 1], edges[i], 1e-15);
    result.push_back(0.5 * (bracket.low + bracket.high));
  }
  return result;
}

/// The sum is known to this, relative to its largest term.
constexpr double kSumError = 1e-13;

/// How far from x the sum may be of either sign: 0 if its sign is certain at x.
double doubtful_reach(const std::vector<Term>& terms, double x, double most) {
  const auto doubtful = [&](double at) { return std::abs(scaled_sum(terms, at)) <= 2 * kSumError; };
  double reach = 1e-14 * (1 + std::abs(x));
  while (reach < most && (doubtful(x - reach) || doubtful(x + reach))) reach *= 2;
  return reach;
}

/// Beyond this loss e^eps leaves the doubles; delta only falls, so that its value here is a bound.
constexpr double kLargestLoss = 700;

/// The terms of (p - K q) / pdf(x), those of one rate gathered.
std::vector<Term> difference(const Mixtures& m, double epsilon) {
  const double k = std::exp(epsilon);
  const double w = m.weight;
  const std::vector<double> means = {m.p1, m.p2, m.q1, m.q2};
  const std::array sizes = {1 - w, w, -k * (1 - w), -k * w};
  const std::vector<std::size_t> order = rising_order(means);
  std::vector<Term> terms;
  for (auto i = order.begin(); i != order.end();) {
    const double mean = means[*i];
    double size = 0;
    for (; i != order.end() && means[*i] == mean; ++i) size += sizes[*i];
    if (size != 0) {
      terms.push_back({size > 0 ? 1.0 : -1.0, std::log(std::abs(size)) - 0.5 * mean * mean, mean});
    }
  }
  return terms;
}

Interval both_ends(double value) {
  return {value, value, IntervalKind::bound};
}

double mixed(double w, double first, double second) {
  return (1 - w) * first + w * second;
}

/// H(N(mean_p) || N(mean_q))(K), rounded up, for any K >= 0.
double component_upper(double mean_p, double mean_q, double k) {
  const double mu = std::abs(mean_p - mean_q);
  if (!(k > 0)) return 1;
  if (!(mu > 0)) return std::max(0.0, (1 - k) * (1 + 4 * kUnit));
  return gaussian::delta(mu * (1 + 4 * kUnit), std::log(k) * (1 - 4 * kUnit) - 4 * kUnit).upper;
}

double advanced_upper(const Mixtures& m, double k, double gamma, double eta) {
  const double w = m.weight;
  // Rounded down: the components' divergences fall with K.
  const double k1 = k * (eta - w) / ((1 - w) * (eta - gamma)) * (1 - 16 * kUnit);
  const double k2 = k * (w - gamma) / (w * (eta - gamma)) * (1 - 16 * kUnit);
  const double first =
      mixed(gamma, component_upper(m.p1, m.q1, k1), component_upper(m.p1, m.q2, k1));
  const double second =
      mixed(eta, component_upper(m.p2, m.q1, k2), component_upper(m.p2, m.q2, k2));
  return std::min(1.0, mixed(w, first, second) * (1 + 16 * kUnit));
}

}  // namespace

Interval delta(const Mixtures& mixtures, Direction direction, double epsilon) {
  if (epsilon > kLargestLoss) return {0, delta(mixtures, direction, kLargestLoss).upper};
  const Mixtures m = directed(mixtures, direction);
  const double k = std::exp(epsilon);
  const double w = m.weight;
  const auto [least, most] = std::minmax({m.p1, m.p2, m.q1, m.q2});
  constexpr double kReach = 40;  // no mass beyond, to 1e-300
  const double low = least - kReach;
  const double high = most + kReach;
  const std::vector<Term> terms = difference(m, epsilon);
  std::vector<double> edges = zeros(terms, low, high);
  // A sign is misjudged only where p and K q agree to rounding: round a zero, or where the sum
  // touches zero, at a zero of its derivative. What that costs is at most the difference there.
  double misjudged = 0;
  const std::vector<double> touched = zeros(derivative(terms), low, high);
  for (const std::vector<double>* places : {&std::as_const(edges), &touched}) {
    for (const double x : *places) {
      const double density = mixed(w, normal::pdf(x - m.p1), normal::pdf(x - m.p2)) +
                             k * mixed(w, normal::pdf(x - m.q1), normal::pdf(x - m.q2));
      misjudged += 16 * kSumError * density * doubtful_reach(terms, x, high - low);
    }
  }
  edges.insert(edges.begin(), low);
  edges.push_back(high);
  double value = 0;
  double error = 0;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (!(scaled_sum(terms, 0.5 * (edges[i - 1] + edges[i])) > 0)) continue;
    const auto mass = [&](double mean) { return normal_mass(edges[i - 1], edges[i], mean); };
    const Mass p1 = mass(m.p1), p2 = mass(m.p2), q1 = mass(m.q1), q2 = mass(m.q2);
    const double p = mixed(w, p1.value, p2.value);
    const double q = mixed(w, q1.value, q2.value);
    value += p - k * q;
    // The exponential rounds by kFunctionError units, and each sum and product by one.
    error +=
        mixed(w, p1.error, p2.error) + k * mixed(w, q1.error, q2.error) + 32 * kUnit * (p + k * q);
  }
  error = error * (1 + 32 * kUnit) + kTiny;
  return within_unit({value - error, value + error + misjudged});
}

Interval delta_joint(const Mixtures& mixtures, Direction direction, double epsilon) {
  const Mixtures m = directed(mixtures, direction);
  const double k = std::exp(std::min(epsilon, kLargestLoss)) * (1 - 2 * kUnit);
  const double upper =
      mixed(m.weight, component_upper(m.p1, m.q1, k), component_upper(m.p2, m.q2, k)) *
      (1 + 8 * kUnit);
  return both_ends(std::min(1.0, upper));
}

AdvancedBound best_advanced(const Mixtures& mixtures, Direction direction, double epsilon) {
  const Mixtures m = directed(mixtures, direction);
  const double w = m.weight;
  AdvancedBound best{delta_joint(mixtures, direction, epsilon).upper, 0, 1};
  if (!(w > 0 && w < 1)) return best;
  const double k = std::exp(std::min(epsilon, kLargestLoss)) * (1 - 2 * kUnit);
  const auto consider = [&](double g, double e) {
    // The search may look beyond the ends of its range; the bound holds only within.
    const double gamma = std::clamp(g, 0.0, w * (1 - 1e-9));
    const double eta = std::clamp(e, w + (1 - w) * 1e-9, 1.0);
    const double value = advanced_upper(m, k, gamma, eta);
    if (value < best.delta_upper) best = {value, gamma, eta};
    return value;
  };
  // By turns: the value is cheap and mostly unimodal in each, and any pair is a bound.
  consider(0.5 * w, 0.5 * (1 + w));
  constexpr int kTurns = 6;
  for (int turn = 0; turn < kTurns; ++turn) {
    largest_on([&](double g) { return -consider(g, best.eta); }, 0, w);
    largest_on([&](double e) { return -consider(best.gamma, e); }, w, 1);
  }
  return best;
}

Interval delta_advanced(const Mixtures& mixtures, Direction direction, double epsilon) {
  return both_ends(best_advanced(mixtures, direction, epsilon).delta_upper);
}

tradeoff::TradeOffCurve trade_off(const Mixtures& mixtures, const tradeoff::Sampling& sampling,
                                  DeltaBound* bound) {
  const auto at = [&](double epsilon) -> tradeoff::Knot {
    return {epsilon, bound(mixtures, Direction::remove, epsilon),
            bound(mixtures, Direction::add, epsilon)};
  };
  return tradeoff::TradeOffCurve(tradeoff::sample(at, sampling));
}

}  // namespace honest_epsilon::mixtures
