#include "core/samplers/swaps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/binomial_tail.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/pld/curve_source.h"
#include "core/pld/source.h"
#include "core/runs/aims.h"
#include "core/samplers/swap_law.h"

namespace honest_epsilon::shuffle {
namespace {

/// A smaller delta is left to clones: laws and tails would have to be followed too far.
constexpr double kLeastDelta = 1e-30;

/// Of more batches some are told to the adversary: binomial tails take ever longer.
constexpr double kMostBatches = 1e7;

/// The largest known-batch shift and the fewest clones for which swaps are of use.
constexpr double kLargestShift = 4;
constexpr double kFewestClones = 4;

/// What is left out, of about_: of laws and clones, and by raising the factors r_j.
constexpr double kSmall = 0.02, kRaisedPart = 0.05;

/// The range of theta, where the factors r_j are cut off from below.
constexpr double kLeastTheta = 0.01, kLargestTheta = 0.35;

/// Sums over the part of a law near its mean that bound |phi(s + iy)|^2 (c): A from below, B from
/// above.
struct Spread {
  double second = 0, fourth = 0;
};

/// A law tilted by e^(s w).
struct TiltedLaw {
  double log_mean;  ///< ln phi(s), from above
  double square;    ///< phi(s)^2, from above
  std::vector<Spread> spreads;
};

/// How far values of a law may lie from its mean, in deviations, to be in its spread.
constexpr std::array<double, 4> kReaches = {2, 4, 8, kInfinity};

class SwapLaw {
 public:
  explicit SwapLaw(GridLaw law) : law_(std::move(law)) {
    for (std::size_t i = 0; i < law_.values.size(); ++i) mean_ += law_.masses[i] * law_.values[i];
    for (std::size_t i = 0; i < law_.values.size(); ++i)
      variance_ += law_.masses[i] * std::pow(law_.values[i] - mean_, 2);
  }

  double beyond() const { return law_.beyond; }
  double largest() const { return law_.values.back(); }
  double variance() const { return variance_; }

  TiltedLaw tilted(double s) const {
    std::array<std::array<double, 5>, kReaches.size()> sums{};
    double total = 0;
    const double deviation = std::sqrt(variance_);
    for (std::size_t i = 0; i < law_.values.size(); ++i) {
      const double weight = law_.masses[i] * std::exp(s * law_.values[i]);
      const double d = law_.values[i] - mean_;
      total += weight;
      std::size_t reach = 0;
      while (std::abs(d) > kReaches[reach] * deviation) ++reach;
      double power = weight;
      for (double& sum : sums[reach]) {
        sum += power;
        power *= d;
      }
    }
    for (std::size_t reach = 1; reach < kReaches.size(); ++reach) {
      for (std::size_t i = 0; i < sums[reach].size(); ++i) sums[reach][i] += sums[reach - 1][i];
    }
    // A sum of positive terms, each an exponential of a rounded product.
    const double units = 16 + 2 * static_cast<double>(law_.values.size()) +
                         2 * std::abs(s) * std::max(largest(), -law_.values.front());
    TiltedLaw result;
    result.log_mean = std::log(total) + 2 * units * kUnit;
    result.square = total * total * (1 + 4 * units * kUnit);
    for (const auto& p : sums) {
      // What products of sums are off by, before they cancel.
      const double rounding = 16 * units * kUnit;
      const double second = p[0] * p[2] - p[1] * p[1] - rounding * (p[0] * p[2] + p[1] * p[1]);
      const double fourth = p[0] * p[4] - 4 * p[1] * p[3] + 3 * p[2] * p[2] +
                            rounding * (p[0] * p[4] + 4 * std::abs(p[1] * p[3]) + 3 * p[2] * p[2]);
      result.spreads.push_back({std::max(0.0, 2 * second), 2 * std::max(0.0, fourth)});
    }
    return result;
  }

 private:
  GridLaw law_;
  double mean_ = 0, variance_ = 0;
};

/// How |phi| is bounded: by which spread, with a Gaussian up to which y, and how much blur.
struct Majorant {
  std::size_t reach;
  double part;  ///< of the second moment that the fourth may take, by the last y
  double blur;  ///< t, relative to n E (W - E W)^2
};

/// Sampford's bound b(x) on Mills' ratio, x >= 0; by 2 % above it at 1, by .3 % at 2. Times the
/// density it vanishes at infinity, and falls at least as fast as the tail, as b' - x b + 1 <= 0:
/// that is x (x^2 + 6) <= (x^2 + 2) sqrt(x^2 + 8), whose squares differ by 32. Its logarithm is
/// convex in x^2: 3 x + sqrt(x^2 + 8) has a concave one.
double mills_upper(double x) {
  return 4 / (3 * x + std::sqrt(x * x + 8));
}

/// f(k, x) <= e^(s x) factors(n, ...).at(k) (c). At fixed s and majorant it is a sum of functions
/// of k whose logarithms are convex, v being linear in k, so that it is convex itself.
class SwapLine {
 public:
  SwapLine(const SwapLaw& law, double theta, double s)
      : s_(s),
        theta_(theta),
        variance_(law.variance()),
        at_one_(law.tilted(s)),
        at_theta_(law.tilted(theta * s)) {}

  /// at(k, n, ...) for one n and majorant.
  class Factors {
   public:
    double at(double k) const {
      const double v = variance_ + k * variance_rate_;
      const double power = power_ + k * power_rate_;
      constexpr double kLargestPower = 600;
      return power > kLargestPower
                 ? kInfinity
                 : std::exp(power) * (mills_upper(s_ * std::sqrt(v)) * near_ + far_) * (1 + 1e-12);
    }

   private:
    friend class SwapLine;
    double s_ = 0, near_ = 0, far_ = 0;
    double variance_ = 0, variance_rate_ = 0;  ///< v at k = 0, and by which it grows with k
    double power_ = kInfinity, power_rate_ = 0;
  };

  Factors factors(double n, const Majorant& shape) const {
    const Spread& one = at_one_.spreads[shape.reach];
    const Spread& theta = at_theta_.spreads[shape.reach];
    Factors result;
    if (!(one.second > 0 && one.fourth > 0)) return result;
    // Up to this y, y^2 fourth / 12 is at most a part of `second`.
    const double y_square = 12 * shape.part * one.second / one.fourth;
    const double square = theta_ * theta_;
    const double second = one.second * (1 - shape.part);
    const double rest = theta.second - square * y_square * theta.fourth / 12;
    const double blur = shape.blur * n * variance_;
    const double at_one = 0.5 * second / at_one_.square;
    const double at_theta = 0.5 * square * std::max(0.0, rest) / at_theta_.square;
    const double u = blur * y_square;
    result.s_ = s_;
    result.variance_ = n * at_theta + blur;
    result.variance_rate_ = at_one - at_theta;
    result.near_ = 1 / (s_ * kSqrtTwoPi);
    result.far_ = std::exp(-0.5 * u) / (kPi * std::sqrt(y_square)) * std::min(1.0, 1 / u);
    result.power_ = n * at_theta_.log_mean + 0.5 * blur * s_ * s_;
    result.power_rate_ = at_one_.log_mean - at_theta_.log_mean;
    return result;
  }

 private:
  double s_, theta_, variance_;
  TiltedLaw at_one_, at_theta_;
};

/// x of the first place: E e^(s x) and its largest value, both divided by lambda / p.
class FirstPlace {
 public:
  FirstPlace(double mu, double a, double largest, Direction direction, double cut)
      : remove_(direction == Direction::remove),
        a_(a),
        largest_(largest),
        cut_(cut),
        variance_(std::expm1(mu * mu * (1 + 8 * kUnit)) * (1 + 8 * kUnit)) {}

  double most() const { return remove_ ? std::max(0.0, cut_ - a_) : 1; }

  /// With w = X_u - 1 <= w_0 (or -w): e^(s w) <= 1 + s w + (s w)^2 (e^q - 1 - q) / q^2, q = s w_0.
  double mean(double s) const {
    const double each = s / largest_ * (remove_ ? 1 : a_);
    const double q = std::max(each * (remove_ ? cut_ - 1 : 1), 1e-3);
    const double factor = (std::exp(q) - 1 - q) / (q * q) * (1 + 1e-9);
    return std::exp(s / largest_ * (1 - a_)) * (1 + factor * each * each * variance_) * (1 + 1e-12);
  }

 private:
  bool remove_;
  double a_, largest_, cut_, variance_;
};

/// A line and how its |phi| is bounded.
struct BoundedLine {
  SwapLine line;
  Majorant majorant;
  double mean, most;  ///< E e^(s x), and its largest value

  /// The least at k = n.
  static BoundedLine best(const SwapLaw& law, double theta, double s, double n,
                          const FirstPlace& first) {
    BoundedLine result{{law, theta, s}, {}, first.mean(s), std::exp(s * first.most())};
    double least = kInfinity;
    const auto attempt = [&](const Majorant& tried) {
      const double found = result.line.factors(n, tried).at(n);
      if (!(found < least)) return;
      least = found;
      result.majorant = tried;
    };
    for (std::size_t reach = 0; reach < kReaches.size(); ++reach) {
      for (const double part : {0.03, 0.1, 0.3}) {
        for (const double blur : {0.0025, 0.01, 0.04}) attempt({reach, part, blur});
      }
    }
    return result;
  }
};

/// A law's lines at rising powers, each made when it is first asked for.
class SwapLines {
 public:
  /// mean: the usual n.
  SwapLines(const SwapLaw& law, double theta, double mean, const FirstPlace& first)
      : law_(law), theta_(theta), mean_(mean), first_(first) {
    // Powers s, in units of the sum's deviation.
    constexpr double kFirst = 0.4, kLast = 8, kLargestPower = 30;
    deviation_ = std::sqrt(mean * law.variance());
    last_power_ = std::min(kLast, kLargestPower * deviation_ / law.largest());
    first_power_ = std::min(kFirst, last_power_);
  }

  /// (b): at most the mean of f(k, x) for n factors, of which `raised` on average are at theta.
  double mean_upper(double n, double raised) {
    std::array<std::optional<SwapLine::Factors>, kLines> known;
    const auto factors = [&](std::size_t i) -> const SwapLine::Factors& {
      if (!known[i]) known[i] = line(i).line.factors(n, line(i).majorant);
      return *known[i];
    };
    const auto mean = [&](std::size_t i) { return factors(i).at(n) * line(i).mean; };
    const auto at = [&](std::size_t i, double k) { return line(i).most * factors(i).at(k); };
    const auto [chosen, best] = downhill(usual_, kLines, mean);
    usual_ = chosen;
    const double at_n = at(chosen, n);
    if (!(at_n < kInfinity)) return kInfinity;
    // g is the chosen line's bound at k = n, and the slope that of its excess over g, which is
    // convex in k. Where that matters it is found cell by cell, but for the last cell from any
    // line's larger end.
    constexpr int kCells = 8;
    constexpr double kHardly = 0.01;
    double slope = std::max(0.0, at(chosen, 0) - at_n) / n;
    if (slope * raised > kHardly * best) {
      slope = 0;
      std::size_t nearby = chosen;
      for (int cell = 0; cell < kCells; ++cell) {
        const double from = n * cell / kCells, to = n * (cell + 1) / kCells;
        double most = std::max(0.0, at(chosen, from) - at_n) / (n - from);
        if (cell + 1 < kCells) {
          const auto of_line = [&](std::size_t i) {
            return std::max(at(i, from), at(i, to)) / (n - to);
          };
          const Lowest lowest = downhill(nearby, kLines, of_line);
          nearby = lowest.place;
          most = std::min(most, lowest.value);
        }
        slope = std::max(slope, most);
      }
    }
    return best + slope * raised;
  }

 private:
  static constexpr std::size_t kLines = 12;

  const BoundedLine& line(std::size_t i) {
    if (!lines_[i]) {
      const double part = static_cast<double>(i) / (kLines - 1);
      const double power = first_power_ * std::exp(part * std::log(last_power_ / first_power_));
      lines_[i] = BoundedLine::best(law_, theta_, power / deviation_, mean_, first_);
    }
    return *lines_[i];
  }

  const SwapLaw& law_;
  double theta_, mean_;
  const FirstPlace& first_;
  double deviation_, first_power_, last_power_;
  std::array<std::optional<BoundedLine>, kLines> lines_;
  std::size_t usual_ = kLines / 2;  ///< the best for the n before
};

}  // namespace

SwapBound::SwapBound(double batches, double mu, double lambda)
    : others_(std::min(batches, kMostBatches) - 1), mu_(mu * (1 + 2 * kUnit)), lambda_(lambda) {
  const double log = -std::log(lambda) * (1 - 2 * kFunctionError * kUnit);
  const double mass = lambda * (1 - gaussian::delta(mu_, log).upper) * (1 - 4 * kUnit);
  // The largest double below it whose complement is one.
  const double rest = std::nextafter(1 - mass, 2);
  clone_ = 1 - rest;
  largest_ = lambda / clone_ * (1 + 2 * kUnit);
}

std::vector<SwapBound::Rung> SwapBound::rungs(double negligible) const {
  // A normal tail `lowest` deviations below is smaller than e^(-lowest^2 / 2).
  constexpr double kHighest = 2, kStep = 0.5;
  const double lowest = std::sqrt(-2 * std::log(std::clamp(negligible, 1e-30, 0.1)));
  const auto steps = static_cast<std::size_t>(std::ceil((kHighest + lowest) / kStep));
  const double mean = others_ * clone_, deviation = std::sqrt(mean * (1 - clone_));
  while (falling_.size() <= steps) {
    const double z = kHighest - kStep * static_cast<double>(falling_.size());
    const double places = std::max(1.0, std::floor(1 + mean + z * deviation));
    falling_.push_back(
        {places, places > 1 ? binomial::cumulative_upper(others_, clone_, places - 2) : 0});
  }
  std::vector<Rung> rungs = {{1, 0}};
  for (std::size_t i = steps + 1; i-- > 0;) {
    if (falling_[i].places > rungs.back().places) rungs.push_back(falling_[i]);
  }
  return rungs;
}

double SwapBound::known(double epsilon) const {
  return gaussian::delta(mu_, epsilon).upper;
}

double SwapBound::delta(Direction direction, double epsilon, double about) const {
  const double known = this->known(epsilon);
  const double mean = others_ * clone_;
  constexpr double kLargestEpsilon = 20;
  // Beyond so many deviations a normal tail is 0.
  constexpr double kFarthest = 30;
  const bool serves = mu_ <= kLargestShift && mean >= kFewestClones && about > kTiny;
  if (!(serves && epsilon < std::min(kLargestEpsilon, kFarthest * mu_))) return known;
  // a rounds: the curve is asked a little lower.
  const double a = std::exp(epsilon) * (1 - 2 * kFunctionError * kUnit);
  // The cut of the first place's density, about as dear as is small.
  double cut = 1, first_beyond = 0;
  if (direction == Direction::remove) {
    const double log_cut = gaussian::epsilon(mu_, std::min(0.5, kSmall * about * mean)).upper;
    cut = std::exp(log_cut) * (1 + 2 * kFunctionError * kUnit);
    first_beyond = gaussian::delta(mu_, log_cut).upper;
  }
  const FirstPlace first(mu_, a, largest_, direction, cut);
  // What raising the r_j to theta costs; theta is where that, too, is small.
  const auto raised_cost_at = [&](double theta) {
    const double threshold = -std::log(theta * lambda_) * (1 - 2 * kFunctionError * kUnit);
    return theta * gaussian::delta(mu_, threshold).upper * (a - 1 + known);
  };
  const auto dear = [&](double theta) {
    return largest_ * raised_cost_at(theta) > kRaisedPart * about;
  };
  const double theta =
      bisect({kLeastTheta, std::min(kLargestTheta, 1 / largest_)}, {20, 1e-3}, [&](double t) {
        return !dear(t);
      }).high;
  const double raised_cost = raised_cost_at(theta);
  const double theta_part = (1 - 1 / largest_ + 4 * kUnit) / (1 - theta) * (1 + 4 * kUnit);

  const std::vector<Rung> rungs = this->rungs(kSmall * about);
  const auto with = [&](const SwapLaw& law) {
    SwapLines lines(law, theta, mean, first);
    // More clones may be told to the adversary: no rung reveals more than one below it.
    double total = 0, given = 0, least = known;
    const auto up_to = [&](double probability) {
      total += std::max(0.0, probability - given) * least;
      given = std::max(given, probability);
    };
    for (const Rung& rung : rungs) {
      up_to(std::min(1.0, rung.below));
      const double n = rung.places - 1;
      if (n < kFewestClones) continue;
      const double inside = lines.mean_upper(n, n * theta_part);
      const double beside = first_beyond / rung.places + largest_ * (law.beyond() + raised_cost);
      least = std::min(least, largest_ * inside / rung.places + beside);
    }
    up_to(1);
    return std::min(known, total * (1 + 1e-12));
  };
  const auto without = [&](double part) {
    return SwapLaw(swap_law(mu_, a, lambda_, direction, part * about));
  };
  const SwapLaw nearly_all = without(kSmall);
  double least = with(nearly_all);
  // Where single values outweigh the sum they had better be left out, by as much as is best.
  constexpr double kHeavy = 2;
  if (nearly_all.largest() > kHeavy * std::sqrt(mean * nearly_all.variance())) {
    for (const double part : {0.1, 0.25, 0.6}) least = std::min(least, with(without(part)));
  }
  return least;
}

namespace {

/// One epoch's bounds, by those lambda that cut the clones' steps this many deviations from the
/// zeroed record's.
constexpr std::array<double, 6> kCuts = {1, 1.6, 2.2, 2.8, 3.4, 4};
using SwapBounds = std::vector<SwapBound>;
SwapBounds bounds_of(double batches, double mu) {
  SwapBounds bounds;
  for (const double cut : kCuts)
    bounds.emplace_back(batches, mu, std::exp(-mu * cut - 0.5 * mu * mu));
  return bounds;
}

/// The least delta at an epsilon that any of them proves, sought from one of them; all are asked
/// where that one proves no more than known batches.
///   about: as for SwapBound
Lowest least_delta(const SwapBounds& bounds, Direction direction, double epsilon, double about,
                   std::size_t from) {
  constexpr double kAsKnown = 1 - 1e-6;
  const auto at = [&](std::size_t i) { return bounds[i].delta(direction, epsilon, about); };
  Lowest lowest{from, at(from)};
  if (lowest.value < bounds[from].known(epsilon) * kAsKnown)
    return downhill(from, bounds.size(),
                    [&](std::size_t i) { return i == from ? lowest.value : at(i); });
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (const double found = i == from ? kInfinity : at(i); found < lowest.value)
      lowest = {i, found};
  }
  return lowest;
}

/// Whether some of them prove that delta at an epsilon is at most `most`.
bool proves(const SwapBounds& bounds, double epsilon, double about, double most,
            std::initializer_list<Direction> directions) {
  return std::all_of(directions.begin(), directions.end(), [&](Direction direction) {
    return least_delta(bounds, direction, epsilon, about, kCuts.size() / 2).value <= most;
  });
}

/// One epoch, from above.
class EpochBound {
 public:
  /// aim: the power next below the delta to be found; bounds that leave out a part of a little more
  /// than that delta are lowest.
  EpochBound(double batches, double mu, double aim)
      : bounds_(bounds_of(batches, mu)), about_(4 * aim), scale_(mu / std::sqrt(batches)) {}

  /// What the bounds prove, or the chord from e^eps = 1, where both directions are one number, to a
  /// larger e^eps: delta is convex in it.
  double delta(Direction direction, double epsilon) const {
    constexpr double kRatio = 2, kNear = 0.1, kFallen = 0.5;
    if (epsilon == 0) return total_variation();
    double least = std::min(proved(direction, epsilon), total_variation());
    for (double far = std::max(kRatio * epsilon, kNear * scale_);; far *= kRatio) {
      const double part = std::expm1(epsilon) / std::expm1(far), beyond = proved(direction, far);
      const double chord = (1 - part) * total_variation() + part * beyond;
      // Before delta has fallen by much, a chord that is too high may lead to one that is not.
      if (!(chord < least) && !(beyond > kFallen * total_variation())) return least;
      least = std::min(least, chord * (1 + 16 * kUnit));
    }
  }

 private:
  double proved(Direction direction, double epsilon) const {
    return least_delta(bounds_, direction, epsilon, about_, kCuts.size() / 2).value;
  }

  double total_variation() const {
    if (!total_variation_)
      total_variation_ = std::min(proved(Direction::remove, 0), proved(Direction::add, 0));
    return *total_variation_;
  }

  SwapBounds bounds_;
  double about_;
  double scale_;  ///< of epsilons at which delta is of the size of the total variation
  mutable std::optional<double> total_variation_;
};

/// What options on one epoch's U = dP/dQ cost at most, at K = e^log_k: the call E (U - K)+, and the
/// put E (K - U)+, larger by K - 1. The smaller of them is delta, or K delta in direction add.
struct OptionPrice {
  double log_k, k;
  double delta;
  double call() const { return log_k >= 0 ? delta : k * delta - std::expm1(log_k); }
  double put() const { return log_k >= 0 ? delta + std::expm1(log_k) : k * delta; }
};

/// How far from one price to another a strike lies.
double part_of_cell(const OptionPrice& left, double k, const OptionPrice& right) {
  return std::clamp((k - left.k) / (right.k - left.k), 0.0, 1.0);
}

/// One epoch's curve, from above, by chords between some of its points: options are convex in K.
class EpochTable {
 public:
  /// farthest: the largest epsilon; least_expected: a delta below those to be found
  EpochTable(const SwapBounds& bounds, double mu, double farthest, double least_expected) {
    const auto deltas_of = [&](Direction direction) {
      return deltas(bounds, mu, farthest, least_expected, direction);
    };
    const std::vector<double> remove = deltas_of(Direction::remove);
    const std::vector<double> add = deltas_of(Direction::add);
    // The two directions are one curve: they meet at K = 1, and delta falls from there.
    const double most = std::min(remove.front(), add.front());
    for (int i = -kPoints; i <= kPoints; ++i) {
      const auto place = static_cast<std::size_t>(std::abs(i));
      const double log_k = i < 0 ? -epsilon_at(farthest, i) : epsilon_at(farthest, i);
      prices_.push_back({log_k, std::exp(log_k), std::min(most, (i < 0 ? add : remove)[place])});
    }
  }

  double farthest() const { return prices_.back().log_k; }

  /// At most E (U - K)+, or E (K - U)+ in direction add. Rounding is charged where values change
  /// alone: elsewhere it would look like losses as far as the table.
  double payoff(double log_k, Direction direction) const {
    const bool call = direction == Direction::remove;
    const double line = std::abs(std::expm1(log_k));
    return (smaller_price(log_k) + (call == (log_k >= 0) ? 0 : line)) * (1 + 16 * kUnit);
  }

 private:
  static constexpr int kPoints = 36;

  /// Denser where most of the law lies.
  static double epsilon_at(double farthest, double i) {
    return farthest * i * i / (kPoints * kPoints);
  }

  /// delta, at most, at each of the points.
  static std::vector<double> deltas(const SwapBounds& bounds, double mu, double farthest,
                                    double least_expected, Direction direction) {
    constexpr double kAsKnown = 1 - 1e-6;
    const auto known_at = [&](double i) {
      return gaussian::delta(mu, epsilon_at(farthest, i)).upper;
    };
    // Up to some epsilon swaps prove more than known batches.
    const auto help = [&](double i, double about) {
      return proves(bounds, epsilon_at(farthest, i), about, known_at(i) * kAsKnown, {direction});
    };
    double last = kPoints;
    if (!help(last, least_expected)) {
      last = bisect({0, last}, {20, 0, 0.5}, [&](double i) { return help(i, known_at(i)); }).high;
    }
    std::vector<double> result(kPoints + 1);
    double about = least_expected;
    std::size_t chosen = kCuts.size() / 2;
    for (int i = kPoints; i >= 0; --i) {
      const double known = known_at(i);
      double least = known;
      if (i <= last) {
        // The best cut moves little from point to point.
        const Lowest lowest =
            least_delta(bounds, direction, epsilon_at(farthest, i), about, chosen);
        chosen = lowest.place;
        least = std::min(least, lowest.value);
      }
      about = std::max(least_expected, least);
      result[static_cast<std::size_t>(i)] = least;
    }
    // delta falls.
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = std::min(result[i], result[i - 1]);
    return result;
  }

  /// Of call and put, the one that is small there. Beyond the table calls fall no further, and puts
  /// in proportion to K.
  double smaller_price(double log_k) const {
    const double k = std::exp(log_k);
    if (log_k >= farthest()) return prices_.back().delta;
    if (log_k <= -farthest()) return k * prices_.front().delta;
    const auto after = std::upper_bound(
        prices_.begin() + 1, prices_.end() - 1, log_k,
        [](double value, const OptionPrice& price) { return value < price.log_k; });
    const OptionPrice &left = *std::prev(after), &right = *after;
    const double rise = right.delta - left.delta;
    const double part = part_of_cell(left, k, right) + (rise > 0 ? kCellRounding : -kCellRounding);
    const double risen = std::clamp(part, 0.0, 1.0) * rise;
    // A chord of puts, K delta in K, is one of delta in 1 / K.
    return log_k >= 0 ? left.delta + risen : k * left.delta + right.k * risen;
  }

  /// k and the ends of a cell round by five units, and a cell is no narrower than 7e-8 of them.
  static constexpr double kCellRounding = 1e-8;

  std::vector<OptionPrice> prices_;  ///< by rising K
};

/// A table of an epoch as a source of laws.
class TableOfEpoch : public pld::CurveSource {
 public:
  explicit TableOfEpoch(const std::shared_ptr<const EpochTable>& table)
      : pld::CurveSource(
            [table](double log_k, Direction direction) {
              return Interval{0, table->payoff(log_k, direction)};
            },
            -kBeyond * table->farthest(), kBeyond * table->farthest()) {}

 private:
  static constexpr double kBeyond = 1.01;
};

/// Laws of epochs, each of them this table's, followed to about this delta.
std::shared_ptr<const pld::Source> table_of(const SwapBounds& bounds, double mu, double epochs,
                                            double delta) {
  // What lies beyond the table is taken for revealed, with a delta of about the first part; of the
  // second where several times as large an epsilon would be needed.
  constexpr double kNegligible = 0.1, kTolerable = 0.4, kSeveral = 3;
  constexpr double kExpected = 0.5, kNarrowest = 1e-4, kSmallest = 1e-6;
  constexpr Halvings kRoughly{20, 0.2};
  const double each = delta / epochs;
  const auto exceeds = [&](double epsilon, double part) {
    return !proves(bounds, epsilon, kExpected * each, part * each,
                   {Direction::remove, Direction::add});
  };
  const double single = gaussian::epsilon(mu, kNegligible * each).upper;
  const auto tolerable = [&](double epsilon) { return exceeds(epsilon, kTolerable); };
  const auto negligible = [&](double epsilon) { return exceeds(epsilon, kNegligible); };
  double farthest = bisect({kSmallest * single, single}, kRoughly, tolerable, halfway_in_size).high;
  const double several = std::min(single, kSeveral * farthest);
  if (!negligible(several)) farthest = bisect({farthest, several}, kRoughly, negligible).high;
  const auto table = std::make_shared<const EpochTable>(bounds, mu, std::max(farthest, kNarrowest),
                                                        kExpected * each);
  return std::make_shared<TableOfEpoch>(table);
}

/// A table that is made when a lattice is first asked for.
class LateTable : public pld::Source {
 public:
  explicit LateTable(std::function<std::shared_ptr<const pld::Source>()> make)
      : make_(std::move(make)) {}
  std::vector<pld::LossNode> nodes(Direction direction) const override {
    return table().nodes(direction);
  }
  pld::LatticeLaw upper(Direction direction, double spacing, pld::Range range) const override {
    return table().upper(direction, spacing, range);
  }
  pld::LatticeLaw lower(Direction direction, double spacing, pld::Range range,
                        double tilt) const override {
    return table().lower(direction, spacing, range, tilt);
  }
  double lowest(Direction) const override { return -kInfinity; }
  double highest(Direction) const override { return kInfinity; }

 private:
  const pld::Source& table() const {
    if (!table_) table_ = make_();
    return *table_;
  }

  std::function<std::shared_ptr<const pld::Source>()> make_;
  mutable std::shared_ptr<const pld::Source> table_;
};

}  // namespace

Steps swap_steps(double batches, double mu, double epochs, double aim) {
  Steps steps;
  steps.copies = static_cast<std::int64_t>(epochs);
  aim = std::max(aim, kLeastDelta);
  steps.source = std::make_shared<LateTable>(
      [=] { return table_of(bounds_of(batches, mu), mu, epochs, aim); });
  // A lattice of a single epoch would be wider, and take longer.
  if (epochs > 1) return steps;
  steps.curve_is_formula = false;
  steps.curve = [epoch = std::make_shared<const EpochBound>(batches, mu, aim)](Direction direction,
                                                                               double epsilon) {
    return Interval{0, epoch->delta(direction, epsilon)};
  };
  return steps;
}

double swap_epsilon(double batches, double mu, double delta, double known) {
  constexpr double kGain = 1e-3, kNear = 1e-3, kDown = 0.6, kLeast = 1e-3;
  constexpr int kRounds = 30;
  if (!(known > 0 && delta > kLeastDelta)) return known;
  double best = known;
  const int usual = kFineAims.exponent(delta);
  for (const int exponent : {usual, usual - 1, usual - 2}) {
    const EpochBound epoch(batches, mu, kFineAims.at(exponent));
    // Both directions, the one that reveals more first.
    const auto log_excess = [&](double epsilon) {
      double most = epoch.delta(Direction::remove, epsilon);
      if (most <= delta) most = std::max(most, epoch.delta(Direction::add, epsilon));
      return std::log(most / delta);
    };
    double high = best * (1 - kGain);
    if (log_excess(high) > 0) continue;
    double low = kDown * high;
    while (low > kLeast * best && log_excess(low) <= 0) high = std::exchange(low, kDown * low);
    if (low <= kLeast * best) low = 0;
    best = shrink(log_excess, low, high, kNear, kRounds).high;
  }
  return best;
}

}  // namespace honest_epsilon::shuffle
