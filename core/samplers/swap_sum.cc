#include "core/samplers/swap_sum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/ball.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/portable.h"
#include "core/math/root.h"

namespace honest_epsilon::shuffle {
namespace {

/// t s^2, by what a mean is to be found for: the smaller the mean, the less of it this adds.
double blur_for(double mean) {
  return 0.0015 * (1 - std::log(std::clamp(mean, 1e-30, 1.0)));
}

/// From one line to the next, of s.
constexpr double kRatio = 1.5;

/// A law's least deviation, of its largest value: one value alone has none.
constexpr double kLeastDeviation = 1e-9;

/// Terms that take as long as a unit of work.
constexpr std::int64_t kTermsPerUnit = 8;

/// |1 / (a + d) - 1 / a| <= |d / a| / (|a| - |d|). A square and a quotient are off by 8 units.
Ball reciprocal(const Ball& a) {
  const double size = modulus(a.value), share = a.error / size * (1 + 4 * kUnit);
  if (!(share < 1)) return {0, kInfinity};
  return Ball::widened(std::conj(a.value) / std::norm(a.value),
                       (share / (1 - share) + 8 * kUnit) / size);
}

/// E sum_g h tau^(g-1) phi^(M-g) / M over M > 1, of swap_sum.h.
class MeanOfPowers {
 public:
  explicit MeanOfPowers(const SwapScale& scale)
      : batches_(scale.batches),
        clone_(scale.clone),
        share_(rounded(scale.shared / (scale.batches * scale.clone), 4)),
        single_(rounded(scale.shared * std::pow(1 - scale.clone, scale.batches - 1),
                        4 * kFunctionError)) {}

  /// For any phi and tau of these moduli, at most.
  double most(double phi, double tau) const {
    const Power larger = power(std::max(phi, tau)), smaller = power(std::min(phi, tau));
    if (!(larger.most() < kInfinity)) return kInfinity;
    const double apart = std::abs(phi - tau) - 4 * kUnit * (phi + tau);
    // No slope between them is larger.
    const double slope = slope_at(larger);
    const double rise = larger.most() - smaller.value + smaller.rounding;
    const double mean = share_.most() * (apart > 0 ? std::min(rise / apart, slope) : slope);
    return std::max(0.0,
                    mean * (1 + 16 * kUnit) - single_.value.real() * (1 - 16 * batches_ * kUnit));
  }

  /// For any phi and tau of at most this modulus, at most.
  double most(double modulus) const {
    return share_.most() * slope_at(power(modulus)) * (1 + 16 * kUnit);
  }

  /// limit: no less than its modulus
  Ball at(const Ball& phi, const Ball& tau, double limit) const {
    const Ball mean = (power(phi) - power(tau)) * reciprocal(phi - tau) * share_ - single_;
    return mean.error < limit ? mean : Ball(0.0, limit);
  }

 private:
  /// (1 - q + q v)^T
  struct Power {
    double base, value, rounding;
    double most() const { return value + rounding; }
  };
  Power power(double v) const {
    const double base = (1 - clone_) + clone_ * v, log = std::log(base);
    const double value = std::exp(batches_ * log);
    const double units = value > 0 ? 16 + 8 * batches_ * (1 + std::abs(log)) : 0;
    return {base, value, units * kUnit * value};
  }
  /// T q (1 - q + q v)^(T-1): no more than T q where the base is 0.
  double slope_at(const Power& power) const {
    return batches_ * clone_ * (power.base > 0 ? power.most() / power.base : 1);
  }
  Ball power(const Ball& v) const { return exp(batches_ * log1p(clone_ * (v - 1.0))); }

  double batches_, clone_;
  Ball share_;   ///< h / (T q)
  Ball single_;  ///< the part of M = 1
};

/// E (factor W - strike)+
double price(const GridLaw& law, double factor, double strike) {
  double sum = 0;
  for (std::size_t i = 0; i < law.values.size(); ++i)
    sum += law.masses[i] * std::max(0.0, factor * law.values[i] - strike);
  return sum;
}

/// The x that come with a part d of R missing, and the first values of V_d and of B. The other
/// values are those of W and of the law `before`.
struct Level {
  const GridLaw& x;
  std::vector<double> others, before;
};

/// V_d = max(W, min((1 - d) W, c)) has options no less dear than those of W and of (1 - d) W, for
/// any c <= 0 from which on W's options are the dearer ones: at 0 they are.
Level level_at(const SwapTerms& terms, const GridLaw& x, double missing) {
  const GridLaw& law = terms.others;
  Level level{x, {}, {}};
  if (missing == 0) return level;
  // Prices round by a few hundred units.
  constexpr double kSurely = 1 - 1e-12;
  const double factor = 1 - missing;
  const auto lowered = [factor](double w) { return factor * w * (1 - 2 * kUnit); };
  for (const double w : terms.before.values) {
    if (w > 0) break;
    level.before.push_back(std::max(w, lowered(w)));
  }
  const auto is_dearer = [&](double strike) {
    return price(law, factor, strike) > kSurely * price(law, 1, strike);
  };
  const Bracket below{std::min(0.0, law.values.front()), 0};
  // A c that is a little above the least lifts values by no more than that.
  const double c = bisect(below, {40, 0, 1e-3 * deviation_of(law)}, is_dearer).high;
  for (const double w : law.values) {
    if (w >= c) break;
    level.others.push_back(std::max(w, std::min(lowered(w), c)));
  }
  return level;
}

/// The sum over some levels, from above, by moments on lines.
class LineSum {
 public:
  LineSum(const SwapTerms& terms, const SwapScale& scale)
      : terms_(terms),
        powers_(scale),
        largest_(scale.largest),
        about_(scale.about),
        knee_(scale.knee),
        blur_(blur_for(scale.about)),
        window_(12 - std::log(std::min(scale.about, 1.0))),
        others_(append(terms.others.values, terms.others.masses, 1)),
        before_(append(terms.before.values, terms.before.masses, 1)) {}

  void add(const Level& level) {
    const TermRange x = append(level.x.values, level.x.masses, 1 / largest_);
    const TermRange others = append(level.others, terms_.others.masses, 1);
    const TermRange before = append(level.before, terms_.before.masses, 1);
    levels_.push_back({x, others, before});
  }

  /// L, of 1 / s.
  double window() const { return window_; }

  /// By one point of a line, as (v)+ <= e^(s v - 1) / s and (v + b)+^2 <= 4 e^(s (v + b) - 2) /
  /// s^2.
  double by_point(double s) const {
    work::spend(static_cast<std::int64_t>(values_.size()) / kTermsPerUnit);
    const double bend = s * knee_;
    const double payoff = knee_ > 0 ? std::exp(bend - 2) / bend : std::exp(-1);
    const double upper = peak_of(at_real_axis(s)) * payoff / s * (1 + 1e-9);
    return upper < kInfinity ? upper : kInfinity;
  }

  double by_line(double s) const;

 private:
  /// By how much the payoff with a knee has a larger transform, at most along the line. Beyond the
  /// largest s b its angle would round by more than is charged.
  double widening(double s) const {
    constexpr double kMostBend = 500;
    if (!(s * knee_ < kMostBend)) return kInfinity;
    return knee_ > 0 ? std::exp(s * knee_) / (2 * s * knee_) : 1;
  }

  using TermRange = std::pair<std::size_t, std::size_t>;
  struct LevelTerms {
    TermRange x, others, before;
  };

  /// The first masses belong to these values.
  TermRange append(const std::vector<double>& values, const std::vector<double>& masses,
                   double scale) {
    const std::size_t begin = values_.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      values_.push_back(values[i] * scale);
      masses_.push_back(masses[i]);
    }
    return {begin, values_.size()};
  }

  static double total(const std::vector<double>& terms, const TermRange& range) {
    return portable::sum(std::span(terms).subspan(range.first, range.second - range.first));
  }
  /// Of a law whose first values are a level's own.
  static double total(const std::vector<double>& terms, const TermRange& own,
                      const TermRange& law) {
    return total(terms, own) + total(terms, {law.first + (own.second - own.first), law.second});
  }
  /// phi
  double after(const std::vector<double>& terms, const LevelTerms& level) const {
    return total(terms, level.others, others_);
  }
  /// tau
  double before(const std::vector<double>& terms, const LevelTerms& level) const {
    return total(terms, level.before, before_);
  }

  /// mass e^(s value). Positive exponents that do not overflow round by less than 1e-13.
  std::vector<double> at_real_axis(double s) const {
    std::vector<double> terms(values_.size());
    portable::exp_affine(values_, s, 0, terms);
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] *= masses_[i];
    return terms;
  }
  double most_of(const std::vector<double>& terms, const LevelTerms& level) const {
    constexpr double kRounding = 1 + 1e-12;
    return powers_.most(after(terms, level) * kRounding, before(terms, level) * kRounding);
  }
  double most_x(const std::vector<double>& terms, const LevelTerms& level) const {
    return total(terms, level.x) * (1 + 1e-12);
  }
  /// No moment on the line is larger.
  double peak_of(const std::vector<double>& terms) const {
    double sum = 0;
    for (const LevelTerms& level : levels_) sum += most_x(terms, level) * most_of(terms, level);
    return sum;
  }

  const SwapTerms& terms_;
  MeanOfPowers powers_;
  double largest_, about_, knee_, blur_, window_;
  std::vector<double> values_, masses_;
  TermRange others_, before_;  ///< W, and the law `before`
  std::vector<LevelTerms> levels_;
};

/// From one point to the next each value's factor is turned by an angle, which rounds by 6 units
/// and by those of the angle.
double LineSum::by_line(double s) const {
  // What may be left out.
  const double negligible = 1e-3 * about_ * s;
  std::vector<double> re = at_real_axis(s);
  const double peak = peak_of(re) * widening(s);
  // The last point's exponent in the Gaussian factor; its other factors are some 1 / 300.
  constexpr double kLeastExponent = 2, kLargestExponent = 60;
  const double exponent = std::max(kLeastExponent, std::log(peak / (300 * negligible)));
  if (!(exponent < kLargestExponent)) return kInfinity;
  const double height = kTwoPi / window_;  // in units of s, as all heights are
  const auto count =
      static_cast<std::size_t>(std::ceil(std::sqrt(2 * exponent / blur_) / height)) + 1;
  const std::size_t size = values_.size();
  const auto turns = static_cast<double>(count);
  work::spend(static_cast<std::int64_t>(size * count) / kTermsPerUnit);
  std::vector<double> im(size, 0.0), cosine(size), sine(size), off(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double w = s * values_[i], angle = height * w;
    cosine[i] = std::cos(angle);
    sine[i] = std::sin(angle);
    off[i] =
        re[i] * kUnit *
        (16 + 4 * std::abs(w) + turns * (16 + 4 * std::abs(angle)) + static_cast<double>(size));
  }
  std::vector<double> limits, off_x, off_after, off_before;
  for (const LevelTerms& level : levels_) {
    limits.push_back(most_x(re, level));
    off_x.push_back(total(off, level.x) * (1 + 1e-9));
    off_after.push_back(after(off, level) * (1 + 1e-9));
    off_before.push_back(before(off, level) * (1 + 1e-9));
  }
  Ball sum;
  for (std::size_t k = 0; k < count; ++k) {
    const double h = static_cast<double>(k) * height;
    Ball moments;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const LevelTerms& level = levels_[l];
      const Ball phi({after(re, level), after(im, level)}, off_after[l]);
      const Ball tau({before(re, level), before(im, level)}, off_before[l]);
      const double most = powers_.most(std::max(phi.most(), tau.most()));
      if (most * limits[l] < 0.01 * negligible) {
        moments.error += most * limits[l] * (1 + 4 * kUnit);
        continue;
      }
      const Ball x({total(re, level.x), total(im, level.x)}, off_x[l]);
      moments = moments + x * powers_.at(phi, tau, most);
    }
    // (1 / L) e^(t z^2 / 2) / z^2, twice for both signs of the height
    const double weight =
        (k > 0 ? 2 : 1) / window_ * std::exp(0.5 * blur_ * (1 - h * h)) / (1 + h * h);
    const double turn = std::atan(h);
    const Complex payoff =
        knee_ > 0 ? polar(widening(s) / std::hypot(1, h), s * knee_ * h - turn) : 1;
    const Complex factor = polar(weight, blur_ * h - 2 * turn) * payoff;
    sum = sum + Ball(factor, 1024 * kUnit * weight * widening(s)) * moments;
    for (std::size_t i = 0; i < size; ++i) {
      const double next = re[i] * cosine[i] - im[i] * sine[i];
      im[i] = re[i] * sine[i] + im[i] * cosine[i];
      re[i] = next;
    }
  }
  const double last = static_cast<double>(count - 1) * height;
  const double rest =
      peak * std::exp(0.5 * blur_ * (1 - last * last)) / (kPi * blur_ * last * last * last);
  const double upper = (sum.value.real() + sum.error + rest) / s * (1 + 1e-9);
  return upper < kInfinity ? std::max(0.0, upper) : kInfinity;
}

/// The lines that are tried.
struct Lines {
  double lowest;
  std::size_t count;
  double at(std::size_t i) const { return lowest * std::pow(kRatio, static_cast<double>(i)); }
};

/// From where the sum or its largest term decides to where only small ones do.
Lines lines_of(const GridLaw& law, const SwapScale& scale) {
  const double widest = std::max(law.values.back(), -law.values.front());
  const double deviation = std::max({deviation_of(law), kLeastDeviation * widest, kTiny});
  const double others = scale.batches * scale.clone;
  const double lowest = 0.4 / std::max(law.values.back(), std::sqrt(1 + others) * deviation);
  const double highest = std::max(8 / deviation, 2 * lowest);
  const double more = std::max(0.0, std::log(highest / lowest) / std::log(kRatio));
  return {lowest, 1 + static_cast<std::size_t>(more)};
}

/// By points, of all lines.
Lowest least_by_point(const LineSum& sum, const Lines& lines, std::size_t from) {
  return downhill(std::min(lines.count - 1, from), lines.count,
                  [&](std::size_t i) { return sum.by_point(lines.at(i)); });
}

/// Where that is sought first.
constexpr std::size_t kUsualLine = 4;

}  // namespace

PointBound by_points(const SwapTerms& terms, const SwapScale& scale) {
  LineSum sum(terms, scale);
  sum.add(level_at(terms, terms.first.at[0], 0));
  const Lines lines = lines_of(terms.others, scale);
  const Lowest found = least_by_point(sum, lines, kUsualLine);
  return {lines.at(found.place), found.value};
}

double swap_sum(const SwapTerms& terms, const SwapScale& scale) {
  const FirstPlace& first = terms.first;
  const Lines lines = lines_of(terms.others, scale);
  LineSum sum(terms, scale);
  sum.add(level_at(terms, first.at[0], 0));
  const Lowest first_level = least_by_point(sum, lines, kUsualLine);
  // Levels that add next to nothing need no line; the others share one.
  constexpr double kSmall = 0.003;
  const double negligible = kSmall * std::min(first_level.value, scale.about);
  // Without a knee the sum is at most x+ and the positive parts of the others, and E 1 / M <= 1 /
  // (T q).
  const double clones = scale.batches * scale.clone;
  const double positive =
      price(terms.others, 1, 0) + price(terms.before, 1, 0) / (scale.batches * scale.shared);
  const auto without_line = [&](const GridLaw& x) {
    if (scale.knee > 0) return kInfinity;
    double mean = 0;
    for (std::size_t i = 0; i < x.values.size(); ++i)
      mean += x.masses[i] * (std::max(0.0, x.values[i]) / (scale.largest * clones) + positive);
    return mean * (1 + 1e-9);
  };
  double rest = 0;
  for (std::size_t l = 1; l < kMissing.size(); ++l) {
    const double roughly = without_line(first.at[l]);
    if (roughly < negligible || (l + 1 == kMissing.size() && scale.knee == 0)) {
      rest += roughly;
      continue;
    }
    const Level level = level_at(terms, first.at[l], kMissing[l]);
    LineSum alone(terms, scale);
    alone.add(level);
    if (const double upper = alone.by_point(lines.at(first_level.place)); upper < negligible) {
      rest += upper;
    } else {
      sum.add(level);
    }
  }
  // The larger s is, the less the Gaussian factor adds, and the more the terms at L and beyond. The
  // next line's point says what these come to, at most.
  const Lowest near = least_by_point(sum, lines, first_level.place);
  const auto next_term = [&](std::size_t i) {
    return std::exp((1 - kRatio) * sum.window()) * sum.by_point(lines.at(i + 1));
  };
  constexpr double kTermSize = 30;
  std::size_t place = near.place > 0 ? near.place - 1 : 0;
  while (place < lines.count && next_term(place + 1) < kTermSize * negligible) ++place;
  return (std::min(near.value, sum.by_line(lines.at(place))) + rest) * (1 + 1e-9);
}

}  // namespace honest_epsilon::shuffle
