#include "core/contour/subsampled_moments.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/decay.h"
#include "core/contour/exponential_sum.h"
#include "core/math/complex_functions.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/pairs/gaussian.h"

namespace honest_epsilon::contour {
namespace {

/// Sums by blocks (ExponentialSum::sum_error).
class BlockSum {
 public:
  void add(Complex term) {
    block_ += term;
    if (++count_ % ExponentialSum::kBlock != 0) return;
    total_ += block_;
    block_ = 0;
  }
  Complex total() const { return total_ + block_; }

 private:
  Complex total_ = 0, block_ = 0;
  std::size_t count_ = 0;
};

/// The layout of the nodes.
struct NodeLayout {
  double eta = 0;  ///< their distance from the real line; the strip is twice as wide
  double step = 1;
  double first = 0;  ///< in steps
  std::size_t count = 0;

  double place(std::size_t j) const { return step * (first + static_cast<double>(j)); }
};

/// The powers of R and of R'.
struct RatioPowers {
  double of_ratio;
  double of_mirrored;  ///< 0 where there is no R'
};

/// The powers for a real w: R' has the power 1 - w where records are replaced, else 0.
RatioPowers powers_of(double w, bool replaced) {
  return {w, replaced ? 1 - w : 0};
}

/// The integrand's ratios on one side of 0: one that falls from at most 1 to p_0 and, where
/// `grows`, one that grows outwards.
struct OneSide {
  bool grows;
  double growing_power, falling_power;
};

OneSide side_of(const RatioPowers& powers, bool replaced, bool right) {
  if (right) return {true, powers.of_ratio, powers.of_mirrored};
  return {replaced, powers.of_mirrored, powers.of_ratio};
}

/// Whether |R| >= p_0 up to a height: no term has a negative real part there.
bool is_upright(const ShiftRatio& ratio, double height) {
  return ratio.farthest() * height <= 0.5 * kPi * (1 - 8 * kUnit);
}

/// log of what the sum leaves out beyond t on one side, at most; size is |w| + |u|.
double log_left_out(const ShiftRatio& ratio, double t, double eta, const OneSide& side,
                    double size) {
  const double farthest = side.grows ? ratio.farthest() : 0;
  const double slope = t - std::max(side.growing_power, 0.0) * farthest;
  if (!(slope > 0 && t > farthest)) return kInfinity;
  const double log_cosine = std::log(std::cos(0.5 * ratio.farthest() * eta));
  const bool upright = is_upright(ratio, eta);
  double log_power = side.falling_power < 0
                         ? side.falling_power * (ratio.log_none() + (upright ? 0 : log_cosine))
                         : 0;
  double log_terms = std::log((1 + 3 * size * ratio.any()) / t);
  if (side.grows) {
    const ShiftRatio::RealValue at = ratio.real(t);
    const double widened = side.growing_power < 0 ? log_cosine : 0;
    const double log_least = upright ? ratio.log_none() : -kInfinity;
    log_power += side.growing_power * std::max(at.log + widened, log_least);
    log_terms = std::max(log_terms, std::log(size) + at.log_moving - std::log(t - farthest));
  }
  log_power += 1e-11 * std::abs(log_power);  // more than the logarithms round by
  return std::max(log_terms, log_power - std::log(slope)) + std::log(3.0) +
         0.5 * (eta - t) * (eta + t) - std::log(kSqrtTwoPi);
}

/// The range of w = z + 1 (remove) or -z (add), and the precision asked.
struct PowerRange {
  double least, most;
  double log_precision;
  bool replaced;

  double largest_negative() const { return std::max({0.0, -least, replaced ? most - 1 : 0.0}); }
  double size() const {
    const double largest = std::max(std::abs(least), std::abs(most)) + 1;
    return replaced ? 2 * largest : largest;
  }
};

/// The t beyond which the sum may stop on one side.
double reach_of(const ShiftRatio& ratio, double eta, const PowerRange& range, bool right) {
  const OneSide least = side_of(powers_of(range.least, range.replaced), range.replaced, right);
  const OneSide most = side_of(powers_of(range.most, range.replaced), range.replaced, right);
  const double power = std::max(least.growing_power, most.growing_power);
  double t = std::max(4.0, least.grows ? std::max(power, 1.0) * ratio.farthest() + 1 : 0);
  for (const double furthest = t + 60; t < furthest; t += 0.25) {
    const double left_out = std::max(log_left_out(ratio, t, eta, least, range.size()),
                                     log_left_out(ratio, t, eta, most, range.size()));
    if (left_out <= range.log_precision - 3) break;
  }
  return t;
}

NodeLayout lay_out(const ShiftRatio& ratio, const PowerRange& range) {
  const double need = 3 - range.log_precision;
  NodeLayout layout;
  // The widest step.
  double widest = 0;
  // Round-off grows by e^{eta^2 / 2}.
  for (double eta = 0.05; eta <= 1.5 * (1 + 1e-9); eta *= 1.15) {
    const double angle = ratio.farthest() * eta;
    if (angle > 0.49 * kPi && widest > 0) break;
    const double capped = std::min(eta, 0.49 * kPi / ratio.farthest());
    const double widened = -std::log(std::cos(ratio.farthest() * capped));
    const bool upright = !range.replaced && is_upright(ratio, 2 * capped);
    const double growth =
        2 * capped * capped +
        range.largest_negative() * (upright ? std::min(widened, -ratio.log_none()) : widened);
    const double step = 2 * kPi * capped / (need + std::max(growth, 0.0));
    if (step <= widest) continue;
    widest = step;
    layout.eta = capped;
    layout.step = step;
  }
  // With few bits in the step every place is exact.
  layout.step = portable::shortened(layout.step);
  layout.first = std::floor(-reach_of(ratio, layout.eta, range, false) / layout.step);
  const double last = reach_of(ratio, layout.eta, range, true) / layout.step;
  layout.count = static_cast<std::size_t>(std::ceil(last) - layout.first) + 1;
  return layout;
}

/// More terms than this are slower than the lattice transforms.
constexpr std::size_t kMostRuleTerms = 2'000'000, kMostNodes = 20000;

/// The rule's nodes. The integrand's power is v a there: a = log R, or log R - log R' where records
/// are replaced. Around P the weight has the factor R, and v = w - 1; else v = w.
class Nodes {
 public:
  Nodes(const ShiftRatio& ratio, bool replaced, bool around_p, const NodeLayout& layout)
      : ratio_(ratio),
        replaced_(replaced),
        layout_(layout),
        around_p_(around_p),
        terms_(layout.count) {
    const double sum_error = ExponentialSum::sum_error(layout.count);
    const ShiftRatio::NodeRow ahead(ratio, layout.eta), behind(ratio, -layout.eta);
    BlockSum slope;
    for (std::size_t j = 0; j < layout.count; ++j) {
      const double t = layout.place(j);
      const double log_weight =
          0.5 * (layout.eta - t) * (layout.eta + t) + std::log(layout.step / kSqrtTwoPi);
      const Complex phase{std::cos(layout.eta * t), -std::sin(layout.eta * t)};
      // Its exponent -(t + i eta)^2 / 2 rounds a few times, and so does the log of the step.
      const double place = std::abs(t) + layout.eta;
      const double units = 4 * place * place + 5 * kFunctionError + 74 + sum_error;
      ShiftRatio::NodeValue value = ahead.at(t, log_weight);
      ExponentialSum::ExponentialTerm term{
          value.log, phase, log_weight, units, value.relative_error, value.excess_size};
      double log_sizes = std::abs(value.log);
      if (replaced) {
        const ShiftRatio::NodeValue mirrored = behind.at(-t, log_weight);
        term.slope -= mirrored.log;
        term.excess += mirrored.excess_size;
        term.slope_units += mirrored.relative_error + 28 * std::abs(mirrored.log);
        value.rest -= mirrored.rest;
        value.rest_error += mirrored.rest_error;
        log_sizes += std::abs(mirrored.log);
      }
      if (around_p_) {
        value.rest += times(value.excess, term.slope);
        value.rest_error += (value.excess_error + 16 * value.excess_size) * log_sizes;
        term.excess += (std::exp(log_weight) + value.excess_size) * log_sizes;
        term.log_weight += value.log.real();
        term.phase = times(phase, {std::cos(value.log.imag()), std::sin(value.log.imag())});
        term.units += value.relative_error + 2 * kFunctionError + 8 +
                      2 * std::abs(term.log_weight) + 4 * log_sizes;
      }
      terms_.set(j, term);
      slope.add(phase * value.rest);
      slope_error_ += value.rest_error + units * std::abs(value.rest);
    }
    slope_ = slope.total();
  }

  const ShiftRatio& ratio() const { return ratio_; }
  bool replaced() const { return replaced_; }
  const NodeLayout& layout() const { return layout_; }
  const ExponentialSum& terms() const { return terms_; }
  bool around_p() const { return around_p_; }

  /// What the sum leaves out at both ends, for real powers and a size |w| + |u|.
  double left_out(const RatioPowers& powers, double size) const {
    double sum = 0;
    for (const bool right : {false, true}) {
      const double end = right ? layout_.place(layout_.count - 1) : -layout_.place(0);
      const OneSide side = side_of(powers, replaced_, right);
      sum += std::exp(log_left_out(ratio_, end, layout_.eta, side, size)) * (1 + 1e-9);
    }
    return sum;
  }

  /// The rule's sum for E R^w R'^u - 1, Im w >= 0, and how much rounding may have moved it.
  struct Sum {
    Complex value;
    double rounding;
  };
  Sum sum(Complex v) const { return sum(v, terms_.at(v)); }

  /// The same from the terms' sum.
  Sum sum(Complex v, const ExponentialSum::Value& terms) const {
    const double units = terms.units + (std::abs(v.real()) + v.imag()) * slope_error_;
    return {terms.sum + v * slope_, 1.01 * kUnit * units};
  }

 private:
  ShiftRatio ratio_;
  bool replaced_;
  NodeLayout layout_;
  bool around_p_;  ///< or around power 0
  ExponentialSum terms_;
  Complex slope_ = 0;  ///< of the linear terms
  double slope_error_ = 0;
};

/// The loss's law weighted by R^w R'^u for real powers, in pieces.
///   On a cell of t the logarithm of n R^w R'^u, whose second derivative is at most C, is at least
///   that of the lower end less C width^2 / 8. With V the variance of j by the terms' sizes, C = -1
///   + mu^2 (max(w, 0) V + max(u, 0) V'), and V changes by a factor of at most e^{most mu
///   width}, as a third moment is at most `most` times the second. The loss has slope mu (mean
///   of j + that of R'), which rise and fall with t.
std::vector<UnimodalPiece> tilted_law(const Nodes& nodes, const RatioPowers& powers) {
  const ShiftRatio& ratio = nodes.ratio();
  const bool replaced = nodes.replaced();
  const double mu = ratio.shift();
  const double farthest = ratio.farthest();
  const double width = std::min({0.1, 0.2 / mu, 1 / farthest});
  const double first = -7 - std::max(powers.of_mirrored, 0.0) * farthest -
                       std::min(std::max(0.0, -powers.of_ratio) * farthest, 30.0);
  const double last = 7 + std::max(powers.of_ratio, 0.0) * farthest;
  struct TiltedPoint {
    ShiftRatio::RealValue ratio, mirrored;
    double log_weight, loss, blur;
  };
  const auto at = [&](double t) {
    TiltedPoint place{ratio.real(t), replaced ? ratio.real(-t) : ShiftRatio::RealValue{}, 0, 0, 0};
    place.loss = place.ratio.log - place.mirrored.log;
    place.blur = place.ratio.blur + place.mirrored.blur + 2 * kUnit * std::abs(place.loss);
    const double error = std::abs(powers.of_ratio) * place.ratio.blur +
                         std::abs(powers.of_mirrored) * place.mirrored.blur +
                         16 * kUnit * (t * t + 1);
    place.log_weight = -0.5 * t * t + powers.of_ratio * place.ratio.log +
                       powers.of_mirrored * place.mirrored.log - error;
    return place;
  };
  const double rising = std::max(powers.of_ratio, 0.0), falling = std::max(powers.of_mirrored, 0.0);
  const double swell = mu * mu * std::exp(farthest * width) * (1 + 1e-9);
  std::vector<DensityCell> cells;
  TiltedPoint low = at(first);
  for (double t = first; t < last; t += width) {
    const TiltedPoint high = at(t + width);
    const double bend = swell * (rising * low.ratio.variance + falling * low.mirrored.variance) - 1;
    const double slope = mu * (high.ratio.mean + low.mirrored.mean);
    // 1e-9: means and variances are better than that.
    const double log_density = std::min(low.log_weight, high.log_weight) -
                               std::max(bend + 1e-9, 0.0) * width * width / 8 - std::log(slope) -
                               std::log(kSqrtTwoPi) - 1e-9;
    // Where a slope underflows nothing is known of the density.
    const double density = std::exp(log_density);
    cells.push_back(
        {std::isfinite(density) ? density : 0, low.loss, high.loss, std::max(low.blur, high.blur)});
    low = high;
  }
  return unimodal_pieces(cells);
}

class SubsampledColumn : public Column {
 public:
  /// x: of z.
  SubsampledColumn(std::shared_ptr<const Nodes> nodes, Direction direction, double x)
      : nodes_(std::move(nodes)), removes_(direction == Direction::remove) {
    power_ = removes_ ? x + 1 : -x;
    summed_power_ = nodes_->around_p() ? x : power_;
    const NodeLayout& layout = nodes_->layout();
    const ShiftRatio& ratio = nodes_->ratio();
    const double e = 2 * layout.eta;
    // Where it underflows, what it multiplies may be as large as doubles are.
    shrink_ =
        1 / std::expm1(2 * kPi * layout.eta / layout.step * (1 - 8 * kUnit)) * (1 + 1e-12) + kTiny;
    const double top = std::exp(0.5 * e * e) * (1 + 1e-12);
    const double negative = -std::min({0.0, powers().of_ratio, powers().of_mirrored});
    const double widened =
        negative > 0
            ? std::exp(-negative * std::log(std::cos(0.5 * ratio.farthest() * e))) * (1 + 1e-12)
            : 1;
    const double most = negative > 0 && !nodes_->replaced() && is_upright(ratio, e)
                            ? std::exp(-negative * ratio.log_none()) * (1 + 1e-12)
                            : kInfinity;
    edges_ = 1 + top;
    // E R^w R'^u from above: the rule's sum, and its errors, which hold this very number once more.
    const Nodes::Sum at = nodes_->sum({summed_power_, 0});
    const double upper = 1 + at.value.real() + at.rounding + left_out(size_at(0)) +
                         shrink_ * edges_ * (1 + 2 * ratio.any() * size_at(0));
    const auto moment = [&](double of_itself, double rest) {
      const double share = shrink_ * of_itself;
      return share < 0.5 ? (upper + shrink_ * rest) / (1 - share) * (1 + 8 * kUnit) : kInfinity;
    };
    moment_upper_ = std::min(moment(1 + top * widened, 0), moment(1, top * most));
    const double upper_edge = top * std::min(widened * moment_upper_, most);
    if (!(moment_upper_ > 0)) moment_upper_ = kInfinity;
    edge_moments_ = moment_upper_ + upper_edge;
  }

  LogMoment log_moment(double y) const override {
    const double size = size_at(y);
    return of_sum(nodes_->sum({summed_power_, y}), size, left_out(size));
  }

  Climb climb(double spacing, double) const override {
    const auto climbing = std::make_shared<ClimbingSum>(nodes_->terms(), summed_power_, spacing);
    return [this, climbing, reached = 0.0, most = 0.0](double y) mutable {
      const double size = size_at(y);
      if (size > reached) {
        // What is left out grows with the size: it is asked for one that serves many heights.
        reached = 1.5 * size;
        most = left_out(reached);
      }
      return of_sum(nodes_->sum({summed_power_, y}, climbing->next()), size, most);
    };
  }

  double log_bound_beyond(double y) const override {
    if (!(moment_upper_ < kInfinity)) return kInfinity;
    if (!pieces_) pieces_ = tilted_law(*nodes_, powers());
    double sum = 0;
    for (const UnimodalPiece& piece : *pieces_) sum += cancelled_lower(piece, y);
    const double left = sum / moment_upper_ * (1 - 8 * kUnit);
    const double base = std::log1p(moment_upper_ - 1);
    return left < 1 ? base + std::log1p(-left) + 8 * kUnit * (1 + std::abs(base)) : -kInfinity;
  }

 private:
  RatioPowers powers() const { return powers_of(power_, nodes_->replaced()); }

  LogMoment of_sum(const Nodes::Sum& sum, double size, double left_out) const {
    const double error =
        sum.rounding + left_out +
        shrink_ * (edge_moments_ + edges_ * (1 + 2 * nodes_->ratio().any() * size));
    const Complex moment = 1.0 + sum.value;
    const double modulus = honest_epsilon::modulus(moment);
    const double excess = std::abs(sum.value.real()) + std::abs(sum.value.imag());
    if (!(error < kInfinity)) return {0, kInfinity};
    // Nothing is known but how small it is, which is within twice the bound of it.
    if (!(error < 0.5 * modulus)) return {std::log(modulus + error) + 1e-12, std::log(3.0) + 1e-12};
    const Complex value =
        excess < 0.5 ? complex_log1p(sum.value) : Complex(std::log(modulus), std::arg(moment));
    const double relative = error / modulus;
    const double own = 16 * kUnit * (excess < 0.5 ? excess : 1 + std::abs(value));
    return {removes_ ? value : std::conj(value), relative / (1 - relative) + own};
  }

  /// |w| + |u|, rounded up.
  double size_at(double y) const {
    return (std::hypot(power_, y) + (nodes_->replaced() ? std::hypot(1 - power_, y) : 0)) *
           (1 + 8 * kUnit);
  }

  double left_out(double size) const { return nodes_->left_out(powers(), size); }

  std::shared_ptr<const Nodes> nodes_;
  bool removes_;      ///< or replaces: w = z + 1
  double power_ = 0;  ///< Re w
  double summed_power_ = 0;
  double shrink_ = 0;        ///< 1 / (e^{2 pi eta / h} - 1)
  double edges_ = 0;         ///< of both edges of the strip
  double moment_upper_ = 0;  ///< E R^{Re w} R'^{Re u}, from above
  double edge_moments_ = 0;  ///< of |R^w R'^u|, from above, on both edges
  mutable std::optional<std::vector<UnimodalPiece>> pieces_;  ///< made when they are asked for
};

class SubsampledRule : public Rule {
 public:
  SubsampledRule(std::shared_ptr<const Nodes> nodes, Direction direction)
      : nodes_(std::move(nodes)), direction_(direction) {}
  std::unique_ptr<const Column> column(double x) const override {
    return std::make_unique<SubsampledColumn>(nodes_, direction_, x);
  }
  double terms() const override { return static_cast<double>(nodes_->layout().count); }

 private:
  std::shared_ptr<const Nodes> nodes_;
  Direction direction_;
};

/// (e^x - 1 - x) / x^2 for small x, roughly.
double rest_of_small(double x) {
  return 0.5 + x * (1.0 / 6 + x * (1.0 / 24 + x / 120));
}

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
  for (double t = first_; t < last_; t += step_) {
    const double log_r = ratio_.real(t).log;
    log_r_.push_back(log_r);
    if (replaced_) log_mirrored_.push_back(ratio_.real(-t).log);
    log_weight_.push_back(std::log(step_ / kSqrtTwoPi) - 0.5 * t * t);
    weight_.push_back(std::exp(log_weight_.back()));
    if (weight_.back() == 0) continue;
    const auto second_order = [&](double log_ratio) {
      const double excess = std::expm1(log_ratio);
      return std::abs(excess) < 1e-4
                 ? weight_.back() * excess * excess * (excess / 3 - 0.5)
                 : weight_.back() * (log_ratio + 1) - std::exp(log_weight_.back() + log_ratio);
    };
    second_order_ += second_order(log_r);
    if (replaced_) mirrored_second_order_ += second_order(log_mirrored_.back());
  }
}

std::shared_ptr<const Rule> SubsampledGaussianMoments::rule(Direction direction,
                                                            const Reach& reach) const {
  // Replaced records look the same from both sides.
  const Direction way = replaced_ ? Direction::remove : direction;
  const PowerRange range =
      way == Direction::remove
          ? PowerRange{reach.lowest + 1, reach.highest + 1, reach.log_precision, replaced_}
          : PowerRange{-reach.highest, -reach.lowest, reach.log_precision, replaced_};
  const NodeLayout layout = lay_out(ratio_, range);
  if (layout.count > std::min(kMostNodes, kMostRuleTerms / ratio_.terms())) return nullptr;
  // Around z = 0.
  const bool around_p = way == Direction::remove;
  return std::make_shared<SubsampledRule>(
      std::make_shared<const Nodes>(ratio_, replaced_, around_p, layout), way);
}

double SubsampledGaussianMoments::log_moment_estimate(Direction direction, double x) const {
  const double w = direction == Direction::remove || replaced_ ? x + 1 : -x;
  const RatioPowers powers = powers_of(w, replaced_);
  const double end = std::max({powers.of_ratio, powers.of_mirrored, 0.0}) * ratio_.farthest() + 9;
  if (end > last_) return kInfinity;
  double sum = powers.of_ratio * second_order_ + powers.of_mirrored * mirrored_second_order_;
  const auto index = [&](double t) {
    return std::min(log_r_.size(), static_cast<std::size_t>(std::max(0.0, (t - first_) / step_)));
  };
  for (std::size_t j = index(-end); j < index(end); ++j) {
    const double power =
        powers.of_ratio * log_r_[j] + (replaced_ ? powers.of_mirrored * log_mirrored_[j] : 0);
    constexpr double kMany = 30, kNothing = -80, kSmall = 0.05;
    if (power > kMany) {
      const double log_term = power + log_weight_[j];
      if (log_term > kNothing) sum += std::exp(log_term);
    } else {
      const double excess = power < -kMany             ? -1 - power
                            : std::abs(power) < kSmall ? power * power * rest_of_small(power)
                                                       : std::expm1(power) - power;
      sum += weight_[j] * excess;
    }
  }
  return sum > -1 && sum < 1e300 ? std::log1p(sum) : kInfinity;
}

double SubsampledGaussianMoments::total_variation() const {
  const double each = (replaced_ ? 2 : 1) * ratio_.shift() * (1 + 4 * kUnit);
  double sum = 0;
  for (std::size_t j = 1; j < ratio_.terms(); ++j)
    sum += ratio_.weight(j).upper() * gaussian::delta(static_cast<double>(j) * each, 0).upper;
  return sum * (1 + 1e-12);
}

double SubsampledGaussianMoments::largest_loss(Direction direction) const {
  return direction == Direction::remove || replaced_ ? kInfinity : -ratio_.log_none() * (1 + 1e-12);
}

}  // namespace honest_epsilon::contour
