#include "core/contour/subsampled_moments.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/decay.h"
#include "core/math/complex_functions.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/math/portable.h"

namespace honest_epsilon::contour {
namespace {

/// n terms, in blocks: the sum is off by at most (kBlock + n / kBlock) units of the sum of moduli.
constexpr std::size_t kBlock = 16;

class BlockSum {
 public:
  void add(Complex term) {
    block_ += term;
    if (++count_ % kBlock != 0) return;
    total_ += block_;
    block_ = 0;
  }
  Complex total() const { return total_ + block_; }

 private:
  Complex total_ = 0, block_ = 0;
  std::size_t count_ = 0;
};

/// log(1 + r) - r for |r| <= 1/4.
Complex log1p_minus_series(Complex r) {
  Complex sum = 0;
  for (int n = 27; n >= 2; --n) sum = sum * r + Complex((n % 2 == 1 ? 1.0 : -1.0) / n);
  return sum * r * r;
}

/// Where the nodes lie, before there are any.
struct NodeLayout {
  double eta = 0;  ///< their distance from the real line; the strip is twice as wide
  double step = 1;
  double first = 0;  ///< in steps
  std::size_t count = 0;

  double place(std::size_t j) const { return step * (first + static_cast<double>(j)); }
};

/// The likelihood ratio's facts along t, for planning and for bounds.
struct RatioCurve {
  double q, mu;
  double v(double t) const { return q * std::exp(mu * t - 0.5 * mu * mu); }
  /// R - 1 on the real line.
  double excess(double t) const { return q * std::expm1(mu * t - 0.5 * mu * mu); }
  /// log R, as a sum of positive terms where R is small.
  double log(double t) const {
    const double beyond = excess(t);
    return beyond < -0.5 ? std::log((1 - q) + v(t)) : std::log1p(beyond);
  }
  /// The share of R that v has: d log R / dt = mu share.
  double share(double t) const {
    const double at = v(t);
    return std::isinf(at) ? 1 : at / (1 - q + at);
  }
};

/// log of what the sum leaves out left of t, against a precision: at most this. w = Re w.
double log_left_out(const RatioCurve& ratio, double t, double eta, double w, double size) {
  if (t >= 0) return kInfinity;
  const double log_power = w < 0 ? w * std::log1p(-ratio.q) : 0;
  const double log_terms =
      std::max(log_power, std::log1p(size * (ratio.q + ratio.v(t)))) + std::log(2.0);
  return log_terms + 0.5 * eta * eta + std::log(normal::upper_tail(-t) + kTiny);
}

/// The same right of t.
double log_right_out(const RatioCurve& ratio, double t, double eta, double w, double size) {
  const double mu = ratio.mu;
  const double excess = std::max(w, 1.0) * mu;
  if (!(t > excess)) return kInfinity;
  const double v = ratio.v(t);
  const double log_ratio = std::log1p(v - ratio.q);
  const double cosine = std::cos(mu * eta);
  const double log_power = w >= 0 ? w * log_ratio : w * std::log(1 - ratio.q + v * cosine);
  const double slope = t - std::max(w, 0.0) * mu;
  const double log_term = std::max(log_power - std::log(slope),
                                   std::log((1 + size * ratio.q) / t + size * v / (t - mu)));
  return log_term + std::log(2.0) + 0.5 * eta * eta - 0.5 * t * t - std::log(kSqrtTwoPi);
}

/// The range of w = z + 1 (remove) or -z (add), and the precision asked.
struct PowerRange {
  double least, most;
  double log_precision;
};

NodeLayout lay_out(const RatioCurve& ratio, const PowerRange& powers) {
  const double need = 3 - powers.log_precision;
  NodeLayout layout;
  // The widest step. Beyond eta = 2 round-off grows by more than e^2.
  double widest = 0;
  for (double eta = 0.05; eta <= 2; eta *= 1.15) {
    const double angle = ratio.mu * eta;
    if (angle > 0.49 * kPi && widest > 0) break;
    const double capped = std::min(eta, 0.49 * kPi / ratio.mu);
    const double growth =
        2 * capped * capped - std::min(powers.least, 0.0) * -std::log(std::cos(ratio.mu * capped));
    const double step = 2 * kPi * capped / (need + std::max(growth, 0.0));
    if (step <= widest) continue;
    widest = step;
    layout.eta = capped;
    layout.step = step;
  }
  const double size = std::max(std::abs(powers.least), std::abs(powers.most)) + 1;
  double low = -4;
  while (low > -60 &&
         log_left_out(ratio, low, layout.eta, powers.least, size) > powers.log_precision - 3)
    low -= 0.25;
  double high = std::max(4.0, powers.most * ratio.mu + 1);
  const double log_at_most = powers.log_precision - 3;
  const double furthest = high + 60;
  while (high < furthest &&
         (log_right_out(ratio, high, layout.eta, powers.most, size) > log_at_most ||
          log_right_out(ratio, high, layout.eta, powers.least, size) > log_at_most))
    high += 0.25;
  // With few bits in the step every place is exact.
  layout.step = portable::shortened(layout.step);
  layout.first = std::floor(low / layout.step);
  layout.count = static_cast<std::size_t>(std::ceil(high / layout.step) - layout.first) + 1;
  return layout;
}

/// More nodes than this are slower than the lattice transforms.
constexpr std::size_t kMostNodes = 20000;

class Nodes {
 public:
  Nodes(const RatioCurve& ratio, const NodeLayout& layout) : ratio_(ratio), layout_(layout) {
    const double theta = ratio.mu * layout.eta;
    const double cosine = std::cos(theta), sine = std::sin(theta);
    const double half_sine = std::sin(theta / 2);
    const std::size_t n = layout.count;
    for (auto* list : {&log_re_, &log_im_, &phase_re_, &phase_im_, &log_weight_, &weight_, &own_,
                       &sway_, &excess_})
      list->resize(n);
    const double sum_error = static_cast<double>(kBlock + n / kBlock + 2);
    BlockSum first_order;
    for (std::size_t j = 0; j < n; ++j) {
      const double t = layout.place(j);
      const double a = ratio.mu * t - 0.5 * ratio.mu * ratio.mu;
      const double v = ratio.q * std::exp(a);
      const double turned = v * sine;
      // R - 1 = q (e^{a + i theta} - 1), each part within 3 |R - 1| of its own terms.
      const Complex r{ratio.q * (std::expm1(a) * cosine - 2 * half_sine * half_sine), turned};
      const double r_size = std::abs(r);
      const bool near_one = r_size <= 0.5;
      const double re = (1 - ratio.q) + v * cosine;
      const Complex log_r =
          near_one ? complex_log1p(r)
                   : Complex(0.5 * std::log(re * re + turned * turned), std::atan2(turned, re));
      const Complex rest = r_size <= 0.25 ? log1p_minus_series(r) : log_r - r;
      const double log_weight =
          0.5 * (layout.eta - t) * (layout.eta + t) + std::log(layout.step / kSqrtTwoPi);
      const double weight = std::exp(log_weight);
      const Complex phase{std::cos(layout.eta * t), -std::sin(layout.eta * t)};
      const double log_size = std::abs(log_r);
      log_re_[j] = log_r.real();
      log_im_[j] = log_r.imag();
      phase_re_[j] = phase.real();
      phase_im_[j] = phase.imag();
      log_weight_[j] = log_weight;
      weight_[j] = weight;
      // Its exponent -(t + i eta)^2 / 2 rounds a few times, the log of the step beside it.
      const double place = std::abs(t) + layout.eta;
      const double weight_error = 4 * place * place + 3 * kFunctionError + 24;
      own_[j] = weight_error + 50 + 2 * kFunctionError;
      excess_[j] = r_size;
      // How far R is off, relative to R: by its own rounding, and by the exponent's, into which mu
      // comes with a unit of its own.
      const double exponent_error = 3 * ratio.mu * (std::abs(t) + ratio.mu) + 3 * theta + 2;
      const double share = 1.5 * v / (1 - ratio.q + v);
      sway_[j] = exponent_error * share + (near_one ? 40 * r_size : 12);
      const double rest_error =
          r_size <= 0.25 ? 60 * r_size * r_size : 16 * log_size + 8 * (r_size + v + ratio.q);
      first_order.add(weight * phase * rest);
      first_order_error_ += weight * (rest_error + (own_[j] + sum_error) * std::abs(rest));
      own_[j] += sum_error;
    }
    first_order_ = first_order.total();
  }

  const RatioCurve& ratio() const { return ratio_; }
  const NodeLayout& layout() const { return layout_; }

  /// The rule's sum for E_Q R^w - 1, Im w >= 0, and how much rounding may have moved it.
  struct Sum {
    Complex value;
    double rounding;
  };

  Sum sum(Complex w) const {
    const double w_size = std::abs(w.real()) + w.imag();
    double re = 0, im = 0, blame = 0;
    const std::size_t n = layout_.count;
    for (std::size_t begin = 0; begin < n; begin += kBlock) {
      double block_re = 0, block_im = 0, block_blame = 0;
      for (std::size_t j = begin; j < std::min(n, begin + kBlock); ++j) {
        const double a = w.real() * log_re_[j] - w.imag() * log_im_[j];
        const double b = w.real() * log_im_[j] + w.imag() * log_re_[j];
        const double s = std::abs(a) + std::abs(b);
        // Times the weight: e^{a+ib} - 1 - (a+ib), and the sizes of first and second order.
        double x, y, first, second;
        if (s < 0.5) {
          const Complex rest = exponential_rest({a, b});
          const double square_re = (a - b) * (a + b), square_im = 2 * a * b;
          x = weight_[j] * (rest.real() * square_re - rest.imag() * square_im);
          y = weight_[j] * (rest.real() * square_im + rest.imag() * square_re);
          first = weight_[j] * (1.3 * s);
          second = weight_[j] * (s * s);
        } else {
          const double e = std::exp(a + log_weight_[j]);
          x = e * std::cos(b) - weight_[j] * (1 + a);
          y = e * std::sin(b) - weight_[j] * b;
          first = e + weight_[j];
          second = first + weight_[j] * s;
        }
        block_re += phase_re_[j] * x - phase_im_[j] * y;
        block_im += phase_re_[j] * y + phase_im_[j] * x;
        block_blame +=
            (own_[j] + 24 * s) * second + w_size * sway_[j] * (first + weight_[j] * excess_[j]);
      }
      re += block_re;
      im += block_im;
      blame += block_blame;
    }
    const Complex linear = w * first_order_;
    blame += w_size * first_order_error_;
    return {{re + linear.real(), im + linear.imag()}, 1.01 * kUnit * blame};
  }

 private:
  RatioCurve ratio_;
  NodeLayout layout_;
  std::vector<double> log_re_, log_im_;      ///< log R
  std::vector<double> phase_re_, phase_im_;  ///< of the weight h n(t + i eta)
  std::vector<double> log_weight_, weight_;  ///< its modulus
  std::vector<double> own_;     ///< error of a term relative to its second-order size, in units:
                                ///< the weight's, the exponential's, the sum's
  std::vector<double> excess_;  ///< |R - 1|
  std::vector<double> sway_;    ///< relative error of R, in units
  Complex first_order_ = 0;     ///< sum of weight (log R - (R - 1))
  double first_order_error_ = 0;
};

/// The losses' law under Q, weighted by R^w for a real w, cut where its density has a valley.
///   density of log R, up to a factor: n(t) R^{w+1} / v, whose logarithm has the slope
///   D(t) = -t - mu + (w + 1) mu share(t) along t.
/// The share rises from 0 to 1 with slope mu share (1 - share): D falls everywhere where
/// (w + 1) mu^2 <= 4; else it falls, rises between the two places where share (1 - share) =
/// 1 / ((w + 1) mu^2), and falls. With a valley between these, the law is two pieces, each of one
/// hump; the cells next to the valley are left out.
class TiltedLaw {
  static constexpr double kCellWidth = 0.12;  // a tenth of a standard deviation; any is right

 public:
  /// total: E_Q R^w from above.
  TiltedLaw(const RatioCurve& ratio, double w, double total) {
    if (!(total < kInfinity)) return;
    const double curvature = (w + 1) * ratio.mu * ratio.mu;
    const auto slope = [&](double t) {
      return -t - ratio.mu + (w + 1) * ratio.mu * ratio.share(t);
    };
    double valley = -kInfinity;
    if (curvature > 4) {
      const double root = std::sqrt(1 - 4 / curvature);
      const auto place = [&](double share) {
        return (std::log(share / (1 - share)) + std::log1p(-ratio.q) - std::log(ratio.q)) /
                   ratio.mu +
               0.5 * ratio.mu;
      };
      double low = place(0.5 * (1 - root)), high = place(0.5 * (1 + root));
      // A slope of 1e-9 either way is taken for none; only the placing of cells depends on it.
      constexpr double kCertain = 1e-9;
      if (slope(low) < kCertain && slope(high) > -kCertain) {
        for (int i = 0; i < 60; ++i) {
          const double middle = 0.5 * (low + high);
          (slope(middle) < 0 ? low : high) = middle;
        }
        valley = 0.5 * (low + high);
      }
    }
    const double width = kCellWidth / std::max(1.0, 0.5 * ratio.mu);
    const double first = -7 - std::min(std::max(0.0, -w) * ratio.mu, 30.0);
    const double last = 7 + std::max(w, 0.0) * ratio.mu;
    collect(ratio, w, width, first, std::isinf(valley) ? last : valley, left_);
    if (!std::isinf(valley)) collect(ratio, w, width, valley, last, right_);
    left_.mass = right_.mass = total;
    if (right_.cells.empty()) return;
    // What one piece has for certain, the other one has not.
    const double left = mass(left_), right = mass(right_);
    left_.mass = std::max(left, total - right);
    right_.mass =
        std::max(right, std::min(total - left, right_upper(ratio, w, width, valley, last)));
  }

  /// What oscillation takes from the whole.
  double taken_beyond(double y) const { return taken(left_, y) + taken(right_, y); }

 private:
  static double mass(const UnimodalPiece& piece) {
    double sum = 0;
    for (const LossCell& cell : piece.cells) sum += cell.mass;
    return sum;
  }

  /// The piece's mass from above. On a cell around t with slope s of log f and (log f)'' <= C,
  /// integral <= width f(t) e^{C width^2 / 8 + s^2 width^2 / 24}; beyond the last cell as in
  /// log_right_out.
  static double right_upper(const RatioCurve& ratio, double w, double width, double from,
                            double last) {
    const double bend = std::max(0.0, 0.25 * w * ratio.mu * ratio.mu) * width * width / 8;
    double sum = 0;
    double t = from - 0.5 * width;
    for (; t < last + width; t += width) {
      const double s = -t + w * ratio.mu * ratio.share(t);
      const double slack = bend + s * s * width * width / 24 + rounding(ratio, w, t);
      sum += width / kSqrtTwoPi * std::exp(-0.5 * t * t + w * ratio.log(t) + slack);
    }
    return (sum + std::exp(log_right_out(ratio, t - 0.5 * width, 0, w, 0))) * (1 + 1e-10);
  }

  /// What rounding may do to -t^2/2 + w log R, mu's own included.
  static double rounding(const RatioCurve& ratio, double w, double t) {
    const double place = std::abs(t) + ratio.mu;
    return 16 * kUnit *
           (t * t + std::abs(w) * (std::abs(ratio.log(t)) + ratio.mu * place * ratio.share(t)) + 1);
  }

  /// Cells from `from` to `to`, but for the first and last one's width there. By (log f)'' >= -C,
  /// C = 1 + max(0, -w) mu^2 / 4, a cell's integral is at least width f(t) e^{-C width^2 / 24}.
  static void collect(const RatioCurve& ratio, double w, double width, double from, double to,
                      UnimodalPiece& piece) {
    const double bend = (1 + std::max(0.0, -w) * 0.25 * ratio.mu * ratio.mu) * width * width / 24;
    double largest = 0;
    for (double t = from + 1.5 * width; t + 1.5 * width < to; t += width) {
      const double slack = bend + rounding(ratio, w, t) + 1e-12;
      const double value = width / kSqrtTwoPi * std::exp(-0.5 * t * t + w * ratio.log(t) - slack);
      const double low = ratio.log(t - 0.5 * width), high = ratio.log(t + 0.5 * width);
      const double blur = 16 * kUnit *
                          (std::abs(low) + std::abs(high) +
                           ratio.mu * (std::abs(t) + ratio.mu + 1) * ratio.share(t + 0.5 * width));
      if (!std::isfinite(value)) continue;
      piece.cells.push_back({value, low - blur, high + blur});
      largest = std::max(largest, value);
    }
    std::erase_if(piece.cells, [&](const LossCell& cell) { return cell.mass < 1e-6 * largest; });
  }

  UnimodalPiece left_, right_;
};

class SubsampledColumn : public Column {
 public:
  /// x: of z.
  SubsampledColumn(std::shared_ptr<const Nodes> nodes, Direction direction, double x)
      : nodes_(std::move(nodes)), removes_(direction == Direction::remove) {
    power_ = removes_ ? x + 1 : -x;
    const NodeLayout& layout = nodes_->layout();
    const RatioCurve& ratio = nodes_->ratio();
    const double e = 2 * layout.eta;
    shrink_ = 1 / std::expm1(2 * kPi * layout.eta / layout.step * (1 - 8 * kUnit)) * (1 + 1e-12);
    const double top = std::exp(0.5 * e * e) * (1 + 1e-12);
    const double widened =
        power_ < 0 ? std::exp(power_ * std::log(std::cos(0.5 * ratio.mu * e))) * (1 + 1e-12) : 1;
    edges_ = 1 + top;
    moment_share_ = 1 + top * widened;
    // E_Q R^power from above: the rule's sum, and its errors, which hold this very number once
    // more.
    const Nodes::Sum at = nodes_->sum({power_, 0});
    const double rest = at.rounding + left_out(std::abs(power_)) +
                        shrink_ * edges_ * (1 + 2 * ratio.q * std::abs(power_));
    const double ratio_of_itself = shrink_ * moment_share_;
    moment_upper_ = ratio_of_itself < 0.5
                        ? (1 + at.value.real() + rest) / (1 - ratio_of_itself) * (1 + 8 * kUnit)
                        : kInfinity;
    if (!(moment_upper_ > 0)) moment_upper_ = kInfinity;
  }

  LogMoment log_moment(double y) const override {
    const Nodes::Sum sum = nodes_->sum({power_, y});
    const double size = std::hypot(power_, y);
    const double error =
        sum.rounding + left_out(size) +
        shrink_ * (moment_share_ * moment_upper_ + edges_ * (1 + 2 * nodes_->ratio().q * size));
    const Complex moment = 1.0 + sum.value;
    const double modulus = std::abs(moment);
    const double excess = std::abs(sum.value);
    if (!(error < 0.5 * modulus)) return {0, kInfinity};
    const Complex value =
        excess < 0.5 ? complex_log1p(sum.value) : Complex(std::log(modulus), std::arg(moment));
    const double relative = error / modulus;
    const double own = 16 * kUnit * (excess < 0.5 ? excess : 1 + std::abs(value));
    return {removes_ ? value : std::conj(value), relative / (1 - relative) + own};
  }

  /// E_Q R^{Re w}, from above.
  double moment_upper() const { return moment_upper_; }
  double power() const { return power_; }

 private:
  double left_out(double size) const {
    const NodeLayout& layout = nodes_->layout();
    const double last = layout.place(layout.count - 1);
    return std::exp(log_left_out(nodes_->ratio(), layout.place(0), layout.eta, power_, size)) *
               (1 + 1e-9) +
           std::exp(log_right_out(nodes_->ratio(), last, layout.eta, power_, size)) * (1 + 1e-9);
  }

  std::shared_ptr<const Nodes> nodes_;
  bool removes_;
  double power_ = 0;         ///< Re w
  double shrink_ = 0;        ///< 1 / (e^{2 pi eta / h} - 1)
  double edges_ = 0;         ///< of both edges of the strip
  double moment_share_ = 0;  ///< the same times what |R|^{Re w} gains there
  double moment_upper_ = 0;
};

class SubsampledDecay : public Decay {
 public:
  SubsampledDecay(const RatioCurve& ratio, const SubsampledColumn& column)
      : moment_(column.moment_upper()), law_(ratio, column.power(), moment_) {}

  double log_bound_beyond(double y) const override {
    if (!(moment_ < kInfinity)) return kInfinity;
    const double left = law_.taken_beyond(y) / moment_ * (1 - 4 * kUnit);
    const double base = std::log1p(moment_ - 1);
    return left < 1 ? base + std::log1p(-left) + 8 * kUnit * (1 + std::abs(base)) : -kInfinity;
  }

 private:
  double moment_;
  TiltedLaw law_;
};

class SubsampledRule : public Rule {
 public:
  SubsampledRule(std::shared_ptr<const Nodes> nodes, Direction direction)
      : nodes_(std::move(nodes)), direction_(direction) {}
  std::unique_ptr<const Column> column(double x) const override {
    return std::make_unique<SubsampledColumn>(nodes_, direction_, x);
  }
  std::unique_ptr<const Decay> decay(double x) const override {
    return std::make_unique<SubsampledDecay>(nodes_->ratio(),
                                             SubsampledColumn(nodes_, direction_, x));
  }

 private:
  std::shared_ptr<const Nodes> nodes_;
  Direction direction_;
};

/// Where the estimate's nodes begin and end.
constexpr double kFirstEstimateNode = -10;
constexpr double kLastEstimateNode = 70;

}  // namespace

SubsampledGaussianMoments::SubsampledGaussianMoments(double q, double mu)
    : q_(q), mu_(mu), step_(std::min(0.2, 0.6 / mu)) {
  const RatioCurve ratio{q, mu};
  for (double t = kFirstEstimateNode; t < kLastEstimateNode; t += step_) {
    const double excess = ratio.excess(t);
    if (std::isinf(excess)) break;
    const double log_r = std::log1p(excess);
    log_r_.push_back(log_r);
    log_weight_.push_back(std::log(step_ / kSqrtTwoPi) - 0.5 * t * t);
    const double weight = std::exp(log_weight_.back());
    weight_.push_back(weight);
    second_order_ +=
        weight * (std::abs(excess) < 1e-4 ? excess * excess * (excess / 3 - 0.5) : log_r - excess);
  }
}

std::shared_ptr<const Rule> SubsampledGaussianMoments::rule(Direction direction,
                                                            const Reach& reach) const {
  const PowerRange powers =
      direction == Direction::remove
          ? PowerRange{reach.lowest + 1, reach.highest + 1, reach.log_precision}
          : PowerRange{-reach.highest, -reach.lowest, reach.log_precision};
  const RatioCurve ratio{q_, mu_};
  const NodeLayout layout = lay_out(ratio, powers);
  if (layout.count > kMostNodes) return nullptr;
  return std::make_shared<SubsampledRule>(std::make_shared<const Nodes>(ratio, layout), direction);
}

double SubsampledGaussianMoments::log_moment_estimate(Direction direction, double x) const {
  const double w = direction == Direction::remove ? x + 1 : -x;
  double sum = w * second_order_;
  const double end = std::max(w, 0.0) * mu_ + 9;
  if (end > kLastEstimateNode) return kInfinity;
  const auto count =
      std::min(log_r_.size(), static_cast<std::size_t>((end - kFirstEstimateNode) / step_));
  for (std::size_t j = 0; j < count; ++j) {
    const double power = w * log_r_[j];
    if (power > 30) {
      sum += std::exp(power + log_weight_[j]);
    } else {
      sum +=
          weight_[j] * (std::abs(power) < 1e-4 ? 0.5 * power * power : std::expm1(power) - power);
    }
  }
  return sum > -1 && sum < 1e300 ? std::log1p(sum) : kInfinity;
}

double SubsampledGaussianMoments::largest_loss(Direction direction) const {
  return direction == Direction::remove ? kInfinity : -std::log1p(-q_) * (1 + 8 * kUnit);
}

}  // namespace honest_epsilon::contour
