#include "core/contour/subsampled_moments.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/interval.h"
#include "core/base/work.h"
#include "core/contour/decay.h"
#include "core/contour/power_sum.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/portable.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::contour {
namespace {

/// The powers of R and of R' for a real w: R' has the power 1 - w where records are replaced.
struct RatioPowers {
  RatioPowers(double w, bool replaced) : of_ratio(w), of_mirrored(replaced ? 1 - w : 0) {}
  double of_ratio, of_mirrored;

  double largest_negative() const { return std::max({0.0, -of_ratio, -of_mirrored}); }
};

/// A likelihood ratio and the powers that a column takes of it.
struct RatioMoment {
  ShiftRatio ratio;
  bool replaced, around_p;
  double summed;  ///< x around P, else -x
  RatioPowers powers;

  /// Whether |R| >= p_0 up to a height: no term has a negative real part there.
  bool is_upright(double height) const {
    return ratio.farthest() * height <= 0.5 * kPi * (1 - 8 * kUnit);
  }
  /// log of what M gains at a height by a negative power, at most.
  double log_widened(double height) const {
    const double n = powers.largest_negative();
    return n > 0 ? -n * std::log(std::cos(0.5 * ratio.farthest() * height)) + 1e-12 * n : 0;
  }
};

/// log of what the sum leaves out beyond t on the right, or beyond -t on the left, at most. There
/// one ratio falls from at most 1 to p_0; on the right, or where there are two, another grows.
double log_left_out(const RatioMoment& m, double t, double eta, bool right) {
  const bool grows = right || m.replaced;
  const double growing = right ? m.powers.of_ratio : m.powers.of_mirrored;
  const double falling = right ? m.powers.of_mirrored : m.powers.of_ratio;
  const double slope = t - (grows ? std::max(growing, 0.0) * m.ratio.farthest() : 0);
  if (!(slope > 0)) return kInfinity;
  const double log_cosine = std::log(std::cos(0.5 * m.ratio.farthest() * eta));
  const bool upright = m.is_upright(eta);
  double log_power = falling < 0 ? falling * (m.ratio.log_none() + (upright ? 0 : log_cosine)) : 0;
  const double log_ratio = grows ? m.ratio.log(t).value.real() : 0;
  if (grows) {
    const double least = upright ? m.ratio.log_none() : -kInfinity;
    const double widened = growing < 0 ? log_cosine : 0;
    log_power += growing * std::max(log_ratio + widened, least);
  }
  log_power += 1e-11 * std::abs(log_power);  // more than the logarithms round by
  // Of 1, or of R, which is at most 1 on the left.
  const double log_rest =
      m.around_p && right ? log_ratio - std::log(t - m.ratio.farthest()) : -std::log(t);
  return std::max(log_power - std::log(slope), log_rest) + kLogTwo + 0.5 * (eta - t) * (eta + t) -
         kHalfLogTwoPi + 1e-9;
}

/// The same of R - 1, and of R' - 1: |R - 1| <= R - p_0 + 1 - p_0 where R grows, else 1 - p_0. In
/// logarithms: where shifts are large n(t) underflows long before n(t) R(t) is small.
double log_linear_left_out(const RatioMoment& m, double t, double eta, bool right) {
  const double any = m.ratio.any(), farthest = m.ratio.farthest();
  double log_sum = std::log((m.replaced ? 2 : 1) * any / t);
  if (right || m.replaced) {
    if (!(t > farthest)) return kInfinity;
    const double log_ratio = m.ratio.log(t).value.real() * (1 + 1e-11);
    const double log_moved = log_ratio < 1 ? std::log(std::expm1(log_ratio) + any) : log_ratio;
    log_sum = log_add(log_sum, log_moved - std::log(t - farthest));
  }
  return log_sum + 0.5 * (eta - t) * (eta + t) - kHalfLogTwoPi + 1e-9;
}

/// The layout of a column's nodes.
struct NodeLayout {
  double eta = 0;  ///< their distance from the real line; the strip is twice as wide
  double step = 0;
  double first = 0;  ///< in steps
  std::size_t count = 0;

  double place(std::size_t j) const { return step * (first + static_cast<double>(j)); }
};

/// The t beyond which the sum may stop on one side.
double reach_of(const RatioMoment& m, double eta, double log_precision, bool right) {
  const double growing = right ? m.powers.of_ratio : m.replaced ? m.powers.of_mirrored : 0;
  double t = std::max(4.0, std::max(growing, 1.0) * m.ratio.farthest() + 1);
  for (const double furthest = t + 60; t < furthest; t += 0.25) {
    const double linear = std::log1p(std::abs(m.summed)) + log_linear_left_out(m, t, eta, right);
    if (std::max(linear, log_left_out(m, t, eta, right)) <= log_precision - 3) break;
  }
  return t;
}

NodeLayout lay_out(const RatioMoment& m, double log_precision) {
  NodeLayout layout;
  const double farthest = m.ratio.farthest(), n = m.powers.largest_negative();
  // The widest step. Round-off grows by e^{eta^2 / 2}.
  for (double eta = 0.05; eta <= 1.5; eta *= 1.15) {
    if (farthest * eta > 0.49 * kPi && layout.step > 0) break;
    const double capped = std::min(eta, 0.49 * kPi / farthest);
    double widened = m.log_widened(2 * capped);
    if (!m.replaced && m.is_upright(2 * capped))
      widened = std::min(widened, -n * m.ratio.log_none());
    const double step =
        2 * kPi * capped / (3 - log_precision + 2 * capped * capped + std::max(widened, 0.0));
    if (step <= layout.step) continue;
    layout.eta = capped;
    layout.step = step;
  }
  // With few bits in the step every place is exact.
  layout.step = portable::shortened(layout.step);
  layout.first = std::floor(-reach_of(m, layout.eta, log_precision, false) / layout.step);
  const double last = reach_of(m, layout.eta, log_precision, true) / layout.step;
  layout.count = static_cast<std::size_t>(std::ceil(last) - layout.first) + 1;
  return layout;
}

/// More than this is slower than the lattice transforms.
constexpr std::size_t kMostNodeTerms = 2'000'000, kMostNodes = 20000;

/// What a likelihood ratio and what is made of it cost (core/base/work.h).
std::int64_t ratio_work(const RatioMoment& m) {
  constexpr std::int64_t kOfTerm = 20, kOfNode = 60;
  return kOfNode + (m.replaced ? 2 : 1) * kOfTerm * static_cast<std::int64_t>(m.ratio.terms());
}

/// The rule's sum of E[R^w R'^u] - 1, in powers of e^a, a = log R or log R - log R', at nodes of
/// weight n. What is linear in z is E[R a - (R - 1) + (R' - 1)], or E[a - (R - 1)] of add.
PowerSum sum_of(const RatioMoment& m, const NodeLayout& layout) {
  work::spend(ratio_work(m) * static_cast<std::int64_t>(layout.count));
  std::vector<PowerSum::PowerTerm> terms;
  const Ball log_step(std::log(layout.step / kSqrtTwoPi),
                      kUnit * (2 + kFunctionError * std::abs(std::log(layout.step))));
  Ball linear;
  for (std::size_t j = 0; j < layout.count; ++j) {
    const Complex t{layout.place(j), layout.eta};
    const ShiftRatio::RatioValue ratio = m.ratio.at(t);
    const ShiftRatio::RatioValue mirrored = m.replaced ? m.ratio.at(-t) : ShiftRatio::RatioValue{};
    const Ball log_weight = log_step - Ball(0.5 * t) * t, slope = ratio.log - mirrored.log;
    const Ball log_p = log_weight + ratio.log;
    const double size = modulus(ratio.excess.value) + modulus(mirrored.excess.value);
    if (size < 0.5) {
      const Ball rest = log1p_rest(ratio.excess) - log1p_rest(mirrored.excess);
      linear = linear + exp(log_weight) * (m.around_p ? ratio.excess * slope + rest : rest);
    } else if (m.around_p) {
      linear = linear + exp(log_p) * (slope - 1.0) + exp(log_weight + mirrored.log);
    } else {
      linear = linear + exp(log_weight) * (slope + 1.0) - exp(log_p);
    }
    terms.push_back({m.around_p ? log_p : log_weight, slope});
  }
  return PowerSum(std::move(terms), linear);
}

/// The loss's law weighted by R^w R'^u for real powers, in pieces, on cells of t.
///   L(t) = log R(t) and L(-t) are convex: on a cell their slopes lie between the difference
/// quotients of the cells before and after. So the loss L(t) - L(-t) rises no faster there than by
/// the larger of those, and a convex function exceeds its chord, downwards, by a fourth of
/// their difference at most; the rest of log(n R^w R'^u) is concave, and above its chord.
std::vector<UnimodalPiece> tilted_law(const RatioMoment& m) {
  const double farthest = m.ratio.farthest();
  const auto [of_ratio, of_mirrored] = m.powers;
  const double width = std::min({0.05, 0.1 / m.ratio.shift(), 0.5 / farthest});
  const double first = -7 - std::max(of_mirrored, 0.0) * farthest -
                       std::min(std::max(0.0, -of_ratio) * farthest, 30.0);
  const double last = 7 + std::max(of_ratio, 0.0) * farthest;
  struct LawPoint {
    double log_ratio, log_mirrored, blur, log_weight;
  };
  work::spend(ratio_work(m) * static_cast<std::int64_t>((last - first) / width));
  std::vector<LawPoint> points;
  for (double t = first - width; t < last + 2 * width; t += width) {
    const Ball log_ratio = m.ratio.log(t);
    const Ball log_mirrored = m.replaced ? m.ratio.log(-t) : Ball();
    const Ball log_weight =
        Ball(of_ratio) * log_ratio + Ball(of_mirrored) * log_mirrored - rounded(0.5 * t * t, 4);
    points.push_back({log_ratio.value.real(), log_mirrored.value.real(),
                      2 * (log_ratio.error + log_mirrored.error) + kTiny,
                      log_weight.value.real() - log_weight.error});
  }
  std::vector<DensityCell> cells;
  for (std::size_t i = 1; i + 2 < points.size(); ++i) {
    const LawPoint &before = points[i - 1], &low = points[i], &high = points[i + 1],
                   &after = points[i + 2];
    const double blur = std::max({before.blur, low.blur, high.blur, after.blur});
    const double rise = after.log_ratio - high.log_ratio, slow = low.log_ratio - before.log_ratio;
    const double fall = before.log_mirrored - low.log_mirrored,
                 flat = high.log_mirrored - after.log_mirrored;
    const double bent = 0.25 * (std::max(of_ratio, 0.0) * (rise - slow + 2 * blur) +
                                std::max(of_mirrored, 0.0) * (fall - flat + 2 * blur));
    const double slope = (rise + fall + 2 * blur) / width * (1 + 1e-9);
    const double density = std::exp(std::min(low.log_weight, high.log_weight) - bent -
                                    std::log(slope) - kHalfLogTwoPi - 1e-9);
    cells.push_back({std::isfinite(density) ? density : 0, low.log_ratio - low.log_mirrored,
                     high.log_ratio - high.log_mirrored, blur});
  }
  return unimodal_pieces(cells);
}

class SubsampledColumn : public Column {
 public:
  SubsampledColumn(const RatioMoment& m, const NodeLayout& layout, double log_precision,
                   bool conjugate)
      : m_(m),
        layout_(layout),
        precision_(std::exp(log_precision + 4)),
        conjugate_(conjugate),
        sum_(sum_of(m, layout)) {
    const double e = 2 * layout.eta;
    // Where it underflows, what it multiplies may be as large as doubles are.
    const double shrink =
        1 / std::expm1(2 * kPi * layout.eta / layout.step * (1 - 8 * kUnit)) * (1 + 1e-12) + kTiny;
    const double top = std::exp(0.5 * e * e) * (1 + 1e-12);
    const double negative = m.powers.largest_negative();
    const double widened = std::exp(m.log_widened(e));
    const double most = negative > 0 && !m.replaced && m.is_upright(e)
                            ? std::exp(-negative * m.ratio.log_none() * (1 + 1e-11))
                            : kInfinity;
    for (const bool right : {false, true}) {
      const double end = right ? layout.place(layout.count - 1) : -layout.place(0);
      left_out_ += std::exp(log_left_out(m, end, layout.eta, right)) * (1 + 1e-9);
      linear_outside_ += std::exp(log_linear_left_out(m, end, layout.eta, right)) * (1 + 1e-9);
    }
    linear_outside_ += shrink * (1 + top) * (m.replaced ? 4 : 2) * m.ratio.any() * (1 + 1e-12);
    // E R^w R'^u from above: the rule's sum, and its errors, which hold this very number once more.
    const Ball at = sum_.at(m.summed);
    const double upper = 1 + at.value.real() + at.error + left_out_ + shrink * (1 + top) +
                         linear_outside_ * std::abs(m.summed);
    const auto moment = [&](double of_itself, double rest) {
      const double share = shrink * of_itself;
      return share < 0.5 ? (upper + shrink * rest) / (1 - share) * (1 + 8 * kUnit) : kInfinity;
    };
    moment_upper_ = std::min(moment(1 + top * widened, 0), moment(1, top * most));
    if (!(moment_upper_ > 0)) moment_upper_ = kInfinity;
    const double edge = top * std::min(widened * moment_upper_, most);
    outside_ = left_out_ + shrink * (moment_upper_ + edge + 1 + top) * (1 + 1e-12);
  }

  LogMoment log_moment(double y) const override { return of_sum(sum_.at({m_.summed, y}), y); }

  Climb climb(double spacing) const override {
    return [this, sum = PowerClimb(sum_, m_.summed, spacing, precision_)](double y) mutable {
      return of_sum(sum.next(), y);
    };
  }

  double log_bound_beyond(double y) const override {
    if (!(moment_upper_ < kInfinity)) return kInfinity;
    const double base = std::log1p(moment_upper_ - 1) + 8 * kUnit;
    if (y == 0) return base + 8 * kUnit * std::abs(base);
    if (!pieces_) pieces_ = tilted_law(m_);
    double sum = 0;
    for (const UnimodalPiece& piece : *pieces_) sum += cancelled_lower(piece, y);
    const double left = sum / moment_upper_ * (1 - 8 * kUnit);
    return left < 1 ? base + std::log1p(-left) + 8 * kUnit * (1 + std::abs(base)) : -kInfinity;
  }

 private:
  LogMoment of_sum(const Ball& sum, double y) const {
    const double outside = outside_ + linear_outside_ * std::hypot(m_.summed, y) * (1 + 1e-9);
    const LogMoment at = log_moment_of({sum.value, sum.error + outside});
    return conjugate_ ? LogMoment{std::conj(at.value), at.error} : at;
  }

  RatioMoment m_;
  NodeLayout layout_;
  double precision_;
  bool conjugate_;
  PowerSum sum_;
  double left_out_ = 0;                      ///< at both ends
  double moment_upper_ = 0;                  ///< E R^{Re w} R'^{Re u}, from above
  double outside_ = 0, linear_outside_ = 0;  ///< what rule and ends may be off by, and times |z|
  mutable std::optional<std::vector<UnimodalPiece>> pieces_;  ///< made when they are asked for
};

/// Where the estimate's nodes begin and end, for shifts within those of one record.
constexpr double kFirstEstimateNode = -10, kLastEstimateNode = 70;

}  // namespace

SubsampledGaussianMoments::SubsampledGaussianMoments(const pairs::Records& records, double mu,
                                                     bool replaced)
    : ratio_(records, mu), replaced_(replaced) {
  step_ = std::min(0.2, 0.6 / mu);
  last_ = std::max(kLastEstimateNode, 3 * ratio_.farthest());
  first_ = replaced_ ? -last_ : kFirstEstimateNode;
  // Where that many are not enough, no rule has as many nodes as it would need, and nothing is
  // estimated.
  if (!(last_ - first_ < 1e6 * step_)) last_ = first_;
  constexpr double kRatioWork = 20;
  work::spend(static_cast<std::int64_t>((last_ - first_) / step_ *
                                        static_cast<double>(ratio_.terms()) * kRatioWork));
  for (double t = first_; t < last_; t += step_) {
    log_r_.push_back(ratio_.log(t).value.real());
    if (replaced_) log_mirrored_.push_back(ratio_.log(-t).value.real());
  }
}

std::unique_ptr<const Column> SubsampledGaussianMoments::column(Direction direction, double x,
                                                                double log_precision) const {
  // Replaced records look the same from both sides.
  const bool forward = direction == Direction::remove || replaced_;
  const RatioMoment moment{
      ratio_, replaced_, forward, forward ? x : -x, {forward ? x + 1 : -x, replaced_}};
  const NodeLayout layout = lay_out(moment, log_precision);
  if (layout.count > std::min(kMostNodes, kMostNodeTerms / ratio_.terms())) return nullptr;
  return std::make_unique<SubsampledColumn>(moment, layout, log_precision, !forward);
}

double SubsampledGaussianMoments::log_moment_estimate(Direction direction, double x) const {
  const RatioPowers powers(direction == Direction::remove || replaced_ ? x + 1 : -x, replaced_);
  const double end = std::max({powers.of_ratio, powers.of_mirrored, 0.0}) * ratio_.farthest() + 9;
  if (end > last_) return kInfinity;
  const auto index = [&](double t) {
    return std::min(log_r_.size(), static_cast<std::size_t>(std::max(0.0, (t - first_) / step_)));
  };
  constexpr std::int64_t kEstimateWork = 6;
  work::spend(kEstimateWork * static_cast<std::int64_t>(index(end) - index(-end)));
  double sum = 0;
  for (std::size_t j = index(-end); j < index(end); ++j) {
    const double t = first_ + step_ * static_cast<double>(j);
    const double power =
        powers.of_ratio * log_r_[j] + (replaced_ ? powers.of_mirrored * log_mirrored_[j] : 0);
    constexpr double kMany = 30;
    sum +=
        power > kMany ? std::exp(power - 0.5 * t * t) : std::exp(-0.5 * t * t) * std::expm1(power);
  }
  sum *= step_ / kSqrtTwoPi;
  return sum > -1 && sum < 1e300 ? std::log1p(sum) : kInfinity;
}

double SubsampledGaussianMoments::total_variation() const {
  const double each = (replaced_ ? 2 : 1) * ratio_.shift() * (1 + 4 * kUnit);
  double sum = 0;
  for (std::size_t j = 1; j < ratio_.terms(); ++j)
    sum += ratio_.weight(j).most() * gaussian::delta(static_cast<double>(j) * each, 0).upper;
  return sum * (1 + 1e-12);
}

double SubsampledGaussianMoments::largest_loss(Direction direction) const {
  return direction == Direction::remove || replaced_ ? kInfinity : -ratio_.log_none() * (1 + 1e-12);
}

}  // namespace honest_epsilon::contour
