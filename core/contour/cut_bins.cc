#include "core/contour/cut_bins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/math/quadrature.h"

namespace honest_epsilon::contour {
namespace {

/// Standard deviations that are told from none.
constexpr double kFar = 9;

/// Doubles hold the least of it for a bin among very many, and delta is hardly asked below it.
constexpr double kLeastLeftOut = 1e-260, kMostLeftOut = 0.3;

/// The most e-folds between a column's largest terms and what is left out of them.
constexpr double kMostPrecision = 36;

/// More samples of N than this are slower than other methods.
constexpr std::size_t kMostTransforms = 1500;

/// Nodes that are summed at once.
constexpr std::size_t kAbreast = 4;

/// e^w - 1 - w for Re w >= 0, off by at most 40 units of |w|^2/2 e^{Re w}.
Complex exponential_less_linear(Complex w) {
  if (std::norm(w) < 0.24) return w * w * exponential_rest(w);
  const double size = std::exp(w.real());
  return {size * std::cos(w.imag()) - 1 - w.real(), size * std::sin(w.imag()) - w.imag()};
}

/// log (p / (e r))^p, rounded up.
double log_power_bound(double p, double r) {
  const double ratio = std::log(p / r);
  return p * (ratio - 1) + 8 * kUnit * p * (2 + std::abs(ratio));
}

/// One place's samples of N, and E[U^w; A] from them.
class CutColumn : public Column {
 public:
  CutColumn(std::shared_ptr<const CutBins> bins, double power, double need);
  LogMoment log_moment(double y) const override;
  /// log E[U^p; A], from above; +inf where nothing is known.
  double log_upper() const { return log_upper_; }
  /// log |E[U^{p+iy}; A]|, from above.
  double log_decayed(double y) const;

 private:
  struct TransformSample {
    double log_modulus, angle;  ///< of 1 + i tan psi
    Complex log;                ///< log N(s) - log N(sigma)
    double error;               ///< relative
  };
  /// What the samples add up to, against Gamma(w+1) sigma^{-w} N(sigma) h / (2 pi).
  struct WeightedSum {
    Complex value{};
    double size = 0, error = 0;
  };
  void add_sample() const;
  /// log of the largest |1 + i tan psi|^{-p-1} e^{y psi}: sums are given against it.
  double log_top(double y) const;
  WeightedSum sum(double y) const;
  double log_beyond(double y) const;
  LogMoment evaluated(double y) const;
  LogMoment no_more_than(double log_bound) const {
    return {log_bound + 1e-12, std::log(3.0) + 1e-12};
  }

  std::shared_ptr<const CutBins> bins_;
  double power_;
  double need_;
  double sigma_ = 0;
  double spacing_ = 0;            ///< of Im s / sigma
  double log_first_ = 0;          ///< log N(sigma)
  double log_alias_ = kInfinity;  ///< of all m != 0
  double log_upper_ = kInfinity;
  double log_floor_ = kInfinity;  ///< of what does not decay, against E[U^p; A]
  mutable std::vector<TransformSample> samples_;
};

CutColumn::CutColumn(std::shared_ptr<const CutBins> all, double power, double need)
    : bins_(std::move(all)), power_(power), need_(need), sigma_(bins_->saddle(power)) {
  const CutBins& bins = *bins_;
  if (!(sigma_ > 0) || power < CutBins::kLeastPower) return;
  const ComplexEstimate first = bins.log_transform(sigma_);
  if (!(first.error < 0.5)) return;
  log_first_ = first.value.real();
  // On either side the place, as a share of sigma, whose aliases want the fewest samples. To the
  // left N(r) is about e^r or less.
  double distance = 0;
  std::array<double, 2> nearest{};
  for (const double side : {-1.0, 1.0}) {
    double best = kInfinity;
    for (double part = 0.02; part < 0.9; part *= 1.4) {
      const double place = side * part;
      const double rise =
          side < 0 ? power * place : bins.log_transform_estimate(sigma_ * (1 + place)) - log_first_;
      const double wanted = (need + rise - power * std::log1p(place) + 3) / part;
      if (!(wanted < best)) break;
      best = wanted;
      nearest[side < 0 ? 0 : 1] = sigma_ * (1 + place);
    }
    distance = std::max(distance, best);
  }
  if (!(distance < kInfinity)) return;
  spacing_ = portable::shortened(kTwoPi / distance);
  log_alias_ = -kInfinity;
  for (const double r : nearest) {
    const ComplexEstimate at = bins.log_transform(r);
    const double away = std::abs(sigma_ - r) * kTwoPi / (spacing_ * sigma_) * (1 - 16 * kUnit);
    const double side =
        log_power_bound(power, r) + at.value.real() + at.error - std::log(std::expm1(away)) + 1e-12;
    log_alias_ = std::max(log_alias_, side) + std::log1p(std::exp(-std::abs(log_alias_ - side)));
  }
  if (!(log_alias_ < kInfinity)) return;
  const LogMoment at = evaluated(0);
  if (!(at.error < 0.5)) return;
  log_upper_ = at.value.real() + at.error;

  // What does not decay; a as far as g is away from its mean, and as much again.
  const double t = bins.bins(), mu = bins.mu(), root = std::sqrt(t);
  const double a = (kFar + power * mu / root) / root;
  const double rho = normal::upper_tail((a - power * mu / t) * root * (1 - 1e-12)) * (1 + 1e-9);
  const double log_nu = (log_first_ - first.error) / t;
  const double rise = std::exp(sigma_ * bins.largest() - log_nu) * (1 + 1e-9);
  const double known = log_power_bound(power, sigma_) + log_first_ + first.error -
                       (at.value.real() - at.error) + 1e-9;
  const double near_cut = t * rise * normal::upper_tail(bins.cut() - 2 * a) * (1 + 1e-9);
  const double low_mean = std::exp(-0.5 * a * a * t * (1 - 1e-12) +
                                   t * std::log1p(rise * normal::upper_tail(bins.cut())));
  log_floor_ = std::log(2 * rho / (1 - rho) + std::exp(known) * (near_cut + low_mean) + kTiny);
}

double CutColumn::log_decayed(double y) const {
  const double t = bins_->bins(), mu = bins_->mu();
  const double fall = -0.5 * mu * mu / t * y * y * (1 - 16 * kUnit);
  const double larger = std::max(fall, log_floor_);
  return log_upper_ + larger + std::log(std::exp(fall - larger) + std::exp(log_floor_ - larger)) +
         8 * kUnit * (1 + std::abs(log_upper_) + std::abs(larger));
}

void CutColumn::add_sample() const {
  const double tangent = spacing_ * static_cast<double>(samples_.size());
  const ComplexEstimate at = bins_->log_transform(sigma_ * Complex{1, tangent});
  const double slack = 2 * kUnit * std::abs(at.value) + kUnit * std::abs(log_first_);
  // |N(s)| <= N(Re s).
  const Complex log =
      at.error < 1 ? at.value - log_first_ : std::min(at.value.real() - log_first_, 1e-9);
  samples_.push_back(
      {0.5 * std::log1p(tangent * tangent), std::atan(tangent), log, std::expm1(at.error + slack)});
}

double CutColumn::log_top(double y) const {
  const double tangent = y / (power_ + 1);
  return y * std::atan(tangent) - (power_ + 1) * 0.5 * std::log1p(tangent * tangent);
}

// A term's exponent is made of three products and their sum, off by 8 units of their moduli.
CutColumn::WeightedSum CutColumn::sum(double y) const {
  WeightedSum sum;
  const double order = power_ + 1, top = log_top(y);
  for (std::size_t j = 0; j < samples_.size(); ++j) {
    const TransformSample& sample = samples_[j];
    const double fall = sample.log.real() - order * sample.log_modulus - top;
    const double units =
        8 * (4 + std::abs(top) + (order + y) * (sample.log_modulus + sample.angle) +
             std::abs(sample.log));
    const double turn = y * sample.log_modulus;
    const double own = sample.log.imag() - order * sample.angle;
    const auto add = [&](double exponent, double phase) {
      const double modulus = std::exp(exponent);
      sum.value += Complex{modulus * std::cos(phase), modulus * std::sin(phase)};
      sum.size += modulus;
      sum.error += modulus * (sample.error + kUnit * units);
    };
    add(fall + y * sample.angle, own - turn);
    if (j > 0) add(fall - y * sample.angle, -own - turn);
  }
  sum.error =
      (sum.error + kUnit * (2 * static_cast<double>(samples_.size()) + 8) * sum.size) * (1 + 1e-9);
  return sum;
}

/// log of what the samples beyond the last one add, in those units.
double CutColumn::log_beyond(double y) const {
  const TransformSample& last = samples_.back();
  const double tangent = spacing_ * static_cast<double>(samples_.size() - 1);
  const double slope = (power_ - 1) * tangent * (1 - 8 * kUnit) - y;
  if (!(slope > 0)) return kInfinity;
  return std::log(2.0) - (power_ - 1) * last.log_modulus + y * last.angle - std::log(slope) -
         log_top(y) + 16 * kUnit * (1 + power_ * last.log_modulus + y * last.angle);
}

LogMoment CutColumn::evaluated(double y) const {
  const ComplexEstimate weight = log_power_over_gamma({power_ + 1, y}, sigma_, 0);
  // Gamma(w+1) sigma^{-w} N(sigma) / (2 pi); sums are over tan(psi).
  const double top = log_top(y);
  const double log_scale = log_first_ + std::log(sigma_ / kTwoPi) - weight.value.real() + top;
  const double slack =
      weight.error + 8 * kUnit * (2 + std::abs(log_first_) + std::abs(log_scale) + top);
  if (samples_.empty()) add_sample();
  const double enough =
      (log_upper_ < kInfinity ? log_upper_ - log_scale : std::log(kTwoPi / power_) / 2) - need_;
  while (log_beyond(y) > enough) {
    if (samples_.size() >= kMostTransforms) return {0, kInfinity};
    add_sample();
  }
  const WeightedSum total = sum(y);
  const double modulus = std::abs(total.value) * spacing_;
  const double error = (total.error * spacing_ + std::exp(log_beyond(y)) +
                        std::exp(log_alias_ - log_scale + slack) + slack * 1.1 * modulus) *
                       (1 + 1e-9);
  if (!(error < kInfinity)) return {0, kInfinity};
  if (error < 0.5 * modulus)
    return {{log_scale + std::log(modulus), std::arg(total.value) - weight.value.imag()},
            error / (modulus - error) + slack};
  return no_more_than(log_scale + std::log(modulus + error) + slack);
}

LogMoment CutColumn::log_moment(double y) const {
  if (!(log_upper_ < kInfinity)) return {0, kInfinity};
  const LogMoment at = evaluated(y);
  if (at.error < 0.5) return at;
  const double bound = log_decayed(y);
  return at.error < kInfinity && at.value.real() < bound ? at : no_more_than(bound);
}

class CutDecay : public Decay {
 public:
  explicit CutDecay(std::shared_ptr<const CutColumn> column) : column_(std::move(column)) {}
  double log_bound_beyond(double y) const override {
    return column_->log_upper() < kInfinity ? column_->log_decayed(y) : kInfinity;
  }

 private:
  std::shared_ptr<const CutColumn> column_;
};

class CutRule : public Rule {
 public:
  CutRule(std::shared_ptr<const CutBins> bins, double need) : bins_(std::move(bins)), need_(need) {}
  std::unique_ptr<const Column> column(double x) const override {
    return std::make_unique<SharedColumn>(at(x));
  }
  std::unique_ptr<const Decay> decay(double x) const override {
    return std::make_unique<CutDecay>(at(x));
  }
  double left_out() const override { return bins_->left_out(); }

 private:
  std::shared_ptr<const CutColumn> at(double x) const {
    if (!last_ || last_place_ != x) {
      last_place_ = x;
      last_ = std::make_shared<CutColumn>(bins_, 1 + x, need_);
    }
    return last_;
  }

  std::shared_ptr<const CutBins> bins_;
  double need_;
  mutable double last_place_ = 0;
  mutable std::shared_ptr<const CutColumn> last_;
};

}  // namespace

CutBins::CutBins(double bins, double mu, double left_out) : bins_(bins), mu_(mu) {
  const double tail = std::clamp(left_out, kLeastLeftOut, kMostLeftOut);
  cut_ = std::max(normal::upper_quantile_estimate(tail / bins),
                  mu + normal::upper_quantile_estimate(tail));
  left_out_ =
      ((bins - 1) * normal::upper_tail(cut_) + normal::upper_tail(cut_ - mu * (1 + kUnit))) *
      (1 + 1e-9);
  const auto x_at = [mu](double t) { return std::exp(mu * t - 0.5 * mu * mu); };
  largest_ = x_at(cut_) / bins * (1 + 1e-12);
  // Panels as long as the normal density allows, and near the cut as e^{sX} does, down to where X^2
  // has hardly any mass.
  constexpr double kLongest = 4, kLongestRise = 0.5, kGrowth = 1.4;
  const auto rule = quadrature::gauss_legendre();
  lowest_ = cut_;
  for (double length = std::min(kLongest, kLongestRise / mu); lowest_ > 2 * mu - kFar;
       length = std::min(kLongest, kGrowth * length)) {
    const double half = 0.5 * length, middle = lowest_ - half;
    lowest_ -= length;
    // From the right, where ratios are large, to the left.
    for (std::size_t i = 0; i < rule.size(); ++i) {
      const std::size_t pairs = rule.size() / 2;
      const auto& node = rule[i < pairs ? 2 * (pairs - i) - 1 : 2 * (i - pairs)];
      const double t = middle + half * node.position;
      const double place = std::abs(t) + mu;
      nodes_.push_back(
          {x_at(t) / bins, half * node.weight * normal::pdf(t), 200 + 10 * place * place});
    }
    // The ellipse, of those that are tried, with the smallest error.
    Panel best{kInfinity, 0, 1};
    for (const double rho : {2.0, 3.0, 4.0}) {
      const double along = half * 0.5 * (rho + 1 / rho), across = half * 0.5 * (rho - 1 / rho);
      const double nearest = std::max(0.0, std::abs(middle) - along);
      const double place = x_at(middle + along) / bins * (1 + 1e-12);
      const double log_error = quadrature::log_error(std::log(rho)) + std::log(half) +
                               0.5 * (across - nearest) * (across + nearest) - kHalfLogTwoPi +
                               2 * std::log(place) - std::log(2.0) + 1e-9;
      const double turn = mu * across < 1 ? mu * across : 1;
      if (log_error < best.log_error) best = {log_error, place, turn};
    }
    panels_.push_back(best);
  }
  while (nodes_.size() % kAbreast != 0) nodes_.push_back({nodes_.back().place, 0, 0});
}

ComplexEstimate CutBins::log_transform(Complex s) const {
  Complex rest = 0;
  double off = 0;
  const double square = std::norm(s), roundings = static_cast<double>(nodes_.size());
  for (std::size_t begin = 0; begin < nodes_.size(); begin += kAbreast) {
    // By the series where all of them are small; places fall.
    std::array<Complex, kAbreast> value;
    const double largest = square * nodes_[begin].place * nodes_[begin].place;
    if (largest < 0.24) {
      std::array<double, kAbreast> re, im;
      for (std::size_t i = 0; i < kAbreast; ++i) {
        re[i] = s.real() * nodes_[begin + i].place;
        im[i] = s.imag() * nodes_[begin + i].place;
      }
      const auto x = re, y = im;
      exponential_rests(largest, re, im);
      for (std::size_t i = 0; i < kAbreast; ++i)
        value[i] = Complex{x[i] * x[i] - y[i] * y[i], 2 * x[i] * y[i]} * Complex{re[i], im[i]};
    } else {
      for (std::size_t i = 0; i < kAbreast; ++i)
        value[i] = exponential_less_linear(s * nodes_[begin + i].place);
    }
    const double growth = std::exp(s.real() * nodes_[begin].place);
    for (std::size_t i = 0; i < kAbreast; ++i) {
      const QuadratureNode& node = nodes_[begin + i];
      rest += node.weight * value[i];
      off += node.weight * kUnit * (node.units + roundings) * square * node.place * node.place *
             growth;
    }
  }
  double error = off;
  for (const Panel& panel : panels_)
    error += square *
             std::exp(panel.log_error + (s.real() + std::abs(s.imag()) * panel.turn) * panel.place);
  // To the left of all panels: E[|w|^2/2 e^{Re w}], E X^2 = e^{mu^2}.
  const double low = std::exp(mu_ * lowest_ - 0.5 * mu_ * mu_) / bins_;
  error += 0.5 * square / (bins_ * bins_) * std::exp(mu_ * mu_ + s.real() * low * (1 + 1e-12)) *
           normal::upper_tail(2 * mu_ - lowest_) * (1 + 1e-9);
  const Complex linear = s / bins_ * (1 - normal::upper_tail(cut_ - mu_));
  const Complex excess = rest + linear - normal::upper_tail(cut_);
  const double size = std::abs(excess);
  error = (error + kUnit * (8 * std::abs(linear) + 2 * size)) * (1 + 1e-9);
  const Complex value = 1.0 + excess;
  const double modulus = std::abs(value);
  // Only an upper bound on its modulus is known: any such number lies within 3 times that.
  if (!(error < 0.5 * modulus))
    return {bins_ * std::log(modulus + error) * (1 + 8 * kUnit), std::log(3.0) + 1e-12};
  const bool small = size < 0.5;
  const Complex log = small ? complex_log1p(excess) : Complex{std::log(modulus), std::arg(value)};
  const double rounding = 8 * kUnit * (small ? size : 1 + std::abs(log));
  return {bins_ * log, bins_ * (error / (modulus - error) + rounding)};
}

CutBins::RealTransform CutBins::real_transform(double r) const {
  double rest = 0, first = 0, second = 0;
  for (const QuadratureNode& node : nodes_) {
    const double w = r * node.place, growth = std::expm1(w);
    rest += node.weight * (growth - w);
    first += node.weight * node.place * growth;
    second += node.weight * node.place * node.place * (growth + 1);
  }
  const double nu = 1 + r / bins_ + rest;
  const double slope = (1 / bins_ + first) / nu;
  return {bins_ * std::log1p(r / bins_ + rest), bins_ * slope,
          bins_ * (second / nu - slope * slope)};
}

/// By Newton's method on r N'(r) / N(r) = p + 1, from where U is 1.
double CutBins::saddle(double power) const {
  double r = power + 1;
  for (int i = 0; i < 60; ++i) {
    const RealTransform at = real_transform(r);
    if (!(std::abs(at.bend) < kInfinity)) {
      r *= 0.5;
      continue;
    }
    const double next =
        std::max(0.5 * r, r - (r * at.slope - power - 1) / (at.slope + r * at.bend));
    const bool settled = std::abs(next - r) < 1e-9 * r;
    r = next;
    if (settled) return r;
  }
  return 0;
}

double CutBins::log_moment_estimate(double power) const {
  const double r = saddle(power);
  if (!(r > 0)) return kInfinity;
  const RealTransform at = real_transform(r);
  // Laplace's method for Hankel's integral, and Stirling's formula.
  const double bend = at.bend + (power + 1) / (r * r);
  return power * (std::log(power / r) - 1) + at.log + 0.5 * std::log(power / (bend * r * r));
}

std::shared_ptr<const Rule> CutBins::rule(std::shared_ptr<const CutBins> planned,
                                          const Reach& reach) {
  if (reach.lowest + 1 < kLeastPower) return nullptr;
  // A cut ten times smaller than it may be changes no plan.
  constexpr double kAbout = 0.1;
  const double most = std::clamp(std::exp(reach.log_left_out), kLeastLeftOut, kMostLeftOut);
  const double left_out = planned->left_out();
  if (!(left_out <= most && left_out >= kAbout * most))
    planned = std::make_shared<const CutBins>(planned->bins(), planned->mu(), most);
  return std::make_shared<CutRule>(std::move(planned),
                                   std::clamp(4 - reach.log_precision, 4.0, kMostPrecision));
}

}  // namespace honest_epsilon::contour
