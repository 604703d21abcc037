#include "core/samplers/third_order.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/normal.h"

namespace honest_epsilon::shuffle {
namespace {

double normal_cdf(double z) {
  return normal::upper_tail(-z);
}

/// V = x - y: the variances of ln x and ln y, and of their difference.
struct Spread {
  double x, y, apart;

  double square(double a) const {
    return 0.5 * (std::exp(x) - 2 * a * std::exp(0.5 * (x + y - apart)) + a * a * std::exp(y));
  }

  /// E V+^2 / 2, where a >= 1
  double square_above(double a) const {
    if (!(apart > 0)) return 0;  // V = (1 - a) x
    const double width = std::sqrt(apart), h = (0.5 * (x - y) - std::log(a)) / width;
    return 0.5 * (std::exp(x) * normal_cdf(h + width) -
                  2 * a * std::exp(0.5 * (x + y - apart)) * normal_cdf(h) +
                  a * a * std::exp(y) * normal_cdf(h - width));
  }
};

/// Where it is not known, all of them.
double share_of(double lack, double gain) {
  if (lack <= 0) return 0;
  const double share = lack / (lack + gain);
  return gain > 0 && share < 1 ? share : 1;
}

/// (e^v - 1) / v
double growth(double v) {
  return v > 0 ? std::expm1(v) / v : 1;
}

/// All V of replaced records, in cells of the two angles.
class ReplacedSteps {
 public:
  ReplacedSteps(const Spread& first, double a)
      : most_(first.x), a_(a), first_above_(first.square_above(a)) {}

  /// The largest share that any of them needs, to within a few hundredths.
  double most_needed(double at_second) const {
    constexpr double kNearly = 1.03, kMargin = 0.005;
    constexpr int kHalvings = 6;
    return most_needed({0, 0.5 * kPi, 0, 0.5 * kPi}, kNearly * at_second + kMargin, kHalvings);
  }

 private:
  /// Of i and k, as sines.
  struct AngleCell {
    double low_i, high_i, low_k, high_k;
  };

  double most_needed(const AngleCell& cell, double enough, int halvings) const {
    const double own = needed(cell);
    if (own <= enough || halvings == 0) return own;
    const double i = 0.5 * (cell.low_i + cell.high_i), k = 0.5 * (cell.low_k + cell.high_k);
    double most = 0;
    for (const AngleCell& part :
         {AngleCell{cell.low_i, i, cell.low_k, k}, AngleCell{cell.low_i, i, k, cell.high_k},
          AngleCell{i, cell.high_i, cell.low_k, k}, AngleCell{i, cell.high_i, k, cell.high_k}}) {
      most = std::max(most, most_needed(part, enough, halvings - 1));
      if (most >= 1) return own;
    }
    return std::min(own, most);
  }

  /// g - g', of B: half of sin(b - c)^2 / sin(b)^2.
  static double lift(double i, double k) {
    const double root =
        std::sqrt(std::max(0.0, 1 - i * i * k * k)) - k * std::sqrt(std::max(0.0, 1 - i * i));
    return 0.5 * root * root;
  }

  double needed(const AngleCell& cell) const {
    constexpr std::int64_t kWork = 20;
    work::spend(kWork);
    const double i = std::sin(cell.low_i), large_i = std::sin(cell.high_i);
    const double k = std::sin(cell.low_k), large_k = std::sin(cell.high_k);
    const double least_y = most_ * i * i, most_y = most_ * large_i * large_i;
    const double least_lift = lift(i, large_k);
    // g' and g - g', at least.
    const double start = 0.5 * (1 - large_k * large_k), low = least_y * start;
    const double rise = least_y * least_lift;
    const double decides = 0.5 * (most_ - most_y * (1 + large_k * large_k)) - std::log(a_);
    const double decided = part_above(decides, low, rise, least_y / most_y);
    // L and G, in units of B / 2.
    const double fallen = most_y * k * k;
    const double lack = a_ * a_ * growth(most_y) -
                        std::exp(most_) * k * k * (fallen > 0 ? -std::expm1(-fallen) / fallen : 1) -
                        2 * a_ *
                            ((1 - decided) * start * growth(low) +
                             decided * (start + least_lift) * growth(low + rise));
    const Spread dearest{most_ - least_y * k * k, least_y, most_ - 2 * rise};
    const double gain = std::max((first_above_ - dearest.square_above(a_)) / (0.5 * most_y),
                                 a_ * (call_at(decides) * (1 + k * k) + 2 * decided * least_lift));
    const double rounding = 1e-12 * std::exp(most_) / most_y;
    return share_of(lack + rounding, gain - rounding);
  }

  /// E (x - y)+ / E y on the way to V_1, at least.
  double call_at(double decides) const {
    const double width = std::sqrt(most_), h = decides / width;
    return normal_cdf(h) - std::exp(0.5 * most_ - decides) * normal_cdf(h - width);
  }

  /// h, on average over the e^g between.   decides: (A - B) / 2 - ln a, at least; slowest: the
  /// least B, as a part of the largest
  double part_above(double decides, double low, double rise, double slowest) const {
    if (decides >= 0) return normal_cdf(decides / std::sqrt(most_));
    if (!(rise > 0)) return 0;
    double sum = 0, done = 0;
    for (const double part : {1.0 / 2, 1.0 / 4, 1.0 / 16, 1.0 / 64}) {
      const double apart = part * most_;
      // Where B is larger than its least, D falls faster.
      const double to = std::min(rise, slowest * 0.5 * (most_ - apart));
      if (!(to > done)) break;
      sum += normal_cdf(decides / std::sqrt(apart)) * std::exp(low + done) * std::expm1(to - done);
      done = to;
    }
    return sum / (std::exp(low) * std::expm1(rise));
  }

  double most_;  ///< 4 step^2
  double a_;
  double first_above_;
};

}  // namespace

ThirdOrder third_order(const Shown& shown, double a) {
  const auto spread = [&shown](double m) {
    const auto square = [](double v) { return v * v; };
    return Spread{square(shown.with - m), square(shown.without - m),
                  square(shown.with - shown.without)};
  };
  const Spread first = spread(-shown.step), second = spread(shown.step);
  const double above = first.square_above(a);
  // Differences of squares whose terms round.
  const double rounding = 1e-14 * (std::exp(first.x) + std::exp(second.x) +
                                   a * a * (std::exp(first.y) + std::exp(second.y)));
  const double at_second = share_of(second.square(a) - first.square(a) + rounding,
                                    above - second.square_above(a) - rounding);
  const bool replaced = shown.with > 0 && shown.without < 0;
  const double most =
      replaced ? std::max(at_second, ReplacedSteps(first, a).most_needed(at_second)) : at_second;
  constexpr double kRounding = 1e-9;
  return {std::min(1.0, most + kRounding), above + rounding};
}

}  // namespace honest_epsilon::shuffle
