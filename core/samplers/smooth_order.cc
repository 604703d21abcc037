#include "core/samplers/smooth_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/pairs/normal_cell.h"

namespace honest_epsilon::shuffle {
namespace {

/// Covers the rounding of a price, which is at most 1 + a.
constexpr double kRounding = 1e-13;

/// E (X - strike)+, X lognormal of mean 1.   deviation: of ln X
double lognormal_call(double deviation, double strike) {
  if (!(strike > 0)) return 1 - strike;
  if (!(deviation > 0)) return std::max(0.0, 1 - strike);
  const double z = std::log(strike) / deviation + 0.5 * deviation;
  return std::max(0.0, normal::upper_tail(z - deviation) - strike * normal::upper_tail(z));
}

/// The same from above, by chords: a price is convex in its strike.
class LognormalCalls {
 public:
  explicit LognormalCalls(double deviation) : deviation_(deviation) {
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double strike = std::exp(deviation * (kStep * static_cast<double>(i) - kEnd));
      points_[i] = {strike, lognormal_call(deviation, strike)};
    }
  }

  double operator()(double strike) const {
    if (!(deviation_ > 0)) return lognormal_call(deviation_, strike);
    if (strike >= points_.back().strike) return points_.back().price;
    if (strike <= points_.front().strike)
      return 1 - strike / points_.front().strike * (1 - points_.front().price);
    const double place = (std::log(strike) / deviation_ + kEnd) / kStep;
    const std::size_t i = std::min(static_cast<std::size_t>(std::max(0.0, place)), kPoints - 2);
    const auto& [left, right] = std::pair(points_[i], points_[i + 1]);
    const double part = (strike - left.strike) / (right.strike - left.strike);
    return std::lerp(left.price, right.price, std::clamp(part, 0.0, 1.0));
  }

 private:
  static constexpr double kEnd = 6, kStep = 0.25;
  static constexpr std::size_t kPoints = 49;
  double deviation_;
  std::array<Option, kPoints> points_;
};

/// E (X - a Y - c)+, X and Y lognormal of mean 1, from above.
///
/// Y's part of ln X and ln Y is z, N(0, 1) with factors g and b; what is left of ln X has a
/// deviation of its own. Given z, and relative to X's part of it, which shifts z by g, the option
/// is a call at R(z) = (a Y + c) / X, and convex in R. R is convex in z: in each slice of z it may
/// be replaced by its largest and its least value there, such that its mean is kept.
class Spread {
 public:
  /// x, y, covariance: of ln X and ln Y
  Spread(double x, double y, double covariance)
      : b_(std::sqrt(y)),
        g_(y > 0 ? covariance / b_ : 0),
        options_(std::sqrt(std::max(0.0, x - g_ * g_))) {
    for (std::size_t i = 0; i <= kSlices; ++i) {
      const double z = g_ + kEnd * (2.0 * static_cast<double>(i) / kSlices - 1);
      edges_[i] = {z, std::exp((b_ - g_) * z - 0.5 * (y - g_ * g_)),
                   std::exp(-g_ * z + 0.5 * g_ * g_)};
    }
    tail_ = normal::upper_tail(kEnd);
    for (std::size_t i = 0; i < kSlices; ++i) {
      const auto mass = [&](double shift) {
        return pairs::normal_mass(edges_[i].z, edges_[i + 1].z, shift).value;
      };
      slices_[i] = {mass(g_), mass(b_) / mass(g_), mass(0) / mass(g_)};
    }
  }

  double call(double a, double c) const {
    // From where on R grows, and what it is there.
    double turn = -kInfinity, least = g_ > 0 ? 0 : c;
    if (g_ >= b_ && g_ > 0) {
      turn = kInfinity;
    } else if (g_ > 0 && c > 0) {
      turn = (std::log(c * g_ / (a * (b_ - g_))) + 0.5 * b_ * b_) / b_;
      least = a * std::exp((b_ - g_) * turn - 0.5 * (b_ * b_ - g_ * g_)) +
              c * std::exp(-g_ * turn + 0.5 * g_ * g_);
    }
    const auto ratio = [&](const Edge& edge) { return a * edge.y + c * edge.one; };
    const auto option = [&](double strike) { return options_(strike * (1 - kRounding)); };
    double low = ratio(edges_[0]), low_price = option(low), at_turn = option(least);
    double sum = tail_ * (turn < edges_[0].z ? at_turn : low_price);
    for (std::size_t i = 0; i < kSlices; ++i) {
      const double high = ratio(edges_[i + 1]), high_price = option(high);
      const bool turns = turn >= edges_[i].z && turn < edges_[i + 1].z;
      const double from = turns ? least : std::min(low, high), to = std::max(low, high);
      const double mean = a * slices_[i].y + c * slices_[i].one;
      const double part =
          to > from ? std::clamp((mean - from) / (to - from) - kRounding, 0.0, 1.0) : 0;
      const double dear = turns ? at_turn : std::max(low_price, high_price);
      sum += slices_[i].mass * (dear + part * (std::min(low_price, high_price) - dear));
      low = high;
      low_price = high_price;
    }
    return sum + tail_ * (turn >= edges_[kSlices].z ? at_turn : low_price) + kRounding;
  }

 private:
  static constexpr std::size_t kSlices = 8;
  static constexpr double kEnd = 3.5;
  struct Edge {
    double z, y, one;  ///< Y and 1, of X's part
  };
  struct Slice {
    double mass, y, one;  ///< Y and 1 on average, of X's part
  };
  double b_, g_, tail_;
  LognormalCalls options_;  ///< on what is left of X
  std::array<Edge, kSlices + 1> edges_;
  std::array<Slice, kSlices> slices_;
};

/// Roughly the larger of two, without a kink where the other one takes over.
double soft_maximum(double a, double b) {
  constexpr double kPower = 8;
  const double most = std::max({a, b, kTiny});
  const double mean = 0.5 * (std::pow(a / most, kPower) + std::pow(b / most, kPower));
  return most * std::pow(mean, 1 / kPower);
}

/// A call and a put on one V at strikes of one size.
struct CallAndPut {
  double call, put;
};

/// Raises prices until they are convex.
void make_convex(Options& options) {
  double slope = 0;
  for (std::size_t i = options.size() - 1; i-- > 0;) {
    const double width = options[i + 1].strike - options[i].strike;
    options[i].price = std::max(options[i].price, options[i + 1].price + slope * width);
    slope = (options[i].price - options[i + 1].price) / width;
  }
}

/// The V that are worst of all: the first has the dearest calls, the second the dearest puts.
class ExtremeSteps {
 public:
  ExtremeSteps(double mu, double a) : deviation_(2 * mu), a_(a) {}

  CallAndPut first(double c) const { return {first_call(c), first_call(-c) - (1 - a_ + c)}; }
  CallAndPut second(double c) const { return {second_put(-c) + (1 - a_ - c), second_put(c)}; }
  CallAndPut dearest(double c) const {
    return {first_call(c) + kRounding, second_put(c) + kRounding};
  }

 private:
  double first_call(double c) const { return lognormal_call(deviation_, a_ + c); }
  double second_put(double c) const { return a_ * lognormal_call(deviation_, (1 + c) / a_); }

  double deviation_, a_;
};

/// Raises prices until they are convex, and of a law whose mean is 1 - a or more. Probabilities
/// above and below 0 may add up to more than 1: no payoff is negative, and so none is worth less
/// for it.
void make_possible(Options& calls, Options& puts, double a) {
  make_convex(calls);
  make_convex(puts);
  const double lack = 1 - a - (calls[0].price - puts[0].price);
  calls[0].price += std::max(0.0, lack);
  puts[0].price += std::max(0.0, -lack);
}

/// A call and a put for W, no dearer than the dearest.
///   rest: e^(-2 kappa c); most_calls, most_puts: of all V, E (V - c)+ + rest E (-V - c)+ and the
///   same with calls and puts exchanged
CallAndPut shared_out(double rest, double most_calls, double most_puts, const CallAndPut& dearest,
                      const CallAndPut& first, const CallAndPut& second) {
  constexpr double kAlike = 1e-9;
  if (!(rest < 1 - kAlike)) return dearest;
  const auto sum = [rest](double own, double other) { return own + rest * other; };
  // Any difference of call and put would do. This one is that of the two ends, where W is as dear
  // as either of them.
  const double apart = (soft_maximum(sum(first.call, first.put), sum(second.call, second.put)) -
                        soft_maximum(sum(first.put, first.call), sum(second.put, second.call))) /
                       (1 - rest);
  const double call = std::max(most_calls + rest * apart, most_puts + apart) / (1 + rest);
  const auto least = [rest](double most, double most_other, double other) {
    return std::max(most - rest * other, other < most_other ? (most_other - other) / rest : 0);
  };
  CallAndPut pair = {call, call - apart};
  if (pair.call > dearest.call) pair = {dearest.call, least(most_puts, most_calls, dearest.call)};
  if (pair.put > dearest.put) pair = {least(most_calls, most_puts, dearest.put), dearest.put};
  return {std::clamp(pair.call, 0.0, dearest.call), std::clamp(pair.put, 0.0, dearest.put)};
}

}  // namespace

double spread_call(double x, double y, double covariance, double a, double c) {
  return Spread(x, y, covariance).call(a, c);
}

/// All u, v and m, in cells of the two angles r and q.
class SmoothOrder::Cells {
 public:
  explicit Cells(double mu) {
    const auto spread = [&](double r, double q, double apart, bool call) {
      const double x = mu * mu * (2 - 2 * std::cos(r)), y = mu * mu * (2 + 2 * std::cos(q));
      const double both = mu * mu * (1 - std::cos(apart) - std::cos(r) + std::cos(q));
      return call ? Spread(x, y, both) : Spread(y, x, both);
    };
    for (std::size_t r = 0; r < kAngles; ++r) {
      for (std::size_t q = 0; q <= r; ++q) {
        const double apart = r > q + 1 ? angle(r) - angle(q + 1) : 0;
        cells_.push_back({spread(angle(r + 1), angle(q + 1), apart, true),
                          spread(angle(r), angle(q), apart, false)});
      }
    }
  }

  /// Of each cell at these strikes, from above: chords of prices at every few of them.
  std::vector<std::vector<CallAndPut>> prices(double a, std::span<const double> strikes) const {
    constexpr std::size_t kStride = 2;
    constexpr std::size_t kPairWork = 100;
    work::spend(static_cast<std::int64_t>(kPairWork * cells_.size() * strikes.size() / kStride));
    std::vector<std::vector<CallAndPut>> result;
    for (const CellCorners& cell : cells_) {
      const auto at = [&](double c) {
        return CallAndPut{cell.calls.call(a, c), a * cell.puts.call(1 / a, c / a)};
      };
      std::vector<CallAndPut> pairs = {at(0)};
      for (std::size_t from = 0; from + 1 < strikes.size();) {
        const std::size_t to = std::min(from + kStride, strikes.size() - 1);
        const CallAndPut left = pairs.back(), right = at(strikes[to]);
        for (std::size_t i = from + 1; i <= to; ++i) {
          const double part = (strikes[i] - strikes[from]) / (strikes[to] - strikes[from]);
          pairs.push_back(
              {std::lerp(left.call, right.call, part), std::lerp(left.put, right.put, part)});
        }
        from = to;
      }
      result.push_back(std::move(pairs));
    }
    return result;
  }

 private:
  static constexpr std::size_t kAngles = 8;
  /// Denser in the middle, where more cells matter.
  static double angle(std::size_t i) {
    const double part = static_cast<double>(i) / kAngles;
    return kPi * part + 0.25 * std::sin(kTwoPi * part);
  }

  struct CellCorners {
    Spread calls, puts;  ///< of the steps that bound it from above
  };
  std::vector<CellCorners> cells_;
};

SmoothOrder::SmoothOrder(double mu)
    : mu_(mu * (1 + 2 * kUnit)), cells_(std::make_unique<const Cells>(mu_)) {}
SmoothOrder::~SmoothOrder() = default;

GridLaw SmoothOrder::law(double a, double kappa, double negligible) const {
  const ExtremeSteps ends(mu_, a);
  constexpr std::size_t kMostStrikes = 1000;
  std::vector<double> strikes = {0};
  const auto matters = [&](const CallAndPut& dearest) {
    return dearest.call > negligible + kRounding ||
           dearest.put > least_put(a, negligible) + kRounding;
  };
  do {
    const double size = 2 * mu_ * kSpacing * static_cast<double>(strikes.size());
    strikes.push_back(a * std::expm1(size));
  } while (strikes.size() < kMostStrikes && matters(ends.dearest(strikes.back())));
  // Beyond these, as if one V had both the dearest call and the dearest put: one of them weighs
  // next to nothing.
  constexpr double kLeastWeight = 0.02;
  const double farthest = -0.5 * std::log(kLeastWeight) / kappa;
  const auto near = static_cast<std::size_t>(
      std::upper_bound(strikes.begin(), strikes.end(), farthest) - strikes.begin());
  const auto cells = cells_->prices(a, std::span(strikes).first(near));
  Options calls, puts;
  const auto append = [&](double c, const CallAndPut& pair) {
    calls.push_back({c, pair.call});
    puts.push_back({c, pair.put});
  };
  for (std::size_t i = 0; i + 1 < strikes.size(); ++i) {
    const double c = strikes[i];
    const CallAndPut dearest = ends.dearest(c);
    // Between two strikes chords are enough, with the weight of the larger one at both.
    const double rest = std::exp(-2 * kappa * (1 + kRounding) * strikes[i + 1]);
    double most_calls = 0, most_puts = 0;
    const auto consider = [&](const CallAndPut& other) {
      const double call = std::min(other.call, dearest.call);
      const double put = std::min(other.put, dearest.put);
      most_calls = std::max(most_calls, call + rest * put);
      most_puts = std::max(most_puts, put + rest * call);
    };
    for (const std::vector<CallAndPut>& cell : cells) consider(i < near ? cell[i] : dearest);
    append(c, shared_out(rest, most_calls, most_puts, dearest, ends.first(c), ends.second(c)));
  }
  append(strikes.back(), ends.dearest(strikes.back()));
  make_possible(calls, puts, a);
  return law_of(calls, puts, a);
}

}  // namespace honest_epsilon::shuffle
