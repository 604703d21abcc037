#include "core/monte_carlo/conditional.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/monte_carlo/coordinates.h"

namespace honest_epsilon::monte_carlo {
namespace {

/// The half-width of an upper bound per unit of a summand's bound, roughly: log(1/error) / samples,
/// about 10 / 1e5. It weighs the bound against the remainder when r is chosen.
constexpr double kWeight = 1e-4;

/// Relative error of a tail at a computed place: places up to 38.5 are good to three units.
constexpr double kTailError = 1e-12;

/// The law of T ratios under Q, and what the exact part and the remainder ask of it.
class Ratios {
 public:
  Ratios(double mu, double steps) : mu_(mu), steps_(steps) {}

  double mu() const { return mu_; }
  double steps() const { return steps_; }
  double place(double ratio) const { return position(mu_, ratio); }
  double q(double z) const { return portable::upper_tail(z); }
  double p(double z) const { return portable::upper_tail(z - mu_); }

  /// Both tails of the ratios above `ratio` but not above the place c.
  struct Between {
    double p;
    double q;
  };
  Between between(double ratio, double c) const {
    const double z = place(ratio);
    const auto difference = [](double more, double less) {
      return std::max(0.0, more - less) + kTailError * more;
    };
    return {difference(p(z), p(c)), difference(q(z), q(c))};
  }

  /// Pr_P[all ratios <= M, sum less its largest term > r], at most. With r > second > third, either
  /// two ratios lie above `second` or three above `third`, summed over which ones they are, among
  /// them perhaps the record's own. Or the sum less its largest term is at most `second`, plus
  /// `third` for the record's own ratio, plus all others that are at most `third`: independent ones
  /// of mean at most 1 and second moment e^(mu^2) Phi(place(third) - 2 mu), for Bennett's
  /// inequality.
  double remainder(double c, double r, double second, double third) const {
    const Between two = between(second, c);
    const Between three = between(third, c);
    const double others = steps_ - 1;
    const double pairs = others * (steps_ - 2) / 2;
    const double triples = pairs * (steps_ - 3) / 3;
    const double jumps = two.p * others * two.q + pairs * two.q * two.q +
                         three.p * pairs * three.q * three.q +
                         triples * three.q * three.q * three.q;
    return jumps + crowd(r * (1 - 1e-9) - second - third, third);
  }

 private:
  /// Pr[sum of T - 1 ratios cut at `most` > level], by Bennett: exp(-(v/most^2) h(x)),
  /// h(x) = (1 + x) log(1 + x) - x, x = most t/v, t = level - (T - 1). Cite: [BLM13, Thm 2.9].
  double crowd(double level, double most) const {
    const double excess = level - (steps_ - 1);
    if (!(excess > 0)) return 1;
    const double square = mu_ * mu_;
    // Where the tail underflows, e^(mu^2) times it is below e^(600 - 741).
    const double moment =
        square > 600 ? most
                     : std::min(most, portable::exp(square) * q(2 * mu_ - place(most)) + 1e-60);
    const double variance = (steps_ - 1) * moment * (1 + 1e-10);
    const double log_x = portable::log(most) + portable::log(excess) - portable::log(variance);
    double exponent = 0;
    if (log_x > 20) {
      exponent = excess / most * (log_x - 1);  // h(x) > x log x - x
    } else {
      const double x = portable::exp(log_x);
      // h(x) > x^2/2 - x^3/6, which has no cancellation where x is small.
      const double h = x < 1e-3 ? x * x * (0.5 - x / 6) : (1 + x) * portable::log1p(x) - x;
      exponent = variance / (most * most) * h;
    }
    return portable::exp(-exponent * (1 - 1e-9));
  }

  double mu_;
  double steps_;
};

/// A Y that proves nothing is cut off at this many times its size where the sum lies eight standard
/// deviations above its mean and the largest place at its median.
constexpr double kOutlier = 1e3;

/// One part's constants.
struct Strike {
  double epsilon = 0;
  bool plain = false;
  double level = 0;  ///< M = T K
  double c = 0;      ///< place of M
  double p_c = 0;
  double q_c = 0;
  double limit = 0;  ///< r

  /// Y at largest place m and sum R.
  double value(const Ratios& ratios, double m, double sum) const {
    if (m >= c) return 0;
    const double missing = level - sum;
    const double a = missing > 0 ? std::max(m, ratios.place(missing)) : m;
    return std::max(0.0, (ratios.p(a) - p_c) - missing * (ratios.q(a) - q_c));
  }
};

class Conditional : public Summands {
 public:
  explicit Conditional(const SampleRequest& request)
      : ratios_(1 / request.noise_multiplier, static_cast<double>(request.steps)),
        others_(request, request.steps - 1),
        log_steps_(portable::log(ratios_.steps())) {
    for (std::size_t i = 0; i < request.epsilons.size(); ++i) prepare(i, request.epsilons[i]);
  }

  void draw(variates::Generator& source, std::span<double> upper,
            std::span<double> lower) override {
    const double own = ratios_.mu() * source.normal() + 0.5 * ratios_.mu() * ratios_.mu();
    const Drawn others = others_.draw(source);
    for (std::size_t i = 0; i < strikes_.size(); ++i) {
      const Strike& strike = strikes_[i];
      if (strike.plain) {
        upper[i] = plain(strike.epsilon, own, others.upper);
        if (!lower.empty()) lower[i] = plain(strike.epsilon, own, others.lower);
        continue;
      }
      // The true sum lies between the two, so that each bound takes its safe side of the limit.
      const double scale = parts_[i].bound > 0 ? 1 / parts_[i].bound : 0;
      const double sum = std::min(others.upper, strike.limit);
      const bool outside = others.lower > strike.limit;
      upper[i] = outside ? 0 : scale * strike.value(ratios_, others.largest, sum);
      if (lower.empty()) continue;
      const bool perhaps_outside = others.upper > strike.limit;
      lower[i] = perhaps_outside ? 0 : scale * strike.value(ratios_, others.largest, others.lower);
    }
  }

 private:
  /// (1 - K/S)+ with the record's own ratio e^own.
  double plain(double epsilon, double own, double sum) const {
    return payoff(epsilon, log_of_sum(sum, own) - log_steps_);
  }

  void prepare(std::size_t index, double epsilon) {
    const double steps = ratios_.steps();
    const double price = portable::exp(epsilon);
    Strike strike;
    strike.epsilon = epsilon;
    strike.level = steps * price;
    strike.c = ratios_.place(strike.level);
    strike.p_c = ratios_.p(strike.c);
    strike.q_c = ratios_.q(strike.c);

    Part part;
    part.epsilon = index;
    const double none = (steps - 1) * portable::log1p(-strike.q_c);
    const double first = -portable::expm1(portable::log1p(-strike.p_c) + none);
    const double second = -price * portable::expm1(portable::log1p(-strike.q_c) + none);
    part.exact = std::max(0.0, first - second);
    part.exact_error = kTailError * (first + second) + kTiny;
    if (steps == 1) {
      part.bound = 0;
    } else if (!choose_limit(strike, part)) {
      strike.limit = kInfinity;
      part.proves = false;
      part.bound = outlier(strike, part.exact);
      add_plain(index, epsilon);
    }
    strikes_.push_back(strike);
    parts_.push_back(part);
  }

  double outlier(const Strike& strike, double exact) const {
    const double others = ratios_.steps() - 1;
    const double median = portable::upper_quantile(-portable::expm1(-portable::log(2) / others));
    const double variance = portable::expm1(ratios_.mu() * ratios_.mu());
    const double sum = others + 8 * std::sqrt(others * variance);
    const double size = strike.value(ratios_, median, sum) + exact;
    return std::min(4.0, kOutlier * size + kTiny);
  }

  void add_plain(std::size_t index, double epsilon) {
    Strike strike;
    strike.epsilon = epsilon;
    strike.plain = true;
    strikes_.push_back(strike);
    Part part;
    part.epsilon = index;
    part.summand_error = others_.log_roundoff(log_steps_);
    parts_.push_back(part);
  }

  /// The r and its thresholds with the least bound * kWeight + remainder, among a few of each, if
  /// they beat the plain summand.
  bool choose_limit(Strike& strike, Part& part) const {
    constexpr double kFractions[] = {0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    // The plain summand's half-width: Chernoff's, for a mean of at least the exact part.
    double best = kWeight + std::sqrt(2 * kWeight * part.exact);
    bool found = false;
    for (const double fraction : kFractions) {
      const double limit = fraction * strike.level;
      const double bound = strike.value(ratios_, -kInfinity, limit);
      const double remainder = least_remainder(strike, limit);
      if (!(bound * kWeight + remainder < best)) continue;
      best = bound * kWeight + remainder;
      found = true;
      part.bound = std::max(bound, kTiny);
      part.remainder = remainder;
      strike.limit = limit;
    }
    if (!found) return false;
    const double a = ratios_.place(strike.level - strike.limit);
    const double size = ratios_.p(a) + strike.level * ratios_.q(a);
    part.summand_error = (3 * kTailError + others_.roundoff()) * size / part.bound + 64 * kUnit;
    return true;
  }

  double least_remainder(const Strike& strike, double limit) const {
    double least = 1;
    for (const double second : {0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) {
      for (const double third : {0.02, 0.05, 0.1, 0.2, 0.3}) {
        if (third > second) continue;
        least = std::min(least, ratios_.remainder(strike.c, limit, second * limit, third * limit));
      }
    }
    return least;
  }

  Ratios ratios_;
  Coordinates others_;
  double log_steps_;
  std::vector<Strike> strikes_;  ///< by part
};

}  // namespace

std::unique_ptr<Summands> conditional_summands(const SampleRequest& request) {
  return std::make_unique<Conditional>(request);
}

}  // namespace honest_epsilon::monte_carlo
