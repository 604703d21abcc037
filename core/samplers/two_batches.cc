#include "core/samplers/two_batches.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/pairs/normal_cell.h"

namespace honest_epsilon::shuffle {
namespace {

/// Values of y_1 after which the other record shows `second` in the second batch.
struct FirstCell {
  double low, high, second;
};

class TwoBatchAttack {
 public:
  TwoBatchAttack(OtherRecord other, double mu, double log_a)
      : mu_(mu),
        a_(std::exp(log_a)),
        first_(other == OtherRecord::opposite ? mu : -mu),
        imitates_(other == OtherRecord::imitating),
        turn_(log_a / mu + 0.5 * mu) {}

  /// A cell of y_1 contributes E B k(A / B), with the convex k below: at least E B times k at the
  /// mean of A / B (Jensen), and at most the mean of k's chord over the cell's values of A / B.
  Interval delta() const {
    const std::vector<FirstCell> all = cells();
    const double summation = static_cast<double>(all.size()) * kUnit;
    Charged lower, upper;
    for (const FirstCell& cell : all) {
      const double shifted = mass(cell, mu_), still = mass(cell, 0), b = mass(cell, first_);
      const double mean = (shifted - a_ * still) / b;
      const double from = ratio(cell.low), to = ratio(cell.high);
      const double start = best(from, cell.second), end = best(to, cell.second);
      // The slope of k is a probability.
      const double slope = to == from ? 0 : std::clamp((end - start) / (to - from), 0.0, 1.0);
      const double rounding = (shifted + a_ * still + (1 + a_) * b) * kRelative;
      const auto add = [&](Charged& sum, double term) {
        sum.value += term;
        sum.error += rounding + std::abs(term) * summation;
      };
      add(lower, b * best(mean, cell.second));
      add(upper, b * (start + slope * (mean - from)));
    }
    // Beyond the cells E (A+ + B) is at most the masses of N(mu) and N(first_).
    upper.error += 4 * normal::upper_tail(kReach);
    return within_unit({0.5 * lower.lower(), 0.5 * upper.upper()});
  }

 private:
  /// Cells are this wide, and reach this far from the means.
  static constexpr double kWidth = 0x1p-12, kReach = 9;

  /// What a term is off by, relative to the masses that it is made of: masses by 4e-14, tails by
  /// 4e-15 each, mu and a by a few units, A / B by 6e-14, as |mu y_1| < 80. An event between
  /// rounded roots is the best one of coefficients that are off by 6 |ln v| + 16 < 500 units, and
  /// loses no more than so many units of their sum. At the chord's two ends and in its slope all
  /// that counts three times: 6e-13.
  static constexpr double kRelative = 1e-12;

  /// The rule, and A / B where it is smallest, change at a cell's end.
  std::vector<FirstCell> cells() const {
    const double end = mu_ + kReach, least = (std::log(0.5 * a_) + 0.5 * mu_ * mu_) / mu_;
    std::vector<double> ends = {turn_, least};
    for (double y = std::floor(-end / kWidth) * kWidth; y < end + kWidth; y += kWidth)
      ends.push_back(y);
    std::sort(ends.begin(), ends.end());
    std::vector<FirstCell> result;
    for (std::size_t i = 1; i < ends.size(); ++i) {
      const double middle = 0.5 * (ends[i - 1] + ends[i]);
      if (ends[i] - ends[i - 1] > 0 && std::abs(middle) < end)
        result.push_back({ends[i - 1], ends[i], imitates_ && middle > turn_ ? mu_ : -mu_});
    }
    return result;
  }

  static double mass(const FirstCell& cell, double centre) {
    const double middle = 0.5 * (cell.low + cell.high) - centre, width = cell.high - cell.low;
    return normal::pdf(middle) * width * pairs::narrow_integral(middle, 0.5 * width);
  }

  /// A / B at y_1.
  double ratio(double y) const {
    const double x = std::exp(mu_ * y - 0.5 * mu_ * mu_);
    return (x - a_) / std::exp(first_ * y - 0.5 * mu_ * mu_);
  }

  /// k(r) = E (r X_second + X_mu - a)+ over y_2 ~ N(0). With v = X_mu(y_2) the best event is
  ///   (r + 1) v >= a                    where second = mu, and then r >= 0,
  ///   v^2 - a v + r e^(-mu^2) >= 0      where second = -mu: outside the roots.
  double best(double r, double second) const {
    if (second > 0) {
      const double cut = place(a_ / (1 + r));
      return (r + 1) * normal::upper_tail(cut - mu_) - a_ * normal::upper_tail(cut);
    }
    const double product = r * std::exp(-mu_ * mu_), square = a_ * a_ - 4 * product;
    if (square <= 0) return r + 1 - a_;
    const double large = 0.5 * (a_ + std::sqrt(square)), small = product / large;
    const double high = place(large), low = small > 0 ? place(small) : -kInfinity;
    const auto outside = [&](double m) {
      return normal::upper_tail(high - m) + normal::upper_tail(m - low);
    };
    return r * outside(-mu_) + outside(mu_) - a_ * outside(0);
  }

  /// y with X_mu(y) = v.
  double place(double v) const { return std::log(v) / mu_ + 0.5 * mu_; }

  double mu_, a_, first_;
  bool imitates_;
  double turn_;  ///< X_mu(y_1) = a
};

}  // namespace

Interval two_batches(OtherRecord other, double noise_multiplier, double epsilon,
                     Direction direction) {
  const double mu = 1 / noise_multiplier;
  if (direction == Direction::remove) return TwoBatchAttack(other, mu, epsilon).delta();
  // H(Q against P) at a is 1 - a + a H(P against Q) at 1 / a.
  const double a = std::exp(epsilon);
  const Interval turned = TwoBatchAttack(other, mu, -epsilon).delta();
  const double rounding = 16 * a * kUnit;
  return within_unit({1 - a + a * turned.lower - rounding, 1 - a + a * turned.upper + rounding});
}

}  // namespace honest_epsilon::shuffle
