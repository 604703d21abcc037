#include "core/tradeoff/audit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/rounding.h"
#include "core/math/binomial.h"
#include "core/math/binomial_tail.h"
#include "core/math/root.h"

namespace honest_epsilon::audit {
namespace {

/// max over i of Pr[v - i <= B < v] / i, B ~ Bin(r, q), rounded up. The sums are at most 1, so that
/// an i with 1/i below the largest found so far cannot raise it.
double densest_below(const Record& record, double q) {
  const auto trials = static_cast<std::int64_t>(record.guesses);
  const auto correct = static_cast<std::int64_t>(record.correct);
  double sum = 0, most = 0;
  for (std::int64_t i = 1; i <= correct; ++i) {
    if (1 / static_cast<double>(i) <= most) break;
    const binomial::Probability p = binomial::pmf(trials, q, correct - i);
    sum = (sum + p.value + p.error) * (1 + 2 * kUnit);
    most = std::max(most, std::min(1.0, sum) / static_cast<double>(i));
  }
  return most * (1 + 2 * kUnit);
}

/// The least Q(E) at P(E) = u, given claims: the largest of lines that rise with u.
class LeastRate {
 public:
  explicit LeastRate(const std::vector<tradeoff::Support>& claims) {
    std::vector<RateLine> lines = {{0, 0}};
    for (const tradeoff::Support& claim : claims) {
      // Q >= e^-eps (P - delta), and 1 - Q <= e^eps (1 - P) + delta.
      const double scale = std::exp(claim.epsilon);
      lines.push_back({1 / scale, -claim.delta / scale});
      lines.push_back({scale, 1 - claim.delta - scale});
    }
    std::sort(lines.begin(), lines.end(),
              [](const RateLine& a, const RateLine& b) { return a.slope < b.slope; });
    for (const RateLine& line : lines) add(line);
  }

  /// Rounded down. Calls come with rising u.
  double operator()(double u) {
    while (at_ + 1 < hull_.size() && value(hull_[at_ + 1], u) >= value(hull_[at_], u)) ++at_;
    const RateLine& line = hull_[at_];
    const double rounding = 8 * kUnit * (line.slope * u + std::abs(line.height) + line.slope);
    return std::max(0.0, value(line, u) - rounding);
  }

  void restart() { at_ = 0; }

 private:
  struct RateLine {
    double slope;
    double height;
  };
  static double value(const RateLine& line, double u) { return line.slope * u + line.height; }

  /// Where b, the steeper one, overtakes a.
  static double meeting(const RateLine& a, const RateLine& b) {
    return (a.height - b.height) / (b.slope - a.slope);
  }

  /// Any of the lines is a lower bound, so it costs no proof if rounding drops the wrong one.
  void add(const RateLine& line) {
    while (!hull_.empty() && hull_.back().slope >= line.slope) {
      if (hull_.back().height >= line.height) return;
      hull_.pop_back();
    }
    while (hull_.size() > 1 &&
           meeting(hull_[hull_.size() - 2], hull_.back()) >= meeting(hull_.back(), line))
      hull_.pop_back();
    hull_.push_back(line);
  }

  std::vector<RateLine> hull_;
  std::size_t at_ = 0;
};

/// Whether (3) refutes Pr[V >= v] >= tau.
bool refutes(const Record& record, LeastRate& least, double tau) {
  constexpr double kDown = 1 - 8 * kUnit;
  least.restart();
  double here = tau;  // P_c at least
  double above = 0;   // sum of P_i over c < i <= v
  for (double c = record.correct; c >= 1; --c) {
    const double weight = (c * here + above) * kDown;  // U_c
    above = (above + here) * kDown;
    const double rate = record.canaries * least(weight / record.canaries * kDown) * kDown;
    const double next = (rate + above) / (record.guesses - c + 1) * kDown;
    here = std::max(here, next);
    if (here > 1) return true;
  }
  return false;
}

/// 1 - f at a false positive rate, at most.
double most_true_positives(const std::vector<tradeoff::Support>& claims, double rate) {
  double most = 1;
  for (const tradeoff::Support& claim : claims) {
    const double scale = std::exp(claim.epsilon);
    most = std::min({most, (claim.delta + scale * rate) * (1 + 16 * kUnit),
                     1 - (1 - claim.delta - rate) / scale * (1 - 16 * kUnit) + 4 * kUnit});
  }
  return most;
}

/// At one threshold, without the correction for their number.
double p_value_upper(const AttackCounts& counts, const Positives& positives,
                     const std::vector<tradeoff::Support>& claims) {
  // Rates of which 1 - rate is a double.
  const auto exact = [](double rate) { return 1 - (1 - rate); };
  const auto falling = [&](double rate) {
    if (rate == 0 || positives.non_members == counts.non_members) return 1.0;
    return rate < 1 ? binomial::cumulative_upper(counts.non_members, rate, positives.non_members)
                    : 0.0;
  };
  const auto rising = [&](double rate) {
    const double most = most_true_positives(claims, rate);
    if (positives.members == 0 || most >= 1) return 1.0;
    return most > 0 ? binomial::upper_tail_upper(counts.members, most, positives.members - 1) : 0.0;
  };
  const Bracket at =
      bisect({0, 1}, {60}, [&](double rate) { return rising(exact(rate)) < falling(exact(rate)); });
  // Below the bracket the second is no larger than in it, and above it the first.
  return std::min(1.0,
                  2 * std::min(falling(exact(at.low)), rising(exact(at.high))) * (1 + 4 * kUnit));
}

/// An epsilon that is refuted at a delta, next to the largest one.
template <class Seen>
double refuted_epsilon(const Seen& seen, double delta, double error) {
  const auto refuted = [&](double epsilon) {
    return least_p_value(seen, {{epsilon, delta}}) <= error;
  };
  if (!refuted(0)) return 0;
  double low = 0, high = 1;
  constexpr double kMost = 40;
  while (high < kMost && refuted(high)) low = std::exchange(high, 2 * high);
  return bisect({low, high}, {60, 1e-9}, refuted).low;
}

}  // namespace

double p_value_upper(const Record& record, double epsilon, double delta) {
  // A claim of a larger epsilon is weaker: the bound for it holds.
  const double q = (1 + 8 * kUnit) / (1 + std::exp(-epsilon));
  if (!(q < 1) || record.correct == 0) return 1;
  const double tail = binomial::upper_tail_upper(record.guesses, q, record.correct - 1);
  if (delta == 0 || tail >= 1) return std::min(1.0, tail);
  const double rest = 2 * record.canaries * delta * densest_below(record, q);
  return std::min(1.0, (tail + rest) * (1 + 8 * kUnit));
}

double p_value_upper(const Record& record, const std::vector<tradeoff::Support>& claims) {
  LeastRate least(claims);
  const auto stands = [&](double log_tau) { return !refutes(record, least, std::exp(log_tau)); };
  if (stands(0)) return 1;
  return std::exp(bisect({-690, 0}, {60, 0, 1e-6}, stands).high);
}

double least_p_value(const Record& record, const std::vector<tradeoff::Support>& claims) {
  double least = p_value_upper(record, claims);
  for (const tradeoff::Support& claim : claims)
    least = std::min(least, p_value_upper(record, claim.epsilon, claim.delta));
  return least;
}

double least_p_value(const AttackCounts& counts, const std::vector<tradeoff::Support>& claims) {
  double least = 1;
  for (const Positives& positives : counts.thresholds)
    least = std::min(least, p_value_upper(counts, positives, claims));
  const auto tries = static_cast<double>(counts.thresholds.size());
  return std::min(1.0, tries * least * (1 + 4 * kUnit));
}

double epsilon_lower(const Record& record, double delta, double error) {
  return refuted_epsilon(record, delta, error);
}

double epsilon_lower(const AttackCounts& counts, double delta, double error) {
  return refuted_epsilon(counts, delta, error);
}

}  // namespace honest_epsilon::audit
